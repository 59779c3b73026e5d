// Calls with buffers in common memory: the same bits as the serial fold, straight where all members can, the
// usual way where one cannot; and buffers that are the caller's again as soon as the call returns.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "collectives/matrix.hpp"
#include "engine/collectives/collectives.hpp"
#include "engine/plans/plan.hpp"
#include "shm/segment/heap.hpp"
#include "support/inputs.hpp"

namespace foldlane::testing {
namespace {

using kernels::Elem;
using kernels::Op;

constexpr std::uint64_t kHeapBytes = 16 << 20;

RunOptions options_for(int ranks) {
  RunOptions options{.shape = tiny_shape(ranks)};
  options.shape.heap_bytes = kHeapBytes;
  options.llc_bytes = 256 << 10;  // so that the largest vectors stream
  return options;
}

enum class Form : std::uint8_t { allreduce, reduce, reduce_scatter, bcast };

/// One call, and what may make it an indirect one.
struct Trial {
  Form form;
  std::size_t count;
  std::size_t skipped = 0;  // elements at the start of the buffers that are not part of the call
  int root = 0;
  bool in_place = false;
  int private_send = -1;  // the rank whose input (of a bcast: buffer) is not in common memory
  int private_recv = -1;
};

/// What the header says: who needs to be reached.
bool is_direct(const Trial& trial, std::size_t bytes) {
  if (bytes < (trial.form == Form::reduce ? 32 << 10 : 8 << 10)) return false;
  const bool all_inputs = trial.private_send < 0;
  switch (trial.form) {
    case Form::allreduce:
      return all_inputs && trial.private_recv < 0;
    case Form::reduce:
      return all_inputs && trial.private_recv != trial.root;
    case Form::reduce_scatter:
      return all_inputs && !trial.in_place;
    case Form::bcast:
      return trial.private_send != trial.root;
  }
  return false;
}

/// A rank's buffers, in common and in private memory, and its walk through trials.
class Walk {
 public:
  Walk(RankContext& context, Op op, Elem elem, std::size_t most)
      : context_(context),
        heap_(context.heap),
        elem_bytes_(kernels::elem_bytes(elem)),
        reduction_{.elem_bytes = elem_bytes_, .builtin = kernels::fold_function(op, elem)} {
    std::vector<const void*> sources;
    for (int rank = 0; rank < context.size; ++rank) {
      inputs_.push_back(make_input(elem, most, static_cast<std::uint64_t>(rank) + 1));
      sources.push_back(inputs_.back().data());
    }
    expected_.resize(most * elem_bytes_);
    kernels::fold_reference_function(op, elem)(expected_.data(), sources.data(), sources.size(), most);
  }

  std::string play(const Trial& trial) {
    const std::size_t bytes = trial.count * elem_bytes_;
    Buffer send(*this, trial, trial.private_send == context_.rank);
    Buffer recv(*this, trial, trial.private_recv == context_.rank);
    std::byte* const to = trial.in_place || trial.form == Form::bcast ? send.at() : recv.at();
    std::memcpy(send.at(), inputs_[static_cast<std::size_t>(context_.rank)].data(), bytes);
    const std::uint64_t before = context_.process.direct_calls();
    const auto done = call(trial, send.at(), to);
    // The caller's again: a peer that still read or wrote here would notice, or be noticed.
    if (to != send.at()) std::memset(send.at(), 0x5a, bytes);
    if (!done.ok()) return done.error().message;
    const bool direct = context_.process.direct_calls() != before;
    if (direct != is_direct(trial, bytes)) return describe(trial, direct ? "was direct" : "was not direct");
    return check(trial, to) ? "" : describe(trial, "gave differing bits");
  }

