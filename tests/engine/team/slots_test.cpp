// What a member knows of its own slots.
#include <gtest/gtest.h>

#include "support/ranks.hpp"

namespace foldlane::testing {
namespace {

/// A slot in the first ring that one member alone has read; then the same team's slot of that index in
/// another ring, which anybody may be reading. Its words are the same ones.
std::string use_two_rings(RankContext& context) {
  if (context.rank != 0) return "";
  auto& slots = context.world.slots();
  const std::uint64_t first = context.world.epochs().begin(3 * engine::kSlots);
  slots.use_first_ring();
  slots.note_readers(first).push_back(1);
  slots.publish_filled(first);
  if (slots.readers(first + engine::kSlots) == nullptr) return "the only reader is forgotten";
  engine::Team::Slots::Ring* const held = context.process.lease(context.world, slots.ring());
  engine::Team::Slots::Ring* const other = slots.lease();
  if (held == nullptr || other == nullptr || held == other) return "there are no two rings";
  slots.publish_filled(first + engine::kSlots);
  context.process.give_back(*held);
  context.process.give_back(*other);
  slots.use_first_ring();
  if (slots.readers(first + 2 * engine::kSlots) != nullptr) return "only the reader of an older use is asked";
  return "";
}

TEST(Slots, ReadersAreThoseOfTheLastUseInWhateverRing) {
  const auto problems = run_ranks(Transport::threads, {.shape = tiny_shape(2)}, use_two_rings);
  EXPECT_TRUE(problems.empty()) << problems.front();
}

}  // namespace
}  // namespace foldlane::testing
