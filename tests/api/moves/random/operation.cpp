#include "operation.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace foldlane::moves {

Memory::Memory(std::size_t bytes, bool in_segment) : in_segment_(in_segment) {
  const std::size_t all = bytes + 2 * Side::kGuard;
  if (!in_segment) {
    at_ = static_cast<unsigned char*>(std::malloc(all));
  } else {
    MPI_Alloc_mem(static_cast<MPI_Aint>(all), MPI_INFO_NULL, &at_);
  }
}

Memory::~Memory() {
  if (in_segment_) {
    MPI_Free_mem(at_);
  } else {
    std::free(at_);
  }
}

void Memory::take(const std::vector<unsigned char>& image) { std::copy(image.begin(), image.end(), at_); }

std::optional<std::size_t> Memory::difference(const std::vector<unsigned char>& image) const {
  if (std::memcmp(at_, image.data(), image.size()) == 0) return std::nullopt;
  return static_cast<std::size_t>(std::mismatch(image.begin(), image.end(), at_).first - image.begin());
}

Operation::Operation(const Move& move, const Circle& circle, const Layouts& layouts, const Noise& noise)
    : move_(move),
      circle_(circle),
      noise_(noise),
      part_(part_of(move, circle, layouts)),
      send_(part_.send.bytes(), move.send_in_segment),
      recv_(part_.recv.bytes(), move.recv_in_segment) {}

Operation::~Operation() {
  if (move_.form == Form::persistent) MPI_Request_free(&request_);
}

void Operation::begin() {
  given_ = part_.send.image(noise_, move_, round_);
  after_ = part_.recv.image(noise_, move_, round_);
  before_ = part_.recv.image(noise_, move_, round_, kNobody);
  if (part_.in_place) expect_in_place();
  send_.take(given_);
  recv_.take(before_);
  const bool scatters = is_scatter(move_.call);
  const void* const send = part_.in_place && !scatters ? MPI_IN_PLACE : static_cast<void*>(send_.buffer());
  void* const recv = part_.in_place && scatters ? MPI_IN_PLACE : static_cast<void*>(recv_.buffer());
  if (round_ == 0) request_ = start(move_, circle_.comm, part_.root, send, part_.send, recv, part_.recv);
  if (move_.form == Form::persistent) MPI_Start(&request_);
  ++round_;
}

/// The root of a scatter keeps its block where it is; others have theirs, or all that they give, where they
/// receive.
void Operation::expect_in_place() {
  const int me = at(circle_.own, circle_.rank);
  if (is_scatter(move_.call)) {
    after_ = before_;
  } else if (is_alltoall(move_.call)) {
    before_ = part_.recv.image(noise_, move_, round_, kAll, true);
  } else {
    before_ = part_.recv.image(noise_, move_, round_, me);
  }
}

std::string Operation::compared() {
  if (const auto byte = recv_.difference(after_)) return complaint("the result", *byte);
  if (const auto byte = send_.difference(given_)) return complaint("the input", *byte);
  return "";
}

std::string Operation::complaint(const char* what, std::size_t byte) const {
  return move_.text() + " on " + circle_.name + ", rank " + std::to_string(circle_.rank) + " of " +
         std::to_string(circle_.own.size()) + ", round " + std::to_string(round_) + ", root " +
         std::to_string(part_.root) + ": " + what + " differs at byte " +
         std::to_string(static_cast<long>(byte) - static_cast<long>(Side::kGuard));
}

}  // namespace foldlane::moves
