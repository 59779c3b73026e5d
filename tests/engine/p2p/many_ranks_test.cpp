// The messengers of many ranks in one thread, a step each in turn: nobody blocks, and what a job of that size
// needs of memory and lanes is there on any machine.
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <vector>

#include "engine/job/areas.hpp"
#include "engine/p2p/messenger.hpp"
#include "shm/segment/heap.hpp"
#include "support/ranks.hpp"

namespace foldlane::testing {
namespace {

using engine::Channel;
using engine::Receive;
using engine::Send;
using engine::SendMode;

constexpr int kRanks = 257;  // from here on lanes are short

struct Member {
  Member(shm::Segment& segment, const std::vector<engine::BasicPeer<shm::RealAtoms>>& peers, int rank)
      : process(peers, rank, {shm::kPageBytes, static_cast<int>(engine::kSlots), 0, 0},
                {segment.rank_lines(rank).doorbell, segment.launcher_line().abort_word,
                 shm::Ladder::own_cpu(), shm::Wake::locked},
                {segment.heap(0), segment.header().shape.ranks * segment.header().shape.heap_bytes}),
        heap(segment, rank),
        messenger(process, rank,
                  engine::lane_map(segment,
                                   [this](std::size_t bytes) -> std::byte* {
                                     auto memory = heap.allocate(bytes);
                                     return memory.ok() ? static_cast<std::byte*>(memory.value()) : nullptr;
                                   })),
        team(process, everybody(segment.ranks()), rank, 0),
        channel(messenger.open(team)) {}
  static std::vector<int> everybody(int ranks) {
    std::vector<int> all(static_cast<std::size_t>(ranks));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

  engine::Process process;
  shm::Heap heap;
  engine::Messenger messenger;
  engine::Team team;
  Channel& channel;
};

class ManyRanks : public ::testing::Test {
 protected:
  ManyRanks() : segment_(create()) {
    std::vector<engine::BasicPeer<shm::RealAtoms>> peers;
    for (int rank = 0; rank < kRanks; ++rank) {
      EXPECT_TRUE(segment_.commit_partition(rank).ok());
      peers.push_back({engine::team_lines(segment_, rank),
                       engine::slot(segment_, rank, 0),
                       &segment_.rank_lines(rank).doorbell,
                       {},
                       &segment_.rank_lines(rank).inbox,
                       &segment_.rank_lines(rank).watchers,
                       &segment_.ended_line(rank).death});
    }
    for (int rank = 0; rank < kRanks; ++rank)
      members_.push_back(std::make_unique<Member>(segment_, peers, rank));
  }

  void send(int from, int to, int tag, std::vector<std::uint64_t>& data, SendMode mode) {
    sends_.push_back(std::make_unique<Send>());
    Send& send = *sends_.back();
    send.channel = &of(from).channel;
    send.buffer = {reinterpret_cast<std::byte*>(data.data()), data.size() * 8, nullptr, 0};
    send.mode = mode;
    send.to = to;
    send.tag = tag;
    of(from).messenger.start(send);
  }
  Receive& receive(int rank, int source, int tag, std::vector<std::uint64_t>& data) {
    receives_.push_back(std::make_unique<Receive>());
    Receive& receive = *receives_.back();
    receive.channel = &of(rank).channel;
    receive.buffer = {reinterpret_cast<std::byte*>(data.data()), data.size() * 8, nullptr, 0};
    receive.source = source;
    receive.tag = tag;
    of(rank).messenger.start(receive);
    return receive;
  }
  /// Until all that was begun is over, or nobody moves any more.
  void run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (auto& member : members_) {
        engine::Traffic& traffic = member->messenger;
        moved |= traffic.step(engine::Patience::none);
      }
    }
    for (const auto& each : sends_) ASSERT_EQ(each->delivery(), engine::Delivery::done);
    for (const auto& each : receives_) ASSERT_EQ(each->delivery(), engine::Delivery::done);
  }
  Member& of(int rank) { return *members_[static_cast<std::size_t>(rank)]; }

 private:
  static shm::Segment create() {
    shm::Placement placement;
    placement.ranks.assign(kRanks, {{}, -1, 0, 0});
    auto shape = tiny_shape(kRanks);
    auto segment = shm::Segment::create(shape, placement, 0);
    if (!segment.ok()) throw std::runtime_error(segment.error().message);
    return std::move(segment.value());
  }

  shm::Segment segment_;
  std::vector<std::unique_ptr<Member>> members_;
  std::vector<std::unique_ptr<Send>> sends_;
  std::vector<std::unique_ptr<Receive>> receives_;
};

/// More senders than are watched, and more messages of each than its lane holds.
TEST_F(ManyRanks, SendToOne) {
  constexpr int kEach = 10;
  std::vector<std::vector<std::uint64_t>> data, arrived;
  for (int i = 0; i < kRanks * kEach; ++i) {
    data.push_back({static_cast<std::uint64_t>(i)});
    arrived.push_back({0});
  }
  for (int i = 0; i < kRanks * kEach; ++i)
    send(i % kRanks, 0, i / kRanks, data[static_cast<std::size_t>(i)],
         i % 3 == 0 ? SendMode::synchronous : SendMode::standard);
  std::vector<const Receive*> receives;
  for (auto& each : arrived) receives.push_back(&receive(0, engine::kAnySource, engine::kAnyTag, each));
  run();
  std::vector<int> next(kRanks);
  for (std::size_t i = 0; i < receives.size(); ++i) {
    const auto source = receives[i]->envelope.source;
    ASSERT_EQ(receives[i]->envelope.tag, next[source]++);  // of each sender in order
    ASSERT_EQ(arrived[i][0], static_cast<std::uint64_t>(receives[i]->envelope.tag) * kRanks + source);
  }
}

/// Long messages too, which need each side's steps.
TEST_F(ManyRanks, SendToTheirNeighbours) {
  for (const std::size_t count : {1U, 13U, 1000U, 5000U}) {
    std::vector<std::vector<std::uint64_t>> data, arrived;
    for (std::uint64_t rank = 0; rank < kRanks; ++rank) {
      data.emplace_back(count, rank + count);
      arrived.emplace_back(count);
    }
    for (int rank = 0; rank < kRanks; ++rank) {
      const auto at = static_cast<std::size_t>(rank);
      send(rank, (rank + 1) % kRanks, 1, data[at], SendMode::standard);
      receive(rank, (rank + kRanks - 1) % kRanks, 1, arrived[at]);
    }
    run();
    for (std::size_t rank = 0; rank < kRanks; ++rank)
      ASSERT_EQ(arrived[rank], data[(rank + kRanks - 1) % kRanks]) << rank << ", " << count;
  }
}

}  // namespace
}  // namespace foldlane::testing
