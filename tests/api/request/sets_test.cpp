// The calls on several requests: all, any and some of them, completed or looked at.
#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "requests.hpp"

namespace foldlane::testing {
namespace {

constexpr int kUntouched = -13;  // MPI_ERROR of garbage_status()

class Sets : public Requests {
 protected:
  static constexpr int kCount = 5;

  /// null, inactive, and three that are active.
  Sets() {
    requests = {MPI_REQUEST_NULL, make_persistent(controls[1]), start_once(controls[2]),
                start_once(controls[3]), start_once(controls[4])};
    statuses.fill(garbage_status());
  }
  ~Sets() override {
    for (Control& control : controls) control = {.complete = true};
    MPI_Waitall(kCount, requests.data(), MPI_STATUSES_IGNORE);
    EXPECT_EQ(MPI_Request_free(&requests[1]), MPI_SUCCESS);
    EXPECT_TRUE(
        std::all_of(requests.begin(), requests.end(), [](MPI_Request r) { return r == MPI_REQUEST_NULL; }));
  }
  void complete_all() {
    for (int i = 2; i < kCount; ++i) controls[static_cast<std::size_t>(i)].complete = true;
  }

  std::array<Control, kCount> controls{};
  std::array<MPI_Request, kCount> requests{};
  std::array<MPI_Status, kCount> statuses{};
  std::array<int, kCount> indices{-1, -1, -1, -1, -1};
  int flag = -1, index = -1, outcount = -1;
};

using Statuses = std::array<MPI_Status, 5>;

std::vector<int> tags(const Statuses& statuses) {
  std::vector<int> result;
  for (const MPI_Status& status : statuses) result.push_back(status.MPI_TAG);
  return result;
}
std::vector<int> errors(const Statuses& statuses) {
  std::vector<int> result;
  for (const MPI_Status& status : statuses) result.push_back(status.MPI_ERROR);
  return result;
}
const std::vector<int> kUntouchedErrors(5, kUntouched);
const std::vector<int> kAllTags{MPI_ANY_TAG, MPI_ANY_TAG, 42, 42, 42};

TEST_F(Sets, WaitallAndTestallFillAllStatuses) {
  EXPECT_EQ(MPI_Testall(kCount, requests.data(), &flag, statuses.data()), MPI_SUCCESS);
  EXPECT_EQ(flag, 0);
  controls[2].complete = controls[4].complete = true;
  EXPECT_EQ(MPI_Testall(kCount, requests.data(), &flag, statuses.data()), MPI_SUCCESS);
  EXPECT_TRUE(flag == 0 && controls[2].finished == 0 && statuses[2].MPI_TAG == -12);
  EXPECT_NE(requests[2], MPI_REQUEST_NULL);
  controls[3].complete = true;
  EXPECT_EQ(MPI_Waitall(kCount, requests.data(), statuses.data()), MPI_SUCCESS);
  EXPECT_EQ(tags(statuses), kAllTags);
  EXPECT_EQ(errors(statuses), kUntouchedErrors);
  EXPECT_TRUE(requests[0] == MPI_REQUEST_NULL && requests[2] == MPI_REQUEST_NULL);
  EXPECT_NE(requests[1], MPI_REQUEST_NULL);
  EXPECT_EQ(controls[1].polls + controls[1].finished, 0);
  statuses.fill(garbage_status());
  EXPECT_EQ(MPI_Testall(kCount, requests.data(), &flag, statuses.data()), MPI_SUCCESS);
  EXPECT_EQ(flag, 1);
  EXPECT_TRUE(std::all_of(statuses.begin(), statuses.end(), is_empty));
  EXPECT_EQ(errors(statuses), kUntouchedErrors);
}

/// Each call polls all of the requests, whatever the first ones are like.
TEST_F(Sets, EveryRoundPollsAll) {
  int rounds = 0;
  const auto polled_once_more = [&] {
    ++rounds;
    EXPECT_EQ((std::vector{controls[2].polls, controls[3].polls, controls[4].polls}),
              (std::vector{rounds, rounds, rounds}));
  };
  EXPECT_EQ(MPI_Testall(kCount, requests.data(), &flag, statuses.data()), MPI_SUCCESS);
  polled_once_more();
  EXPECT_EQ(MPI_Testany(kCount, requests.data(), &index, &flag, statuses.data()), MPI_SUCCESS);
  polled_once_more();
  EXPECT_EQ(MPI_Testsome(kCount, requests.data(), &outcount, indices.data(), statuses.data()), MPI_SUCCESS);
  polled_once_more();
  EXPECT_EQ(MPI_Request_get_status_all(kCount, requests.data(), &flag, statuses.data()), MPI_SUCCESS);
  polled_once_more();
  EXPECT_EQ(MPI_Request_get_status_any(kCount, requests.data(), &index, &flag, statuses.data()), MPI_SUCCESS);
  polled_once_more();
  EXPECT_EQ(MPI_Request_get_status_some(kCount, requests.data(), &outcount, indices.data(), statuses.data()),
            MPI_SUCCESS);
  polled_once_more();
  controls[3].complete = true;
  EXPECT_EQ(MPI_Waitany(kCount, requests.data(), &index, statuses.data()), MPI_SUCCESS);
  polled_once_more();
}

TEST_F(Sets, AnyAndSomeOfNoneComplete) {
  EXPECT_EQ(MPI_Testany(kCount, requests.data(), &index, &flag, statuses.data()), MPI_SUCCESS);
  EXPECT_TRUE(flag == 0 && index == MPI_UNDEFINED);
  EXPECT_EQ(MPI_Request_get_status_any(kCount, requests.data(), &index, &flag, statuses.data()), MPI_SUCCESS);
  EXPECT_TRUE(flag == 0 && index == MPI_UNDEFINED);
  EXPECT_EQ(MPI_Testsome(kCount, requests.data(), &outcount, indices.data(), statuses.data()), MPI_SUCCESS);
  EXPECT_EQ(outcount, 0);
  EXPECT_EQ(MPI_Request_get_status_some(kCount, requests.data(), &outcount, indices.data(), statuses.data()),
            MPI_SUCCESS);
  EXPECT_EQ(outcount, 0);
  EXPECT_EQ(tags(statuses), std::vector<int>(5, -12));
}

TEST_F(Sets, NothingToWaitFor) {
  for (const int count : {0, 2}) {
    statuses.fill(garbage_status());
    index = flag = outcount = -1;
    EXPECT_EQ(MPI_Waitany(count, requests.data(), &index, &statuses[0]), MPI_SUCCESS);
    EXPECT_EQ(index, MPI_UNDEFINED);
    EXPECT_EQ(MPI_Testany(count, requests.data(), &index, &flag, &statuses[1]), MPI_SUCCESS);
    EXPECT_TRUE(index == MPI_UNDEFINED && flag == 1);
    EXPECT_EQ(MPI_Request_get_status_any(count, requests.data(), &index, &flag, &statuses[2]), MPI_SUCCESS);
    EXPECT_TRUE(index == MPI_UNDEFINED && flag == 1);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(is_empty(statuses[static_cast<std::size_t>(i)]));
    EXPECT_EQ(errors(statuses), kUntouchedErrors);
    EXPECT_EQ(MPI_Waitsome(count, requests.data(), &outcount, indices.data(), &statuses[3]), MPI_SUCCESS);
    EXPECT_EQ(outcount, MPI_UNDEFINED);
    outcount = -1;
    EXPECT_EQ(MPI_Testsome(count, requests.data(), &outcount, indices.data(), &statuses[3]), MPI_SUCCESS);
    EXPECT_EQ(outcount, MPI_UNDEFINED);
    outcount = -1;
    EXPECT_EQ(MPI_Request_get_status_some(count, requests.data(), &outcount, indices.data(), &statuses[3]),
              MPI_SUCCESS);
    EXPECT_EQ(outcount, MPI_UNDEFINED);
    EXPECT_EQ(MPI_Request_get_status_all(count, requests.data(), &flag, &statuses[3]), MPI_SUCCESS);
    EXPECT_EQ(flag, 1);
  }
}

TEST_F(Sets, AnyCompletesOne) {
  controls[3].complete = true;
  EXPECT_EQ(MPI_Waitany(kCount, requests.data(), &index, &statuses[0]), MPI_SUCCESS);
  EXPECT_TRUE(index == 3 && statuses[0].MPI_TAG == 42 && statuses[0].MPI_ERROR == kUntouched);
  EXPECT_EQ(requests[3], MPI_REQUEST_NULL);
  EXPECT_EQ(MPI_Testany(kCount, requests.data(), &index, &flag, &statuses[0]), MPI_SUCCESS);
  EXPECT_EQ(flag, 0);
  controls[4].complete = true;
  EXPECT_EQ(MPI_Request_get_status_any(kCount, requests.data(), &index, &flag, &statuses[1]), MPI_SUCCESS);
  EXPECT_TRUE(index == 4 && flag == 1 && statuses[1].MPI_TAG == 42 && controls[4].finished == 0);
  EXPECT_EQ(MPI_Testany(kCount, requests.data(), &index, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_TRUE(index == 4 && flag == 1 && controls[4].finished == 1 && controls[2].finished == 0);
}

TEST_F(Sets, SomeCompletesAllThatAreComplete) {
  controls[2].complete = controls[4].complete = true;
  EXPECT_EQ(MPI_Request_get_status_some(kCount, requests.data(), &outcount, indices.data(), statuses.data()),
            MPI_SUCCESS);
  EXPECT_TRUE(outcount == 2 && indices[0] == 2 && indices[1] == 4 && controls[2].finished == 0);
  indices.fill(-1);
  EXPECT_EQ(MPI_Waitsome(kCount, requests.data(), &outcount, indices.data(), statuses.data()), MPI_SUCCESS);
  EXPECT_EQ(outcount, 2);
  EXPECT_EQ(indices, (std::array{2, 4, -1, -1, -1}));
  EXPECT_EQ(tags(statuses), (std::vector{42, 42, -12, -12, -12}));
  EXPECT_EQ(errors(statuses), kUntouchedErrors);
  controls[3].complete = true;
  EXPECT_EQ(MPI_Testsome(kCount, requests.data(), &outcount, indices.data(), MPI_STATUSES_IGNORE),
            MPI_SUCCESS);
  EXPECT_TRUE(outcount == 1 && indices[0] == 3 && requests[3] == MPI_REQUEST_NULL);
}

/// Those that are not complete when one has failed are pending, and can be completed later.
TEST_F(Sets, AllWithAFailedOne) {
  for (const bool wait : {false, true}) {
    const std::size_t failing = wait ? 3 : 2;
    controls[failing].complete = true;
    controls[failing].fails_with = MPI_ERR_TRUNCATE;
    statuses.fill(garbage_status());
    const int code = wait ? MPI_Waitall(kCount, requests.data(), statuses.data())
                          : MPI_Testall(kCount, requests.data(), &flag, statuses.data());
    EXPECT_EQ(code, MPI_ERR_IN_STATUS);
    std::vector<int> expected{MPI_SUCCESS, MPI_SUCCESS, MPI_SUCCESS, MPI_ERR_PENDING, MPI_ERR_PENDING};
    expected[failing] = MPI_ERR_TRUNCATE;
    EXPECT_EQ(errors(statuses), expected);
    EXPECT_EQ(requests[failing], MPI_REQUEST_NULL);
    EXPECT_NE(requests[4], MPI_REQUEST_NULL);
    const std::string text = "request " + std::to_string(failing) + " has failed: as the test wants";
    EXPECT_NE(error_string(MPI_ERR_IN_STATUS).find(text), std::string::npos)
        << error_string(MPI_ERR_IN_STATUS);
    EXPECT_EQ(flag, 0);
  }
  controls[4].complete = true;
  EXPECT_EQ(MPI_Testall(kCount, requests.data(), &flag, MPI_STATUSES_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(flag, 1);
}

TEST_F(Sets, FailuresWithIgnoredStatusesAreReturned) {
  complete_all();
  controls[3].fails_with = MPI_ERR_TRUNCATE;
  EXPECT_EQ(MPI_Waitall(kCount, requests.data(), MPI_STATUSES_IGNORE), MPI_ERR_IN_STATUS);
  EXPECT_TRUE(requests[2] == MPI_REQUEST_NULL && requests[3] == MPI_REQUEST_NULL);
}

TEST_F(Sets, SomeWithFailedOnes) {
  complete_all();
  controls[3].fails_with = MPI_ERR_TRUNCATE;
  EXPECT_EQ(MPI_Request_get_status_some(kCount, requests.data(), &outcount, indices.data(), statuses.data()),
            MPI_ERR_IN_STATUS);
  EXPECT_EQ(outcount, 3);
  statuses.fill(garbage_status());
  outcount = -1;
  EXPECT_EQ(MPI_Waitsome(kCount, requests.data(), &outcount, indices.data(), statuses.data()),
            MPI_ERR_IN_STATUS);
  EXPECT_EQ(outcount, 3);
  EXPECT_EQ(indices, (std::array{2, 3, 4, -1, -1}));
  EXPECT_EQ(errors(statuses),
            (std::vector{MPI_SUCCESS, MPI_ERR_TRUNCATE, MPI_SUCCESS, kUntouched, kUntouched}));
  EXPECT_EQ(requests[3], MPI_REQUEST_NULL);
}

TEST_F(Sets, AnyWithAFailedOneReturnsItsError) {
  controls[3].complete = true;
  controls[3].fails_with = MPI_ERR_TRUNCATE;
  EXPECT_EQ(MPI_Request_get_status_any(kCount, requests.data(), &index, &flag, &statuses[0]),
            MPI_ERR_TRUNCATE);
  EXPECT_EQ(index, 3);
  index = -1;
  EXPECT_EQ(MPI_Waitany(kCount, requests.data(), &index, &statuses[0]), MPI_ERR_TRUNCATE);
  EXPECT_TRUE(index == 3 && requests[3] == MPI_REQUEST_NULL && statuses[0].MPI_ERROR == kUntouched);
}

TEST_F(Sets, GeneralizedOnesFailWithoutThrowingTheOthersAway) {
  Task first(1), failing(2), last(3);
  failing.query_code = MPI_ERR_IO;
  std::array<MPI_Request, 3> all{first.request, failing.request, last.request};
  first.complete();
  failing.complete();
  EXPECT_EQ(MPI_Testall(3, all.data(), &flag, statuses.data()), MPI_SUCCESS);
  EXPECT_EQ(flag, 0);
  EXPECT_EQ(first.calls + failing.calls, "");
  last.complete();
  EXPECT_EQ(MPI_Testall(3, all.data(), &flag, statuses.data()), MPI_ERR_IN_STATUS);
  EXPECT_EQ(flag, 1);
  EXPECT_EQ(first.calls + failing.calls + last.calls, "qfqfqf");
  EXPECT_EQ(errors(statuses), (std::vector{MPI_SUCCESS, MPI_ERR_IO, MPI_SUCCESS, kUntouched, kUntouched}));
  EXPECT_TRUE(statuses[0].MPI_TAG == 1 && statuses[2].MPI_TAG == 3);
}

TEST_F(Sets, TheSameRequestTwiceIsAnError) {
  complete_all();
  requests[0] = requests[4];
  EXPECT_EQ(MPI_Waitall(kCount, requests.data(), statuses.data()), MPI_ERR_REQUEST);
  EXPECT_NE(error_string(MPI_ERR_REQUEST).find("at index 4 of the array is in use"), std::string::npos)
      << error_string(MPI_ERR_REQUEST);
  EXPECT_EQ(MPI_Testall(kCount, requests.data(), &flag, statuses.data()), MPI_ERR_REQUEST);
  EXPECT_EQ(MPI_Waitany(kCount, requests.data(), &index, statuses.data()), MPI_ERR_REQUEST);
  EXPECT_EQ(MPI_Testany(kCount, requests.data(), &index, &flag, statuses.data()), MPI_ERR_REQUEST);
  EXPECT_EQ(MPI_Waitsome(kCount, requests.data(), &outcount, indices.data(), statuses.data()),
            MPI_ERR_REQUEST);
  EXPECT_EQ(MPI_Testsome(kCount, requests.data(), &outcount, indices.data(), statuses.data()),
            MPI_ERR_REQUEST);
  EXPECT_EQ(controls[2].finished + controls[3].finished + controls[4].finished, 0);
  // Looking twice harms nobody.
  EXPECT_EQ(MPI_Request_get_status_all(kCount, requests.data(), &flag, statuses.data()), MPI_SUCCESS);
  EXPECT_EQ(flag, 1);
  requests[0] = MPI_REQUEST_NULL;
}

TEST_F(Sets, BadArgumentsCompleteNothing) {
  complete_all();
  int* const no_int = nullptr;
  const std::array<int, 8> counts{
      MPI_Waitall(-1, requests.data(), statuses.data()),
      MPI_Testall(-1, requests.data(), &flag, statuses.data()),
      MPI_Waitany(-1, requests.data(), &index, statuses.data()),
      MPI_Testany(-1, requests.data(), &index, &flag, statuses.data()),
      MPI_Waitsome(-1, requests.data(), &outcount, indices.data(), statuses.data()),
      MPI_Request_get_status_all(-1, requests.data(), &flag, statuses.data()),
      MPI_Request_get_status_any(-1, requests.data(), &index, &flag, statuses.data()),
      MPI_Request_get_status_some(-1, requests.data(), &outcount, indices.data(), statuses.data())};
  for (const int code : counts) EXPECT_EQ(code, MPI_ERR_COUNT);
  const std::array<int, 10> outputs{
      MPI_Waitall(kCount, nullptr, statuses.data()),
      MPI_Testall(kCount, requests.data(), no_int, statuses.data()),
      MPI_Waitany(kCount, requests.data(), no_int, statuses.data()),
      MPI_Testany(kCount, requests.data(), no_int, &flag, statuses.data()),
      MPI_Testany(kCount, requests.data(), &index, no_int, statuses.data()),
      MPI_Waitsome(kCount, requests.data(), no_int, indices.data(), statuses.data()),
      MPI_Testsome(kCount, requests.data(), &outcount, no_int, statuses.data()),
      MPI_Request_get_status_any(kCount, requests.data(), no_int, &flag, statuses.data()),
      MPI_Request_get_status_some(kCount, requests.data(), &outcount, no_int, statuses.data()),
      MPI_Request_get_status_all(kCount, requests.data(), no_int, statuses.data())};
  for (const int code : outputs) EXPECT_EQ(code, MPI_ERR_ARG);
  EXPECT_EQ(controls[2].finished + controls[3].finished + controls[4].finished, 0);
}

/// With everything always complete, nobody waits for long: each is chosen about as often as the others.
TEST_F(Sets, AnyIsFair) {
  constexpr int kOthers = 7, kRounds = 700;
  std::array<Control, kOthers> always;
  std::array<MPI_Request, kOthers> persistent{};
  std::array<int, kOthers> chosen{};
  for (std::size_t i = 0; i < kOthers; ++i) {
    always[i].complete = true;
    persistent[i] = make_persistent(always[i]);
    EXPECT_EQ(MPI_Start(&persistent[i]), MPI_SUCCESS);
  }
  for (int round = 0; round < kRounds; ++round) {
    EXPECT_EQ(MPI_Testany(kCount, requests.data(), &index, &flag, MPI_STATUS_IGNORE),
              MPI_SUCCESS);  // another array
    EXPECT_EQ(MPI_Waitany(kOthers, persistent.data(), &index, MPI_STATUS_IGNORE), MPI_SUCCESS);
    ASSERT_TRUE(index >= 0 && index < kOthers);
    ++chosen[static_cast<std::size_t>(index)];
    EXPECT_EQ(MPI_Start(&persistent[static_cast<std::size_t>(index)]), MPI_SUCCESS);
  }
  EXPECT_GE(*std::min_element(chosen.begin(), chosen.end()), kRounds / kOthers / 2);
  EXPECT_EQ(MPI_Waitall(kOthers, persistent.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
  for (MPI_Request& request : persistent) EXPECT_EQ(MPI_Request_free(&request), MPI_SUCCESS);
}

/// More than fit into a call's own memory, and more than a chunk of slots.
TEST_F(Sets, ManyRequests) {
  constexpr std::size_t kMany = 1000;
  std::vector<std::unique_ptr<Task>> tasks;
  std::vector<MPI_Request> all;
  std::vector<MPI_Status> many(kMany);
  for (std::size_t i = 0; i < kMany; ++i) {
    tasks.push_back(std::make_unique<Task>(static_cast<int>(i)));
    all.push_back(tasks.back()->request);
  }
  for (std::size_t i = 0; i < kMany; ++i) tasks[(i * 7919) % kMany]->complete();
  EXPECT_EQ(MPI_Waitall(kMany, all.data(), many.data()), MPI_SUCCESS);
  for (std::size_t i = 0; i < kMany; ++i) EXPECT_EQ(many[i].MPI_TAG, static_cast<int>(i));
}

}  // namespace
}  // namespace foldlane::testing
