// PROTOCOL G "central counter" (engine/team/central_counter.hpp): the shipped turns in every order of
// arrivals, and each of the protocol's rules broken on purpose.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "handoff_check.hpp"

namespace foldlane::model {

/// Folds without looking who has shown its input.
struct RashLast : Team {
  using Team::Team;
  struct BlockingWaits : Team::BlockingWaits {
    static bool all_shown(std::uint64_t, std::uint64_t) { return true; }
  };
  struct Waits : Team::Waits {
    Await all_filled(std::uint64_t, std::uint64_t) const { return all_finished(0); }
  };
  BlockingWaits blocking_waits() { return {Team::blocking_waits()}; }
  Waits waits() { return {Team::waits()}; }
};

/// Takes itself for the last one too early.
struct Impatient : Team {
  using Team::Team;
  struct CentralCounter {
    bool arrive(std::uint64_t epoch, engine::Places places = engine::Places::lines) const {
      intact.arrive(epoch, places);
      return intact.missing() <= 1;
    }
    void publish_done() const { intact.publish_done(); }
    int last() const { return intact.last(); }
    std::byte* result() const { return intact.result(); }
    Team::CentralCounter& intact;
  };
  CentralCounter central_counter() { return {Team::central_counter()}; }
};

/// Says that it is done before it has folded.
struct Hasty : Team {
  using Team::Team;
  struct CentralCounter {
    bool arrive(std::uint64_t epoch, engine::Places places = engine::Places::lines) const {
      const bool is_last = intact.arrive(epoch, places);
      if (is_last) intact.publish_done();
      return is_last;
    }
    static void publish_done() {}
    int last() const { return intact.last(); }
    std::byte* result() const { return intact.result(); }
    Team::CentralCounter& intact;
  };
  CentralCounter central_counter() { return {Team::central_counter()}; }
};

namespace {

constexpr Call kMeet{What::central_meet};
constexpr Call kTold{What::central_told};
constexpr Call kGatheredLines{What::gathered_central_lines};
constexpr Call kGatheredSlots{What::gathered_central_slots};
constexpr Call kAll{What::central_all};
constexpr Call kLong{What::central_long};
constexpr Call kOwn{What::central_own};

/// Every order of arrivals, with the earliest message that each load can read, or with every one.
Settings every_order(Search search = Search::earliest) {
  Settings settings;
  settings.search = search;
  return settings;
}

TEST(Central, EachCallThriceInARow) {
  for (const Call& call : {kMeet, kTold, kAll, kLong, kOwn, kGatheredLines, kGatheredSlots}) {
    Call in_place = call;
    in_place.in_place = call.what == What::central_all;
    Verdict sum;
    add(sum, check({2, {call, call, call}}, every_order()));
    add(sum, check({2, {in_place, in_place, in_place}}, every_order()));
    expect_pass(fmt::format("2 ranks, call {} 3 times", static_cast<int>(call.what)), sum);
  }
}

TEST(Central, ThreeRanks) {
  expect_pass("3 ranks, 2 calls", check({3, {kAll, kAll}}, every_order()));
  expect_pass("3 ranks, short and long", check({3, {kAll, kLong}}, every_order()));
  expect_pass("3 ranks that tell, 2 calls", check({3, {kTold, kTold}}, every_order()));
  expect_pass("3 ranks that gather, slots and lines",
              check({3, {kGatheredSlots, kGatheredLines}}, every_order()));
}

TEST(Central, InSteps) {
  for (Call stepped : {kAll, kTold, kGatheredLines, kGatheredSlots}) {
    stepped.stepped = true;
    expect_pass("2 ranks, 3 calls step by step", check({2, {stepped, stepped, stepped}}, every_order()));
  }
}

/// Flat calls use the same lines, and prove the same things of other words.
TEST(Central, AmongFlatCalls) {
  Verdict sum;
  for (const What what : {What::inline_all, What::inline_root, What::bcast_inline, What::meet}) {
    add(sum, check({2, {kAll, {what}, kAll}}, every_order()));
    add(sum, check({2, {{what}, kAll, {what}, {what}}}, every_order()));
  }
  expect_pass("2 ranks, central and flat calls", sum);
}

template <class AnyTeam = Team>
void expect_caught(const char* name, const Script& script, std::initializer_list<const char*> problems,
                   Mutation mutation = {}) {
  Settings settings = every_order();
  settings.mutation = mutation;
  const Verdict verdict = check<AnyTeam>(script, settings);
  bool found = false;
  for (const char* const problem : problems)
    found = found || verdict.problem.find(problem) != std::string::npos;
  EXPECT_TRUE(found) << name << ": " << verdict.problem;
}

TEST(CentralMutants, EachBrokenRuleIsNoticed) {
  Mutation relaxed_publish, relaxed_observe, unawaited;
  relaxed_publish.relaxed_publish = mask(Kind::done);
  relaxed_observe.relaxed_observe = mask(Kind::done);
  unawaited.satisfied = mask(Kind::done);
  expect_caught("[G2] done published relaxed", {2, {kAll}}, {"race", "wrong value"}, relaxed_publish);
  expect_caught("[G2] done observed relaxed", {2, {kAll}}, {"race", "wrong value"}, relaxed_observe);
  expect_caught("[G2] done published relaxed, long", {2, {kLong}}, {"race", "wrong value"}, relaxed_publish);
  expect_caught("[G2] done not awaited, long", {2, {kLong}}, {"race", "unpublished"}, unawaited);
  expect_caught("[G2] done not awaited", {2, {kAll}}, {"race", "unpublished"}, unawaited);
  expect_caught("[G2] done not awaited by who is told", {2, {kTold}}, {"race", "unpublished"}, unawaited);
  expect_caught("[G2] done not awaited, slots", {2, {kGatheredSlots}}, {"race", "unpublished"}, unawaited);
  expect_caught<RashLast>("slots not awaited", {2, {kGatheredSlots}}, {"race", "unpublished"});
  expect_caught<RashLast>("the inputs not awaited", {2, {kAll}}, {"race", "unpublished"});
  expect_caught<RashLast>("what all tell not awaited", {2, {kTold}}, {"race", "unpublished"});
  expect_caught<Impatient>("the last but one folds", {3, {kAll, kAll}}, {"race", "wrong value", "hang"});
  expect_caught<Hasty>("done before the fold", {2, {kAll}}, {"race", "unpublished"});
  expect_caught<Hasty>("done before the fold, long", {2, {kLong}}, {"race", "wrong value"});
}

}  // namespace
}  // namespace foldlane::model
