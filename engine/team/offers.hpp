// Long data that members of a team of two pass each other: their giver puts them into boxes, or offers them,
// i.e. says where they are and waits until the other member has pulled or copied them. What the taker wants
// it says in a word of its own (engine/choice/pass_choices.hpp), what the giver has done it says with its
// first delivery.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/choice/pass_choices.hpp"
#include "engine/choice/recent_results.hpp"
#include "engine/team/membership.hpp"
#include "engine/team/memory_proof.hpp"
#include "engine/team/team_lines.hpp"

namespace foldlane::engine {

template <class Atoms>
class BasicOffers {
 public:
  explicit BasicOffers(const BasicMembership<Atoms>& membership)
      : membership_(membership), choices_(membership.process().decisions()) {}
  BasicOffers(const BasicOffers&) = delete;
  BasicOffers& operator=(const BasicOffers&) = delete;

  /// Others always go through boxes.
  bool may_carry(Passed passed, std::uint64_t bytes) const noexcept {
    return choices_.has_choice(passed, bytes);
  }

  // ---- the giver

  struct Giving {
    bool is_wanted = false;  // the other member would pull them
    bool is_again = false;   // they come from where others came from a short while ago
  };
  /// Of each call.
  Giving begin_giving(Passed passed, const std::byte* data, std::size_t bytes) noexcept {
    const bool is_again = sources_.find(data).has_value();
    sources_.note(data, bytes);
    const std::uint64_t wants = other_lines().finished.wants.observe();
    return {PassChoices::is_wanted(wants, {passed, bytes, is_again}), is_again};
  }
  /// In the epoch of the first delivery, before that, once its box is free.
  void say_in_boxes(std::uint64_t epoch, const Giving& giving) noexcept { say(epoch, giving, 0); }
  /// The same: where the data are, and stay until the other member has finished that epoch, or, if it folds,
  /// the one after that. `could_share`: this member could fold some of them, if the other one wants that.
  void offer(std::uint64_t epoch, const Giving& giving, std::uint64_t place,
             bool could_share = false) noexcept {
    show(place);
    const bool shares = could_share && can_pull_;
    say(epoch, giving, Lines::Passing::kOffered | (shares ? Lines::Passing::kShared : 0));
  }
  /// Of what is offered: its giver could fold some of it. Of the answer: it is to.
  bool is_shared(std::uint64_t epoch) const noexcept { return (said(epoch) & Lines::Passing::kShared) != 0; }
  /// Where the input is that the other one folds with them. Needs a piece that is claimed: who has all of
  /// them goes on to other calls.
  std::uint64_t input_of_other() const noexcept { return other_place(); }

  // ---- the taker, once it has awaited the first delivery

  /// None: they are in boxes.
  std::optional<std::uint64_t> offered(std::uint64_t epoch) const noexcept {
    if ((said(epoch) & Lines::Passing::kOffered) == 0) return {};
    return other_place();
  }
  /// With a delivery of its own. `input`: this member's.
  void answer(std::uint64_t epoch, bool is_shared, std::uint64_t input) noexcept {
    show(input);
    say(epoch, {}, is_shared ? Lines::Passing::kShared : 0);
  }
  PassChoices::Use begin_taking(std::uint64_t epoch, Passed passed, std::size_t bytes) noexcept {
    PassChoices::Use use;
    const std::uint32_t how = said(epoch);
    use.begin(choices_, {passed, bytes, (how & Lines::Passing::kAgain) != 0},
              (how & Lines::Passing::kOffered) != 0 ? Arm::second : Arm::first);
    return use;
  }
  void end_taking(PassChoices::Use& use) noexcept {
    if (use.end()) tell_wants();
  }

  // ---- whether the members can pull from each other

  /// For the other member, as long as the team lives. What was wanted under this team's id before says
  /// nothing any more.
  MemoryProof begin() noexcept {
    choices_.learn(false);
    tell_wants();
    return MemoryProof::of(word_);
  }
  void learn(const MemoryProof& theirs, bool can_pull) noexcept {
    process_ = theirs.process;
    can_pull_ = can_pull;
    choices_.learn(can_pull);
    tell_wants();
  }
  /// The other member's.
  int process() const noexcept { return process_; }

  // ---- who folds which of the pieces of what this member has offered, or the other one

  using Claims = BasicPieceClaims<Atoms>;
  /// About eight: of a piece the giver, who copies it twice, needs about one and a half times as long as the
  /// taker. A model has short vectors.
  static Pieces cut(std::uint64_t bytes) noexcept {
    constexpr std::uint64_t kLeast = [] {
      if constexpr (requires { Atoms::kSharedPieceBytes; }) return Atoms::kSharedPieceBytes;
      return std::uint64_t{64} << 10;
    }();
    return {bytes, std::max(kLeast, (bytes / 8 + kLeast - 1) / kLeast * kLeast)};
  }
  Claims own_claims(std::uint64_t count) const noexcept {
    return {membership_.own_lines().deliveries.pieces, count};
  }
  Claims other_claims(std::uint64_t count) const noexcept {
    return {membership_.lines(1 - membership_.rank()).deliveries.pieces, count};
  }

 private:
  using Lines = BasicTeamLines<Atoms>;

  const Lines& other_lines() const noexcept { return membership_.lines(1 - membership_.rank()); }
  void tell_wants() noexcept {
    auto& wants = membership_.own_lines().finished.wants;
    if (wants.peek() != choices_.wants()) wants.publish(choices_.wants());
  }
  void show(std::uint64_t place) noexcept {
    auto& lines = membership_.own_lines().deliveries;
    Atoms::writes(&lines.offered, sizeof lines.offered);
    lines.offered = place;
  }
  std::uint64_t other_place() const noexcept {
    const auto& lines = other_lines().deliveries;
    Atoms::reads(&lines.offered, sizeof lines.offered);
    return lines.offered;
  }
  void say(std::uint64_t epoch, const Giving& giving, std::uint32_t how) noexcept {
    std::uint32_t& word = membership_.own_lines().deliveries.in_turn[epoch % kSlots].how;
    Atoms::writes(&word, sizeof word);
    word = how | (giving.is_again ? Lines::Passing::kAgain : 0);
  }
  std::uint32_t said(std::uint64_t epoch) const noexcept {
    const std::uint32_t& word = other_lines().deliveries.in_turn[epoch % kSlots].how;
    Atoms::reads(&word, sizeof word);
    return word;
  }

  const BasicMembership<Atoms>& membership_;
  PassChoices choices_;
  RecentResults sources_;
  int process_ = 0;
  bool can_pull_ = false;
  std::uint64_t word_ = word_to_prove(this, membership_.first_epoch(), membership_.rank());
};

}  // namespace foldlane::engine
