#include "launch/rank_environment.hpp"

#include <unistd.h>

#include <algorithm>

namespace foldlane::tools {

RankEnvironment::RankEnvironment() {
  for (char** entry = environ; *entry != nullptr; ++entry) entries_.emplace_back(*entry);
}

std::size_t RankEnvironment::find(std::string_view name) const {
  const auto named = [&](const std::string& entry) {
    return entry.size() > name.size() && entry[name.size()] == '=' &&
           entry.compare(0, name.size(), name) == 0;
  };
  return static_cast<std::size_t>(std::find_if(entries_.begin(), entries_.end(), named) - entries_.begin());
}

bool RankEnvironment::has(std::string_view name) const { return find(name) < entries_.size(); }

void RankEnvironment::remove(std::string_view name) {
  const std::size_t place = find(name);
  if (place < entries_.size()) entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(place));
}

std::string RankEnvironment::value(std::string_view name) const {
  const std::size_t place = find(name);
  return place == entries_.size() ? std::string() : entries_[place].substr(name.size() + 1);
}

void RankEnvironment::set(std::string_view name, std::string_view value) {
  const std::size_t place = find(name);
  if (place == entries_.size()) entries_.emplace_back();
  entries_[place].assign(name).append("=").append(value);
}

char* const* RankEnvironment::block() {
  pointers_.clear();
  for (std::string& entry : entries_) pointers_.push_back(entry.data());
  pointers_.push_back(nullptr);
  return pointers_.data();
}

}  // namespace foldlane::tools
