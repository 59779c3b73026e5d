#include "api/collective/move_of_two.hpp"

#include <array>
#include <cstdint>

#include "api/op/mismatch.hpp"
#include "api/statistics/recorder.hpp"
#include "engine/collectives/collectives.hpp"
#include "engine/collectives/move_steps.hpp"
#include "engine/moves/of_two.hpp"

namespace foldlane::api {
namespace {

using engine::UserBuffer;

/// Longer ones may take their time.
constexpr std::int64_t kMostElements = 1 << 20;

constexpr bool has_block_for_each(engine::Call call, bool sends) noexcept {
  using engine::Call;
  const bool all_to_all = call == Call::alltoall || call == Call::alltoallv || call == Call::alltoallw;
  const bool scatters = call == Call::scatter || call == Call::scatterv;
  const bool to_one = call == Call::gather || call == Call::gatherv;
  const bool to_all = call == Call::allgather || call == Call::allgatherv;
  return all_to_all || (sends ? scatters : to_one || to_all);
}

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

/// A rank's part in the call, as long as everything is as usual.
class Recognized {
 public:
  Recognized(engine::Call call, int rank, const Side& send, const Side& recv, int root)
      : sends_(send),
        receives_(recv),
        send_for_each_(has_block_for_each(call, true)),
        receive_for_each_(has_block_for_each(call, false)) {
    const bool is_root = rank == root;
    move_.gives = engine::gives_in(call, is_root);
    move_.takes = engine::takes_in(call, is_root);
    move_.tells_length = !engine::moves_equal_blocks(call);
    const bool has_own = (move_.gives && move_.takes) || is_root;
    require((!(move_.gives || has_own) || is_readable(send)) &&
            (!(move_.takes || has_own) || is_readable(recv)));
    if (!is_usual_) return;
    if (move_.gives) move_.out = sent_to(1 - rank);
    if (move_.takes) move_.in = received_from(1 - rank);
    if (has_own) take_own(rank);
    compare();
  }
  Recognized(const Recognized&) = delete;
  Recognized& operator=(const Recognized&) = delete;

  bool is_usual() const noexcept { return is_usual_; }
  engine::PairMove& move() noexcept { return move_; }
  /// Of each block, if they are equal.
  std::uint64_t block_bytes() const noexcept {
    if (move_.tells_length) return 0;
    return move_.gives ? move_.out.bytes : move_.in.bytes;
  }

 private:
  void require(bool usual) noexcept { is_usual_ = is_usual_ && usual; }
  UserBuffer sent_to(int member) { return block(sends_, send_for_each_ ? member : 0); }
  UserBuffer received_from(int member) { return block(receives_, receive_for_each_ ? member : 0); }

  UserBuffer block(const Side& side, int i) {
    const Datatype* const type = find_datatype(side.is_typed_list ? side.types[i] : side.type);
    const std::int64_t count = side.counts[i];
    require(type != nullptr && type->dense() && type->committed && side.buffer != nullptr &&
            side.buffer != MPI_IN_PLACE && count >= 0 && count <= kMostElements);
    if (!is_usual_) [[unlikely]]
      return {};
    auto* const start = static_cast<std::byte*>(const_cast<void*>(side.buffer));
    return {start + offset_of(side, i, *type), static_cast<std::uint64_t>(count * type->size)};
  }
  static std::int64_t offset_of(const Side& side, int i, const Datatype& type) {
    if (!side.is_list) return i * side.counts[i] * type.size;
    return side.is_typed_list ? side.places[i] : side.places[i] * type.size;
  }

  void take_own(int rank) {
    own_ = {sent_to(rank), received_from(rank)};
    if (own_[0].bytes > 0) move_.own = own_.data();
    require(own_[0].bytes == own_[1].bytes);
  }
  void compare() noexcept {
    require(are_apart(move_.out, move_.in) && are_apart(move_.out, own_[1]) && are_apart(own_[0], move_.in) &&
            are_apart(own_[0], own_[1]));
    if (move_.tells_length) return;
    const std::uint64_t bytes = block_bytes();
    require(bytes > 0 && (!move_.takes || move_.in.bytes == bytes));
    require(move_.own == nullptr || own_[0].bytes == bytes);
  }

  const Side& sends_;
  const Side& receives_;
  bool send_for_each_;
  bool receive_for_each_;
  bool is_usual_ = true;
  engine::PairMove move_{};
  std::array<UserBuffer, 2> own_{};
};

}  // namespace

bool move_between_two(engine::Call call, Communicator& communicator, const Side& send, const Side& recv,
                      int root) {
  engine::Team& team = *communicator.team;
  if (team.size() != 2 || communicator.is_inter || recorder != nullptr) return false;
  Recognized recognized(call, team.rank(), send, recv, root);
  if (!recognized.is_usual()) return false;
  if (!engine::limit_at_once(team, call, recognized.block_bytes(), recognized.move())) return false;
  require(team, engine::move_at_once(team, call, root, recognized.block_bytes(), recognized.move()));
  return true;
}

}  // namespace foldlane::api
