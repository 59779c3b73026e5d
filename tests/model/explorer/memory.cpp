#include "memory.hpp"

#include <algorithm>
#include <cstdlib>

namespace foldlane::model {
namespace {

template <class Array>
void join_each(Array& mine, const Array& other) {
  for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = std::max(mine[i], other[i]);
}

}  // namespace

void Knowledge::join(const Knowledge& other) {
  join_each(view, other.view);
  join_each(clock, other.clock);
}

Memory::Memory(std::size_t threads) : threads_(threads), imposed_(threads) {
  if (threads > kMaxThreads) std::abort();
  for (std::size_t t = 0; t < threads; ++t) threads_[t].clock[t] = 1;
  words_.reserve(kMaxWords);
}

int Memory::add_word(Kind kind, const void* address) {
  if (words_.size() == kMaxWords) std::abort();
  words_.push_back({kind, address, {}});
  words_.back().messages.reserve(16);
  words_.back().messages.push_back({0, -1, {}});
  return static_cast<int>(words_.size()) - 1;
}

void Memory::append(int thread, int word, std::uint64_t value, const Knowledge& released) {
  auto& messages = words_[index(word)].messages;
  messages.push_back({value, thread, released});
  of(thread).view[index(word)] = static_cast<std::uint16_t>(messages.size() - 1);
}

void Memory::store(int thread, int word, std::uint64_t value, bool release) {
  append(thread, word, value, {});
  if (!release) return;
  words_[index(word)].messages.back().released = of(thread);
  ++of(thread).clock[index(thread)];
}

std::uint64_t Memory::load(int thread, int word, std::size_t message, bool acquire) {
  const Message& read = messages(word)[message];
  auto& view = of(thread).view[index(word)];
  view = std::max(view, static_cast<std::uint16_t>(message));
  if (acquire) of(thread).join(read.released);
  return read.value;
}

void Memory::replace(int thread, int word, std::uint64_t value) {
  Knowledge released = messages(word).back().released;  // the release sequence goes on
  load(thread, word, latest(word), true);
  append(thread, word, value, {});
  released.join(of(thread));
  words_[index(word)].messages.back().released = released;
  ++of(thread).clock[index(thread)];
}

View Memory::latest_of_all() const {
  View all{};
  for (std::size_t w = 0; w < words_.size(); ++w) {
    all[w] = static_cast<std::uint16_t>(words_[w].messages.size() - 1);
  }
  return all;
}

void Memory::light_barrier(int thread) { join_each(of(thread).view, imposed_[index(thread)]); }

void Memory::heavy_barrier(int thread) {
  const View all = latest_of_all();
  for (View& view : imposed_) join_each(view, all);
  join_each(of(thread).view, all);
}

void Memory::add_place(const void* start, std::size_t bytes) {
  const std::size_t first = places_.empty() ? 1 : places_.back().first + places_.back().granules.size();
  places_.push_back(
      {static_cast<const std::byte*>(start), first, std::vector<Granule>(bytes / kGranuleBytes)});
}

Memory::Access Memory::access(int thread, const void* start, std::size_t bytes, bool write) {
  const auto* first = static_cast<const std::byte*>(start);
  for (Place& place : places_) {
    const std::byte* end = place.start + place.granules.size() * kGranuleBytes;
    if (bytes == 0 || first < place.start || first >= end) continue;
    const auto offset = static_cast<std::size_t>(first - place.start);
    if (offset + bytes > place.granules.size() * kGranuleBytes) std::abort();
    for (std::size_t g = offset / kGranuleBytes; g * kGranuleBytes < offset + bytes; ++g) {
      const Access result = access(thread, place.granules[g], place.first + g, write);
      if (result != Access::fine) return result;
    }
  }
  return Access::fine;
}

Memory::Access Memory::access(int thread, Granule& granule, std::size_t number, bool write) {
  const Clock& known = of(thread).clock;
  bool written = false;
  for (std::size_t t = 0; t < threads_.size(); ++t) {
    written = written || granule.last_write[t] != 0;
    if (granule.last_write[t] > known[t] || (write && granule.last_read[t] > known[t])) return Access::race;
  }
  if (!write && !written) return Access::never_written;
  auto& last = (write ? granule.last_write : granule.last_read)[index(thread)];
  if (last == known[index(thread)]) return Access::fine;
  accessed_ -= digest(granule, number);
  last = known[index(thread)];
  accessed_ += digest(granule, number);
  return Access::fine;
}

View Memory::forgotten_before(const std::array<bool, kMaxThreads>& alive) const {
  View floor = latest_of_all();
  for (std::size_t t = 0; t < threads_.size(); ++t) {
    for (std::size_t w = 0; alive[t] && w < words_.size(); ++w) {
      floor[w] = std::min(floor[w], threads_[t].view[w]);
    }
  }
  return floor;
}

std::uint64_t Memory::add_view(std::uint64_t digest, const View& view, const View& floor) const {
  for (std::size_t w = 0; w < words_.size(); ++w) {
    digest = mix(digest, std::max(view[w], floor[w]) - std::uint64_t{floor[w]});
  }
  return digest;
}

/// Clocks matter to accesses of places only.
std::uint64_t Memory::add_clock(std::uint64_t digest, const Clock& clock) const {
  for (std::size_t t = 0; t < threads_.size() && !places_.empty(); ++t) digest = mix(digest, clock[t]);
  return digest;
}

/// Zero for what nobody has accessed.
std::uint64_t Memory::digest(const Granule& granule, std::size_t number) const {
  if (granule == Granule{}) return 0;
  return add_clock(add_clock(mix(0, number), granule.last_write), granule.last_read);
}

std::uint64_t Memory::digest(const std::array<bool, kMaxThreads>& alive,
                             std::array<std::uint64_t, kMaxThreads>& of_threads) const {
  const View floor = forgotten_before(alive);
  std::uint64_t digest = mix(words_.size(), accessed_);
  for (std::size_t w = 0; w < words_.size(); ++w) {
    const auto& messages = words_[w].messages;
    digest = mix(digest, messages.size() - floor[w]);
    for (std::size_t m = floor[w]; m < messages.size(); ++m) {
      digest = add_view(mix(digest, messages[m].value), messages[m].released.view, floor);
      digest = add_clock(digest, messages[m].released.clock);
    }
  }
  for (std::size_t t = 0; t < threads_.size(); ++t) {
    if (!alive[t]) continue;
    View imposed = imposed_[t];
    join_each(imposed, threads_[t].view);
    of_threads[t] = add_view(add_view(of_threads[t], threads_[t].view, floor), imposed, floor);
    of_threads[t] = add_clock(of_threads[t], threads_[t].clock);
  }
  return digest;
}

}  // namespace foldlane::model
