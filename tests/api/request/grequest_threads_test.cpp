// Threads complete generalized requests while others wait for them; and what happens when two threads use the
// same request, which no program may do.
#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

#include "requests.hpp"

namespace foldlane::testing {
namespace {

class ThreadedWorld : public ::testing::Environment {
 public:
  void SetUp() override {
    int provided = -1;
    ASSERT_EQ(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided), MPI_SUCCESS);
    ASSERT_EQ(provided, MPI_THREAD_MULTIPLE);
  }
  void TearDown() override { ASSERT_EQ(MPI_Finalize(), MPI_SUCCESS); }
};
const auto* const threaded_world = ::testing::AddGlobalTestEnvironment(new ThreadedWorld);

using GrequestThreads = Requests;

constexpr int kPairs = 4;  // of a thread that waits and one that completes

/// What the thread that waits has begun and the other one has to complete.
struct Mailbox {
  std::array<std::atomic<MPI_Request>, 8> posted{};
  std::atomic<int> freed{0};
  std::atomic<int> queried{0};
};

MPI_Request start_for(Mailbox& box) {
  MPI_Request request = MPI_REQUEST_NULL;
  EXPECT_EQ(MPI_Grequest_start(
                [](void* state, MPI_Status* status) -> int {
                  status->MPI_TAG = ++static_cast<Mailbox*>(state)->queried;
                  return MPI_SUCCESS;
                },
                [](void* state) -> int { return ++static_cast<Mailbox*>(state)->freed, MPI_SUCCESS; },
                [](void*, int) -> int { return MPI_SUCCESS; }, &box, &request),
            MPI_SUCCESS);
  return request;
}

/// Completes `count` requests in whatever order they come.
void complete_posted(Mailbox& box, int count) {
  for (std::size_t i = 0; count > 0; i = (i * 5 + 1) % box.posted.size()) {
    const MPI_Request request = box.posted[i].exchange(nullptr);
    if (request == nullptr) {
      std::this_thread::yield();
      continue;
    }
    EXPECT_EQ(MPI_Grequest_complete(request), MPI_SUCCESS);
    --count;
  }
}

/// One round of eight requests, waited for in another way each time, or freed.
int wait_for(std::array<MPI_Request, 8>& requests, int round) {
  constexpr int kCount = 8;
  int index = -1, flag = 0, outcount = 0;
  std::array<int, kCount> indices;
  if (round % 6 == 0) {
    EXPECT_EQ(MPI_Waitall(kCount, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
  }
  for (int left = kCount; round % 6 == 1 && left > 0; --left)
    EXPECT_EQ(MPI_Waitany(kCount, requests.data(), &index, MPI_STATUS_IGNORE), MPI_SUCCESS);
  for (int left = kCount; round % 6 == 2 && left > 0; left -= outcount) {
    EXPECT_EQ(MPI_Waitsome(kCount, requests.data(), &outcount, indices.data(), MPI_STATUSES_IGNORE),
              MPI_SUCCESS);
  }
  while (round % 6 == 3 && flag == 0)
    EXPECT_EQ(MPI_Testall(kCount, requests.data(), &flag, MPI_STATUSES_IGNORE), MPI_SUCCESS);
  for (MPI_Request& request : requests) {
    if (round % 6 < 4) break;
    EXPECT_EQ(round % 6 == 4 ? MPI_Wait(&request, MPI_STATUS_IGNORE) : MPI_Request_free(&request),
              MPI_SUCCESS);
  }
  for (MPI_Request request : requests) EXPECT_EQ(request, MPI_REQUEST_NULL);
  return round % 6 == 5 ? 0 : kCount;
}

TEST_F(GrequestThreads, CompletedByOthersWhileTheyAreWaitedFor) {
  constexpr int kRounds = 300;
  std::array<Mailbox, kPairs> boxes;
  std::vector<std::thread> threads;
  std::array<std::atomic<int>, kPairs> waited{};
  for (std::size_t pair = 0; pair < kPairs; ++pair) {
    threads.emplace_back([&box = boxes[pair]] { complete_posted(box, kRounds * 8); });
    threads.emplace_back([&box = boxes[pair], &sum = waited[pair]] {
      for (int round = 0; round < kRounds; ++round) {
        std::array<MPI_Request, 8> requests;
        for (std::size_t i = 0; i < requests.size(); ++i) {
          requests[i] = start_for(box);
          for (MPI_Request empty = nullptr; !box.posted[i].compare_exchange_weak(empty, requests[i]);
               empty = nullptr)
            std::this_thread::yield();
        }
        sum += wait_for(requests, round);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t pair = 0; pair < kPairs; ++pair) {
    EXPECT_EQ(boxes[pair].freed, kRounds * 8);
    EXPECT_EQ(boxes[pair].queried, waited[pair]);
  }
}

/// All threads take and look at the same request: one of them completes it, and the others are told.
TEST_F(GrequestThreads, TwoThreadsWithOneRequest) {
  constexpr int kThreads = 8, kRounds = 300;
  for (int round = 0; round < kRounds; ++round) {
    Mailbox box;
    const MPI_Request request = start_for(box);
    EXPECT_EQ(MPI_Grequest_complete(request), MPI_SUCCESS);
    std::atomic<int> completed{0}, ready{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        MPI_Request own = request;
        int flag = 0;
        ++ready;
        while (ready < kThreads) std::this_thread::yield();
        if (i % 2 == 0) MPI_Request_get_status(own, &flag, MPI_STATUS_IGNORE);
        if (i % 4 == 1) MPI_Cancel(&own);
        const int code = MPI_Wait(&own, MPI_STATUS_IGNORE);
        EXPECT_TRUE(code == MPI_SUCCESS || code == MPI_ERR_REQUEST) << code;
        completed += code == MPI_SUCCESS;
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(completed, 1);
    EXPECT_EQ(box.freed, 1);
  }
}

/// Slots go from thread to thread and come back; threads that end give theirs to the others.
TEST_F(GrequestThreads, ThreadsThatEndLeaveNoSlotsBehind) {
  Mailbox box;
  std::size_t after_the_first = 0;
  for (int i = 0; i < 200; ++i) {
    std::thread([&] {
      std::vector<MPI_Request> requests;
      for (int n = 0; n < 100; ++n) requests.push_back(start_for(box));
      for (MPI_Request& request : requests) {
        EXPECT_EQ(MPI_Grequest_complete(request), MPI_SUCCESS);
        EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
      }
    }).join();
    if (i == 0) after_the_first = api::request_slots();
  }
  EXPECT_EQ(api::request_slots(), after_the_first);
  EXPECT_EQ(box.freed, 200 * 100);
}

}  // namespace
}  // namespace foldlane::testing
