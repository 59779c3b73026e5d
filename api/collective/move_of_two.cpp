#include "api/collective/move_of_two.hpp"

#include <cstdint>

#include "engine/collectives/move_steps.hpp"
#include "engine/moves/of_two.hpp"
#include "engine/moves/roles.hpp"

namespace foldlane::api {
namespace {

using engine::UserBuffer;

/// Longer ones may take their time.
constexpr std::int64_t kMostElements = 1 << 20;

/// Whether its arrays are there.
bool is_readable(const Side& side) noexcept {
  if (!side.is_list) return true;
  return !side.counts.are_equal() && !side.places.are_equal() &&
         (!side.is_typed_list || side.types != nullptr);
}

bool are_apart(const UserBuffer& one, const UserBuffer& other) noexcept {
  return one.address + one.bytes <= other.address || other.address + other.bytes <= one.address ||
         one.bytes == 0 || other.bytes == 0;
}

std::int64_t offset_of(const Side& side, int i, const Datatype& type) {
  if (!side.is_list) return i * side.counts[i] * type.size;
  return side.is_typed_list ? side.places[i] : side.places[i] * type.size;
}

}  // namespace

PairArguments::PairArguments(engine::Call call, engine::Team& team, const Side& send, const Side& recv,
                             int root)
    : call_(call), root_(root), sends_(send), receives_(recv) {
  const int rank = team.rank();
  const bool is_root = rank == root;
  move_.gives = engine::gives_in(call, is_root);
  move_.takes = engine::takes_in(call, is_root);
  move_.tells_length = !engine::moves_equal_blocks(call);
  const bool has_own = (move_.gives && move_.takes) || is_root;
  require(!(move_.gives || has_own) || is_readable(send));
  require(!(move_.takes || has_own) || is_readable(recv));
  if (!is_usual_) return;
  if (move_.gives) move_.out = sent_to(1 - rank);
  if (move_.takes) move_.in = received_from(1 - rank);
  if (has_own) take_own(rank);
  compare();
  is_usual_ = is_usual_ && engine::limit_at_once(team, call, block_bytes(), move_);
}

engine::Collective PairArguments::describe() const noexcept {
  engine::Collective described{.call = call_, .count = block_bytes(), .root = root_};
  described.pair = &move_;
  return described;
}

std::uint64_t PairArguments::block_bytes() const noexcept {
  if (move_.tells_length) return 0;
  return move_.gives ? move_.out.bytes : move_.in.bytes;
}

UserBuffer PairArguments::sent_to(int member) {
  return block(sends_, engine::gives_block_for_each(call_) ? member : 0);
}
UserBuffer PairArguments::received_from(int member) {
  return block(receives_, engine::takes_block_of_each(call_) ? member : 0);
}

UserBuffer PairArguments::block(const Side& side, int i) {
  const Datatype* const type = find_datatype(side.is_typed_list ? side.types[i] : side.type);
  const std::int64_t count = side.counts[i];
  require(type != nullptr && type->dense() && type->committed && side.buffer != nullptr &&
          side.buffer != MPI_IN_PLACE && count >= 0 && count <= kMostElements);
  if (!is_usual_) [[unlikely]]
    return {};
  auto* const start = static_cast<std::byte*>(const_cast<void*>(side.buffer));
  return {start + offset_of(side, i, *type), static_cast<std::uint64_t>(count * type->size)};
}

void PairArguments::take_own(int rank) {
  own_ = {sent_to(rank), received_from(rank)};
  if (own_[0].bytes > 0) move_.own = own_.data();
  require(own_[0].bytes == own_[1].bytes);
}

void PairArguments::compare() noexcept {
  require(are_apart(move_.out, move_.in) && are_apart(move_.out, own_[1]) && are_apart(own_[0], move_.in) &&
          are_apart(own_[0], own_[1]));
  if (move_.tells_length) return;
  const std::uint64_t bytes = block_bytes();
  require(bytes > 0 && (!move_.takes || move_.in.bytes == bytes));
  require(move_.own == nullptr || own_[0].bytes == bytes);
}

}  // namespace foldlane::api
