// The attributes of one object, in the order in which they were set.
//
// Threads: all calls may run at once. The functions of the program are called without a lock, so they may use
// the object and its attributes; while an attribute is being deleted, the object does not have it.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "api/objects/keyval.hpp"

namespace foldlane::api {

/// Calls that run functions of the program return MPI_SUCCESS or what the first one that failed returned.
template <class Handle>
class AttributeSet {
 public:
  /// Deletes the old value of the key first; if that fails, it stays.
  [[nodiscard]] int set(Handle object, int key, KeyvalPointer<Handle> keyval, void* value);

  std::optional<void*> get(int key) const;

  /// Nothing if the key has no value. If deleting fails, the attribute stays.
  [[nodiscard]] int erase(Handle object, int key);

  /// Adds to `copy` what the copy functions make of the attributes. If one fails, `copy` keeps those before
  /// it, for the caller to destroy.
  [[nodiscard]] int duplicate_into(Handle object, AttributeSet& copy) const;

  /// Deletes all attributes, the last one first. If that fails, the others stay.
  [[nodiscard]] int destroy(Handle object);

 private:
  struct Attribute {
    int key;
    KeyvalPointer<Handle> keyval;  // whose key the program may have freed
    void* value;
    std::uint64_t order;  // of setting
  };
  using Attributes = std::vector<Attribute>;

  typename Attributes::const_iterator find(int key) const;
  Attributes snapshot() const;
  void add(int key, KeyvalPointer<Handle> keyval, void* value);
  std::optional<Attribute> take(int key);
  std::optional<Attribute> take_last();
  void put_back(Attribute attribute);
  int destroy(Handle object, Attribute attribute);

  Attributes attributes_;  // sorted by order
  std::uint64_t next_order_ = 0;
};

}  // namespace foldlane::api
