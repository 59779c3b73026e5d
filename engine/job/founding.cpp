#include "engine/job/founding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/collectives/collectives.hpp"
#include "engine/collectives/exchange_steps.hpp"
#include "engine/collectives/verdict.hpp"

namespace foldlane::engine {
namespace {

using shm::Errc;
using shm::Error;
using shm::Result;

int position_of(const std::vector<int>& members, int rank) {
  return static_cast<int>(std::find(members.begin(), members.end(), rank) - members.begin());
}

}  // namespace

std::vector<int> both_sides(const std::vector<int>& local, const std::vector<int>& remote, bool local_first) {
  std::vector<int> members = local_first ? local : remote;
  const std::vector<int>& others = local_first ? remote : local;
  members.insert(members.end(), others.begin(), others.end());
  return members;
}

/// The id that this member has taken as a leader, until a team is made of it.
class Founding::TakenId {
 public:
  TakenId(Founding& founding, bool leads, const std::vector<int>& members)
      : founding_(founding), offer_(leads ? founding.take_id(members) : Offer{kNoId, 0}) {}
  TakenId(const TakenId&) = delete;
  TakenId& operator=(const TakenId&) = delete;
  ~TakenId() {
    if (!is_used_ && offer_.id > 0) founding_.ids_.give_back(static_cast<int>(offer_.id), offer_.first_epoch);
  }

  const Offer& offer() const { return offer_; }
  void use() { is_used_ = true; }

