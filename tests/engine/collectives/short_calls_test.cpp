// Calls that are short most of the time make no coroutine frame, which would cost more than they do
// (engine/collectives/short_calls.cpp).
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "engine/collectives/collectives.hpp"
#include "engine/progress/frame_pool.hpp"
#include "kernels/fold.hpp"
#include "support/ranks.hpp"

namespace foldlane::testing {
namespace {

engine::Reduction sum() { return engine::Reduction::of(kernels::Op::sum, kernels::Elem::f64); }

/// What is wrong, if call() fails or makes one: a new thread's pool is empty, and keeps what has been given
/// back.
template <class Call>
std::string frames_of(const std::string& name, const Call& call) {
  std::string wrong;
  std::thread([&] {
    if (!call().ok()) {
      wrong = name + " failed ";
    } else if (engine::FramePool::of_thread().free_blocks() > 0) {
      wrong = name + " made a frame ";
    }
  }).join();
  return wrong;
}

class ShortCalls : public ::testing::TestWithParam<Transport> {};

TEST_P(ShortCalls, MakeNoFrame) {
  for (const int ranks : {2, 3}) {
    const auto problems = run_ranks(GetParam(), {.shape = tiny_shape(ranks)}, [](RankContext& context) {
      engine::Team& team = context.world;
      const std::vector<double> send(static_cast<std::size_t>(context.size), 1);
      std::vector<double> recv(send.size());
      const engine::BlockCounts each = engine::BlockCounts::equal(1);
      std::string wrong;
      const auto check = [&](const char* name, const auto& call) { wrong += frames_of(name, call); };
      check("barrier", [&] { return engine::barrier(team); });
      check("bcast", [&] { return engine::bcast(team, {recv.data(), sizeof(double)}, 0); });
      check("allreduce", [&] { return engine::allreduce(team, send.data(), recv.data(), 1, sum()); });
      check("reduce", [&] { return engine::reduce(team, send.data(), recv.data(), 1, sum(), 0); });
      for (const engine::Prefix prefix : {engine::Prefix::inclusive, engine::Prefix::exclusive})
        check("scan", [&] { return engine::scan(team, send.data(), recv.data(), 1, sum(), prefix); });
      check("reduce_scatter",
            [&] { return engine::reduce_scatter(team, send.data(), recv.data(), each, sum()); });
      return wrong;
    });
    EXPECT_TRUE(problems.empty()) << ranks << " ranks: " << problems.front();
  }
}

TEST_P(ShortCalls, LongOnesDo) {
  const auto problems = run_ranks(GetParam(), {.shape = tiny_shape(2)}, [](RankContext& context) {
    constexpr std::size_t kCount = 1000;
    const std::vector<double> send(kCount, 1);
    std::vector<double> recv(kCount);
    const auto call = [&] {
      return engine::scan(context.world, send.data(), recv.data(), kCount, sum(), engine::Prefix::inclusive);
    };
    return frames_of("scan", call) == "scan made a frame " ? std::string() : std::string("made no frame");
  });
  EXPECT_TRUE(problems.empty()) << problems.front();
}

INSTANTIATE_TEST_SUITE_P(All, ShortCalls, ::testing::Values(Transport::threads, Transport::processes),
                         [](const auto& test) { return std::string(name(test.param)); });

}  // namespace
}  // namespace foldlane::testing
