// Waits go on with what another library has under way (engine/progress/foreign_progress.hpp).
#include "engine/progress/foreign_progress.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/collectives/collectives.hpp"
#include "engine/job/job.hpp"
#include "shm/sync/atoms.hpp"
#include "support/ranks.hpp"

namespace foldlane::testing {
namespace {

using Count = shm::RealAtoms::Word<std::uint32_t>;

class Counted final : public engine::ForeignProgress {
 public:
  explicit Counted(Count& count) : count_(count) {}
  void go_on() noexcept override { count_.add(1); }

 private:
  Count& count_;
};

/// Rank 1 comes only after rank 0, which waits for it, has gone on with the other library so often.
std::vector<std::string> meet_after(std::uint32_t rounds, bool oversubscribed) {
  Count count{};
  RunOptions options{.shape = tiny_shape(2), .oversubscribed = oversubscribed, .watchdog_s = 60};
  options.ladder = (oversubscribed ? shm::Ladder::shared_cpu(2, 4) : shm::Ladder::own_cpu()).attentive();
  return run_ranks(Transport::threads, options, [&](RankContext& context) -> std::string {
    Counted foreign(count);
    if (context.rank == 0) context.process.progress().attach(foreign);
    while (context.rank == 1 && count.observe() < rounds) engine::yield();
    const auto met = engine::barrier(context.world);
    return met.ok() ? "" : met.error().message;
  });
}

TEST(ForeignProgress, GoesOnWhileARankYields) {
  EXPECT_EQ(meet_after(10, false), std::vector<std::string>{});
}

TEST(ForeignProgress, GoesOnWhileARankSleeps) {
  EXPECT_EQ(meet_after(1'500, false), std::vector<std::string>{});
}

TEST(ForeignProgress, GoesOnWhereRanksShareCpus) {
  EXPECT_EQ(meet_after(500, true), std::vector<std::string>{});
}

/// Whether waits go on with other work before their first yield, before and after a change.
template <class Change>
std::vector<std::string> becomes_urgent_by(const Change& change) {
  return run_ranks(Transport::threads, {.shape = tiny_shape(1)}, [&](RankContext& context) -> std::string {
    auto& progress = context.process.progress();
    const auto work = progress.while_waiting_for(0);
    if (work.is_urgent()) return "urgent although nothing is under way";
    change(progress);
    return work.is_urgent() ? "" : "not urgent";
  });
}

TEST(OtherWork, IsUrgentOnceThereIsAnyToGoOnWith) {
  Count count{};
  Counted foreign(count);
  EXPECT_EQ(becomes_urgent_by([&](auto& progress) { progress.attach(foreign); }), std::vector<std::string>{});
  EXPECT_EQ(becomes_urgent_by([](auto& progress) { progress.note_use_of_traffic(); }),
            std::vector<std::string>{});
  EXPECT_EQ(becomes_urgent_by([](auto& progress) { progress.allow_threads(); }), std::vector<std::string>{});
}

}  // namespace
}  // namespace foldlane::testing
