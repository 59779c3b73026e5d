#include "api/objects/info_map.hpp"

#include <algorithm>

namespace foldlane::api {
namespace {

template <class Entries>
auto find_entry(Entries& entries, std::string_view key) {
  return std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.first == key; });
}

}  // namespace

const std::string* InfoMap::find(std::string_view key) const noexcept {
  const auto entry = find_entry(entries_, key);
  return entry == entries_.end() ? nullptr : &entry->second;
}

void InfoMap::set(std::string_view key, std::string_view value) {
  const auto entry = find_entry(entries_, key);
  if (entry == entries_.end()) {
    entries_.emplace_back(key, value);
  } else {
    entry->second = value;
  }
}

bool InfoMap::erase(std::string_view key) {
  const auto entry = find_entry(entries_, key);
  if (entry == entries_.end()) return false;
  entries_.erase(entry);
  return true;
}

}  // namespace foldlane::api
