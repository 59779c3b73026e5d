// Attribute values in two languages. In C a value is a pointer, in Fortran an integer; what Fortran sets, C
// finds as a pointer to that integer, and what C sets, Fortran finds as the pointer's bits.
#pragma once

#include <mpi.h>

namespace foldlane::fortran {

/// Where C finds the integer. Equal values share a cell for the life of the process, which nobody writes:
/// attributes are copied and deleted in ways that this library is not told of, so that no cell could ever be
/// freed.
void* attribute_cell(MPI_Aint value);

/// What Fortran reads of a value: that of a cell, or the pointer's bits.
MPI_Aint attribute_value(void* stored);

/// The value of an attribute that C gets; `key` may be one that every communicator or window has. What C does
/// not write stays as it is.
class AttributeOutBase {
 public:
  explicit AttributeOutBase(int key) noexcept : key_(key) {}
  operator void*() noexcept { return &stored_; }

 protected:
  bool is_set() const noexcept { return stored_ != &unset_; }
  MPI_Aint value() const;

 private:
  static char unset_;

  int key_;
  void* stored_ = &unset_;
};

template <class Integer>
class AttributeOut : public AttributeOutBase {
 public:
  AttributeOut(Integer* fortran, int key) noexcept : AttributeOutBase(key), fortran_(fortran) {}
  AttributeOut(const AttributeOut&) = delete;
  AttributeOut& operator=(const AttributeOut&) = delete;
  ~AttributeOut() {
    if (is_set()) *fortran_ = static_cast<Integer>(value());
  }

 private:
  Integer* fortran_;
};

}  // namespace foldlane::fortran