 private:
  /// Between guard bytes; freed after each call, so that the next one gets the same memory for another use.
  class Buffer {
   public:
    Buffer(Walk& walk, const Trial& trial, bool is_private) : heap_(walk.heap_) {
      const std::size_t skipped = trial.skipped * walk.elem_bytes_;
      const std::size_t bytes = skipped + trial.count * walk.elem_bytes_ + 1;
      if (is_private) {
        private_.resize(bytes);
        base_ = private_.data();
      } else {
        base_ = static_cast<std::byte*>(heap_.allocate(bytes).value());
      }
      at_ = base_ + skipped;
      std::memset(base_, 0xa5, bytes);
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() {
      const bool freed = !private_.empty() || heap_.deallocate(base_).ok();
      EXPECT_TRUE(freed);
    }
    std::byte* at() { return at_; }

   private:
    shm::Heap& heap_;
    std::vector<std::byte> private_;
    std::byte* base_;
    std::byte* at_;
  };

  shm::Result<void> call(const Trial& trial, std::byte* send, std::byte* recv) {
    engine::Team& team = context_.world;
    switch (trial.form) {
      case Form::allreduce:
        return engine::allreduce(team, send, recv, trial.count, reduction_);
      case Form::reduce:
        return engine::reduce(team, send, recv, trial.count, reduction_, trial.root);
      case Form::reduce_scatter:
        return engine::reduce_scatter(team, send, recv, blocks(trial).data(), reduction_);
      case Form::bcast:
        break;
    }
    return engine::bcast(team, {send, trial.count * elem_bytes_}, trial.root);
  }
  std::vector<std::int64_t> blocks(const Trial& trial) const {
    auto counts = unequal_blocks(trial.count, context_.size, false);
    counts.back() += static_cast<std::int64_t>(trial.count - sum(counts));
    return counts;
  }

  bool check(const Trial& trial, const std::byte* recv) const {
    std::size_t first = 0;
    std::size_t count = trial.count;
    if (trial.form == Form::reduce && context_.rank != trial.root) count = 0;
    if (trial.form == Form::reduce_scatter) {
      const auto counts = blocks(trial);
      const auto rank = static_cast<std::size_t>(context_.rank);
      for (std::size_t r = 0; r < rank; ++r) first += static_cast<std::size_t>(counts[r]);
      count = static_cast<std::size_t>(counts[rank]);
    }
    const auto& result =
        trial.form == Form::bcast ? inputs_[static_cast<std::size_t>(trial.root)] : expected_;
    const bool same = std::memcmp(recv, result.data() + first * elem_bytes_, count * elem_bytes_) == 0;
    const std::size_t behind = trial.count * elem_bytes_;
    return same && recv[behind] == std::byte{0xa5} && (trial.skipped == 0 || recv[-1] == std::byte{0xa5});
  }
  static std::string describe(const Trial& trial, const char* what) {
    return fmt::format("form {} of {} elements from {} on, root {}{}, private send {} recv {}: {}",
                       static_cast<int>(trial.form), trial.count, trial.skipped, trial.root,
                       trial.in_place ? " in place" : "", trial.private_send, trial.private_recv, what);
  }

