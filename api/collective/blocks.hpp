// The buffers of calls that only move data, as the program describes them: one block, blocks of one size one
// after the other, or a list of counts and displacements, which may have a datatype for each.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "api/core/calls_collective.hpp"
#include "api/datatype/datatype.hpp"
#include "api/objects/communicator.hpp"
#include "engine/moves/movement.hpp"

namespace foldlane::api {

/// The arguments of one buffer.
struct Side {
  Side(const void* memory, MPI_Count count, MPI_Datatype datatype)
      : buffer(memory), counts(Numbers::equal(count)), type(datatype) {}
  Side(const void* memory, const Numbers& numbers, const Numbers& where, MPI_Datatype datatype)
      : buffer(memory), counts(numbers), places(where), type(datatype), is_list(true) {}
  Side(const void* memory, const Numbers& numbers, const Numbers& where, const MPI_Datatype* list)
      : buffer(memory), counts(numbers), places(where), types(list), is_list(true), is_typed_list(true) {}

  const void* buffer;
  Numbers counts;
  Numbers places = Numbers::equal(0);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const MPI_Datatype* types = nullptr;
  bool is_list = false;
  bool is_typed_list = false;
};

/// One look at all.
bool have_one_type(const MPI_Datatype* types, int count) noexcept;
bool has_negative(const int* counts, int count) noexcept;

/// For messages.
struct SideNames {
  const char* buffer;
  const char* counts;
  const char* places;
  const char* types;
};
inline constexpr SideNames kSends{"sendbuf", "sendcounts", "sdispls", "sendtypes"};
inline constexpr SideNames kReceives{"recvbuf", "recvcounts", "rdispls", "recvtypes"};

/// Those whom a member deals with, as members of the team.
struct Partners {
  int first;
  int count;
  int own;  // its own place among them; -1: it has none
};
Partners partners_of(const Communicator& communicator) noexcept;

class TypedBlocks : public engine::Blocks {
 public:
  /// What the datatype of a block is.
  virtual const Datatype& type_of(int i) const noexcept = 0;

 protected:
  ~TypedBlocks() = default;
};

class BufferBlocks final : public TypedBlocks {
 public:
  int count() const noexcept override { return count_; }
  const Datatype& type_of(int i) const noexcept override;
  /// Of a member that need not be there.
  std::uint64_t bytes_of(int member) const noexcept;
  /// Of each block, if they are equal.
  std::uint64_t block_bytes() const noexcept;
  /// What all of them lie in; empty if that is not known.
  const std::byte* start() const noexcept { return row_.start; }
  std::size_t span_bytes() const noexcept { return span_bytes_; }

  /// The block of this place for each of the others.
  BufferBlocks one_for_all(int own) const noexcept;

 private:
  friend BufferBlocks check_blocks(const Side&, const SideNames&, const Partners&, bool);
  friend BufferBlocks check_block(const Side&, const SideNames&, int);
  friend BufferBlocks check_block_for_all(const Side&, const SideNames&, const Partners&);

  /// What is no row of elements lies as one does, but for its bytes.
  engine::Block block_at(int i) const noexcept override;
  void set_type(const Datatype& type) noexcept;
  void set_types(const MPI_Datatype* types) noexcept;
  bool has_usual_numbers() const noexcept;
  bool has_elements() const noexcept;
  void check_list(const SideNames& names) const;
  void check_equal(const SideNames& names, int blocks);

  int count_ = 0;
  const Datatype* type_ = nullptr;       // of all blocks, if they have one
  const MPI_Datatype* types_ = nullptr;  // of a list that has one for each
  std::size_t span_bytes_ = 0;
};

/// A block for each of the partners, but for this member's own if it is `skips_own`.
BufferBlocks check_blocks(const Side& side, const SideNames& names, const Partners& partners, bool skips_own);
/// One block, for one member.
BufferBlocks check_block(const Side& side, const SideNames& names, int member);
/// The same block for each.
BufferBlocks check_block_for_all(const Side& side, const SideNames& names, const Partners& partners);

/// Both sides of a call that outlasts the arguments: it owns the list, and what the blocks' bytes are known
/// by.
class KeptMovement {
 public:
  KeptMovement(const engine::Movement& movement, const TypedBlocks& sends, const TypedBlocks& receives);
  KeptMovement(const KeptMovement&) = delete;
  KeptMovement& operator=(const KeptMovement&) = delete;
  ~KeptMovement();

  const engine::Movement& operator*() const noexcept { return movement_; }

 private:
  class List final : public engine::Blocks {
   public:
    explicit List(const TypedBlocks& blocks);
    int count() const noexcept override { return static_cast<int>(blocks_.size()); }

   private:
    engine::Block block_at(int i) const noexcept override { return blocks_[static_cast<std::size_t>(i)]; }

    std::vector<engine::Block> blocks_;
    std::vector<std::shared_ptr<const engine::TypeMap>> type_maps_;
  };

  List sends_;
  List receives_;
  engine::Movement movement_;
};

}  // namespace foldlane::api
