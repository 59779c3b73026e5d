// The memory of a model: C++ release/acquire by views, and a race detector by vector clocks.
//
// Each word keeps all messages ever stored in it, in modification order. A thread has a view: per word, the
// oldest message it may still read. A release store attaches the writer's view to its message; an acquire
// load joins it. A load may read any message from its view on, so stale reads are explored, not hoped for.
//
// Limits: a store appends to the modification order, which is exact for words with one writer and for
// read-modify-writes (there are no others here). No load buffering: a load never reads a store that is later
// in the exploration. Sequentially consistent read-modify-writes are treated as acquire-release ones, which
// allows more than C++ does: a pass here is a pass there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace foldlane::model {

inline constexpr std::size_t kMaxThreads = 8;
inline constexpr std::size_t kMaxWords = 224;

/// What a word is for; mutations are aimed at kinds. `constant` words are never written.
enum class Kind : std::uint8_t {
  constant,
  shown,
  filled,
  folded,
  stage,
  finished,
  state,
  abort,
  sleepers,
  watchers,
  bell,
  told,
  receipt,
  arrived,
  done,
  knock,
  knock_summary,
  taken,
  place,
  boxed,
  pushed,
  serial,
  rounds
};
constexpr std::uint32_t mask(Kind kind) { return 1u << static_cast<unsigned>(kind); }

using View = std::array<std::uint16_t, kMaxWords>;
using Clock = std::array<std::uint16_t, kMaxThreads>;

struct Knowledge {
  View view{};
  Clock clock{};

  void join(const Knowledge& other);
};

struct Message {
  std::uint64_t value;
  int writer;  // -1: the initial zero
  Knowledge released;
};

class Memory {
 public:
  explicit Memory(std::size_t threads);

  int add_word(Kind kind, const void* address);
  Kind kind(int word) const { return words_[index(word)].kind; }
  const void* address(int word) const { return words_[index(word)].address; }
  const std::vector<Message>& messages(int word) const { return words_[index(word)].messages; }
  std::size_t latest(int word) const { return messages(word).size() - 1; }
  std::size_t oldest_readable(int thread, int word) const { return of(thread).view[index(word)]; }

  void store(int thread, int word, std::uint64_t value, bool release);
  std::uint64_t load(int thread, int word, std::size_t message, bool acquire);
  /// Read-modify-write: the caller has read latest() and stores `value` right after it.
  void replace(int thread, int word, std::uint64_t value);

  /// The compiler's half of the asymmetric barrier: what a heavy barrier has imposed on this thread takes
  /// effect only here, because without it the compiler may have moved a load above the barrier.
  void light_barrier(int thread);
  /// A full barrier for every thread. No happens-before: it orders words, it does not excuse races on data.
  void heavy_barrier(int thread);

  /// Registers memory that is shared, so that accesses to it are checked.
  void add_place(const void* start, std::size_t bytes);
  enum class Access : std::uint8_t { fine, race, never_written };
  Access access(int thread, const void* start, std::size_t bytes, bool write);

  /// A number that differs (but for accidents of 2^-64) when the memory does, as far as the threads that are
  /// still alive can tell: messages that nobody can read any more do not count. What a single thread knows is
  /// mixed into its own number.
  std::uint64_t digest(const std::array<bool, kMaxThreads>& alive,
                       std::array<std::uint64_t, kMaxThreads>& of_threads) const;

 private:
  struct Word {
    Kind kind;
    const void* address;
    std::vector<Message> messages;
  };
  static constexpr std::size_t kGranuleBytes = 4;
  struct Granule {
    Clock last_write{};
    Clock last_read{};
    bool operator==(const Granule&) const = default;
  };
  struct Place {
    const std::byte* start;
    std::size_t first;  // granule's number, of all places
    std::vector<Granule> granules;
  };

  static std::size_t index(int number) { return static_cast<std::size_t>(number); }
  Knowledge& of(int thread) { return threads_[index(thread)]; }
  const Knowledge& of(int thread) const { return threads_[index(thread)]; }
  void append(int thread, int word, std::uint64_t value, const Knowledge& released);
  View latest_of_all() const;
  std::uint64_t add_view(std::uint64_t digest, const View& view, const View& floor) const;
  std::uint64_t add_clock(std::uint64_t digest, const Clock& clock) const;
  std::uint64_t digest(const Granule& granule, std::size_t number) const;
  View forgotten_before(const std::array<bool, kMaxThreads>& alive) const;
  Access access(int thread, Granule& granule, std::size_t number, bool write);

  std::vector<Word> words_;
  std::vector<Knowledge> threads_;
  std::vector<View> imposed_;  // by heavy barriers, not yet in effect
  std::vector<Place> places_;
  std::uint64_t accessed_ = 0;  // sum of the digests of all granules: most are never accessed
};

constexpr std::uint64_t mix(std::uint64_t digest, std::uint64_t value) {
  std::uint64_t x = (digest ^ value) * 0x9e3779b97f4a7c15u;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9u;
  return x ^ (x >> 32);
}

}  // namespace foldlane::model
