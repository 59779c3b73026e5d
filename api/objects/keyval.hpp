// Attribute keys: what they stand for, and how programs make and free them. One table for all kinds, so that
// a key of another kind of object is recognised.
#pragma once

#include <mpi.h>

#include <memory>

namespace foldlane::api {

/// Immutable. Lives while the program has the key or an attribute uses it. The functions MPI_*_NULL_COPY_FN
/// and MPI_*_NULL_DELETE_FN are null; MPI_*_DUP_FN is no function either, but a number of the ABI.
template <class Handle>
struct Keyval {
  using Copy = int(Handle object, int key, void* extra_state, void* value, void* copy, int* flag);
  using Delete = int(Handle object, int key, void* value, void* extra_state);

  Copy* copy_function;
  Delete* delete_function;
  void* extra_state;

  /// What the function of the program returned. `flag` is whether there is a copy.
  int copy(Handle object, int key, void* value, void*& copied, bool& flag) const;
  int destroy(Handle object, int key, void* value) const;
};

template <class Handle>
using KeyvalPointer = std::shared_ptr<const Keyval<Handle>>;

/// The new key.
template <class Handle>
int create_keyval(const Keyval<Handle>& keyval);

/// Throws MPI_ERR_KEYVAL unless the program made `key` for this kind of object and has not freed it.
template <class Handle>
KeyvalPointer<Handle> check_keyval(int key);

/// The program frees the key; throws like check_keyval.
template <class Handle>
void free_keyval(int key);

}  // namespace foldlane::api
