// MPI_Type_{set,get,delete}_attr.
#include "api/datatype/type_attributes.hpp"

#include <map>
#include <mutex>

#include "api/attributes/attribute_calls.hpp"
#include "api/core/calls.hpp"
#include "api/datatype/checks.hpp"
#include "api/errors/args.hpp"
#include "api/objects/attribute_set.hpp"

namespace foldlane::api {
namespace {

using TypeAttributes = AttributeSet<MPI_Datatype>;

std::mutex mutex;
std::map<MPI_Datatype, TypeAttributes> type_attributes;  // sets do not move while others come and go

TypeAttributes* find(MPI_Datatype datatype) {
  const std::lock_guard lock(mutex);
  const auto found = type_attributes.find(datatype);
  return found != type_attributes.end() ? &found->second : nullptr;
}

TypeAttributes& find_or_add(MPI_Datatype datatype) {
  const std::lock_guard lock(mutex);
  return type_attributes[datatype];
}

std::optional<void*> get(MPI_Datatype datatype, int key) {
  const TypeAttributes* attributes = find(datatype);
  return attributes != nullptr ? attributes->get(key) : std::nullopt;
}

}  // namespace

int duplicate_type_attributes(MPI_Datatype from, MPI_Datatype to) {
  const TypeAttributes* attributes = find(from);
  return attributes != nullptr ? attributes->duplicate_into(from, find_or_add(to)) : MPI_SUCCESS;
}

int destroy_type_attributes(MPI_Datatype datatype) {
  TypeAttributes* attributes = find(datatype);
  if (attributes == nullptr) return MPI_SUCCESS;
  const int code = attributes->destroy(datatype);
  const std::lock_guard lock(mutex);
  if (code == MPI_SUCCESS) type_attributes.erase(datatype);
  return code;
}

int type_set_attr(Call call, MPI_Datatype datatype, int key, void* value) {
  return run(call, [&] {
    check_active();
    check_datatype(datatype);
    KeyvalPointer<MPI_Datatype> keyval = check_keyval<MPI_Datatype>(key);
    check_callbacks(find_or_add(datatype).set(datatype, key, std::move(keyval), value));
  });
}

int type_get_attr(Call call, MPI_Datatype datatype, int key, void* attribute_val, int* flag) {
  return run(call, [&] {
    check_active();
    check_datatype(datatype);
    const std::optional<void*> value = get(datatype, key);
    if (!value) check_keyval<MPI_Datatype>(key);
    put_attribute(value, attribute_val, flag);
  });
}

int type_delete_attr(Call call, MPI_Datatype datatype, int key) {
  return run(call, [&] {
    check_active();
    check_datatype(datatype);
    if (!get(datatype, key)) check_keyval<MPI_Datatype>(key);
    if (TypeAttributes* attributes = find(datatype)) check_callbacks(attributes->erase(datatype, key));
  });
}

}  // namespace foldlane::api
