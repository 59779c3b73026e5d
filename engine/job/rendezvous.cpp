#include "engine/job/rendezvous.hpp"

#include "shm/job/job.hpp"

namespace foldlane::engine {
namespace {

using shm::Errc;
using shm::Error;
using shm::Result;

constexpr std::uint64_t spoken(std::uint64_t key) { return key & ~std::uint64_t{1}; }
constexpr std::uint64_t receipt(std::uint64_t key) { return key | 1; }

Error crowded() {
  return {Errc::no_memory, "too many communicators are being created at the same time by this process"};
}

}  // namespace

Result<void> Rendezvous::tell(std::span<const int> listeners, std::uint64_t key, const Facts& facts) {
  shm::Posting* const posting = post(spoken(key), facts);
  if (posting == nullptr) return crowded();
  bool heard = true;
  for (const int rank : listeners) heard = heard && await_posting(rank, receipt(key), true);
  withdraw(*posting);
  for (const int rank : listeners) heard = heard && await_posting(rank, receipt(key), false);
  if (heard) return {};
  return Error{Errc::peer_failed, shm::describe(shm::unpack(process_.signals().abort_word()))};
}

Result<Rendezvous::Facts> Rendezvous::hear(int speaker, std::uint64_t key) {
  Facts facts{};
  bool heard = await_posting(speaker, spoken(key), true);
  if (heard) {
    const shm::Posting* const posting = find(speaker, spoken(key));
    for (std::size_t i = 0; i < facts.size(); ++i) facts[i] = posting->facts[i].observe();
    shm::Posting* const own = post(receipt(key), {});
    if (own == nullptr) return crowded();
    heard = await_posting(speaker, spoken(key), false);
    withdraw(*own);
  }
  if (heard) return facts;
  return Error{Errc::peer_failed, shm::describe(shm::unpack(process_.signals().abort_word()))};
}

shm::Posting* Rendezvous::post(std::uint64_t key, const Facts& facts) {
  const std::lock_guard lock(mutex_);
  shm::Posting* const free = find(rank_, 0);
  if (free == nullptr) return nullptr;
  for (std::size_t i = 0; i < facts.size(); ++i) free->facts[i].publish(facts[i]);
  process_.signals().publish(free->key, key);  // [V1.rel], [V2.rel]
  return free;
}

void Rendezvous::withdraw(shm::Posting& posting) { process_.signals().publish(posting.key, 0); }

shm::Posting* Rendezvous::find(int rank, std::uint64_t key) const noexcept {
  for (shm::Posting& posting : segment_.rank_lines(rank).postings) {
    if (posting.key.observe() == key) return &posting;
  }
  return nullptr;
}

bool Rendezvous::await_posting(int rank, std::uint64_t key, bool present) const noexcept {
  return process_.signals().await_patiently([&] { return (find(rank, key) != nullptr) == present; },
                                            segment_.rank_lines(rank).doorbell, [] { return false; },
                                            process_.progress().while_waiting_for(rank));
}

}  // namespace foldlane::engine
