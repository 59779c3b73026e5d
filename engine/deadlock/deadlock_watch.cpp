#include "engine/deadlock/deadlock_watch.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <sstream>
#include <utility>

namespace foldlane::engine {
namespace {

/// Equal for equal sets of waits, whoever looks.
template <class Suspects>
std::uint64_t digest_of(const Suspects& suspects) {
  std::uint64_t digest = 1;
  for (const auto& each : suspects)
    digest = (digest + static_cast<std::uint64_t>(each.rank)) * 0x9e3779b97f4a7c15U + each.serial;
  return digest;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool has_died(const DeadlockWatch::Place& place) noexcept { return place.end->death.observe() != 0; }
bool has_ended(const DeadlockWatch::Place& place) noexcept { return place.end->ended.observe() != 0; }

}  // namespace

std::int64_t DeadlockWatch::steady_now() noexcept {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

DeadlockWatch::DeadlockWatch(std::vector<Place> places, int rank, DeadlockPolicy policy, Times times, Now now)
    : places_(std::move(places)), rank_(rank), policy_(policy), times_(times), now_(now) {}

// ---- the waits of this rank

void DeadlockWatch::goes_on(const void* wait, std::uint64_t moves, const WaitDescriber& describe) noexcept {
  const std::lock_guard lock(mutex_);
  const bool is_new = std::find(waits_.begin(), waits_.end(), wait) == waits_.end();
  try {
    if (is_new) waits_.push_back(wait);
    if (waits_.size() > 1) return withdraw();  // which of them is to end does not fit into a record
    if (is_new) began_ = now_();
    if (is_new || moves != moves_) {
      withdraw();
      moves_ = moves;
      describe_wait(describe);
    } else {
      own().rounds.add(1);  // [C2]: the next look begins after all see it
    }
    const std::int64_t now = now_();
    if (now - began_ < times_.first_look || now - looked_ < times_.between_looks) return;
    looked_ = now;
    if (!is_waiting(rank_) || another_one_looks()) return suspects_.clear();
    look();
  } catch (const std::exception&) {
    withdraw();  // out of memory: nobody learns of this wait
  }
}

void DeadlockWatch::is_over(const void* wait) noexcept {
  const std::lock_guard lock(mutex_);
  withdraw();
  std::erase(waits_, wait);
  moves_ = ~std::uint64_t{0};  // another one that goes on describes itself anew
  suspects_.clear();
}

void DeadlockWatch::withdraw() noexcept {
  const std::uint64_t serial = own().serial.peek();
  if (WaitRecord::describes_wait(serial)) own().serial.publish(serial + 1);  // [C1.rel]
}

void DeadlockWatch::describe_wait(const WaitDescriber& describe) {
  WaitNote note;
  describe(note);
  if (!note.is_known || note.awaited.empty()) return;
  if (name_) name_(note);
  publish(note);
}

void DeadlockWatch::publish(const WaitNote& note) noexcept {
  WaitRecord& record = own();
  for (auto& word : record.awaited) word.publish(0);
  for (const int rank : note.awaited) {
    auto& word = record.awaited[rank / WaitRecord::kBits];
    word.publish(word.peek() | std::uint64_t{1} << rank % WaitRecord::kBits);
  }
  const std::string text = note.call + "\n" + note.hints;
  const std::size_t bytes = std::min(text.size(), WaitRecord::kTextBytes - 1);
  std::memcpy(record.text, text.data(), bytes);
  record.text[bytes] = '\0';
  record.since.publish(static_cast<std::uint64_t>(began_));
  record.threads.publish(has_threads_ ? 1 : 0);
  record.serial.publish(record.serial.peek() + 1);  // [C1.rel]
}

// ---- the look at everybody

bool DeadlockWatch::is_waiting(int rank) const noexcept {
  return WaitRecord::describes_wait(place(rank).record->serial.observe()) && !has_died(place(rank));
}

/// The lowest rank that waits. Mostly it is the same as before.
bool DeadlockWatch::another_one_looks() noexcept {
  if (lower_ < rank_ && is_waiting(lower_)) return true;
  for (lower_ = 0; lower_ < rank_; ++lower_)
    if (is_waiting(lower_)) return true;
  return false;
}

void DeadlockWatch::look() {
  const auto stands = [this](const Suspect& each) { return still_stands(each); };
  const auto looked_twice = [this](const Suspect& each) { return has_looked_twice(each); };
  if (!suspects_.empty()) {
    const bool is_ripe = std::all_of(suspects_.begin(), suspects_.end(), looked_twice);  // before the serials
    if (!std::all_of(suspects_.begin(), suspects_.end(), stands)) return suspects_.clear();
    if (is_ripe) report();
    return;
  }
  std::vector<RankStanding> ranks;
  for (int rank = 0; rank < static_cast<int>(places_.size()); ++rank) ranks.push_back(standing(rank));
  if (ranks == innocent_) return;
  const std::vector<int> stuck = find_deadlock(ranks);
  if (stuck.empty()) {
    innocent_ = std::move(ranks);
    return;
  }
  for (const int rank : stuck) suspects_.push_back({rank, ranks[static_cast<std::size_t>(rank)].serial, 0});
  for (Suspect& each : suspects_) each.rounds = place(each.rank).record->rounds.observe();  // [C2]
}

RankStanding DeadlockWatch::standing(int rank) const {
  using Kind = RankStanding::Kind;
  const WaitRecord& record = *place(rank).record;
  if (has_died(place(rank))) return {};
  if (has_ended(place(rank))) return {Kind::ended, 0, RankSet(0)};
  const std::uint64_t serial = record.serial.observe();  // [C1.acq]
  if (!WaitRecord::describes_wait(serial)) return {};
  RankSet awaited(static_cast<int>(places_.size()));
  for (std::size_t i = 0; i < awaited.words(); ++i) awaited.word(i) = record.awaited[i].observe();
  if (record.serial.observe() != serial) return {};
  return {Kind::waits, serial, std::move(awaited)};
}

bool DeadlockWatch::still_stands(const Suspect& suspect) const noexcept {
  return place(suspect.rank).record->serial.observe() == suspect.serial && !has_died(place(suspect.rank));
}

bool DeadlockWatch::has_looked_twice(const Suspect& suspect) const noexcept {
  return place(suspect.rank).record->rounds.observe() >= suspect.rounds + 2;
}

// ---- what is told

void DeadlockWatch::report() {
  const bool is_certain = std::none_of(suspects_.begin(), suspects_.end(), [this](const Suspect& each) {
    return place(each.rank).record->threads.observe() != 0;
  });
  if (!is_certain && now_() - began_ < times_.sure_of_threads) return;
  DeadlockReport found{is_certain, {}, suspects_.size(), awaited_that_ended()};
  for (std::size_t i = 0; i < std::min(suspects_.size(), kMostRanksNamed); ++i)
    found.stuck.push_back(describe_rank(suspects_[i]));
  if (is_news() && tell_) tell_(found);
}

StuckRank DeadlockWatch::describe_rank(const Suspect& suspect) const {
  const WaitRecord& record = *place(suspect.rank).record;
  std::vector<std::string> lines = lines_of({record.text, ::strnlen(record.text, WaitRecord::kTextBytes)});
  StuckRank rank{suspect.rank,
                 1e-9 * static_cast<double>(now_() - static_cast<std::int64_t>(record.since.observe())),
                 lines.empty() ? std::string() : lines.front(),
                 {}};
  if (!lines.empty()) rank.hints.assign(lines.begin() + 1, lines.end());
  return rank;
}

std::vector<int> DeadlockWatch::awaited_that_ended() const {
  RankSet ended(static_cast<int>(places_.size()));
  for (const Suspect& each : suspects_) {
    for (const int rank : standing(each.rank).awaited.list())
      if (has_ended(place(rank))) ended.add(rank);
  }
  return ended.list();
}

/// Once per deadlock, whoever looks.
bool DeadlockWatch::is_news() noexcept {
  const std::uint64_t digest = digest_of(suspects_);
  for (const Place& each : places_)
    if (each.record->reported.observe() == digest) return false;
  own().reported.publish(digest);
  return true;
}

}  // namespace foldlane::engine
