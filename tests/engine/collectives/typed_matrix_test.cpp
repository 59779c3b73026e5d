// Prefixes, exchanges and folds of a caller's function over elements of any type map and size, compared byte
// by byte with the serial fold in the canonical order.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "collectives/typed_walk.hpp"
#include "engine/job/areas.hpp"

namespace foldlane::testing {
namespace {

using engine::Prefix;

std::string walk_prefixes(TypedWalk& walk, std::size_t count) {
  return first_problem({[&] { return walk.scan(count, false, Prefix::inclusive); },
                        [&] { return walk.scan(count, true, Prefix::inclusive); },
                        [&] { return walk.scan(count, false, Prefix::exclusive); },
                        [&] { return walk.scan(count, true, Prefix::exclusive); }});
}

std::string walk_folds(TypedWalk& walk, std::size_t count, int ranks) {
  const int root = static_cast<int>(count) % ranks;
  for (const bool in_place : {false, true}) {
    auto problem = first_problem(
        {[&] { return walk.allreduce(count, in_place); }, [&] { return walk.reduce(count, in_place, root); },
         [&] { return walk.reduce_scatter(equal_blocks(count, ranks), in_place); },
         [&] { return walk.reduce_scatter(unequal_blocks(count, ranks, true), in_place); },
         [&] { return walk.reduce_scatter(unequal_blocks(count, ranks, false), in_place); },
         [&] { return walk.bcast(count, root); }});
    if (!problem.empty()) return problem;
  }
  return "";
}

/// Every size, bytes that differ by rank and call.
std::string walk_exchanges(RankContext& context, long& calls) {
  for (std::size_t bytes = 1; bytes <= engine::Team::kInlineBytes; ++bytes, ++calls) {
    const auto shown = [&](int rank, std::size_t at) {
      return static_cast<std::byte>(static_cast<std::size_t>(rank) * 57 + at * 3 + bytes);
    };
    std::vector<std::byte> own(bytes), all(static_cast<std::size_t>(context.size) * bytes + 1);
    for (std::size_t at = 0; at < bytes; ++at) own[at] = shown(context.rank, at);
    const auto done =
        engine::exchange_bytes(context.world, {.call = engine::Call::split}, own.data(), bytes, all.data());
    if (!done.ok()) return done.error().message;
    for (std::size_t at = 0; at + 1 < all.size(); ++at) {
      if (all[at] != shown(static_cast<int>(at / bytes), at % bytes))
        return fmt::format("exchange of {} bytes: byte {} differs", bytes, at);
    }
    if (all.back() != std::byte{}) return fmt::format("exchange of {} bytes wrote behind", bytes);
  }
  return "";
}

class TypedMatrix : public ::testing::TestWithParam<Setting> {
 protected:
  /// One material on all ranks, at all counts.
  template <class Calls>
  void compare(const Material& material, const std::vector<std::size_t>& counts, const Calls& calls) {
    const auto [transport, ranks] = GetParam();
    const auto problems = run_ranks(transport, {.shape = tiny_shape(ranks)}, [&](RankContext& context) {
      return run_walk(context, [&] {
        TypedWalk walk(context, material);
        for (const std::size_t count : counts) {
          if (auto problem = calls(walk, count); !problem.empty()) return problem;
        }
        if (context.rank == 0) *compared_ += walk.calls;
        return std::string();
      });
    });
    ASSERT_TRUE(problems.empty()) << problems.front();
  }
  void report(const char* what) {
    std::printf("%s: %ld calls x %d ranks compared as %s, 0 differing bits\n", what, *compared_,
                GetParam().ranks, name(GetParam().transport));
  }
  SharedCounter compared_;
};

TEST_P(TypedMatrix, PrefixesOfEveryPredefinedFold) {
  for (const auto& [op, elem] : valid_pairs()) {
    const auto counts = boundary_counts(kernels::elem_bytes(elem), tiny_shape(GetParam().ranks));
    const Material material(op, elem, GetParam().ranks, counts.back());
    compare(material, counts, walk_prefixes);
    if (HasFatalFailure()) return;
  }
  report("prefixes");
}

TEST_P(TypedMatrix, EveryCallOnEveryForm) {
  const int ranks = GetParam().ranks;
  const shm::SegmentShape shape = tiny_shape(ranks);
  for (const Form& form : forms(engine::capacity_of(shape).slot_bytes)) {
    const auto counts = boundary_counts(form.packed_bytes, shape);
    const Material material(form, ranks, counts.back());
    compare(material, counts, [&](TypedWalk& walk, std::size_t count) {
      auto problem = walk_prefixes(walk, count);
      return problem.empty() ? walk_folds(walk, count, ranks) : problem;
    });
    if (HasFatalFailure()) return;
  }
  report("forms");
}

TEST_P(TypedMatrix, EverybodyLearnsWhatAllShow) {
  const auto [transport, ranks] = GetParam();
  const auto problems = run_ranks(transport, {.shape = tiny_shape(ranks)}, [&](RankContext& context) {
    long calls = 0;
    auto problem = walk_exchanges(context, calls);
    if (context.rank == 0) *compared_ += calls;
    return problem;
  });
  ASSERT_TRUE(problems.empty()) << problems.front();
  report("exchanges");
}

INSTANTIATE_TEST_SUITE_P(All, TypedMatrix, ::testing::ValuesIn(settings_for({1, 2, 3, 4, 5, 7, 8})),
                         [](const auto& test) {
                           return fmt::format("{}_{}", name(test.param.transport), test.param.ranks);
                         });

}  // namespace
}  // namespace foldlane::testing