 private:
  Founding& founding_;
  Offer offer_;
  bool is_used_ = false;
};

/// All members get the same verdict, so all try again alike. What they have freed comes back meanwhile: in
/// the first drive everybody sees everybody's departure, in the second one leaders see that all have.
FoundedTeam Founding::found(Team& parent, const std::vector<int>& members, const CallInfo& as) {
  constexpr int kAttempts = 3;
  for (int attempt = 1;; ++attempt) {
    FoundedTeam founded = try_to_found(parent, members, as);
    const bool lacks_memory = !founded.ok() && founded.error().code == Errc::no_memory;
    if (!lacks_memory || attempt == kAttempts) return founded;
  }
}

FoundedTeam Founding::try_to_found(Team& parent, const std::vector<int>& members, const CallInfo& as) {
  FoundedTeam founded{std::unique_ptr<Team>()};
  process_.progress().finish(parent.operations());
  if (parent.agreement().broken()) return failure_of(parent);
  Procedure steps = found_steps(parent, members, as, founded);
  if (!steps.run()) return failure_of(parent);
  return founded;
}

namespace {

shm::Error no_ids(std::size_t most) {
  return Error{Errc::no_memory, fmt::format("no more than {} communicators of several ranks can exist at a "
                                            "time; free some",
                                            most)};
}

}  // namespace

/// In two exchanges: what the members propose, and how each has fared with it. So all members of the parent
/// know the same, and all lines are committed.
Procedure Founding::found_steps(Team& parent, std::vector<int> members, CallInfo as, FoundedTeam& founded) {
  TakenId taken(*this, !members.empty() && members.front() == rank_, members);
  std::vector<Proposal> all;
  co_await exchange_steps(parent, as, Proposal{taken.offer(), hash_of(members)}, all);
  if (!agree(parent, members, all, as.call)) co_await Surrender();
  Offer offer{0, 0};
  if (!members.empty())
    offer = all[static_cast<std::size_t>(position_of(parent.members(), members.front()))].offer;
  std::vector<Verdict> verdicts;
  co_await exchange_steps(parent, as, prepare(members, offer), verdicts);
  for (std::size_t member = 0; member < verdicts.size(); ++member) {
    if (verdicts[member] == Verdict::ready) continue;
    founded = verdicts[member] == Verdict::no_id
                  ? no_ids(team_ids(segment_).size() - 1)
                  : Error{Errc::no_memory,
                          fmt::format("rank {} could not commit the lines of one more communicator",
                                      parent.members()[member])};
    co_return;
  }
  if (members.empty()) co_return;
  taken.use();
  founded = make_team(std::move(members), offer);
}

Founding::Verdict Founding::prepare(const std::vector<int>& members, const Offer& offer) {
  if (members.size() <= 1) return Verdict::ready;
  if (offer.id < 0) return Verdict::no_id;
  return commit_own_lines(static_cast<int>(offer.id)).ok() ? Verdict::ready : Verdict::no_memory;
}

FoundedTeam Founding::found(std::vector<int> members, std::uint64_t key) {
  const int leader = members.front();
  if (members.size() == 1) return join(std::move(members), {});
  if (leader == rank_) {
    const Offer offer = take_id(members);
    auto told = rendezvous_.tell(std::span(members).subspan(1), key,
                                 {static_cast<std::uint64_t>(offer.id), offer.first_epoch});
    if (!told.ok()) return told.error();
    return join(std::move(members), offer);
  }
  auto heard = rendezvous_.hear(leader, key);
  if (!heard.ok()) return heard.error();
  return join(std::move(members), {static_cast<std::int64_t>(heard.value()[0]), heard.value()[1]});
}

/// A team of one moves nothing through lines.
Offer Founding::take_id(const std::vector<int>& members) {
  if (members.size() == 1) return {};
  const auto taken = ids_.take();
  return taken ? Offer{taken->id, taken->first_epoch} : Offer{kNoId, 0};
}

std::unique_ptr<Team> Founding::make_team(std::vector<int> members, const Offer& offer) {
  const int position = position_of(members, rank_);
  if (members.size() == 1) return std::make_unique<Team>(process_, std::move(members), position, 0);
  return std::make_unique<Team>(process_, std::move(members), position, static_cast<int>(offer.id),
                                offer.first_epoch);
}

FoundedTeam Founding::join(std::vector<int> members, const Offer& offer) {
  if (members.size() == 1) return make_team(std::move(members), offer);
  if (offer.id < 0) return no_ids(team_ids(segment_).size() - 1);
  const int id = static_cast<int>(offer.id);
  if (auto committed = commit_lines(members, id); !committed.ok()) {
    if (members.front() == rank_) ids_.give_back(id, offer.first_epoch);
    return committed.error();
  }
  return make_team(std::move(members), offer);
}

/// A rank that could not commit lines once never commits more, so that all members draw the same conclusion.
Result<void> Founding::commit_own_lines(int id) {
  const std::lock_guard lock(lines_mutex_);
  auto committed = commit_team_lines(segment_, rank_, id);
  process_.peer(rank_).doorbell->ring();
  return committed;
}

Founding::Lines Founding::state_of_lines(int member, int id) const noexcept {
  const shm::Growth& lines = committed_team_lines(segment_, member);
  const bool refused = lines.refused.observe() != 0;
  if (lines.ready.observe() > static_cast<std::uint64_t>(id)) return Lines::ready;
  return refused ? Lines::refused : Lines::awaited;
}

Result<void> Founding::commit_lines(const std::vector<int>& members, int id) {
  if (auto committed = commit_own_lines(id); !committed.ok()) return committed;
  for (const int member : members) {
    const auto decided = [&] { return state_of_lines(member, id) != Lines::awaited; };
    if (!process_.signals().await_patiently(
            decided, *process_.peer(member).doorbell, [&] { return process_.has_died(member); },
            process_.progress().while_waiting_for(member)))
      return death_of(process_, member);
    if (state_of_lines(member, id) == Lines::refused) {
      return Error{Errc::no_memory,
                   fmt::format("rank {} could not commit the lines of one more communicator", member)};
    }
  }
  return {};
}

/// The leaders' part: who is on the other side, and the id that the lower leader has taken.
Result<Founding::News> Founding::meet_leader(const std::vector<int>& own, int remote_leader,
                                             std::uint64_t key) {
  const bool first = rank_ < remote_leader;
  auto remote = swap_sides(own, remote_leader, first, key);
  if (!remote.ok()) return remote.error();
  News news{std::move(remote.value()), {kNoId, 0}};
  if (first) {
    news.offer = take_id({rank_, remote_leader});
    const int listeners[] = {remote_leader};
    auto told =
        rendezvous_.tell(listeners, key, {static_cast<std::uint64_t>(news.offer.id), news.offer.first_epoch});
    if (!told.ok()) return told.error();
  } else {
    auto heard = rendezvous_.hear(remote_leader, key);
    if (!heard.ok()) return heard.error();
    news.offer = {static_cast<std::int64_t>(heard.value()[0]), heard.value()[1]};
  }
  return news;
}

Result<Founding::Bridge> Founding::bridge(Team& local, int leader, int remote_leader, std::uint64_t key) {
  // Two leaders would both wait for the other side, and only one of them be met.
  if (auto agreed = barrier(local, Call::bridge, leader); !agreed.ok()) return agreed.error();
  News news;
  if (local.rank() == leader) {
    // Only the death of a rank fails here, which everybody will notice.
    auto met = meet_leader(local.members(), remote_leader, key);
    if (!met.ok()) return met.error();
    news = std::move(met.value());
  }
  std::int64_t facts[] = {static_cast<std::int64_t>(news.remote.size()), news.offer.id,
                          static_cast<std::int64_t>(news.offer.first_epoch), remote_leader};
  if (auto known = bcast(local, {facts, sizeof facts}, leader, Call::bridge); !known.ok())
    return known.error();
  news.remote.resize(static_cast<std::size_t>(facts[0]));
  news.offer = {facts[1], static_cast<std::uint64_t>(facts[2])};
  auto known = bcast(local, {news.remote.data(), news.remote.size() * sizeof(int)}, leader, Call::bridge);
  if (!known.ok()) return known.error();
  for (const int rank : news.remote) {
    if (position_of(local.members(), rank) == local.size()) continue;
    return Error{Errc::invalid,
                 fmt::format("rank {} of the job is in both groups; they must be disjoint", rank)};
  }
  const bool first = local.members()[static_cast<std::size_t>(leader)] < static_cast<int>(facts[3]);
  auto joined = join(both_sides(local.members(), news.remote, first), news.offer);
  if (!joined.ok()) return joined.error();
  return Bridge{std::move(joined.value()), std::move(news.remote)};
}

Result<std::vector<int>> Founding::swap_sides(const std::vector<int>& own, int remote_leader, bool first,
                                              std::uint64_t key) {
  if (first) {
    if (auto told = tell_list(remote_leader, key, own); !told.ok()) return told.error();
    return hear_list(remote_leader, key);
  }
  auto heard = hear_list(remote_leader, key);
  if (!heard.ok()) return heard;
  if (auto told = tell_list(remote_leader, key, own); !told.ok()) return told.error();
  return heard;
}

/// The length, then as many rounds as it takes.
Result<void> Founding::tell_list(int listener, std::uint64_t key, const std::vector<int>& list) {
  const int listeners[] = {listener};
  auto told = rendezvous_.tell(listeners, key, {list.size()});
  for (std::size_t at = 0; told.ok() && at < list.size(); at += Posting::kFacts) {
    Rendezvous::Facts facts{};
    for (std::size_t i = 0; i < facts.size() && at + i < list.size(); ++i)
      facts[i] = static_cast<std::uint64_t>(list[at + i]);
    told = rendezvous_.tell(listeners, key, facts);
  }
  return told;
}

Result<std::vector<int>> Founding::hear_list(int speaker, std::uint64_t key) {
  auto heard = rendezvous_.hear(speaker, key);
  if (!heard.ok()) return heard.error();
  std::vector<int> list(heard.value()[0]);
  for (std::size_t at = 0; at < list.size(); at += Posting::kFacts) {
    heard = rendezvous_.hear(speaker, key);
    if (!heard.ok()) return heard.error();
    for (std::size_t i = 0; i < heard.value().size() && at + i < list.size(); ++i)
      list[at + i] = static_cast<int>(heard.value()[i]);
  }
  return list;
}

}  // namespace foldlane::engine
