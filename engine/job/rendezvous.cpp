#include "engine/job/rendezvous.hpp"

#include <algorithm>

#include "engine/collectives/verdict.hpp"

namespace foldlane::engine {
namespace {

using shm::Result;

// Receipts need no more than what somebody has told. So that they are always possible, tellings wait while
// half of the postings are in use.
constexpr std::size_t kMostPostings = shm::RankLines::kPostings;
constexpr std::size_t kMostTold = kMostPostings / 2;

constexpr std::uint64_t spoken(std::uint64_t key) { return key & ~std::uint64_t{1}; }
constexpr std::uint64_t receipt(std::uint64_t key) { return key | 1; }

}  // namespace

Result<void> Rendezvous::tell(std::span<const int> listeners, std::uint64_t key, const Facts& facts) {
  shm::Posting* const posting = post(spoken(key), facts, kMostTold);
  bool heard = posting != nullptr;
  for (const int rank : listeners) heard = heard && await_posting(rank, receipt(key), true);
  if (posting != nullptr) withdraw(*posting);
  for (const int rank : listeners) heard = heard && await_posting(rank, receipt(key), false);
  if (heard) return {};
  return failed(listeners);
}

Result<Rendezvous::Facts> Rendezvous::hear(int speaker, std::uint64_t key) {
  Facts facts{};
  bool heard = await_posting(speaker, spoken(key), true);
  if (heard) {
    const shm::Posting* const posting = find(speaker, spoken(key));
    for (std::size_t i = 0; i < facts.size(); ++i) facts[i] = posting->facts[i].observe();
    shm::Posting* const own = post(receipt(key), {}, kMostPostings);
    heard = own != nullptr && await_posting(speaker, spoken(key), false);
    if (own != nullptr) withdraw(*own);
  }
  if (heard) return facts;
  return failed({&speaker, 1});
}

shm::Posting* Rendezvous::post(std::uint64_t key, const Facts& facts, std::size_t most) {
  shm::Posting* posted = nullptr;
  const auto done = [&] {
    if (posted == nullptr) posted = try_to_post(key, facts, most);
    return posted != nullptr;
  };
  // Those that are in use are withdrawn by other threads of this process, which ring its bell.
  process_.signals().await_patiently(done, segment_.rank_lines(rank_).doorbell, [] { return false; });
  return posted;
}

shm::Posting* Rendezvous::try_to_post(std::uint64_t key, const Facts& facts, std::size_t most) {
  const std::lock_guard lock(mutex_);
  auto& postings = segment_.rank_lines(rank_).postings;
  const auto is_free = [](const shm::Posting& posting) { return posting.key.observe() == 0; };
  const auto used = std::size(postings) - static_cast<std::size_t>(std::ranges::count_if(postings, is_free));
  if (used >= most) return nullptr;
  shm::Posting& free = *std::ranges::find_if(postings, is_free);
  for (std::size_t i = 0; i < facts.size(); ++i) free.facts[i].publish(facts[i]);
  process_.signals().publish(free.key, key);  // [V1.rel], [V2.rel]
  return &free;
}

shm::Error Rendezvous::failed(std::span<const int> peers) const {
  const auto dead = std::ranges::find_if(peers, [&](int rank) { return process_.has_died(rank); });
  return death_of(process_, dead == peers.end() ? rank_ : *dead);
}

void Rendezvous::withdraw(shm::Posting& posting) { process_.signals().publish(posting.key, 0); }

shm::Posting* Rendezvous::find(int rank, std::uint64_t key) const noexcept {
  for (shm::Posting& posting : segment_.rank_lines(rank).postings) {
    if (posting.key.observe() == key) return &posting;
  }
  return nullptr;
}

bool Rendezvous::await_posting(int rank, std::uint64_t key, bool present) const noexcept {
  return process_.signals().await_patiently(
      [&] { return (find(rank, key) != nullptr) == present; }, segment_.rank_lines(rank).doorbell,
      [&] { return process_.has_died(rank); }, process_.progress().while_waiting_for(rank));
}

}  // namespace foldlane::engine
