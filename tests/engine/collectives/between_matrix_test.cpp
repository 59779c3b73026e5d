// The calls between two groups, of 1 to 5 members each, from every root, compared byte by byte with the
// serial fold of the other group in the canonical order.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "collectives/typed_walk.hpp"
#include "engine/job/areas.hpp"

namespace foldlane::testing {
namespace {

struct Groups {
  Transport transport;
  int first;
  int second;
};

engine::Sides sides_of(const Groups& groups, int rank) {
  const engine::Members first{0, groups.first}, second{groups.first, groups.second};
  return rank < groups.first ? engine::Sides{first, second} : engine::Sides{second, first};
}

/// Blocks of this group whose sum, `count`, is the same in both.
std::vector<std::int64_t> blocks_of(std::size_t count, int members, int shift) {
  std::vector<std::int64_t> blocks(static_cast<std::size_t>(members),
                                   static_cast<std::int64_t>(count) / (members + shift));
  blocks[static_cast<std::size_t>(shift % members)] += static_cast<std::int64_t>(count - sum(blocks));
  return blocks;
}

std::string walk_count(TypedWalk& walk, const engine::Sides& sides, std::size_t count) {
  auto problem = first_problem(
      {[&] { return walk.allreduce_between(sides, count); },
       [&] { return walk.reduce_scatter_between(sides, blocks_of(count, sides.local.count, 0)); },
       [&] { return walk.reduce_scatter_between(sides, blocks_of(count, sides.local.count, 3)); }});
  if (!problem.empty()) return problem;
  for (int root = 0; root < sides.local.count + sides.remote.count; ++root) {
    problem = first_problem({[&] { return walk.reduce_between(sides, count, root); },
                             [&] { return walk.bcast_between(sides, count, root); }});
    if (!problem.empty()) return problem;
  }
  return "";
}

class BetweenMatrix : public ::testing::TestWithParam<Groups> {
 protected:
  void compare(const Material& material, const std::vector<std::size_t>& counts) {
    const Groups groups = GetParam();
    const RunOptions options{.shape = tiny_shape(groups.first + groups.second)};
    const auto problems = run_ranks(groups.transport, options, [&](RankContext& context) {
      return run_walk(context, [&] {
        TypedWalk walk(context, material);
        for (const std::size_t count : counts) {
          if (auto problem = walk_count(walk, sides_of(groups, context.rank), count); !problem.empty())
            return problem;
        }
        if (context.rank == 0) *compared_ += walk.calls;
        return std::string();
      });
    });
    ASSERT_TRUE(problems.empty()) << problems.front();
  }
  SharedCounter compared_;
};

TEST_P(BetweenMatrix, EachGroupGetsTheFoldOfTheOther) {
  const int ranks = GetParam().first + GetParam().second;
  const shm::SegmentShape shape = tiny_shape(ranks);
  for (const Form& form : forms(engine::capacity_of(shape).slot_bytes)) {
    const auto counts = boundary_counts(form.packed_bytes, shape);
    compare(Material(form, ranks, counts.back()), counts);
    if (HasFatalFailure()) return;
  }
  using kernels::Elem, kernels::Op;
  for (const auto& [op, elem] : std::vector<std::pair<Op, Elem>>{
           {Op::sum, Elem::f64}, {Op::sum, Elem::bf16}, {Op::maxloc, Elem::pair_f64_i32}}) {
    const auto counts = boundary_counts(kernels::elem_bytes(elem), shape);
    compare(Material(op, elem, ranks, counts.back()), counts);
    if (HasFatalFailure()) return;
  }
  std::printf("between groups: %ld calls x %d + %d ranks compared as %s, 0 differing bits\n", *compared_,
              GetParam().first, GetParam().second, name(GetParam().transport));
}

std::vector<Groups> all_groups() {
  std::vector<Groups> all;
  for (int first = 1; first <= 5; ++first) {
    for (int second = 1; second <= 5; ++second) {
      for (const Setting& setting : settings_for({first + second}))
        all.push_back({setting.transport, first, second});
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, BetweenMatrix, ::testing::ValuesIn(all_groups()), [](const auto& test) {
  return fmt::format("{}_{}_{}", name(test.param.transport), test.param.first, test.param.second);
});

}  // namespace
}  // namespace foldlane::testing
