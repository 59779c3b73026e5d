#include "api/objects/keyval.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <variant>

#include "api/core/failure.hpp"
#include "api/core/handle_table.hpp"

namespace foldlane::api {
namespace {

using AnyKeyval = std::variant<KeyvalPointer<MPI_Comm>, KeyvalPointer<MPI_Datatype>, KeyvalPointer<MPI_Win>>;

using KeyHandle = struct Key*;  // handles fit an int, which is what a key is

HandleTable<KeyHandle, AnyKeyval> keyvals("attribute key", [](KeyHandle, const AnyKeyval&) {
  return std::optional<std::string>("");
});

KeyHandle handle_of(int key) { return reinterpret_cast<KeyHandle>(static_cast<std::intptr_t>(key)); }

bool is_predefined(int key) {
  return (key >= MPI_TAG_UB && key <= MPI_UNIVERSE_SIZE) || (key >= MPI_WIN_BASE && key <= MPI_WIN_MODEL);
}

[[noreturn]] void reject(int key) {
  if (key == MPI_KEYVAL_INVALID) fail(MPI_ERR_KEYVAL, "the key is MPI_KEYVAL_INVALID");
  if (is_predefined(key)) {
    fail(MPI_ERR_KEYVAL, fmt::format("the key {} is predefined and not for this call", key));
  }
  fail(MPI_ERR_KEYVAL, fmt::format("the key {} does not exist; it may have been freed", key));
}

}  // namespace

template <class Handle>
int Keyval<Handle>::copy(Handle object, int key, void* value, void*& copied, bool& flag) const {
  // All the MPI_*_DUP_FN are the same number.
  const auto function = reinterpret_cast<std::uintptr_t>(copy_function);
  const bool duplicates = function == reinterpret_cast<std::uintptr_t>(MPI_COMM_DUP_FN);
  copied = value;
  flag = duplicates;
  if (copy_function == nullptr || duplicates) return MPI_SUCCESS;
  int copies = 0;
  const int code = copy_function(object, key, extra_state, value, &copied, &copies);
  flag = copies != 0;
  return code;
}

template <class Handle>
int Keyval<Handle>::destroy(Handle object, int key, void* value) const {
  return delete_function == nullptr ? MPI_SUCCESS : delete_function(object, key, value, extra_state);
}

template <class Handle>
int create_keyval(const Keyval<Handle>& keyval) {
  const KeyHandle handle = keyvals.insert(std::make_shared<const Keyval<Handle>>(keyval));
  if (handle == nullptr) fail(MPI_ERR_NO_MEM, "too many attribute keys exist; free some");
  return static_cast<int>(reinterpret_cast<std::intptr_t>(handle));
}

template <class Handle>
KeyvalPointer<Handle> check_keyval(int key) {
  const AnyKeyval* found = keyvals.find(handle_of(key));
  if (found == nullptr) reject(key);
  const auto* keyval = std::get_if<KeyvalPointer<Handle>>(found);
  if (keyval == nullptr) {
    fail(MPI_ERR_KEYVAL, fmt::format("the key {} was made for another kind of object", key));
  }
  return *keyval;
}

template <class Handle>
void free_keyval(int key) {
  check_keyval<Handle>(key);
  keyvals.erase(handle_of(key));
}

template struct Keyval<MPI_Comm>;
template struct Keyval<MPI_Datatype>;
template int create_keyval(const Keyval<MPI_Comm>& keyval);
template int create_keyval(const Keyval<MPI_Datatype>& keyval);
template int create_keyval(const Keyval<MPI_Win>& keyval);
template KeyvalPointer<MPI_Comm> check_keyval<MPI_Comm>(int key);
template KeyvalPointer<MPI_Datatype> check_keyval<MPI_Datatype>(int key);
template void free_keyval<MPI_Comm>(int key);
template void free_keyval<MPI_Datatype>(int key);
template void free_keyval<MPI_Win>(int key);

}  // namespace foldlane::api
