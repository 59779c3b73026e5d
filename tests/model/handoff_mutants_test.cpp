// PROTOCOL H broken on purpose, rule by rule: the explorer must notice each. A mutant that it does not notice
// would mean that the rule is not needed, or that the models cannot see what it is for.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "handoff_check.hpp"
#include "stand_ins.hpp"

namespace foldlane::model {

// ---- rules of the team: a wait that blocks at once breaks them too

/// Takes for finished one epoch more than what was awaited proves.
struct Optimistic : Team {
  using Team::Team;
  struct Waits : Team::Waits {
    Await all_shown(std::uint64_t epoch, std::uint64_t proves) const {
      return Team::Waits::all_shown(epoch, proves + 1);
    }
    Await all_filled(std::uint64_t epoch, std::uint64_t proves) const {
      return Team::Waits::all_filled(epoch, proves + 1);
    }
  };
  struct BlockingWaits : Team::BlockingWaits {
    bool all_shown(std::uint64_t epoch, std::uint64_t proves) const {
      return Team::BlockingWaits::all_shown(epoch, proves + 1);
    }
  };
  Waits waits() { return {Team::waits()}; }
  BlockingWaits blocking_waits() { return {Team::blocking_waits()}; }
};

/// Says that it has finished one epoch more than it has.
struct Hasty : Team {
  using Team::Team;
  struct Epochs : EpochsStandIn {
    void finish(std::uint64_t epoch) const { intact.finish(epoch + 1); }
  };
  Epochs epochs() { return {{Team::epochs()}}; }
};

/// Writes an inline line without waiting for it.
struct Overwriting : Team {
  using Team::Team;
  struct Waits : Team::Waits {
    Await inline_free(std::uint64_t) const { return all_finished(0); }
  };
  struct BlockingWaits : Team::BlockingWaits {
    static bool inline_free(std::uint64_t) { return true; }
  };
  Waits waits() { return {Team::waits()}; }
  BlockingWaits blocking_waits() { return {Team::blocking_waits()}; }
};

/// Forgets that slots belong to the process: waits for its own team's uses of a slot only.
struct Selfish : Team {
  using Team::Team;
  struct Waits : Team::Waits {
    Await slot_left_by_others(std::uint64_t) const { return all_finished(0); }
    SlotAwait slot_free(std::uint64_t epoch) const {
      return {slot_words_free(epoch), slot_left_by_others(epoch)};
    }
  };
  struct BlockingWaits : Team::BlockingWaits {
    bool slot_free(std::uint64_t epoch) const { return engine::block(waits.slot_free(epoch)); }
    Waits waits;
  };
  Waits waits() { return {Team::waits()}; }
  BlockingWaits blocking_waits() { return {Team::blocking_waits(), waits()}; }
};

/// Starts its epochs anew at each call, as a new team would that gets the id of a team that is gone: the
/// words still hold the old epochs.
struct Reborn : Team {
  using Team::Team;
  struct Epochs : EpochsStandIn {
    static std::uint64_t begin(std::uint64_t) { return 1; }
  };
  Epochs epochs() { return {{Team::epochs()}}; }
};

/// Leaves its time beside the mark of the next epoch.
struct Misplacing : Team {
  using Team::Team;
  struct Slots : SlotsStandIn {
    std::uint32_t& took(std::uint64_t epoch) const { return intact.took(epoch + 1); }
  };
  Slots slots() { return {{Team::slots()}}; }
};

/// Does not write down, for other teams, who fills a slot.
struct Forgetful : Team {
  using Team::Team;
  struct Slots : SlotsStandIn {
    void publish_filled(std::uint64_t epoch) const {
      intact.publish_filled(epoch);
      team.process().forget(&team);
    }
    Team& team;
  };
  Slots slots() { return {{Team::slots()}, *this}; }
};

/// Has half as many boxes: what is put into one still holds what comes back.
struct Crowded : Team {
  using Team::Team;
  struct Boxes : BoxesStandIn {
    std::byte* out(std::uint64_t turn) const { return intact.out(turn / 2 * 2); }
    std::byte* in(std::uint64_t turn) const { return intact.in(turn / 2 * 2); }
  };
  struct Deliveries : DeliveriesStandIn {
    Boxes boxes() const { return {{intact.boxes()}}; }
  };
  Deliveries deliveries() { return {{Team::deliveries()}}; }
};

/// Takes a mark for the one after it.
struct Impatient : Team {
  using Team::Team;
  struct Waits : Team::Waits {
    Await delivered(std::uint64_t epoch, std::uint64_t proves) const {
      return Team::Waits::delivered(epoch - epoch % 2, proves);
    }
  };
  struct BlockingWaits : Team::BlockingWaits {
    bool delivered(std::uint64_t epoch, std::uint64_t proves) const {
      return Team::BlockingWaits::delivered(epoch - epoch % 2, proves);
    }
  };
  Waits waits() { return {Team::waits()}; }
  BlockingWaits blocking_waits() { return {Team::blocking_waits()}; }
};

namespace {

struct Broken {
  const char* name;
  Script script;
  const char* expected;  // what the explorer must say
  Mutation mutation;
};

constexpr Call kMeet{What::meet};
constexpr Call kInlineAll{What::inline_all};
constexpr Call kLinesAll{What::lines_all};
constexpr Call kOneShotAll{What::one_shot_all};
constexpr Call kSharesAll{What::shares_all};
constexpr Call kPairAll{What::pair_all, 0, 9};
constexpr Call kPairRoot{What::pair_root, 0, 9};
constexpr Call kHalvesAll{What::halves_all, 0, 9};
constexpr Call kInlineBcast{What::bcast_inline};
constexpr Call kBcastRing{What::bcast_chunks, 0, 5};

Mutation relaxed_publish(Kind kind) {
  Mutation mutation;
  mutation.relaxed_publish = mask(kind);
  return mutation;
}
Mutation relaxed_observe(Kind kind) {
  Mutation mutation;
  mutation.relaxed_observe = mask(kind);
  return mutation;
}
Mutation satisfied(Kind kind) {
  Mutation mutation;
  mutation.satisfied = mask(kind);
  return mutation;
}

std::vector<Broken> broken_words() {
  const std::vector<Call> inline_line_again = {kInlineBcast, kInlineBcast, kInlineBcast};
  const std::vector<Call> leaf_again(10, {What::pair_root});
  const std::vector<Call> line_again(3, {What::bcast_line});
  const std::vector<Call> slot_again(5, {What::bcast_once});
  const std::vector<Call> told_line_again(3, {What::told_line_root});
  std::vector<Call> as_leaf_again = told_line_again;
  for (Call& call : as_leaf_again) call.as_leaf = true;
  const std::vector<Call> box_again(10, {What::moved_boxes_root});
  return {
      {"[H2] shown published relaxed", {2, {kInlineAll}}, "race", relaxed_publish(Kind::shown)},
      {"[H2] shown observed relaxed", {2, {kInlineAll}}, "race", relaxed_observe(Kind::shown)},
      {"[H2] shown not awaited", {2, {kInlineAll}}, "unpublished", satisfied(Kind::shown)},
      {"[H2] shown published relaxed, short path", {2, {kLinesAll}}, "race", relaxed_publish(Kind::shown)},
      {"[H2] shown observed relaxed, short path", {2, {kLinesAll}}, "race", relaxed_observe(Kind::shown)},
      {"[H2] filled published relaxed", {2, {kOneShotAll}}, "race", relaxed_publish(Kind::filled)},
      {"[H2] filled observed relaxed", {2, {kOneShotAll}}, "race", relaxed_observe(Kind::filled)},
      {"[H2] filled not awaited", {2, {kOneShotAll}}, "unpublished", satisfied(Kind::filled)},
      {"[X1] delivered published relaxed", {2, {kPairAll}}, "race", relaxed_publish(Kind::filled)},
      {"[X1] delivered observed relaxed", {2, {kPairAll}}, "race", relaxed_observe(Kind::filled)},
      {"[X1] delivered not awaited", {2, {kPairAll}}, "unpublished", satisfied(Kind::filled)},
      {"[X1] [X3] delivered published relaxed, halves",
       {2, {kHalvesAll}},
       "race",
       relaxed_publish(Kind::filled)},
      {"[X1] [X3] delivered observed relaxed, halves",
       {2, {kHalvesAll}},
       "race",
       relaxed_observe(Kind::filled)},
      {"[X1] delivered not awaited, halves", {2, {kHalvesAll}}, "unpublished", satisfied(Kind::filled)},
      {"[X2] finished published relaxed", {2, {kPairRoot}}, "race", relaxed_publish(Kind::finished)},
      {"[X2] finished observed relaxed", {2, {kPairRoot}}, "race", relaxed_observe(Kind::finished)},
      {"[X2] finished not awaited", {2, {kPairRoot}}, "race", satisfied(Kind::finished)},
      {"[X1] delivered published relaxed, short path",
       {2, {{What::pair_all}}},
       "race",
       relaxed_publish(Kind::filled)},
      {"[X1] delivered observed relaxed, short path",
       {2, {{What::pair_all}}},
       "race",
       relaxed_observe(Kind::filled)},
      {"[X2] finished published relaxed, short path",
       {2, leaf_again},
       "race",
       relaxed_publish(Kind::finished)},
      {"[X2] finished observed relaxed, short path",
       {2, leaf_again},
       "race",
       relaxed_observe(Kind::finished)},
      {"[X2] finished not awaited, short path", {2, leaf_again}, "race", satisfied(Kind::finished)},
      {"[H2] line of boxes published relaxed",
       {2, {{What::told_boxes_all}}},
       "race",
       relaxed_publish(Kind::shown)},
      {"[H2] line of boxes observed relaxed",
       {2, {{What::told_boxes_all}}},
       "race",
       relaxed_observe(Kind::shown)},
      {"[H2] line of a block published relaxed",
       {2, {{What::moved_line_root}}},
       "race",
       relaxed_publish(Kind::shown)},
      {"[X1] delivered block published relaxed",
       {2, {{What::moved_boxes_all, 0, 3}}},
       "race",
       relaxed_publish(Kind::filled)},
      {"[X1] later boxes of a told block not awaited",
       {2, {{What::told_boxes_root, 0, 3}}},
       "race",
       satisfied(Kind::filled)},
      {"[X2] finished not awaited, blocks to a root",
       {2, {{What::moved_boxes_root, 0, 9}}},
       "race",
       satisfied(Kind::finished)},
      {"[X2] finished not awaited, a block in one box to a root",
       {2, box_again},
       "race",
       satisfied(Kind::finished)},
      {"[X1] delivered block published relaxed, one box",
       {2, {{What::moved_boxes_all}}},
       "race",
       relaxed_publish(Kind::filled)},
      {"[H2] line of a neighbour observed relaxed",
       {2, {{What::gathered_neighbours}}},
       "race",
       relaxed_observe(Kind::shown)},
      {"[H2] line of a leaf published relaxed",
       {2, {{What::gathered_leaves_root}}},
       "race",
       relaxed_publish(Kind::shown)},
      {"[H2] line of a leaf published relaxed, equal blocks",
       {2, {{What::gathered_lines_root}}},
       "race",
       relaxed_publish(Kind::shown)},
      {"[H1] finished not awaited, lines of a leaf",
       {2, std::vector<Call>(5, {What::gathered_lines_root})},
       "race",
       satisfied(Kind::finished)},
      {"[H2] line of a leaf observed relaxed",
       {2, {{What::gathered_leaves_root}}},
       "race",
       relaxed_observe(Kind::shown)},
      {"[H1] finished not awaited, lines to a root", {2, told_line_again}, "race", satisfied(Kind::finished)},
      {"[H1] finished not awaited, lines of a leaf to a root",
       {2, as_leaf_again},
       "race",
       satisfied(Kind::finished)},
      {"[H2] folded published relaxed", {2, {kSharesAll}}, "race", relaxed_publish(Kind::folded)},
      {"[H2] folded observed relaxed", {2, {kSharesAll}}, "race", relaxed_observe(Kind::folded)},
      {"[H2] folded not awaited", {2, {kSharesAll}}, "race", satisfied(Kind::folded)},
      {"[H2] filled published relaxed, 2 chunks together",
       {2, {{What::shares_all, 0, 2}}, {}, 4, 1, {}, 2},
       "race",
       relaxed_publish(Kind::filled)},
      {"[H2] filled observed relaxed, 2 chunks together",
       {2, {{What::shares_all, 0, 2}}, {}, 4, 1, {}, 2},
       "race",
       relaxed_observe(Kind::filled)},
      {"[H2] folded not awaited, 2 chunks together",
       {2, {{What::shares_all, 0, 2}}, {}, 4, 1, {}, 2},
       "unpublished",
       satisfied(Kind::folded)},
      {"[H1] finished not awaited, 4 chunks together",
       {2, {{What::shares_own, 0, 9}}, {}, 4, 1, {}, 4},
       "race",
       satisfied(Kind::finished)},
      {"[H1] finished published relaxed, slots", {2, {kBcastRing}}, "race", relaxed_publish(Kind::finished)},
      {"[H1] finished observed relaxed, slots", {2, {kBcastRing}}, "race", relaxed_observe(Kind::finished)},
      {"[H1] finished not awaited, slots", {2, {kBcastRing}}, "race", satisfied(Kind::finished)},
      {"[H1] finished not awaited, after a pipeline",
       {2, {kSharesAll, kBcastRing}},
       "race",
       satisfied(Kind::finished)},
      {"[H1] finished published relaxed, lines",
       {2, inline_line_again},
       "race",
       relaxed_publish(Kind::finished)},
      {"[H1] finished observed relaxed, lines",
       {2, inline_line_again},
       "race",
       relaxed_observe(Kind::finished)},
      {"[H1] finished not awaited, lines", {2, inline_line_again}, "race", satisfied(Kind::finished)},
      {"[H1] finished published relaxed, lines, short path",
       {2, line_again},
       "race",
       relaxed_publish(Kind::finished)},
      {"[H1] finished observed relaxed, lines, short path",
       {2, line_again},
       "race",
       relaxed_observe(Kind::finished)},
      {"[H1] finished not awaited, lines, short path", {2, line_again}, "race", satisfied(Kind::finished)},
      {"[H1] finished published relaxed, slots, short path",
       {2, slot_again},
       "race",
       relaxed_publish(Kind::finished)},
      {"[H1] finished observed relaxed, slots, short path",
       {2, slot_again},
       "race",
       relaxed_observe(Kind::finished)},
      {"[H1] finished not awaited, slots, short path", {2, slot_again}, "race", satisfied(Kind::finished)},
      {"[H1] finished not awaited, other team",
       {2, {{What::bcast_chunks, 0, 1, 0}, {What::bcast_chunks, 0, 1, 1}}, {{0, 1}, {0, 1}}},
       "race",
       satisfied(Kind::finished)},
  };
}

TEST(HandoffMutants, Words) {
  for (const Broken& broken : broken_words()) {
    Settings settings;
    settings.mutation = broken.mutation;
    expect_pass(fmt::format("{}: intact", broken.name), check(broken.script));
    expect_caught(broken.name, check(broken.script, settings), broken.expected);
    settings.search = Search::reads_from;
    expect_caught(fmt::format("{}, every message", broken.name), check(broken.script, settings),
                  broken.expected);
  }
}

/// The same in calls that are driven step by step. What is not awaited there is what members have finished:
/// a mark that is not the awaited one is never taken for it.
TEST(HandoffMutants, WordsInSteps) {
  for (Broken broken : broken_words()) {
    Settings settings;
    settings.mutation = broken.mutation;
    if ((broken.mutation.satisfied & ~mask(Kind::finished)) != 0) continue;
    for (Call& call : broken.script.calls) call.stepped = true;
    expect_pass(fmt::format("{}, in steps: intact", broken.name), check(broken.script));
    expect_caught(fmt::format("{}, in steps", broken.name), check(broken.script, settings), broken.expected);
  }
}

template <class AnyTeam>
void expect_team_caught(const std::string& name, const Script& script, const std::string& expected) {
  expect_pass(name + ": intact", check(script));
  expect_caught(name, check<AnyTeam>(script), expected);
}

/// A reduce to rank 0 in chunks, after which rank 1 fills its slots again without meeting anybody.
Script leaf_goes_on(int more_calls) {
  Script script{2, {{What::shares_root, 0, 5}}};
  for (int i = 0; i < more_calls; ++i) script.calls.push_back({What::one_shot_root, 0});
  return script;
}

TEST(HandoffMutants, Teams) {
  const std::vector<Call> lines_after_fold = {kInlineAll, kInlineBcast, kInlineBcast};
  std::vector<Call> slots_after_fold = {kOneShotAll};
  for (int i = 0; i < 4; ++i) slots_after_fold.push_back({What::bcast_chunks, 0, 1});
  expect_team_caught<Optimistic>("[H1] shown proves one epoch too many", {2, lines_after_fold}, "race");
  expect_team_caught<Optimistic>("[H1] filled proves one epoch too many", {2, slots_after_fold}, "race");
  expect_team_caught<Optimistic>("[H1] filled proves one chunk too many", leaf_goes_on(2), "race");
  expect_team_caught<Hasty>("[H1] finished one epoch too early, slots", {2, {{What::bcast_chunks, 0, 6}}},
                            "race");
  expect_team_caught<Hasty>("[H1] finished one epoch too early, pipeline", leaf_goes_on(4), "race");
  expect_team_caught<Overwriting>("[H1] inline line not awaited",
                                  {2, {kInlineBcast, kInlineBcast, kInlineBcast}}, "race");
  expect_team_caught<Misplacing>("[H1] time beside a mark that is being read",
                                 {2, {{What::bcast_chunks, 0, 6}}}, "race");
  expect_team_caught<Reborn>("an id used again from epoch 1, lines", {2, {kInlineAll, kInlineAll}},
                             "wrong value");
  expect_team_caught<Reborn>("an id used again from epoch 1, slots", {2, {kOneShotAll, kOneShotAll}},
                             "wrong value");
  expect_team_caught<Crowded>("[X3] a box put into before its result is taken", {2, {kHalvesAll}}, "race");
  expect_team_caught<Impatient>("[X3] a result taken before it is folded", {2, {{What::halves_all}}}, "race");
  const Script two_teams{2, {{What::bcast_chunks, 0, 1, 0}, {What::bcast_chunks, 0, 1, 1}}, {{0, 1}, {0, 1}}};
  expect_team_caught<Forgetful>("[H1] use of a slot not recorded", two_teams, "race");
  expect_team_caught<Selfish>("[H1] slots taken from another team", two_teams, "race");
}

/// Within one call too a slot is awaited before it is filled again. What four slots hold is safe without
/// (filled(c-1) of everybody proves it folded), but the word that says where a slot is would be written while
/// a collecting member reads it.
TEST(HandoffMutants, WaitWithinOnePipeline) {
  Settings settings;
  settings.mutation = satisfied(Kind::finished);
  const auto nine_chunks = [](What what, int slots) { return Script{2, {{what, 0, 9}}, {}, slots}; };
  expect_caught("9 chunks to own shares, finished not awaited, 3 slots",
                check(nine_chunks(What::shares_own, 3), settings), "race");
  expect_caught("9 chunks to a root, finished not awaited, 3 slots",
                check(nine_chunks(What::shares_root, 3), settings), "race");
  expect_caught("9 chunks to a root, finished not awaited, 4 slots",
                check(nine_chunks(What::shares_root, 4), settings), "race");
}

/// Why kSlots is what it is: with two slots the pipeline waits for itself. Three are enough to be
/// correct, and so is one for a broadcast; the fourth is for speed.
TEST(HandoffMutants, Slots) {
  expect_caught("pipeline with 1 slot", check({2, {{What::shares_all, 0, 2}}, {}, 1}), "hang");
  expect_caught("pipeline with 2 slots", check({2, {{What::shares_all, 0, 3}}, {}, 2}), "hang");
  expect_caught("4 chunks together with 3 slots", check({2, {{What::shares_all, 0, 4}}, {}, 3, 1, {}, 4}),
                "hang");
  expect_pass("pipeline with 3 slots", check({3, {{What::shares_all, 0, 9}}, {}, 3}));
  expect_pass("broadcast with 1 slot", check({3, {{What::bcast_chunks, 0, 9}}, {}, 1}));
}

TEST(HandoffMutants, AbortWordIgnored) {
  Settings settings;
  settings.mutation.zero = mask(Kind::abort);
  for (const Call& call : {kMeet, kInlineAll, kLinesAll, kOneShotAll, kSharesAll, kBcastRing}) {
    expect_caught(fmt::format("abort word ignored, kind {}", static_cast<int>(call.what)),
                  check_deaths({2, {call}}, settings), "hang");
  }
}

}  // namespace
}  // namespace foldlane::model
