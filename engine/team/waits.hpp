// What a member of a team can await: co_await team.waits().filled(member, epoch).
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/groups/groups.hpp"
#include "engine/team/await.hpp"
#include "engine/team/readers.hpp"
#include "engine/team/step.hpp"
#include "engine/team/team_lines.hpp"

namespace foldlane::engine {

template <class Atoms>
class BasicWaits {
 public:
  using Team = BasicTeam<Atoms>;
  using Await = BasicAwait<Atoms>;
  using SlotAwait = BasicSlotAwait<Atoms>;

  explicit BasicWaits(Team& team) noexcept : team_(team) {}

  // ---- for what others give

  /// `proves`: the epoch that every member is known to have finished before publishing this.
  Await shown(int member, std::uint64_t epoch, std::uint64_t proves = 0) const noexcept {
    return {team_, shown_word(epoch), epoch, one(member), proves};
  }
  Await filled(int member, std::uint64_t epoch, std::uint64_t proves = 0) const noexcept {
    return {team_, filled_word(epoch), epoch, one(member), proves};
  }
  Await folded(int member, std::uint64_t epoch) const noexcept {
    return {team_, {kStepsAt + offsetof(Steps, folded), false}, epoch, one(member), 0};
  }
  Await step_done(Step step, int member, std::uint64_t epoch, std::uint64_t proves = 0) const noexcept {
    const std::size_t word = offset_of<Lines>(step) + team_.slots().index(epoch) * sizeof(Word);
    return {team_, {word, true}, epoch, one(member), proves};
  }
  Await all_shown(std::uint64_t epoch, std::uint64_t proves) const noexcept {
    return {team_, shown_word(epoch), epoch, all(), proves};
  }
  /// By the last of all members to arrive (central_counter.hpp).
  Await done(std::uint64_t epoch, std::uint64_t proves) const noexcept {
    Await wait{team_, kDoneWord, epoch, one(0), proves};
    wait.accept_any_writer();
    return wait;
  }
  Await all_filled(std::uint64_t epoch, std::uint64_t proves) const noexcept {
    return {team_, filled_word(epoch), epoch, all(), proves};
  }
  /// By the other one of two members.
  Await delivered(std::uint64_t epoch, std::uint64_t proves) const noexcept {
    const std::size_t word = kDeliveriesAt + epoch % kSlots * sizeof(Delivery) + offsetof(Delivery, mark);
    return {team_, {word, true}, epoch, one(1 - team_.rank()), proves};  // [X1.acq]
  }
  /// Of some members only, which proves nothing about the others.
  Await shown_by(const Members& members, std::uint64_t epoch) const noexcept {
    return {team_, shown_word(epoch), epoch, {members.first, members.end()}, 0};
  }
  Await filled_by(const Members& members, std::uint64_t epoch) const noexcept {
    return {team_, filled_word(epoch), epoch, {members.first, members.end()}, 0};
  }

  // ---- for own places

  /// My inline line of `epoch` may be written again. [H1.acq]
  Await inline_free(std::uint64_t epoch) const noexcept {
    return all_read(team_.inline_lines().readers(epoch), team_.inline_lines().last_use(epoch));
  }
  /// The same without a wait.
  bool is_inline_free(std::uint64_t epoch) const noexcept {
    const std::uint64_t used_in = team_.inline_lines().last_use(epoch);
    return team_.epochs().is_proven(used_in) || is_read(team_.inline_lines().readers(epoch), used_in);
  }

