#include "api/fortran/section_types.hpp"

#include <utility>

#include "api/datatype/sound_datatype.hpp"

namespace foldlane::fortran {
namespace {

/// Ours until it is released. The calls have their profiling names: tools that watch MPI_ calls see the
/// program's.
class OwnType {
 public:
  OwnType() noexcept = default;
  OwnType(OwnType&& other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}
  OwnType& operator=(OwnType&&) = delete;
  ~OwnType() {
    if (type_ != MPI_DATATYPE_NULL) PMPI_Type_free(&type_);
  }
  MPI_Datatype* to() noexcept { return &type_; }
  MPI_Datatype get() const noexcept { return type_; }
  MPI_Datatype release() noexcept { return std::exchange(type_, MPI_DATATYPE_NULL); }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// How many elements of the datatype an element of the array has; 0: it does not divide it.
MPI_Count parts(const Strides& section, MPI_Datatype datatype) {
  MPI_Count size = 0, lower = 0, extent = 0;
  const auto bytes = static_cast<MPI_Count>(section.element_bytes);
  if (PMPI_Type_size_c(datatype, &size) != MPI_SUCCESS || size <= 0) return 0;
  PMPI_Type_get_extent_c(datatype, &lower, &extent);
  return lower == 0 && extent == size && bytes % size == 0 ? bytes / size : 0;
}

MPI_Count plane_elements(const Strides& section, int dimension) {
  MPI_Count product = 1;
  for (int d = 0; d < dimension; ++d) product *= section.extent[static_cast<std::size_t>(d)];
  return product;
}

/// The first `count` elements of dimensions 0 to `dimension`: whole planes, then the beginning of one.
OwnType layers(const Strides& section, int dimension, MPI_Count count, MPI_Datatype element) {
  OwnType result;
  if (dimension < 0) {
    PMPI_Type_dup(element, result.to());
    return result;
  }
  const MPI_Count plane = plane_elements(section, dimension);
  const MPI_Count stride = section.stride[static_cast<std::size_t>(dimension)];
  const MPI_Count whole = count / plane, rest = count % plane;
  OwnType planes;
  const OwnType inner = layers(section, dimension - 1, plane, element);
  PMPI_Type_create_hvector_c(whole, 1, stride, inner.get(), planes.to());
  if (rest == 0) return planes;
  const OwnType last = layers(section, dimension - 1, rest, element);
  const MPI_Count lengths[] = {1, 1}, displacements[] = {0, whole * stride};
  const MPI_Datatype types[] = {planes.get(), last.get()};
  PMPI_Type_create_struct_c(2, lengths, displacements, types, result.to());
  return result;
}

/// Where an element begins, in bytes from the first.
MPI_Aint place(const Strides& section, MPI_Count element) {
  MPI_Aint bytes = 0;
  for (int d = section.rank - 1; d >= 0; --d) {
    const MPI_Count plane = plane_elements(section, d);
    bytes += element / plane * section.stride[static_cast<std::size_t>(d)];
    element %= plane;
  }
  return bytes;
}

/// Whether all partitions of `each` elements look like the first.
bool are_alike(const Strides& section, int partitions, MPI_Count each) {
  const MPI_Aint step = place(section, each);
  for (int p = 1; p < partitions; ++p) {
    for (MPI_Count i = 0; i < each; ++i) {
      if (place(section, p * each + i) != p * step + place(section, i)) return false;
    }
  }
  return true;
}

}  // namespace

MPI_Datatype section_type(const Strides& section, MPI_Count count, MPI_Datatype datatype) {
  if (foldlane_is_sound_datatype(datatype) == 0) return MPI_DATATYPE_NULL;
  const MPI_Count each = parts(section, datatype);
  if (each == 0 || count % each != 0) return MPI_DATATYPE_NULL;
  OwnType element;
  PMPI_Type_contiguous_c(each, datatype, element.to());
  OwnType type = layers(section, section.rank - 1, count / each, element.get());
  PMPI_Type_commit(type.to());
  return type.release();
}

MPI_Datatype partition_type(const Strides& section, int partitions, MPI_Count count, MPI_Datatype datatype) {
  const MPI_Count each = parts(section, datatype);
  if (each == 0 || count % each != 0 || !are_alike(section, partitions, count / each))
    return MPI_DATATYPE_NULL;
  MPI_Datatype partition = section_type(section, count, datatype);
  OwnType at_steps;
  PMPI_Type_create_resized(partition, 0, place(section, count / each), at_steps.to());
  PMPI_Type_commit(at_steps.to());
  PMPI_Type_free(&partition);
  return at_steps.release();
}

}  // namespace foldlane::fortran
