// PROTOCOL H in teams of groups (engine/algorithms/fold_grouped.hpp, inline_grouped.hpp,
// broadcast_grouped.hpp, engine/moves/grouped_move.hpp): the shipped procedures under the explorer, and each
// of their rules broken on purpose.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "handoff_check.hpp"
#include "stand_ins.hpp"

namespace foldlane::model {

/// Takes a result for the proof of one epoch more than what it depends on.
struct RashCollector : Team {
  using Team::Team;
  struct Waits : Team::Waits {
    Await step_done(engine::Step step, int member, std::uint64_t epoch, std::uint64_t proves = 0) const {
      return Team::Waits::step_done(step, member, epoch, proves == 0 ? 0 : proves + 1);
    }
  };
  Waits waits() { return {Team::waits()}; }
};

/// The same beside the epoch.
struct RashReader : Team {
  using Team::Team;
  struct Waits : Team::Waits {
    Await shown(int member, std::uint64_t epoch, std::uint64_t proves = 0) const {
      return Team::Waits::shown(member, epoch, proves == 0 ? 0 : proves + 1);
    }
  };
  Waits waits() { return {Team::waits()}; }
};

/// The same of what leaders have collected.
struct RashTaker : Team {
  using Team::Team;
  struct Waits : Team::Waits {
    Await filled(int member, std::uint64_t epoch, std::uint64_t proves = 0) const {
      return Team::Waits::filled(member, epoch, proves == 0 ? 0 : proves + 1);
    }
  };
  Waits waits() { return {Team::waits()}; }
};

/// A leader that shows its slot before its group has filled theirs.
struct Hasty : Team {
  using Team::Team;
  struct Waits : Team::Waits {
    Await filled(int member, std::uint64_t epoch, std::uint64_t proves = 0) const {
      return Team::Waits::filled(member, member % 2 == 0 ? epoch : 0, proves);
    }
  };
  Waits waits() { return {Team::waits()}; }
};

/// Does not ask the readers of its places.
struct Deaf : Team {
  using Team::Team;
  struct Epochs : EpochsStandIn {
    static bool has_finished(int, std::uint64_t) { return true; }
  };
  Epochs epochs() { return {{Team::epochs()}}; }
};

/// Says that it has finished one epoch more than it has.
struct Early : Team {
  using Team::Team;
  struct Epochs : EpochsStandIn {
    void finish(std::uint64_t epoch) const { intact.finish(epoch + 1); }
  };
  Epochs epochs() { return {{Team::epochs()}}; }
};

namespace {

std::vector<engine::Seat> pairs(int ranks) {
  std::vector<engine::Seat> seats;
  for (int rank = 0; rank < ranks; ++rank) seats.push_back({rank / 2, rank / 2, rank / 4});
  return seats;
}

/// 2 x 2 ranks, 3 x 2 ranks (of which the last phase is shared), 2 x 2 x 2 ranks.
std::vector<Script> machines() {
  const std::vector<engine::Seat> four = pairs(4), eight = pairs(8);
  std::vector<engine::Seat> six = pairs(6);
  for (auto& seat : six) seat.package = 0;
  Script two_groups{4, {}, {}, 4, 1, four};
  Script three_groups{6, {}, {}, 4, 1, six};
  Script two_levels{8, {}, {}, 4, 1, eight};
  return {two_groups, three_groups, two_levels};
}

std::vector<Call> alphabet(std::initializer_list<int> chunk_counts, int roots) {
  std::vector<Call> calls{{What::grouped_meet},
                          {What::grouped_inline_all},
                          {What::gathered_collected},
                          {What::gathered_announced}};
  for (int root = 0; root < roots; ++root) {
    calls.push_back({What::gathered_collected_root, root});
    calls.push_back({What::gathered_announced_root, root});
    calls.push_back({What::grouped_inline_root, root});
    calls.push_back({What::grouped_bcast_inline, root});
  }
  for (const int chunks : chunk_counts) {
    calls.push_back({What::grouped_all, 0, chunks});
    calls.push_back({What::grouped_own, 0, chunks});
    for (int root = 0; root < roots; ++root) {
      calls.push_back({What::grouped_root, root, chunks});
      calls.push_back({What::grouped_bcast_chunks, root, chunks});
    }
  }
  return calls;
}

Script with(Script script, std::vector<Call> calls) {
  script.calls = std::move(calls);
  return script;
}

TEST(GroupedHandoff, EachCallThriceInARow) {
  for (const Script& machine : machines()) {
    Verdict sum;
    for (const Call& call : alphabet({1, 2, 3, 5, 9}, machine.ranks)) {
      Call in_place = call;
      in_place.in_place = call.what != What::grouped_bcast_inline &&
                          call.what != What::grouped_bcast_chunks && !is_gathered(call.what);
      add(sum, check(with(machine, {call, call, call})));
      add(sum, check(with(machine, {in_place, in_place, in_place})));
    }
    expect_pass(fmt::format("{} ranks in groups, each call 3 times, 1 to 9 chunks", machine.ranks), sum);
  }
}

TEST(GroupedHandoff, EverySequence) {
  const auto all = machines();
  auto mixed = alphabet({2}, 2);
  // Flat calls use the same places, and ask everybody.
  for (const What what : {What::one_shot_all, What::shares_all, What::bcast_inline, What::bcast_chunks})
    mixed.push_back({what, 1, 2});
  expect_pass("4 ranks in groups, every sequence of 3 calls", check_sequences(all[0], mixed, 3));
  expect_pass("6 ranks in groups, every sequence of 2 calls", check_sequences(all[1], mixed, 2));
  expect_pass("8 ranks in groups, every sequence of 2 calls", check_sequences(all[2], mixed, 2));
}

TEST(GroupedHandoff, GathersThatRunAhead) {
  Verdict sum;
  for (const What what : {What::gathered_collected_root, What::gathered_announced_root})
    for (const Script& machine : machines())
      for (int root = 0; root < machine.ranks; ++root) {
        const Call all{what == What::gathered_collected_root ? What::gathered_collected
                                                             : What::gathered_announced};
        const Call one{what, root};
        add(sum, check(with(machine, {one, one, one, one, one, one, one, one, one})));
        add(sum, check(with(machine, {all, all, one, one, one, one, all, one, one})));
      }
  expect_pass("teams in groups, gathers that use each slot again", sum);
}

TEST(GroupedHandoff, DeathAnywhere) {
  Verdict sum;
  for (const Call& call : alphabet({2}, 2)) add(sum, check_deaths(with(machines()[0], {call})));
  expect_pass("4 ranks in groups, each call, a death anywhere", sum);
}

template <class AnyTeam>
void expect_caught(const char* name, const Script& script, const char* problem, Mutation mutation = {}) {
  Settings settings;
  settings.mutation = mutation;
  const Verdict verdict = check<AnyTeam>(script, settings);
  EXPECT_NE(verdict.problem.find(problem), std::string::npos) << name << ": " << verdict.problem;
}

TEST(GroupedMutants, EachBrokenRuleIsNoticed) {
  const Script four = machines()[0];
  const Call all{What::grouped_all, 0, 9};
  const Call root{What::grouped_root, 1, 9};
  const Call own{What::grouped_own, 0, 9};
  const Call inline_all{What::grouped_inline_all};
  const Call inline_root{What::grouped_inline_root, 1};
  const Call bcast{What::grouped_bcast_chunks, 0, 9};
  const Call bcast_inline{What::grouped_bcast_inline};
  // After a call that everybody waits for come some that prove nothing, until its place is used again.
  const Call all_once{What::grouped_all, 0, 1};
  expect_caught<RashCollector>("a result proves one epoch more",
                               with(four, {all_once, all_once, {What::grouped_root, 1, 4}}), "race");
  expect_caught<RashReader>("a line proves one epoch more",
                            with(four, {inline_all, inline_all, inline_root, inline_all}), "race");
  const Call collected{What::gathered_collected};
  const Call collected_root{What::gathered_collected_root, 1};
  const std::vector<Call> round(5, collected_root);
  expect_caught<RashTaker>(
      "what is collected proves one epoch more",
      with(four, {collected, collected, collected_root, collected_root, collected_root, collected_root}),
      "race");
  expect_caught<Deaf>("readers of what is collected", with(four, round), "race");
  const Call announced{What::gathered_announced};
  const Call announced_root{What::gathered_announced_root, 1};
  expect_caught<RashTaker>(
      "what is announced proves one epoch more",
      with(four, {announced, announced, announced_root, announced_root, announced_root, announced_root}),
      "race");
  expect_caught<Deaf>("readers of what is announced", with(four, std::vector<Call>(5, announced_root)),
                      "race");
  expect_caught<Hasty>("leaders that await nobody", with(four, {announced}), "unpublished");
  expect_caught<Deaf>("readers of reduces", with(four, {root}), "race");
  expect_caught<Deaf>("readers of reduce-scatters", with(four, {own}), "race");
  expect_caught<Deaf>("readers of lines", with(four, {inline_root, inline_root, inline_root}), "race");
  expect_caught<Deaf>("readers of relays", with(four, {bcast}), "race");
  expect_caught<Deaf>("readers of relayed lines", with(four, {bcast_inline, bcast_inline, bcast_inline}),
                      "race");
  expect_caught<Early>("finished early", with(four, {bcast}), "race");
  Mutation relaxed;
  relaxed.relaxed_publish = mask(Kind::stage);
  expect_caught<Team>("[H2] stage published relaxed", with(four, {all}), "race", relaxed);
  Mutation unawaited;
  unawaited.satisfied = mask(Kind::stage);
  expect_caught<Team>("[H2] stage not awaited", with(four, {all}), "unpublished", unawaited);
}

}  // namespace
}  // namespace foldlane::model