  /// My slot of `epoch` may be written again, and said to be elsewhere. [H1.acq]
  SlotAwait slot_free(std::uint64_t epoch) const noexcept {
    return {slot_words_free(epoch), slot_left_by_others(epoch)};
  }
  /// The same without a wait.
  bool is_slot_free(std::uint64_t epoch) const noexcept {
    return team_.slots().foreign_use(epoch) == nullptr && are_slot_words_free(epoch);
  }
  /// Its two parts. First: this team's words of the slot may be replaced, which may have told of a slot in
  /// another ring.
  Await slot_words_free(std::uint64_t epoch) const noexcept {
    return all_read(team_.slots().readers(epoch), team_.slots().last_use(epoch));
  }
  /// The first without a wait.
  bool are_slot_words_free(std::uint64_t epoch) const noexcept {
    const std::uint64_t used_in = team_.slots().last_use(epoch);
    return team_.epochs().is_proven(used_in) || is_read(team_.slots().readers(epoch), used_in);
  }
  /// Second: no member of another team reads the slot itself.
  Await slot_left_by_others(std::uint64_t epoch) const noexcept {
    const auto* const use = team_.slots().foreign_use(epoch);
    return use == nullptr ? all_finished(0) : use->team->waits().all_gone_from(use->epoch);
  }

  /// My box of `turn` may be written, and my mark of `epoch` may replace the one before. [X2.acq]
  Await box_free(std::uint64_t turn, std::uint64_t epoch) const noexcept {
    return all_finished(team_.deliveries().last_use(turn, epoch));
  }

  // ---- for who has finished

  Await finished_by(int member, std::uint64_t epoch) const noexcept {
    return {team_, kFinishedWord, epoch, one(member), 0};
  }
  /// All have read everything they will ever read for epochs <= epoch.
  Await all_finished(std::uint64_t epoch) const noexcept {
    return {team_, kFinishedWord, epoch, team_.epochs().is_proven(epoch) ? Range{0, 0} : all(), epoch};
  }
  /// Nobody reads anything for epochs <= epoch any more, be it that members have given up: a broken team must
  /// not be in the way of others. It proves nothing.
  Await all_gone_from(std::uint64_t epoch) const noexcept {
    Await wait = all_finished(epoch);
    wait.accept_hopeless();
    return wait;
  }

 private:
  using Lines = BasicTeamLines<Atoms>;
  using Steps = typename Lines::Steps;
  using Filling = typename Lines::Filling;
  using Delivery = typename Lines::Delivery;
  using Inline = typename Lines::Inline;
  using Word = typename Lines::Epoch;
  using Range = typename Await::Range;
  using WordPlace = typename Await::WordPlace;

  static constexpr std::size_t kStepsAt = offsetof(Lines, steps);
  static constexpr std::size_t kDeliveriesAt =
      offsetof(Lines, deliveries) + offsetof(typename Lines::Deliveries, in_turn);
  static constexpr WordPlace kFinishedWord{offsetof(Lines, finished), false};

  static constexpr WordPlace kDoneWord{offsetof(Lines, finished.central.done), true};

  static constexpr WordPlace shown_word(std::uint64_t epoch) noexcept {
    return {(epoch % Lines::kInlineLines) * sizeof(Inline) + offsetof(Inline, mark), true};
  }
  WordPlace filled_word(std::uint64_t epoch) const noexcept {
    return {kStepsAt + offsetof(Steps, in_slot) + team_.slots().index(epoch) * sizeof(Filling) +
                offsetof(Filling, mark),
            true};
  }
  /// Of a place of mine that was used in that epoch. Where one member alone reads it, nobody else is asked.
  Await all_read(const Readers* readers, std::uint64_t used_in) const noexcept {
    return has_sole(readers) ? finished_by(readers->members.front(), used_in) : all_finished(used_in);
  }
  [[gnu::noinline]] bool is_read(const Readers* readers, std::uint64_t used_in) const noexcept {
    return has_sole(readers) ? team_.epochs().has_now_finished(readers->members.front(), used_in)
                             : team_.epochs().have_finished(used_in);
  }
  static bool has_sole(const Readers* readers) noexcept {
    return readers != nullptr && readers->members.size() == 1;
  }
  static constexpr Range one(int member) noexcept { return {member, member + 1}; }
  Range all() const noexcept { return {0, team_.size()}; }

  Team& team_;
};

}  // namespace foldlane::engine
