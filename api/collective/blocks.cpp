#include "api/collective/blocks.hpp"

#include <fmt/format.h>

#include "api/core/failure.hpp"
#include "api/datatype/checks.hpp"
#include "api/datatype/datatype_args.hpp"
#include "api/errors/args.hpp"

namespace foldlane::api {
namespace {

const Datatype& check_block_type(MPI_Datatype datatype) {
  const Datatype& type = check_datatype(datatype);
  check_committed(type);
  return type;
}

std::uint64_t packed_bytes(const Datatype& type, std::int64_t count) noexcept {
  return static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(type.size);
}

engine::UserBuffer buffer_of(const Datatype& type, std::byte* address, std::int64_t count) noexcept {
  return {address, packed_bytes(type, count), type.dense() ? nullptr : type.type_map.get()};
}

/// Returns the bytes that it takes, as check_vector() counts them.
std::size_t check_memory(const void* buffer, std::int64_t count, const Datatype& type, const char* name) {
  const std::size_t bytes = check_vector(count, type);
  if (type.plain) {
    check_buffer(buffer, bytes, name);
  } else {
    check_elements(buffer, static_cast<std::size_t>(packed_bytes(type, count)), type, name);
  }
  return bytes;
}

const Numbers& check_numbers(const Numbers& numbers, const char* name) {
  if (numbers.are_equal()) reject::output(name);
  return numbers;
}

void check_count_of(int rank, std::int64_t count, const char* name) {
  if (count >= 0) return;
  fail(MPI_ERR_COUNT, fmt::format("{}[{}] is {}; counts must not be negative", name, rank, count));
}

}  // namespace

Partners partners_of(const Communicator& communicator) noexcept {
  if (!communicator.is_inter) return {0, communicator.team->size(), communicator.team->rank()};
  const engine::Members remote = communicator.sides().remote;
  return {remote.first, remote.count, -1};
}

const Datatype& BufferBlocks::type_of(int i) const noexcept {
  return types_ == nullptr ? *type_ : *find_datatype(types_[i]);
}

std::int64_t BufferBlocks::offset_of(int i) const noexcept {
  if (!is_list_) return i * stride_;
  return types_ == nullptr ? places_[i] * type_->extent : places_[i];
}

engine::Block BufferBlocks::at(int i) const noexcept {
  const int member = first_member_ + i;
  if (i == skipped_) return {member, {}};
  return {member, buffer_of(type_of(i), base_ + offset_of(i), counts_[i])};
}

std::uint64_t BufferBlocks::bytes_of(int member) const noexcept {
  const int i = member - first_member_;
  return i >= 0 && i < count_ ? at(i).buffer.bytes : 0;
}

std::uint64_t BufferBlocks::block_bytes() const noexcept {
  return type_ == nullptr || !counts_.are_equal() ? 0 : packed_bytes(*type_, counts_[0]);
}

BufferBlocks BufferBlocks::one_for_all(int own) const noexcept {
  BufferBlocks one = *this;
  one.base_ = base_ + offset_of(own);
  one.counts_ = Numbers::equal(counts_[own]);
  one.is_list_ = false;
  one.stride_ = 0;
  one.skipped_ = own;
  return one;
}

/// Counts, displacements and datatypes of a list. Absolute addresses are known for each block only.
void BufferBlocks::check_list(const SideNames& names) const {
  for (int i = 0; i < count_; ++i) {
    check_count_of(i, counts_[i], names.counts);
    const Datatype& type = types_ == nullptr ? *type_ : check_block_type(types_[i]);
    if (types_ == nullptr) check_displacement(places_[i], type);
    if (i != skipped_) check_memory(base_, counts_[i], type, names.buffer);
  }
}

void BufferBlocks::check_equal(const SideNames& names, int blocks) {
  const std::int64_t count = counts_[0];
  if (count < 0) reject::negative_count(count);
  std::int64_t all = 0;
  if (__builtin_mul_overflow(count, blocks, &all)) reject::huge_count(count, *type_);
  span_bytes_ = check_memory(base_, all, *type_, names.buffer);
  stride_ = blocks > 1 ? count * type_->extent : 0;
}

BufferBlocks check_blocks(const Side& side, const SideNames& names, const Partners& partners,
                          bool skips_own) {
  BufferBlocks blocks;
  blocks.base_ = static_cast<std::byte*>(const_cast<void*>(side.buffer));
  blocks.first_member_ = partners.first;
  blocks.count_ = partners.count;
  blocks.skipped_ = skips_own ? partners.own : -1;
  blocks.counts_ = side.counts;
  blocks.is_list_ = side.is_list;
  blocks.types_ = side.types;
  if (!side.is_typed_list) blocks.type_ = &check_block_type(side.type);
  if (!side.is_list) {
    blocks.check_equal(names, partners.count);
    return blocks;
  }
  if (partners.count == 0) {  // who has no neighbours need not have lists
    check_buffer(side.buffer, 0, names.buffer);
    return blocks;
  }
  if (side.is_typed_list) check_output(side.types, names.types);
  check_numbers(side.counts, names.counts);
  blocks.places_ = check_numbers(side.places, names.places);
  blocks.check_list(names);
  return blocks;
}

BufferBlocks check_block(const Side& side, const SideNames& names, int member) {
  return check_block_for_all(side, names, {member, 1, -1});
}

BufferBlocks check_block_for_all(const Side& side, const SideNames& names, const Partners& partners) {
  BufferBlocks blocks;
  blocks.base_ = static_cast<std::byte*>(const_cast<void*>(side.buffer));
  blocks.first_member_ = partners.first;
  blocks.count_ = partners.count;
  blocks.counts_ = side.counts;
  blocks.type_ = &check_block_type(side.type);
  blocks.check_equal(names, partners.count == 0 ? 0 : 1);
  return blocks;
}

KeptMovement::List::List(const TypedBlocks& blocks) {
  blocks_.reserve(static_cast<std::size_t>(blocks.count()));
  for (int i = 0; i < blocks.count(); ++i) {
    blocks_.push_back(blocks.at(i));
    if (blocks_.back().buffer.type_map == nullptr) continue;
    const auto& type_map = blocks.type_of(i).type_map;
    if (type_maps_.empty() || type_maps_.back() != type_map) type_maps_.push_back(type_map);
  }
}

KeptMovement::KeptMovement(const engine::Movement& movement, const TypedBlocks& sends,
                           const TypedBlocks& receives)
    : sends_(sends), receives_(receives), movement_(movement) {
  movement_.sends = &sends_;
  movement_.receives = &receives_;
}

KeptMovement::~KeptMovement() = default;

}  // namespace foldlane::api