  RankContext& context_;
  shm::Heap& heap_;
  std::size_t elem_bytes_;
  engine::Reduction reduction_;
  std::vector<std::vector<std::byte>> inputs_;
  std::vector<std::byte> expected_;
};

constexpr std::size_t kMostBytes = (1 << 20) + 4096;

std::vector<std::size_t> counts_of(std::size_t elem_bytes) {
  return {(8 << 10) / elem_bytes - 1, (8 << 10) / elem_bytes, 50'001 / elem_bytes, kMostBytes / elem_bytes};
}

/// In place only where the root's other buffer is not used: elsewhere, send == recv.
std::string walk_forms(Walk& walk, std::size_t count, std::size_t skipped, int ranks) {
  for (const Form form : {Form::allreduce, Form::reduce, Form::reduce_scatter, Form::bcast}) {
    for (const bool in_place : {false, true}) {
      const int root = static_cast<int>(count) % ranks;
      Trial trial{form, count, skipped, root, in_place};
      if (auto problem = walk.play(trial); !problem.empty()) return problem;
    }
  }
  return "";
}

class Direct : public ::testing::TestWithParam<Setting> {};

TEST_P(Direct, GivesTheBitsOfTheSerialFold) {
  const auto [transport, ranks] = GetParam();
  const std::pair<Op, Elem> pairs[] = {{Op::sum, Elem::f64}, {Op::max, Elem::i32}, {Op::sum, Elem::f16}};
  for (const auto& [op, elem] : pairs) {
    const auto problems =
        run_ranks(transport, options_for(ranks), [&, o = op, e = elem](RankContext& context) {
          const std::size_t elem_bytes = kernels::elem_bytes(e);
          Walk walk(context, o, e, kMostBytes / elem_bytes);
          for (const std::size_t count : counts_of(elem_bytes)) {
            for (const std::size_t skipped : {0ul, 3ul, 64 / elem_bytes}) {
              if (auto problem = walk_forms(walk, count, skipped, context.size); !problem.empty())
                return problem;
            }
          }
          return std::string();
        });
    ASSERT_TRUE(problems.empty()) << problems.front();
  }
}

TEST_P(Direct, OnlyWhereEverybodyCan) {
  const auto [transport, ranks] = GetParam();
  const auto problems = run_ranks(transport, options_for(ranks), [](RankContext& context) {
    Walk walk(context, Op::sum, Elem::f32, 20'000);
    for (const Form form : {Form::allreduce, Form::reduce, Form::reduce_scatter, Form::bcast}) {
      for (int hidden = 0; hidden < context.size; ++hidden) {
        for (int root = 0; root < context.size; ++root) {
          for (const bool send : {false, true}) {
            Trial trial{form, 20'000, 0, root};
            (send ? trial.private_send : trial.private_recv) = hidden;
            if (auto problem = walk.play(trial); !problem.empty()) return problem;
          }
        }
      }
    }
    return std::string();
  });
  ASSERT_TRUE(problems.empty()) << problems.front();
}

void add(void*, const void* in, void* inout, std::size_t count) {
  const auto* left = static_cast<const std::uint64_t*>(in);
  auto* right = static_cast<std::uint64_t*>(inout);
  for (std::size_t i = 0; i < count; ++i) right[i] += left[i];
}

std::uint64_t* numbers(shm::Heap& heap, std::size_t count, std::uint64_t value) {
  auto* const memory = static_cast<std::uint64_t*>(heap.allocate(count * sizeof value).value());
  std::fill(memory, memory + count, value);
  return memory;
}

/// Functions of the program see no peer's buffer.
TEST_P(Direct, NotForOperationsOfTheCaller) {
  const auto [transport, ranks] = GetParam();
  const auto problems = run_ranks(transport, options_for(ranks), [](RankContext& context) {
    constexpr std::size_t kCount = 10'000;
    shm::Heap& heap = context.heap;
    const engine::Reduction sum_by_caller{.elem_bytes = sizeof(std::uint64_t), .user = {add, nullptr}};
    auto* const send = numbers(heap, kCount, 2);
    auto* const recv = numbers(heap, kCount, 0);
    const auto done = engine::allreduce(context.world, send, recv, kCount, sum_by_caller);
    if (!done.ok()) return done.error().message;
    if (context.process.direct_calls() != 0) return std::string("was direct");
    return std::string(recv[kCount - 1] == 2 * static_cast<std::uint64_t>(context.size) ? "" : "wrong sum");
  });
  ASSERT_TRUE(problems.empty()) << problems.front();
}

/// One member's elements have gaps between them: the others hear that it cannot be reached.
TEST_P(Direct, NotForSpreadElements) {
  const auto [transport, ranks] = GetParam();
  const auto problems = run_ranks(transport, options_for(ranks), [](RankContext& context) {
    constexpr std::size_t kCount = 5'000;
    const bool spread = context.rank == context.size - 1;
    shm::Heap& heap = context.heap;
    auto* const send = numbers(heap, 2 * kCount, 3);
    auto* const recv = numbers(heap, 2 * kCount, 0);
    const auto type_map = engine::TypeMap::basic(8, 8).resized(0, 16);
    const engine::Reduction how{.elem_bytes = sizeof(std::uint64_t),
                                .builtin = kernels::fold_function(Op::sum, Elem::u64),
                                .type_map = spread ? &*type_map : nullptr};
    const auto done = engine::allreduce(context.world, send, recv, kCount, how);
    if (!done.ok()) return done.error().message;
    if (context.process.direct_calls() != 0) return std::string("was direct");
    const std::uint64_t sum = 3 * static_cast<std::uint64_t>(context.size);
    const bool right = spread ? recv[2 * kCount - 2] == sum && recv[1] == 0 : recv[kCount - 1] == sum;
    return std::string(right ? "" : "wrong sum");
  });
  ASSERT_TRUE(problems.empty()) << problems.front();
}

/// A root with gaps has nothing to copy from; a reader with gaps copies into them.
TEST_P(Direct, BroadcastToSpreadElements) {
  const auto [transport, ranks] = GetParam();
  const auto problems = run_ranks(transport, options_for(ranks), [](RankContext& context) {
    constexpr std::size_t kCount = 5'000;
    shm::Heap& heap = context.heap;
    const auto type_map = engine::TypeMap::basic(8, 8).resized(0, 16);
    for (int round = 0; round < 4; ++round) {
      const bool root_has_gaps = round % 2 == 1;
      const bool gaps = (context.rank == 0) == root_has_gaps;
      auto* const data = numbers(heap, 2 * kCount, context.rank == 0 ? 7 : 0);
      const auto done =
          engine::bcast(context.world, {data, kCount * sizeof *data, gaps ? &*type_map : nullptr}, 0);
      if (!done.ok()) return done.error().message;
      const auto direct = static_cast<std::uint64_t>(round / 2 + 1);
      if (context.process.direct_calls() != direct) return fmt::format("round {}: direct or not", round);
      if (data[gaps ? 2 * kCount - 2 : kCount - 1] != 7) return fmt::format("round {}: wrong data", round);
      if (context.rank != 0 && data[gaps ? 1 : kCount] != 0) return std::string("wrote into a gap");
      EXPECT_TRUE(heap.deallocate(data).ok());
    }
    return std::string();
  });
  ASSERT_TRUE(problems.empty()) << problems.front();
}

/// The same input in two calls in a row, on two teams whose members overlap: nobody writes to it.
TEST_P(Direct, InputsMayBeShared) {
  const auto [transport, ranks] = GetParam();
  const auto problems = run_ranks(transport, options_for(ranks), [](RankContext& context) {
    constexpr std::size_t kCount = 10'000;
    shm::Heap& heap = context.heap;
    const engine::Reduction how{.elem_bytes = sizeof(std::uint64_t),
                                .builtin = kernels::fold_function(Op::sum, Elem::u64)};
    auto* const send = numbers(heap, kCount, 1);
    auto* const first = numbers(heap, kCount, 0);
    auto* const second = numbers(heap, kCount - 8, 0);
    for (int round = 0; round < 50; ++round) {
      const auto a = engine::allreduce(context.world, send, first, kCount, how);
      const auto b = engine::allreduce(context.world, send + 8, second, kCount - 8, how);
      if (!a.ok() || !b.ok()) return std::string("failed");
      const auto sum = static_cast<std::uint64_t>(context.size);
      if (first[0] != sum || second[kCount - 9] != sum) return fmt::format("round {}: wrong sum", round);
      std::fill(first, first + kCount, 0);
      std::fill(second, second + kCount - 8, 0);
    }
    return std::string(context.process.direct_calls() == 100 ? "" : "not direct");
  });
  ASSERT_TRUE(problems.empty()) << problems.front();
}

INSTANTIATE_TEST_SUITE_P(All, Direct, ::testing::ValuesIn(settings_for({2, 3, 5})), [](const auto& test) {
  return fmt::format("{}_{}", name(test.param.transport), test.param.ranks);
});

}  // namespace
}  // namespace foldlane::testing
