// How ranks say that they wait, and how one that looks at all of them knows that some wait for each other for
// ever.
//
// PROTOCOL C "circle"          a rank r that waits                the one that looks, l
//   r:  describe the wait; serial(r) odd              [C1.rel]
//   r:  look at all it waits for, in vain; rounds(r) += 1   [C2]
//   r:  something moved, or the wait is over: another serial(r), and only then rounds(r)
//                                                     [C1.acq]      serials and descriptions of all: the set
//                                                     [C2]          rounds(s) += 0 of the set
//                                                                   later: has each s gone two rounds?
//                                                     [C1.acq]      and has each s the serial it had?
// Then nothing was on its way to the set when l asked for its rounds: a second round began after that, and
// had seen it. Nor has any of them done anything since, for the first one to do so had nothing to do it upon.
// So the set stays as it is for ever. WITHOUT two rounds: a look that began before the last message was sent.
// WITHOUT a new serial for what moves: a rank that goes on, releases another one, and waits as before.
// WITHOUT a read-modify-write that asks: a second round that need not know what l knew.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/deadlock/deadlock.hpp"

namespace foldlane::engine {

/// The rank that waits. A Record has the words `serial`, `rounds` and `awaited` (a bit per rank).
template <class Record>
class CircleMember {
 public:
  explicit CircleMember(Record& record) noexcept : record_(record) {}

  static bool describes_wait(std::uint64_t serial) noexcept { return serial % 2 != 0; }

  /// `rest` writes what else the record says.
  template <class Rest>
  void describe(const std::vector<int>& awaited, const Rest& rest) noexcept {
    for (auto& word : record_.awaited) word.publish(0);
    for (const int rank : awaited) {
      auto& word = record_.awaited[rank / RankSet::kBits];
      word.publish(word.peek() | std::uint64_t{1} << rank % RankSet::kBits);
    }
    rest();
    record_.serial.publish(record_.serial.peek() + 1);  // [C1.rel]
  }
  void withdraw() noexcept {
    const std::uint64_t serial = record_.serial.peek();
    if (describes_wait(serial)) record_.serial.publish(serial + 1);  // [C1.rel]
  }
  void has_looked() noexcept { record_.rounds.add(1); }  // [C2]: the next look begins after all see it

 private:
  Record& record_;
};

/// A rank that may be stuck, and how far it was when that was noticed.
struct Suspect {
  int rank;
  std::uint64_t serial;
  std::uint64_t rounds;
};

/// The one that looks. A Place is what is to be seen of a rank: `record` points to what it says; has_died(),
/// and has_ended() without a failure.
template <class Place>
class CircleLook {
 public:
  using Record = std::remove_pointer_t<decltype(Place::record)>;

  explicit CircleLook(std::vector<Place> places) : places_(std::move(places)) {}

  const std::vector<Place>& places() const noexcept { return places_; }
  const Place& place(int rank) const noexcept { return places_[static_cast<std::size_t>(rank)]; }
  const std::vector<Suspect>& suspects() const noexcept { return suspects_; }

  bool is_waiting(int rank) const noexcept {
    return CircleMember<Record>::describes_wait(place(rank).record->serial.observe()) &&
           !place(rank).has_died();
  }
  RankStanding standing(int rank) const;
  /// As of LongWaits. A Record has the words `vague` and `looks`, too.
  bool may_depend_on(std::vector<int> awaited, const RankSet& others) const;

  /// Whether the suspects are a deadlock. They come from an earlier look.
  bool look();
  void acquit() noexcept { suspects_.clear(); }

 private:
  bool is_ripe() const noexcept {
    return std::all_of(suspects_.begin(), suspects_.end(), [this](const Suspect& each) {
      return place(each.rank).record->rounds.observe() >= each.rounds + 2;
    });
  }
  bool stand_still() const noexcept {
    return std::all_of(suspects_.begin(), suspects_.end(), [this](const Suspect& each) {
      return place(each.rank).record->serial.observe() == each.serial && !place(each.rank).has_died();
    });
  }
  void suspect();

  std::vector<Place> places_;           // by rank
  std::vector<RankStanding> innocent_;  // without a deadlock
  std::vector<Suspect> suspects_;
};

template <class Place>
bool CircleLook<Place>::look() {
  if (suspects_.empty()) {
    suspect();
    return false;
  }
  const bool ripe = is_ripe();  // before the serials
  if (!stand_still()) acquit();
  return ripe && !suspects_.empty();
}

template <class Place>
void CircleLook<Place>::suspect() {
  std::vector<RankStanding> ranks;
  for (int rank = 0; rank < static_cast<int>(places_.size()); ++rank) ranks.push_back(standing(rank));
  if (ranks == innocent_) return;
  const std::vector<int> stuck = find_deadlock(ranks);
  if (stuck.empty()) {
    innocent_ = std::move(ranks);
    return;
  }
  for (const int rank : stuck) suspects_.push_back({rank, ranks[static_cast<std::size_t>(rank)].serial, 0});
  for (Suspect& each : suspects_) each.rounds = place(each.rank).record->rounds.add(0);  // [C2]
}

template <class Place>
bool CircleLook<Place>::may_depend_on(std::vector<int> awaited, const RankSet& others) const {
  if (std::any_of(awaited.begin(), awaited.end(), [&](int rank) { return others.has(rank); })) return true;
  RankSet seen(static_cast<int>(places_.size()));
  while (!awaited.empty()) {
    const int rank = awaited.back();
    awaited.pop_back();
    if (seen.has(rank)) continue;
    seen.add(rank);
    const Record& record = *place(rank).record;
    if (record.vague.observe() != 0 || record.looks.observe() != 0) return true;
    const RankStanding standing = this->standing(rank);
    if (standing.kind != RankStanding::Kind::waits) continue;
    if (others.has(rank)) return true;
    for (const int next : standing.awaited.list()) awaited.push_back(next);
  }
  return false;
}

template <class Place>
RankStanding CircleLook<Place>::standing(int rank) const {
  using Kind = RankStanding::Kind;
  const Record& record = *place(rank).record;
  if (place(rank).has_died()) return {};
  if (place(rank).has_ended()) return {Kind::ended, 0, RankSet(0)};
  const std::uint64_t serial = record.serial.observe();  // [C1.acq]
  if (!CircleMember<Record>::describes_wait(serial)) return {};
  RankSet awaited(static_cast<int>(places_.size()));
  for (std::size_t i = 0; i < awaited.words(); ++i) awaited.word(i) = record.awaited[i].observe();
  if (record.serial.observe() != serial) return {};
  return {Kind::waits, serial, std::move(awaited)};
}

}  // namespace foldlane::engine
