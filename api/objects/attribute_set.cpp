#include "api/objects/attribute_set.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

namespace foldlane::api {
namespace {

std::mutex mutex;  // of all sets: attributes are read now and then, and held for nanoseconds

}  // namespace

// Needs the mutex.
template <class Handle>
auto AttributeSet<Handle>::find(int key) const -> typename Attributes::const_iterator {
  return std::find_if(attributes_.begin(), attributes_.end(),
                      [&](const Attribute& attribute) { return attribute.key == key; });
}

template <class Handle>
auto AttributeSet<Handle>::snapshot() const -> Attributes {
  const std::lock_guard lock(mutex);
  return attributes_;
}

template <class Handle>
auto AttributeSet<Handle>::take(int key) -> std::optional<Attribute> {
  const std::lock_guard lock(mutex);
  const auto found = find(key);
  if (found == attributes_.end()) return std::nullopt;
  Attribute taken = *found;
  attributes_.erase(found);
  return taken;
}

template <class Handle>
auto AttributeSet<Handle>::take_last() -> std::optional<Attribute> {
  const std::lock_guard lock(mutex);
  if (attributes_.empty()) return std::nullopt;
  Attribute taken = std::move(attributes_.back());
  attributes_.pop_back();
  return taken;
}

// Needs the mutex.
template <class Handle>
void AttributeSet<Handle>::add(int key, KeyvalPointer<Handle> keyval, void* value) {
  attributes_.push_back({key, std::move(keyval), value, next_order_++});
}

// Unless the key has a new value by now.
template <class Handle>
void AttributeSet<Handle>::put_back(Attribute attribute) {
  const std::lock_guard lock(mutex);
  if (find(attribute.key) != attributes_.end()) return;
  const auto later = std::find_if(attributes_.begin(), attributes_.end(),
                                  [&](const Attribute& other) { return other.order > attribute.order; });
  attributes_.insert(later, std::move(attribute));
}

// Taken out before, so that two threads do not delete one value twice.
template <class Handle>
int AttributeSet<Handle>::destroy(Handle object, Attribute attribute) {
  const int code = attribute.keyval->destroy(object, attribute.key, attribute.value);
  if (code != MPI_SUCCESS) put_back(std::move(attribute));
  return code;
}

template <class Handle>
int AttributeSet<Handle>::set(Handle object, int key, KeyvalPointer<Handle> keyval, void* value) {
  for (;;) {
    if (const int code = erase(object, key); code != MPI_SUCCESS) return code;
    const std::lock_guard lock(mutex);
    if (find(key) != attributes_.end()) continue;  // another thread was faster: its value is replaced
    add(key, std::move(keyval), value);
    return MPI_SUCCESS;
  }
}

template <class Handle>
std::optional<void*> AttributeSet<Handle>::get(int key) const {
  const std::lock_guard lock(mutex);
  const auto found = find(key);
  if (found == attributes_.end()) return std::nullopt;
  return found->value;
}

template <class Handle>
int AttributeSet<Handle>::erase(Handle object, int key) {
  std::optional<Attribute> attribute = take(key);
  return attribute ? destroy(object, *std::move(attribute)) : MPI_SUCCESS;
}

template <class Handle>
int AttributeSet<Handle>::duplicate_into(Handle object, AttributeSet& copy) const {
  for (const Attribute& attribute : snapshot()) {
    void* value = nullptr;
    bool copied = false;
    const int code = attribute.keyval->copy(object, attribute.key, attribute.value, value, copied);
    if (code != MPI_SUCCESS) return code;
    if (!copied) continue;
    const std::lock_guard lock(mutex);
    copy.add(attribute.key, attribute.keyval, value);
  }
  return MPI_SUCCESS;
}

template <class Handle>
int AttributeSet<Handle>::destroy(Handle object) {
  while (std::optional<Attribute> last = take_last()) {
    if (const int code = destroy(object, *std::move(last)); code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

template class AttributeSet<MPI_Comm>;
template class AttributeSet<MPI_Datatype>;

}  // namespace foldlane::api
