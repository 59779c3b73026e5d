#include "api/fortran/attributes.hpp"

#include <memory>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

namespace foldlane::fortran {
namespace {

// Never destroyed: attributes are deleted until the process ends.
struct Cells {
  std::mutex mutex;
  std::unordered_map<MPI_Aint, std::unique_ptr<const MPI_Aint>> by_value;
  std::unordered_set<const void*> all;
};

Cells& cells() {
  static Cells& cells = *new Cells;
  return cells;
}

MPI_Aint bits(void* pointer) { return reinterpret_cast<MPI_Aint>(pointer); }

}  // namespace

char AttributeOutBase::unset_;

void* attribute_cell(MPI_Aint value) {
  const std::lock_guard lock(cells().mutex);
  std::unique_ptr<const MPI_Aint>& cell = cells().by_value[value];
  if (cell == nullptr) {
    cell = std::make_unique<const MPI_Aint>(value);
    cells().all.insert(cell.get());
  }
  return const_cast<MPI_Aint*>(cell.get());
}

MPI_Aint attribute_value(void* stored) {
  const std::lock_guard lock(cells().mutex);
  return cells().all.contains(stored) ? *static_cast<const MPI_Aint*>(stored) : bits(stored);
}

// What every communicator or window has C finds behind a pointer, but for the base of a window.
MPI_Aint AttributeOutBase::value() const {
  if (key_ == MPI_WIN_BASE) return bits(stored_);
  if (key_ == MPI_WIN_SIZE) return *static_cast<const MPI_Aint*>(stored_);
  const bool predefined =
      (key_ >= MPI_TAG_UB && key_ <= MPI_UNIVERSE_SIZE) || (key_ >= MPI_WIN_BASE && key_ <= MPI_WIN_MODEL);
  return predefined ? *static_cast<const int*>(stored_) : attribute_value(stored_);
}

}  // namespace foldlane::fortran
