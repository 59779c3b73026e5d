#include "api/host/moves/blocks.hpp"

namespace foldlane::host {

HostBlocks::HostBlocks(const Made& made, const Side& side, int first_member, int count)
    : side_(&side), comm_(made.comm), first_member_(first_member), count_(count) {
  if (side.types == nullptr)
    type_ = datatype_of(the->host(), the->reductions(), the->host().handle(side.type));
  are_valid_ = type_.is_known();
  const int different = side.counts.are_equal() && side.types == nullptr ? 1 : count;
  for (int i = 0; i < different && are_valid_; ++i) {
    if (side.counts[i] == 0) continue;
    const Datatype type = type_of(i);
    are_valid_ = side.counts[i] > 0 && type.is_known();
    are_packed_ = are_packed_ || (!type.is_dense && type.bytes > 0);
  }
}

Datatype HostBlocks::type_of(int i) const {
  if (side_->types == nullptr) return type_;
  return datatype_of(the->host(), the->reductions(), the->host().handle_at(side_->types, i));
}

/// Who has no elements may pass any datatype.
std::uint64_t HostBlocks::bytes_of(int i) const noexcept {
  const std::int64_t elements = side_->counts[i];
  return elements == 0 ? 0 : static_cast<std::uint64_t>(elements * type_of(i).bytes);
}

std::uint64_t HostBlocks::bytes() const noexcept {
  if (count_ > 0 && side_->counts.are_equal()) return block_bytes() * static_cast<std::uint64_t>(count_);
  std::uint64_t sum = 0;
  for (int i = 0; i < count_; ++i) sum += bytes_of(i);
  return sum;
}

std::byte* HostBlocks::place_of(int i, const Datatype& type) const noexcept {
  std::int64_t offset = side_->places[i];
  if (side_->places.are_equal()) offset = i * side_->counts[i];
  if (side_->types == nullptr) offset *= type.extent;
  return static_cast<std::byte*>(side_->buffer) + offset;
}

engine::Block HostBlocks::block_at(int i) const noexcept {
  const int member = first_member_ + i;
  const std::uint64_t bytes = i == skipped_ ? 0 : bytes_of(i);
  if (bytes == 0) return {member, {}};
  if (are_packed_) return {member, {packed_.get() + starts_[static_cast<std::size_t>(i)], bytes}};
  return {member, {place_of(i, type_of(i)), bytes}};
}

std::uint64_t HostBlocks::bytes_for(int member) const noexcept {
  const int i = member - first_member_;
  return i >= 0 && i < count_ ? bytes_of(i) : 0;
}

engine::UserBuffer HostBlocks::block_for(int member) const noexcept {
  const int i = member - first_member_;
  return i >= 0 && i < count_ ? at(i).buffer : engine::UserBuffer{};
}

void HostBlocks::make_room() {
  if (!are_packed_) return;
  std::uint64_t all = 0;
  starts_.reserve(static_cast<std::size_t>(count_));
  for (int i = 0; i < count_; ++i) {
    starts_.push_back(all);
    all += bytes_of(i);
  }
  packed_.reset(new std::byte[all]);
}

template <class Move>
void HostBlocks::each(const Move& move) const {
  if (!are_packed_) return;
  for (int i = 0; i < count_; ++i) {
    if (i == skipped_ || bytes_of(i) == 0) continue;
    const Datatype type = type_of(i);
    move(Elements{place_of(i, type), side_->counts[i], type},
         packed_.get() + starts_[static_cast<std::size_t>(i)]);
  }
}

void HostBlocks::pack() const {
  each([&](const Elements& elements, std::byte* at) { host::pack(the->host(), comm_, elements, at); });
}

void HostBlocks::unpack() const {
  each(
      [&](const Elements& elements, const std::byte* at) { host::unpack(the->host(), comm_, elements, at); });
}

}  // namespace foldlane::host
