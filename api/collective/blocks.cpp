#include "api/collective/blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

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

bool have_one_type(const MPI_Datatype* types, int count) noexcept {
  return std::all_of(types, types + count, [&](MPI_Datatype each) { return each == types[0]; });
}

bool has_negative(const int* counts, int count) noexcept {
  int any = 0;
  for (int i = 0; i < count; ++i) any |= counts[i];
  return any < 0;
}

Partners partners_of(const Communicator& communicator) noexcept {
  if (!communicator.is_inter) return {0, communicator.team->size(), communicator.team->rank()};
  const engine::Members remote = communicator.sides().remote;
  return {remote.first, remote.count, -1};
}

const Datatype& BufferBlocks::type_of(int i) const noexcept {
  return types_ == nullptr ? *type_ : *find_datatype(types_[i]);
}

void BufferBlocks::set_type(const Datatype& type) noexcept {
  type_ = &type;
  row_.element_bytes = row_.place_bytes = type.extent;
  is_row_ = type.dense();
}

/// Displacements are bytes then. Where all blocks have one datatype they may be a row all the same.
void BufferBlocks::set_types(const MPI_Datatype* types) noexcept {
  types_ = types;
  const Datatype* const first = find_datatype(types[0]);
  if (first == nullptr || !first->committed) return;  // the checks name it
  if (!have_one_type(types, count_)) return;
  set_type(*first);
  row_.place_bytes = 1;
}

engine::Block BufferBlocks::block_at(int i) const noexcept {
  const int member = row_.first_member + i;
  if (i == row_.skipped) return {member, {}};
  return {member, buffer_of(type_of(i), row_.start + row_.offset_of(i), row_.counts[i])};
}

std::uint64_t BufferBlocks::bytes_of(int member) const noexcept {
  const int place = member - row_.first_member;
  return place >= 0 && place < count_ ? at(place).buffer.bytes : 0;
}

std::uint64_t BufferBlocks::block_bytes() const noexcept {
  return type_ == nullptr || !row_.counts.are_equal() ? 0 : packed_bytes(*type_, row_.counts[0]);
}

BufferBlocks BufferBlocks::one_for_all(int own) const noexcept {
  BufferBlocks one = *this;
  one.row_.start = row_.start + row_.offset_of(own);
  one.row_.counts = Numbers::equal(row_.counts[own]);
  one.row_.is_list = false;
  one.row_.stride = 0;
  one.row_.bytes = packed_bytes(*type_, row_.counts[own]);
  one.row_.skipped = own;
  return one;
}

/// Whether no number of a list is so large that bytes could overflow, nor a count negative: one look at all.
bool BufferBlocks::has_usual_numbers() const noexcept {
  if (row_.is_int_list()) return !has_negative(row_.counts.ints(), count_);
  constexpr int kBits = 31, kSign = 63;
  std::int64_t beyond = 0;
  for (int i = 0; i < count_; ++i) {
    const std::int64_t place = row_.places[i];
    beyond |= row_.counts[i] >> kBits | (place >> kBits ^ place >> kSign);
  }
  return beyond == 0;
}

bool BufferBlocks::has_elements() const noexcept {
  std::int64_t any = 0;
  for (int i = 0; i < count_; ++i) any |= i == row_.skipped ? 0 : row_.counts[i];
  return any != 0;
}

/// Counts, displacements and datatypes of a list. Absolute addresses are known for each block only.
void BufferBlocks::check_list(const SideNames& names) const {
  if (is_row_ && type_->extent <= INT32_MAX && has_usual_numbers())
    return check_buffer(row_.start, has_elements() ? static_cast<std::size_t>(type_->extent) : 0,
                        names.buffer);
  for (int i = 0; i < count_; ++i) {
    check_count_of(i, row_.counts[i], names.counts);
    const Datatype& type = types_ == nullptr ? *type_ : check_block_type(types_[i]);
    if (types_ == nullptr) check_displacement(row_.places[i], type);
    if (i != row_.skipped) check_memory(row_.start, row_.counts[i], type, names.buffer);
  }
}

void BufferBlocks::check_equal(const SideNames& names, int blocks) {
  const std::int64_t count = row_.counts[0];
  if (count < 0) reject::negative_count(count);
  std::int64_t all = 0;
  if (__builtin_mul_overflow(count, blocks, &all)) reject::huge_count(count, *type_);
  span_bytes_ = check_memory(row_.start, all, *type_, names.buffer);
  row_.stride = blocks > 1 ? count * type_->extent : 0;
  row_.bytes = packed_bytes(*type_, count);
}

BufferBlocks check_blocks(const Side& side, const SideNames& names, const Partners& partners,
                          bool skips_own) {
  BufferBlocks blocks;
  blocks.count_ = partners.count;
  blocks.row_ = {.start = static_cast<std::byte*>(const_cast<void*>(side.buffer)),
                 .first_member = partners.first,
                 .skipped = skips_own ? partners.own : -1,
                 .is_list = side.is_list,
                 .counts = side.counts};
  if (!side.is_typed_list) blocks.set_type(check_block_type(side.type));
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
  blocks.row_.places = check_numbers(side.places, names.places);
  if (side.is_typed_list) blocks.set_types(side.types);
  blocks.check_list(names);
  return blocks;
}

BufferBlocks check_block(const Side& side, const SideNames& names, int member) {
  return check_block_for_all(side, names, {member, 1, -1});
}

BufferBlocks check_block_for_all(const Side& side, const SideNames& names, const Partners& partners) {
  BufferBlocks blocks;
  blocks.count_ = partners.count;
  blocks.row_ = {.start = static_cast<std::byte*>(const_cast<void*>(side.buffer)),
                 .first_member = partners.first,
                 .counts = side.counts};
  blocks.set_type(check_block_type(side.type));
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
