// The waits (waits.hpp) of a call that blocks anyway: without an Await if the peers are on time. False if the
// job or the team has failed.
#pragma once

#include <cstdint>

#include "engine/progress/procedure.hpp"
#include "engine/team/team_lines.hpp"
#include "engine/team/waits.hpp"

namespace foldlane::engine {

template <class Atoms>
class BasicBlockingWaits {
 public:
  using Team = BasicTeam<Atoms>;

  explicit BasicBlockingWaits(Team& team) noexcept : team_(team) {}

  bool shown(int member, std::uint64_t epoch) const {
    const Word& word = lines(member).inline_lines[epoch % Lines::kInlineLines].mark;
    return comes_soon(word, epoch) || block(team_.waits().shown(member, epoch));
  }
  bool filled(int member, std::uint64_t epoch) const {
    const Word& word = lines(member).steps.in_slot[team_.slots().index(epoch)].mark;
    return comes_soon(word, epoch) || block(team_.waits().filled(member, epoch));
  }
  [[gnu::always_inline]] bool all_shown(std::uint64_t epoch, std::uint64_t proves) const {
    const auto& membership = team_.membership();
    const std::uint64_t awaited = team_.agreement().mark(epoch);
    for (int member = 0; member < membership.size(); ++member) {
      if (member == membership.rank()) continue;
      const Word& word = membership.lines(member).inline_lines[epoch % Lines::kInlineLines].mark;
      if (!membership.signals().comes_soon(word, awaited)) [[unlikely]]
        return await_all_shown(team_, epoch, proves);
    }
    team_.epochs().learn(proves);
    return true;
  }
  [[gnu::always_inline]] bool delivered(std::uint64_t epoch, std::uint64_t proves) const {
    const Word& word = lines(1 - team_.rank()).deliveries.in_turn[epoch % kSlots].mark;
    if (!comes_soon(word, epoch)) [[unlikely]]
      return await_delivered(team_, epoch, proves);
    team_.epochs().learn(proves);
    return true;
  }

  [[gnu::always_inline]] bool inline_free(std::uint64_t epoch) const {
    return team_.waits().is_inline_free(epoch) || await_inline_free(team_, epoch);
  }
  bool slot_free(std::uint64_t epoch) const {
    return team_.waits().is_slot_free(epoch) || block(team_.waits().slot_free(epoch));
  }
  [[gnu::always_inline]] bool box_free(std::uint64_t turn, std::uint64_t epoch) const {
    return team_.epochs().have_finished(team_.deliveries().last_use(turn, epoch)) ||
           await_box_free(team_, turn, epoch);
  }

 private:
  using Lines = BasicTeamLines<Atoms>;
  using Word = typename Lines::Epoch;

  Lines& lines(int member) const noexcept { return team_.membership().lines(member); }
  [[gnu::always_inline]] bool comes_soon(const Word& word, std::uint64_t epoch) const {
    return team_.membership().signals().comes_soon(word, team_.agreement().mark(epoch));
  }

  // Not cold: GCC takes what comes after them for cold, too, and optimises the whole call for size. Static,
  // so that this object need not be in memory.
  [[gnu::noinline]] static bool await_all_shown(Team& team, std::uint64_t epoch, std::uint64_t proves) {
    return block(team.waits().all_shown(epoch, proves));
  }
  [[gnu::noinline]] static bool await_delivered(Team& team, std::uint64_t epoch, std::uint64_t proves) {
    return block(team.waits().delivered(epoch, proves));
  }
  [[gnu::noinline]] static bool await_inline_free(Team& team, std::uint64_t epoch) {
    return block(team.waits().inline_free(epoch));
  }
  [[gnu::noinline]] static bool await_box_free(Team& team, std::uint64_t turn, std::uint64_t epoch) {
    return block(team.waits().box_free(turn, epoch));
  }

  Team& team_;
};

}  // namespace foldlane::engine
