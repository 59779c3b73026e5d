// A program in the making: calls with times, which name each other by the number that add() gave them.
#pragma once

#include "matching/program.hpp"
#include "matching/random.hpp"

namespace foldlane::matching {

/// How a message is received. All but the second have received it when their last call ends.
enum class Form { plain, posted, probed, iprobed, matched, imatched, cancelled };
inline constexpr int kForms = 7;

int bytes_of(Unit unit);
int units_of(Layout layout);
/// Some layout of which so many units are whole elements.
Layout some_layout(Random& random, int units);
/// 0 bytes and around every limit of an implementation that is known; the few large ones are up to 300 KiB.
int some_units(Random& random, Unit unit, int most_bytes);

class Draft {
 public:
  Draft(std::uint64_t seed, int ranks) : seed_(seed), scripts_(static_cast<std::size_t>(ranks)) {}

  /// Calls of one rank are made in the order of their times, and of being added.
  int add(int rank, double time, Call call);
  /// The number that a call which sends it gives for it.
  int add_message(const Message& message);
  const Message& message(int number) const { return messages_[static_cast<std::size_t>(number)]; }
  /// Receives what fits `receive`; what the form does in two steps, at both times. Returns the request that
  /// is to be completed later, or kNone.
  int receive(int rank, double time, double later, Call receive, Form form);
  Program build() const;

 private:
  struct Timed {
    double time;
    int number;
    Call call;
  };
  std::uint64_t seed_;
  int calls_ = 0;
  std::vector<std::vector<Timed>> scripts_;
  std::vector<Message> messages_;
};

}  // namespace foldlane::matching
