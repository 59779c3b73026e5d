// A lane in one thread. What happens at the same time is in tests/model, "lane", but for a look: who looks
// and sees nothing looks again.
#include "engine/p2p/lane.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <random>

#include "shm/sync/atoms.hpp"

namespace foldlane::engine {
namespace {

using shm::RealAtoms;

constexpr std::uint32_t kCells = 8;
constexpr std::uint64_t kBytes = 8;

struct Lane {
  std::array<BasicCell<RealAtoms>, kCells> cells{};
  BasicCredits<RealAtoms> credits{};
  BasicLaneWriter<RealAtoms> writer{cells.data(), kCells, credits};
  BasicLaneReader<RealAtoms> reader{cells.data(), kCells, credits};
  std::uint64_t sent = 0;
  std::uint64_t received = 0;

  /// False: it is full.
  bool send(bool in_a_row) {
    if (in_a_row && sent > 0 && writer.has_room(kBytes)) {
      std::memcpy(writer.room(), &sent, kBytes);
      writer.publish_more(kBytes);
    } else {
      auto* const cell = writer.next();
      if (cell == nullptr) return false;
      cell->envelope.bytes = kBytes;
      std::memcpy(cell->head, &sent, kBytes);
      in_a_row ? writer.publish_open(kBytes) : writer.publish();
    }
    ++sent;
    return true;
  }
  /// The messages of one cell that have come.
  void receive() {
    const auto* const cell = reader.next();
    ASSERT_EQ(cell != nullptr, sent > received);
    if (cell == nullptr) return;
    do {
      std::uint64_t number;
      std::memcpy(&number, cell->head + reader.offset(), kBytes);
      ASSERT_EQ(number, received++);
    } while (reader.pass(kBytes));
    reader.release();
  }
};

TEST(Lane, WhoLooksBeforeItTakesKnowsAsMuch) {
  std::mt19937 random(2026);
  Lane lane;
  std::uint64_t in_rows = 0, full = 0;
  for (int step = 0; step < 20000; ++step) {
    ASSERT_EQ(lane.reader.has_next(), lane.sent > lane.received) << "step " << step;
    const bool in_a_row = random() % 4 != 0;
    if (random() % 2 == 0) {
      lane.receive();
    } else if (lane.send(in_a_row)) {
      in_rows += in_a_row ? 1 : 0;
    } else {
      ++full;
    }
  }
  EXPECT_GT(lane.received, 5000u);
  EXPECT_GT(in_rows, 1000u);
  EXPECT_GT(full, 0u);
}

}  // namespace
}  // namespace foldlane::engine
