// Choice buffers of mpi_f08: descriptors of arrays, which may be sections. A section is described to C as a
// datatype where it has a count and a datatype of its own; a reduction, or a buffer of several blocks, gets a
// packed copy, which is unpacked when the operation has ended.
#pragma once

#include <ISO_Fortran_binding.h>
#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>

namespace foldlane::fortran {

/// Whether the elements lie one after the other, so that the address says all. Assumed-size arrays and
/// scalars do.
inline bool is_contiguous(const CFI_cdesc_t* array) noexcept {
  auto stride = static_cast<CFI_index_t>(array->elem_len);
  bool contiguous = true;
  for (int d = 0; d < array->rank; ++d) {
    const CFI_dim_t& dim = array->dim[d];
    if (dim.extent == 0) return true;
    contiguous = contiguous && (dim.extent == 1 || dim.sm == stride);
    stride *= dim.extent;
  }
  return contiguous;
}

/// Where the elements of an array are: its descriptor without what belongs to the caller.
struct Strides {
  explicit Strides(const CFI_cdesc_t* array) noexcept;

  std::byte* base;
  std::size_t element_bytes;
  int rank;
  std::array<CFI_index_t, CFI_MAX_RANK> extent;
  std::array<CFI_index_t, CFI_MAX_RANK> stride;

  std::size_t elements() const noexcept;
};

enum class Use { read, write };

/// A packed copy of a section's elements.
class PackedCopy {
 public:
  PackedCopy(const Strides& section, Use use);
  std::byte* data() noexcept { return packed_.get(); }
  void pack() noexcept;
  /// Writes the elements that the operation has changed: the others, for which its count may be too small,
  /// are the program's all the time.
  void unpack() noexcept;

 private:
  Strides section_;
  std::size_t bytes_;
  std::unique_ptr<std::byte[]> packed_;
  std::unique_ptr<std::byte[]> before_;  // null if the section is only read
};

/// What a call of C gets for a choice buffer.
class Section {
 public:
  /// Of a buffer that shares its count or datatype, or has one block per member.
  Section(const CFI_cdesc_t* array, Use use);
  /// Of one that has a count and a datatype.
  template <class Count>
  Section(const CFI_cdesc_t* array, Use use, const Count* count, const int* datatype)
      : Section(array, use, *count, datatype) {
    given_count_ = count;
  }
  /// Of one in partitions, which the program fills or reads while the operation runs: it is never packed.
  template <class Count>
  Section(const CFI_cdesc_t* array, const int* partitions, const Count* count, const int* datatype)
      : Section(array, *partitions, *count, datatype) {
    given_count_ = count;
  }
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;
  ~Section();

  void* address() const noexcept { return address_; }
  template <class Count>
  const Count* count() const noexcept {
    if (datatype_ == kNone) return static_cast<const Count*>(given_count_);
    if constexpr (std::is_same_v<Count, int>) {
      return &one_;
    } else {
      return &large_one_;
    }
  }
  const int* datatype() const noexcept { return datatype_ == kNone ? given_datatype_ : &datatype_; }

  bool is_packed() const noexcept { return packed_ != nullptr; }
  /// It is as it was, or a datatype.
  bool is_described() const noexcept { return is_described_ && !is_packed(); }
  void finish() noexcept;
  std::unique_ptr<PackedCopy> take_packed() noexcept { return std::move(packed_); }

 private:
  static constexpr int kNone = 0;

  Section(const CFI_cdesc_t* array, Use use, MPI_Count count, const int* datatype);
  Section(const CFI_cdesc_t* array, int partitions, MPI_Count count, const int* datatype);

  void* address_;
  const void* given_count_ = nullptr;
  const int* given_datatype_ = nullptr;
  int datatype_ = kNone;
  int one_ = 1;
  MPI_Count large_one_ = 1;
  bool is_described_ = true;
  std::unique_ptr<PackedCopy> packed_;
};

/// After a blocking call.
void finish_sections(std::initializer_list<Section*> sections) noexcept;

/// After a call that has made a request, or has failed to.
void accompany(std::initializer_list<Section*> sections, int* request) noexcept;

/// Before a call that nobody could unpack after: false if a datatype cannot say where a section's elements
/// are; then the error has been raised.
bool describe(std::initializer_list<Section*> sections, const char* call, const int* comm, int* ierror);

/// The error of a call that takes no section at all. `comm` may be null.
void refuse_section(const char* call, const int* comm, int* ierror);

}  // namespace foldlane::fortran
