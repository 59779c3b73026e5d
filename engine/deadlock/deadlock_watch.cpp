#include "engine/deadlock/deadlock_watch.hpp"

#include <algorithm>
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

}  // namespace

DeadlockWatch::DeadlockWatch(std::vector<Place> places, int rank, DeadlockPolicy policy, Times times, Now now)
    : LongWaits(times.long_wait),
      circle_(std::move(places)),
      rank_(rank),
      policy_(policy),
      times_(times),
      now_(now) {}

// ---- the waits of this rank

void DeadlockWatch::goes_on(const void* wait, std::uint64_t moves, const WaitDescriber& describe) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    go_on(wait, moves, describe);
    look_at_all();
  } catch (const std::exception&) {
    member().withdraw();  // out of memory: nobody learns of this wait
  }
  publish_vague();
}

void DeadlockWatch::go_on(const void* wait, std::uint64_t moves, const WaitDescriber& describe) {
  const bool is_new = std::find(waits_.begin(), waits_.end(), wait) == waits_.end();
  if (is_new) waits_.push_back(wait);
  if (waits_.size() > 1) return member().withdraw();  // which of them is to end does not fit into a record
  if (is_new) began_ = now_();
  if (!is_new && moves == moves_) return member().has_looked();
  member().withdraw();
  moves_ = moves;
  describe_wait(describe);
}

void DeadlockWatch::is_over(const void* wait) noexcept {
  const std::lock_guard lock(mutex_);
  member().withdraw();
  std::erase(waits_, wait);
  moves_ = ~std::uint64_t{0};  // another one that goes on describes itself anew
  circle_.acquit();
  publish_vague();
}

void DeadlockWatch::publish_vague() noexcept {
  const bool is_described = CircleMember<WaitRecord>::describes_wait(own().serial.peek());
  own().vague.publish(!waits_.empty() && !is_described ? 1 : 0);
}

void DeadlockWatch::describe_wait(const WaitDescriber& describe) {
  WaitNote note;
  describe(note);
  if (!note.is_known || note.awaited.empty()) return;
  if (name_) name_(note);
  publish(note);
}

void DeadlockWatch::publish(const WaitNote& note) noexcept {
  member().describe(note.awaited, [&] {
    WaitRecord& record = own();
    const std::string text = note.call + "\n" + note.hints;
    const std::size_t bytes = std::min(text.size(), WaitRecord::kTextBytes - 1);
    std::memcpy(record.text, text.data(), bytes);
    record.text[bytes] = '\0';
    record.since.publish(static_cast<std::uint64_t>(began_));
    record.threads.publish(has_threads_ ? 1 : 0);
  });
}

// ---- the look at everybody

bool DeadlockWatch::may_depend_on(const std::vector<int>& awaited, const std::vector<int>& others) noexcept {
  // Another thread of this rank may end the wait, and wait itself for anybody.
  if (std::find(awaited.begin(), awaited.end(), rank_) != awaited.end()) return true;
  try {
    RankSet set(static_cast<int>(circle_.places().size()));
    for (const int rank : others) set.add(rank);
    return circle_.may_depend_on(awaited, set);
  } catch (const std::exception&) {
    return true;  // out of memory: it is not known
  }
}

void DeadlockWatch::look_at_all() {
  if (policy_ == DeadlockPolicy::off || waits_.size() > 1) return;
  const std::int64_t now = now_();
  if (now - began_ < times_.first_look || now - looked_ < times_.between_looks) return;
  looked_ = now;
  if (!circle_.is_waiting(rank_) || another_one_looks()) return circle_.acquit();
  if (circle_.look()) report();
}

/// The lowest rank that waits. Mostly it is the same as before.
bool DeadlockWatch::another_one_looks() noexcept {
  if (lower_ < rank_ && circle_.is_waiting(lower_)) return true;
  for (lower_ = 0; lower_ < rank_; ++lower_)
    if (circle_.is_waiting(lower_)) return true;
  return false;
}

// ---- what is told

void DeadlockWatch::report() {
  const std::vector<Suspect>& suspects = circle_.suspects();
  const bool is_certain = std::none_of(suspects.begin(), suspects.end(), [this](const Suspect& each) {
    return circle_.place(each.rank).record->threads.observe() != 0;
  });
  if (!is_certain && now_() - began_ < times_.sure_of_threads) return;
  DeadlockReport found{is_certain, {}, suspects.size(), awaited_that_ended()};
  for (std::size_t i = 0; i < std::min(suspects.size(), kMostRanksNamed); ++i)
    found.stuck.push_back(describe_rank(suspects[i]));
  if (is_news() && tell_) tell_(found);
}

StuckRank DeadlockWatch::describe_rank(const Suspect& suspect) const {
  const WaitRecord& record = *circle_.place(suspect.rank).record;
  std::vector<std::string> lines = lines_of({record.text, ::strnlen(record.text, WaitRecord::kTextBytes)});
  StuckRank rank{suspect.rank,
                 1e-9 * static_cast<double>(now_() - static_cast<std::int64_t>(record.since.observe())),
                 lines.empty() ? std::string() : lines.front(),
                 {}};
  if (!lines.empty()) rank.hints.assign(lines.begin() + 1, lines.end());
  return rank;
}

std::vector<int> DeadlockWatch::awaited_that_ended() const {
  RankSet ended(static_cast<int>(circle_.places().size()));
  for (const Suspect& each : circle_.suspects()) {
    for (const int rank : circle_.standing(each.rank).awaited.list())
      if (circle_.place(rank).has_ended()) ended.add(rank);
  }
  return ended.list();
}

/// Once per deadlock, whoever looks.
bool DeadlockWatch::is_news() noexcept {
  const std::uint64_t digest = digest_of(circle_.suspects());
  for (const Place& each : circle_.places())
    if (each.record->reported.observe() == digest) return false;
  own().reported.publish(digest);
  return true;
}

}  // namespace foldlane::engine
