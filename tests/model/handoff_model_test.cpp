// PROTOCOL H "hand-off" (engine/team/team.hpp): the shipped procedures under the explorer. Their mutants are
// in handoff_mutants_test.cpp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "handoff_check.hpp"

namespace foldlane::model {
namespace {

/// Every text once.
const std::vector<What> kTexts = {What::meet,       What::inline_all,   What::inline_root,
                                  What::inline_own, What::one_shot_all, What::one_shot_root,
                                  What::chunks_all, What::shares_own,   What::shares_root,
                                  What::shares_all, What::bcast_inline, What::bcast_chunks};
/// The same texts without a procedure around them: in long sequences they would only repeat the others.
const std::vector<What> kAtOnce = {What::meet_at_once, What::lines_all,  What::lines_root,
                                   What::lines_own,    What::bcast_line, What::bcast_once};

bool is_bcast(What what) {
  return what == What::bcast_inline || what == What::bcast_chunks || what == What::bcast_line ||
         what == What::bcast_once;
}

bool is_rooted(What what) {
  return what == What::inline_root || what == What::lines_root || what == What::one_shot_root ||
         what == What::shares_root || what == What::pair_root || is_bcast(what);
}

bool has_chunks(What what) {
  return what == What::chunks_all || what == What::scan_chunks || what == What::shares_own ||
         what == What::shares_root || what == What::shares_all || what == What::bcast_chunks || is_pair(what);
}

std::vector<What> all_forms() {
  std::vector<What> all = kTexts;
  all.insert(all.end(), kAtOnce.begin(), kAtOnce.end());
  return all;
}

/// Calls of these kinds for each of the teams, and those for two in teams of two; rooted ones with the first
/// roots. A team is given by how many members it has.
std::vector<Call> alphabet_of(const std::vector<What>& kinds, const std::vector<int>& chunk_counts, int roots,
                              const std::vector<std::size_t>& teams) {
  std::vector<Call> alphabet;
  for (std::size_t team = 0; team < teams.size(); ++team) {
    std::vector<What> of_team = kinds;
    if (teams[team] == 2)
      of_team.insert(of_team.end(), {What::pair_all, What::pair_own, What::pair_root, What::halves_all});
    for (const What what : of_team) {
      for (int root = 0; root < (is_rooted(what) ? roots : 1); ++root) {
        for (const int chunks : has_chunks(what) ? chunk_counts : std::vector<int>{1})
          alphabet.push_back({what, root, chunks, static_cast<int>(team)});
      }
    }
  }
  return alphabet;
}

TEST(Handoff, EachCallThriceInARow) {
  for (const int ranks : {2, 3, 4}) {
    Verdict sum;
    for (const Call& call :
         alphabet_of(all_forms(), {1, 2, 3, 4, 5, 9}, ranks, {static_cast<std::size_t>(ranks)})) {
      for (const std::size_t piece_count : {1u, 2u}) {
        for (const int slots : {3, 4}) {
          for (const bool in_place : {false, true}) {
            if (in_place && is_bcast(call.what)) continue;
            Call once = call;
            once.in_place = in_place;
            add(sum, check({ranks, {once, once, once}, {}, slots, piece_count}));
          }
        }
      }
    }
    expect_pass(fmt::format("{} ranks, each call 3 times, 1 to 9 chunks", ranks), sum);
  }
}

TEST(Handoff, EverySequence) {
  expect_pass("2 ranks, every sequence of 3 calls",
              check_sequences({2, {}}, alphabet_of(kTexts, {1, 5}, 1, {2}), 3));
  expect_pass("3 ranks, every sequence of 3 calls",
              check_sequences({3, {}}, alphabet_of(kTexts, {1, 5}, 2, {3}), 3));
  expect_pass("4 ranks, every sequence of 3 calls",
              check_sequences({4, {}}, alphabet_of(kTexts, {3}, 2, {4}), 3));
}

TEST(HandoffLong, EverySequence) {
  expect_pass("2 ranks, every sequence of 4 calls",
              check_sequences({2, {}}, alphabet_of(kTexts, {1}, 1, {2}), 4));
  expect_pass("2 ranks, every sequence of 3 calls",
              check_sequences({2, {}}, alphabet_of(kTexts, {1, 2, 5}, 2, {2}), 3));
}

/// These calls, blocking and stepped.
std::vector<Call> with_stepped(std::vector<Call> alphabet) {
  const std::size_t count = alphabet.size();
  for (std::size_t i = 0; i < count; ++i) {
    alphabet.push_back(alphabet[i]);
    alphabet.back().stepped = true;
  }
  return alphabet;
}

std::vector<Call> stepped(std::vector<Call> alphabet) {
  for (Call& call : alphabet) call.stepped = true;
  return alphabet;
}

/// Of every message there are too many in long sequences of calls that take two epochs.
std::vector<Call> in_one_epoch(std::vector<Call> alphabet) {
  std::erase_if(alphabet, [](const Call& call) { return is_halved(call.what); });
  return alphabet;
}

TEST(HandoffInSteps, EverySequence) {
  expect_pass("2 ranks, every sequence of 2 calls, blocking and stepped",
              check_sequences({2, {}}, with_stepped(alphabet_of(all_forms(), {1, 5}, 2, {2})), 2));
  expect_pass("2 ranks, every sequence of 3 stepped calls",
              check_sequences({2, {}}, stepped(alphabet_of(kTexts, {3}, 1, {2})), 3));
  expect_pass("3 ranks, every sequence of 3 stepped calls",
              check_sequences({3, {}}, stepped(alphabet_of(kTexts, {2}, 1, {3})), 3));
  expect_pass("teams {0,1,2} {0,1} {1,2}, every sequence of 2 stepped calls",
              check_sequences({3, {}, {{0, 1, 2}, {0, 1}, {1, 2}}},
                              stepped(alphabet_of(all_forms(), {2}, 2, {3, 2, 2})), 2));
}

TEST(HandoffInSteps, EveryMessage) {
  Settings settings;
  settings.search = Search::reads_from;
  Verdict sum;
  for (const Call& call : stepped(in_one_epoch(alphabet_of(all_forms(), {1}, 2, {2}))))
    add(sum, check({2, {call, call}}, settings));
  expect_pass("2 ranks, each stepped call twice, every message", sum);
}

TEST(HandoffInSteps, DeathAnywhere) {
  Verdict sum;
  for (const Call& call : stepped(alphabet_of(all_forms(), {2}, 2, {2}))) add(sum, check_deaths({2, {call}}));
  expect_pass("2 ranks, each stepped call, a death anywhere", sum);
}

/// Members that only read, and members that nobody reads.
TEST(HandoffOfScans, EverySequence) {
  const std::vector<What> scans = {What::scan_line, What::exscan_line, What::scan_chunks};
  std::vector<What> kinds = scans;
  kinds.insert(kinds.end(), {What::meet, What::lines_all, What::inline_root, What::one_shot_all});
  expect_pass("2 ranks, every sequence of 3 calls, scans and others",
              check_sequences({2, {}}, alphabet_of(kinds, {1, 5}, 2, {2}), 3));
  expect_pass("3 ranks, every sequence of 3 calls, scans and others",
              check_sequences({3, {}}, alphabet_of(kinds, {2}, 1, {3}), 3));
  Settings settings;
  settings.search = Search::reads_from;
  Verdict again, deaths;
  for (Call& call : stepped(alphabet_of(scans, {2}, 1, {3}))) {
    add(again, check({3, {call, call}}, settings));
    add(deaths, check_deaths({3, {call}}));
    for (const bool in_place : {false, true}) {
      call.in_place = in_place;
      add(again, check({2, std::vector<Call>(35, call)}));  // all lines and slots, and some once more
    }
  }
  expect_pass("3 ranks, each scan twice, every message, and 2 ranks 35 times", again);
  expect_pass("3 ranks, each scan, a death anywhere", deaths);
}

/// Boxes that come back full, empty or from where nobody used them, in any order of directions.
void check_sequences_through_boxes(std::size_t calls) {
  std::vector<Call> alphabet = {{What::meet}, {What::inline_root, 1}};
  for (const int chunks : {1, 3}) {
    alphabet.insert(alphabet.end(), {{What::pair_all, 0, chunks},
                                     {What::pair_own, 0, chunks},
                                     {What::halves_all, 0, chunks},
                                     {What::halves_own, 0, chunks},
                                     {What::pair_root, 0, chunks},
                                     {What::pair_root, 1, chunks}});
  }
  expect_pass(fmt::format("2 ranks, every sequence of {} calls through boxes", calls),
              check_sequences({2, {}}, alphabet, calls));
}

TEST(Handoff, EverySequenceThroughBoxes) {
  check_sequences_through_boxes(3);
  expect_pass("2 ranks, every sequence of 10 reduces through boxes",
              check_sequences({2, {}}, {{What::pair_root, 0, 1}, {What::pair_root, 1, 2}}, 10));
}

TEST(HandoffLong, EverySequenceThroughBoxes) { check_sequences_through_boxes(4); }

/// Blocks that only move: in lines, in boxes, in boxes of which a line tells.
std::vector<Call> moves_of(int chunks) {
  std::vector<Call> moves;
  for (auto what = What::moved_line_all; is_moved(what);
       what = static_cast<What>(static_cast<int>(what) + 1)) {
    moves.push_back({what, 0, chunks});
    if (is_moved_to_root(what)) moves.push_back({what, 1, chunks});
  }
  return moves;
}

Call as_leaf(What what) {
  Call call{what, 1};
  call.as_leaf = true;
  return call;
}

TEST(HandoffOfBlocks, EverySequence) {
  std::vector<Call> alphabet = moves_of(3);
  alphabet.insert(alphabet.end(), {{What::meet}, {What::pair_all, 0, 1}, {What::pair_root, 1, 1}});
  expect_pass("2 ranks, every sequence of 3 calls, moves and others", check_sequences({2, {}}, alphabet, 3));
  alphabet = moves_of(1);
  alphabet.insert(alphabet.end(), {as_leaf(What::moved_line_root), as_leaf(What::told_line_root)});
  expect_pass("2 ranks, every sequence of 3 moves in one box each, and of leaves",
              check_sequences({2, {}}, alphabet, 3));
  expect_pass("2 ranks, every sequence of 2 moves, blocking and stepped",
              check_sequences({2, {}}, with_stepped(moves_of(9)), 2));
}

TEST(HandoffOfBlocks, OfMoreThanTwo) {
  const std::vector<Call> gathers = {{What::gathered_lines},          {What::gathered_slots},
                                     {What::gathered_neighbours},     {What::gathered_lines_root, 1},
                                     {What::gathered_leaves_root, 1}, {What::gathered_slots_root, 1},
                                     {What::gathered_lists}};
  std::vector<Call> alphabet = gathers;
  alphabet.insert(alphabet.end(), {{What::meet}, {What::one_shot_root, 2}, {What::bcast_chunks, 0, 2}});
  expect_pass("3 ranks, every sequence of 3 calls, gathers and others",
              check_sequences({3, {}}, alphabet, 3));
  Settings settings;
  settings.search = Search::reads_from;
  Verdict sum;
  for (const Call& call : stepped(gathers)) add(sum, check({2, {call, call}}, settings));
  for (const Call& call : gathers) add(sum, check({2, std::vector<Call>(35, call)}));
  expect_pass("2 ranks, gathers twice, every message, and 35 times", sum);
}

void check_every_message_of_moves(std::size_t calls, int chunks) {
  Settings settings;
  settings.search = Search::reads_from;
  Verdict sum;
  for (const Call& call : stepped(moves_of(chunks)))
    add(sum, check({2, std::vector<Call>(calls, call)}, settings));
  expect_pass(fmt::format("2 ranks, each move {} times, {} chunks, every message", calls, chunks), sum);
}

TEST(HandoffOfBlocks, EveryMessage) {
  check_every_message_of_moves(1, 2);
  check_every_message_of_moves(2, 1);
}

TEST(HandoffLong, EveryMessageOfMoves) { check_every_message_of_moves(2, 2); }

TEST(HandoffOfBlocks, InPlaceAgainAndAgainAndDeathAnywhere) {
  Verdict again, deaths;
  std::vector<Call> moves = moves_of(1);  // blocking
  for (const Call& call : stepped(moves_of(2))) moves.push_back(call);
  for (Call call : moves) {
    add(deaths, check_deaths({2, {call}}));
    call.in_place = !is_moved_to_root(call.what);
    add(again, check({2, std::vector<Call>(35, call)}));  // all lines and boxes, and some once more
  }
  expect_pass("2 ranks, each move 35 times, in place if both get something", again);
  expect_pass("2 ranks, each move, a death anywhere", deaths);
}

void check_teams_that_share_slots(std::size_t calls) {
  expect_pass(
      fmt::format("teams {{0,1,2}} {{0,1}} {{1,2}}, every sequence of {} calls", calls),
      check_sequences({3, {}, {{0, 1, 2}, {0, 1}, {1, 2}}}, alphabet_of(kTexts, {2}, 1, {3, 2, 2}), calls));
}

TEST(Handoff, TeamsThatShareSlots) {
  check_teams_that_share_slots(2);
  expect_pass("teams {0,1,2} {2,1,0}, every sequence of 3 calls",
              check_sequences({3, {}, {{0, 1, 2}, {2, 1, 0}}}, alphabet_of(kTexts, {5}, 1, {3, 3}), 3));
}

TEST(HandoffLong, TeamsThatShareSlots) { check_teams_that_share_slots(3); }

/// The argument of Search::earliest, tested: nothing that reading any other message could change.
TEST(HandoffLong, EveryMessage) {
  Settings settings;
  settings.search = Search::reads_from;
  expect_pass("2 ranks, every sequence of 3 calls, every message",
              check_sequences({2, {}}, in_one_epoch(alphabet_of(kTexts, {1}, 1, {2})), 3, settings));
}

TEST(Handoff, EveryMessage) {
  Settings settings;
  settings.search = Search::reads_from;
  expect_pass("2 ranks, every sequence of 2 calls of all forms, every message",
              check_sequences({2, {}}, in_one_epoch(alphabet_of(all_forms(), {1}, 2, {2})), 2, settings));
  expect_pass("3 ranks, every sequence of 2 calls, every message",
              check_sequences({3, {}},
                              {{What::meet},
                               {What::inline_root, 1},
                               {What::lines_root, 1},
                               {What::one_shot_all},
                               {What::one_shot_root, 2},
                               {What::bcast_inline, 1},
                               {What::bcast_chunks, 0, 2}},
                              2, settings));
  for (const What what :
       {What::chunks_all, What::shares_own, What::shares_root, What::shares_all, What::pair_all,
        What::pair_own, What::pair_root, What::halves_all, What::halves_own}) {
    const int chunks = is_halved(what) ? 2 : 4;
    expect_pass(fmt::format("2 ranks, {} chunks of kind {}, every message", chunks, static_cast<int>(what)),
                check({2, {{what, 1, chunks}}}, settings));
  }
}

/// As many chunks in each stage: what ranks that share CPUs do.
TEST(HandoffTogether, EachCallThriceInARow) {
  for (const int ranks : {2, 3}) {
    Verdict sum;
    for (const Call& call : alphabet_of({What::shares_own, What::shares_root, What::shares_all},
                                        {1, 2, 3, 4, 5, 9}, ranks, {static_cast<std::size_t>(ranks)})) {
      for (const std::uint64_t together : {2u, 3u, 4u})
        add(sum, check({ranks, {call, call, call}, {}, 4, 1, {}, together}));
    }
    expect_pass(fmt::format("{} ranks, each call 3 times, 2 to 4 chunks together", ranks), sum);
  }
}

TEST(HandoffTogether, EverySequence) {
  expect_pass("2 ranks, every sequence of 3 calls, 2 chunks together",
              check_sequences({2, {}, {}, 4, 1, {}, 2}, alphabet_of(kTexts, {1, 5}, 1, {2}), 3));
  expect_pass("3 ranks, every sequence of 2 calls, 4 chunks together",
              check_sequences({3, {}, {}, 4, 1, {}, 4}, alphabet_of(kTexts, {5}, 2, {3}), 2));
}

TEST(HandoffTogether, EveryMessageAndDeath) {
  Settings settings;
  settings.search = Search::reads_from;
  for (const What what : {What::shares_own, What::shares_root, What::shares_all}) {
    expect_pass(
        fmt::format("2 ranks, 4 chunks, 2 together, of kind {}, every message", static_cast<int>(what)),
        check({2, {{what, 1, 4}}, {}, 4, 1, {}, 2}, settings));
    expect_pass(
        fmt::format("2 ranks, 4 chunks, 2 together, of kind {}, a death anywhere", static_cast<int>(what)),
        check_deaths({2, {{what, 1, 4}}, {}, 4, 1, {}, 2}));
  }
}

TEST(Handoff, DeathAnywhere) {
  Verdict sum;
  for (const Call& call : alphabet_of(all_forms(), {2}, 2, {2})) add(sum, check_deaths({2, {call, call}}));
  expect_pass("2 ranks, each call twice, a death anywhere", sum);
}

TEST(HandoffLong, DeathAnywhere) {
  Verdict sum;
  for (const Call& call : alphabet_of(all_forms(), {2}, 2, {2})) {
    if (!is_pair(call.what)) add(sum, check_deaths({3, {call}}));
  }
  expect_pass("3 ranks, each call, a death anywhere", sum);
}

TEST(Handoff, DeathInMixedCalls) {
  const Call inline_all{What::inline_all};
  const Call one_shot_root{What::one_shot_root, 2};
  expect_pass("3 ranks, bcast, allreduce, bcast, a death anywhere",
              check_deaths({3, {{What::bcast_inline, 1}, inline_all, {What::bcast_inline, 2}}}));
  expect_pass("3 ranks, reduces and bcasts through slots, a death anywhere",
              check_deaths({3, {one_shot_root, {What::bcast_chunks, 0, 5}, one_shot_root}}));
  expect_pass("2 ranks, 3 chunks then a bcast, a death anywhere",
              check_deaths({2, {{What::shares_all, 0, 3}, {What::bcast_chunks, 1, 5}}}));
  expect_pass("teams {0,1,2} {0,1} {1,2}, a death anywhere",
              check_deaths({3,
                            {{What::bcast_chunks, 0, 2, 1}, {What::one_shot_all, 0, 1, 2}, {What::meet}},
                            {{0, 1, 2}, {0, 1}, {1, 2}}}));
}

}  // namespace
}  // namespace foldlane::model
