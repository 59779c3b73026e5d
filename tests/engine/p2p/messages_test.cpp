// Messages of two ranks, one way of going each: every size at a limit, from and into every kind of memory,
// before and after they are awaited.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <thread>
#include <tuple>

#include "engine/collectives/collectives.hpp"
#include "p2p/mail.hpp"

namespace foldlane::testing {
namespace {

using engine::Channel;
using engine::Delivery;
using engine::kAnySource;
using engine::kAnyTag;
using engine::SendMode;

constexpr int kGo = 1000;  // a tag
constexpr std::size_t kManySizes = std::size(kSizes);

using Case = std::tuple<Transport, bool>;

class Messages : public ::testing::TestWithParam<Case> {
 protected:
  void expect_all_well(int ranks, const RankBody& body) {
    const auto problems =
        run_ranks(std::get<0>(GetParam()), mail_options(ranks, std::get<1>(GetParam())), body);
    EXPECT_TRUE(problems.empty()) << problems.front();
  }
};

/// A message without bytes, and the wait for it.
std::string give_word(RankContext& context, Channel& channel, int to) {
  return expect_end(context, *send(context, channel, to, kGo, 0, 0), Delivery::done);
}
std::string await_word(RankContext& context, Channel& channel, int from) {
  return expect_message(context, *receive(context, channel, from, kGo, 0), from, kGo, 0, 0);
}

/// One message of each size, those of odd numbers with truncation if there is one.
struct Batch {
  SendMode mode;
  Lying from;
  Lying to;
  bool are_awaited;
};

std::string send_batch(RankContext& context, Channel& channel, const Batch& batch) {
  std::string problems;
  if (batch.are_awaited) problems += await_word(context, channel, 1);
  std::vector<std::unique_ptr<Sent>> sent;
  for (std::size_t i = 0; i < kManySizes; ++i)
    sent.push_back(send(context, channel, 1, static_cast<int>(i), kSizes[i], i, batch.from, batch.mode));
  if (!batch.are_awaited) problems += give_word(context, channel, 1);
  for (const auto& each : sent) problems += expect_end(context, *each, Delivery::done);
  return problems;
}

std::string receive_batch(RankContext& context, Channel& channel, const Batch& batch) {
  std::string problems;
  if (!batch.are_awaited) problems += await_word(context, channel, 0);
  std::vector<std::unique_ptr<Received>> received;
  for (std::size_t i = 0; i < kManySizes; ++i) {
    const std::size_t reversed = kManySizes - 1 - i;  // their tags tell them apart
    const std::size_t room = reversed % 4 == 3 ? kSizes[reversed] / 2 : kSizes[reversed] + reversed % 2;
    received.push_back(receive(context, channel, 0, static_cast<int>(reversed), room, batch.to));
  }
  if (batch.are_awaited) problems += give_word(context, channel, 0);
  for (std::size_t i = 0; i < kManySizes; ++i) {
    const std::size_t reversed = kManySizes - 1 - i;
    problems +=
        expect_message(context, *received[i], 0, static_cast<int>(reversed), kSizes[reversed], reversed);
  }
  return problems;
}

TEST_P(Messages, OfEverySizeGoEveryWay) {
  expect_all_well(2, [](RankContext& context) {
    Channel& channel = context.messenger.open(context.world);
    std::string problems;
    for (const SendMode mode : {SendMode::standard, SendMode::synchronous, SendMode::ready}) {
      for (const Lying from : kLyings) {
        for (const Lying to : kLyings) {
          for (const bool are_awaited : {true, false}) {
            if (mode == SendMode::ready && !are_awaited) continue;
            const Batch batch{mode, from, to, are_awaited};
            const std::string wrong = context.rank == 0 ? send_batch(context, channel, batch)
                                                        : receive_batch(context, channel, batch);
            if (!wrong.empty())
              problems += fmt::format("mode {}, from {}, to {}, {}: {}", static_cast<int>(mode),
                                      static_cast<int>(from), static_cast<int>(to),
                                      are_awaited ? "awaited" : "unexpected", wrong);
          }
        }
      }
    }
    return problems;
  });
}

/// A message without data is one hop: the receiver is done with it before its sender knows.
TEST_P(Messages, SynchronousOnesWithoutBytesFollowEachOther) {
  expect_all_well(3, [](RankContext& context) {
    Channel& channel = context.messenger.open(context.world);
    std::string problems;
    for (int i = 0; i < 500; ++i) {
      if (context.rank == 0) {  // all through the same lines
        const std::size_t bytes = i % 3 == 0 ? 5000 : 0;
        problems += expect_end(
            context, *send(context, channel, 1 + i % 2, i, bytes, 7, Lying::privately, SendMode::synchronous),
            Delivery::done);
      } else if (1 + i % 2 == context.rank) {
        const std::size_t bytes = i % 3 == 0 ? 5000 : 0;
        problems +=
            expect_message(context, *receive(context, channel, 0, i, 5000, Lying::in_heap), 0, i, bytes, 7);
      }
    }
    return problems;
  });
}

/// Those that share cells, up to messages of other lengths and to those whose data follow. Some come before
/// they are awaited.
TEST_P(Messages, EqualOnesFollowEachOther) {
  expect_all_well(2, [](RankContext& context) {
    constexpr std::size_t kMany = 600, kInARow = 20;
    constexpr std::size_t kShort[] = {8, 0, 1, 16, 5, 17, 15};
    const auto bytes_of = [&](std::size_t i) { return kShort[i / kInARow % std::size(kShort)]; };
    Channel& channel = context.messenger.open(context.world);
    std::string problems;
    if (context.rank == 0) {
      std::vector<std::unique_ptr<Sent>> sent;
      for (std::size_t i = 0; i < kMany; ++i) {
        const SendMode mode = i % 7 == 6 ? SendMode::synchronous : SendMode::standard;
        sent.push_back(send(context, channel, 1, 5, bytes_of(i), i, Lying::privately, mode));
        if (i == kMany / 2) problems += give_word(context, channel, 1);
      }
      for (const auto& each : sent) problems += expect_end(context, *each, Delivery::done);
      return problems;
    }
    problems += await_word(context, channel, 0);
    for (std::size_t i = 0; i < kMany; ++i)
      problems += expect_message(context, *receive(context, channel, 0, 5, 20), 0, 5, bytes_of(i), i);
    return problems;
  });
}

TEST_P(Messages, OfMoreThanALaneHolds) {
  expect_all_well(2, [](RankContext& context) {
    constexpr std::size_t kMany = 1000;
    Channel& channel = context.messenger.open(context.world);
    std::string problems;
    if (context.rank == 0) {
      std::vector<std::unique_ptr<Sent>> sent;
      for (std::size_t i = 0; i < kMany; ++i) sent.push_back(send(context, channel, 1, 5, i % 200, i));
      for (const auto& each : sent) problems += expect_end(context, *each, Delivery::done);
      return problems;
    }
    for (std::size_t i = 0; i < kMany; ++i)
      problems +=
          expect_message(context, *receive(context, channel, kAnySource, kAnyTag, 200), 0, 5, i % 200, i);
    return problems;
  });
}

/// What one receiver lets wait does not keep those to another one. And they need no receive all the same, if
/// their sender waits for them.
TEST_P(Messages, AreFilledTwoMebibytesAheadOfEachReceiver) {
  expect_all_well(3, [](RankContext& context) {
    constexpr std::size_t kBytes = 128 << 10, kMany = 20, kAhead = (2 << 20) / kBytes;
    Channel& channel = context.messenger.open(context.world);
    std::string wrong;
    if (context.rank == 0) {
      std::vector<std::unique_ptr<Sent>> sent[3];
      for (const int to : {1, 2}) {
        auto& all = sent[to];
        for (std::size_t i = 0; i < kMany; ++i) all.push_back(send(context, channel, to, 5, kBytes, i));
        const auto ended =
            std::count_if(all.begin(), all.end(), [](const auto& each) { return each->over(); });
        if (ended != static_cast<std::ptrdiff_t>(kAhead)) wrong += fmt::format("{} to {}\n", ended, to);
      }
      for (const int to : {1, 2}) {
        for (const auto& each : sent[to]) wrong += expect_end(context, *each, Delivery::done);
        wrong += give_word(context, channel, to);
      }
      return wrong;
    }
    wrong += await_word(context, channel, 0);
    for (std::size_t i = 0; i < kMany; ++i)
      wrong += expect_message(context, *receive(context, channel, 0, 5, kBytes), 0, 5, kBytes, i);
    return wrong;
  });
}

/// Both ends send before they receive, through boxes whatever would be quicker.
TEST_P(Messages, FilledBeforeTheMatchAreTimed) {
  expect_all_well(2, [](RankContext& context) {
    context.process.decisions().of(engine::Decision::message_way).forced = engine::Arm::first;
    constexpr std::size_t kBytes = 20'000;
    constexpr int kRounds = 60, kAtOnce = 4;
    Channel& channel = context.messenger.open(context.world);
    const int peer = 1 - context.rank;
    std::string wrong;
    for (int round = 0; round < kRounds; ++round) {
      std::vector<std::unique_ptr<Sent>> sent;
      for (int i = 0; i < kAtOnce; ++i) sent.push_back(send(context, channel, peer, i, kBytes, 1));
      wrong += give_word(context, channel, peer);
      wrong += await_word(context, channel, peer);
      for (int i = 0; i < kAtOnce; ++i)
        wrong += expect_message(context, *receive(context, channel, peer, i, kBytes), peer, i, kBytes, 1);
      for (const auto& each : sent) wrong += expect_end(context, *each, Delivery::done);
    }
    const auto& kept = context.process.decisions().of(engine::Decision::message_boxes).kept;
    return kept[0].peek() + kept[1].peek() > 0 ? wrong : wrong + "no trial has ended";
  });
}

/// How blocks are handed back, and what is in them is stored, by messages that are all awaited.
TEST_P(Messages, BlocksAreTimed) {
  expect_all_well(2, [](RankContext& context) {
    constexpr std::size_t kBytes = 5000;
    Channel& channel = context.messenger.open(context.world);
    const int peer = 1 - context.rank;
    std::string wrong;
    for (std::uint64_t round = 0; round < 150; ++round) {
      const auto received = receive(context, channel, peer, 0, kBytes);
      const auto sent = send(context, channel, peer, 0, kBytes, round);
      wrong += expect_message(context, *received, peer, 0, kBytes, round);
      wrong += expect_end(context, *sent, Delivery::done);
    }
    for (const auto decision : {engine::Decision::message_blocks, engine::Decision::message_stores}) {
      const auto& kept = context.process.decisions().of(decision).kept;
      if (kept[0].peek() + kept[1].peek() == 0)
        wrong += fmt::format("no trial of {} has ended", engine::row_of(decision).name);
    }
    return wrong;
  });
}

/// While it waits a rank fetches what the next message like the last one will be written to, each line once.
TEST_P(Messages, WhatIsWrittenNextComesBackMeanwhile) {
  struct Message {
    std::size_t bytes;
    std::uint64_t fetched;
    Lying lying = Lying::privately;
  };
  expect_all_well(2, [](RankContext& context) {
    Channel& channel = context.messenger.open(context.world);
    engine::Traffic& traffic = context.messenger;
    const auto fetched = [&] { return context.messenger.counts().sent.fetched_ahead; };
    const std::uint64_t first_box = engine::Chunks(20000).bytes(0);
    std::string wrong;
    for (const Message& message :
         {Message{32, 0}, Message{33, 64}, Message{96, 64}, Message{97, 97}, Message{2000, 2000},
          Message{8192, 8192}, Message{20000, first_box, Lying::in_pieces}}) {
      if (context.rank == 1) {
        const auto received = receive(context, channel, 0, 0, message.bytes);
        wrong += expect_message(context, *received, 0, 0, message.bytes, 1);
        wrong += give_word(context, channel, 0);
        continue;
      }
      const std::uint64_t before = fetched();
      const auto sent = send(context, channel, 1, 0, message.bytes, 1, message.lying);
      wrong += expect_end(context, *sent, Delivery::done);
      wrong += await_word(context, channel, 1);
      for (int look = 0; look < 100; ++look) traffic.step(engine::Patience::none);
      if (fetched() - before != message.fetched)
        wrong += fmt::format("{} bytes ahead after {}\n", fetched() - before, message.bytes);
    }
    return wrong;
  });
}

/// A flag in this rank's heap, and where the other one of two finds it.
class CommonFlag {
 public:
  explicit CommonFlag(RankContext& context) : heap_(context.heap), own_(make(context.heap)) {
    const engine::CommonMemory& common = context.process.common();
    auto places = engine::exchange(context.world, engine::Call::barrier, common.offset_of(own_));
    if (!places.ok()) throw std::runtime_error(places.error().message);
    other_ = reinterpret_cast<Word*>(common.at(places.value()[static_cast<std::size_t>(1 - context.rank)]));
  }
  CommonFlag(const CommonFlag&) = delete;
  CommonFlag& operator=(const CommonFlag&) = delete;
  ~CommonFlag() { static_cast<void>(heap_.deallocate(own_)); }

  void set() noexcept { own_->publish(1); }
  /// Without a look at messages.
  void await_other() const noexcept {
    while (other_->observe() == 0) std::this_thread::yield();
  }

 private:
  using Word = shm::RealAtoms::Word<std::uint32_t>;
  static Word* make(shm::Heap& heap) {
    auto memory = heap.allocate(sizeof(Word));
    if (!memory.ok()) throw std::runtime_error(memory.error().message);
    return new (memory.value()) Word{};
  }

  shm::Heap& heap_;
  Word* own_;
  Word* other_ = nullptr;
};

constexpr std::size_t kBlockBytes = 5000;

/// Rank 1 sends rank 0 a message with each tag while that one does not look.
std::string send_unseen(RankContext& context, Channel& channel, CommonFlag& are_sent,
                        const std::vector<int>& tags) {
  std::string wrong = give_word(context, channel, 0);
  wrong += await_word(context, channel, 0);
  std::vector<std::unique_ptr<Sent>> sent;
  for (std::size_t i = 0; i < tags.size(); ++i)
    sent.push_back(send(context, channel, 0, tags[i], kBlockBytes, i));
  are_sent.set();
  for (const auto& each : sent) wrong += expect_end(context, *each, Delivery::done);
  return wrong + await_word(context, channel, 0);
}
std::string await_unseen(RankContext& context, Channel& channel, const CommonFlag& are_sent) {
  // After the first message this rank looks at the lane, instead of answering knocks.
  std::string wrong = await_word(context, channel, 1);
  wrong += give_word(context, channel, 1);
  are_sent.await_other();
  return wrong;
}

/// Who receives them one by one finds them in their blocks: they are not kept, which would copy them twice.
TEST_P(Messages, BlocksOfReceivesToComeStay) {
  expect_all_well(2, [](RankContext& context) {
    constexpr std::size_t kMany = 12;
    Channel& channel = context.messenger.open(context.world);
    CommonFlag are_sent(context);
    if (context.rank == 1) return send_unseen(context, channel, are_sent, std::vector<int>(kMany, 5));
    std::string wrong = await_unseen(context, channel, are_sent);
    for (std::size_t i = 0; i < kMany; ++i)
      wrong += expect_message(context, *receive(context, channel, 1, 5, kBlockBytes), 1, 5, kBlockBytes, i);
    // The first word may have been.
    const std::uint64_t most = context.messenger.counts().received.unexpected_messages.peak;
    if (most > 1) wrong += fmt::format("{} were kept", most);
    return wrong + give_word(context, channel, 1);
  });
}

/// One look finds what has come, though it lies behind others.
TEST_P(Messages, BehindBlocksAreProbed) {
  expect_all_well(2, [](RankContext& context) {
    constexpr int kLast = 4;
    Channel& channel = context.messenger.open(context.world);
    CommonFlag are_sent(context);
    if (context.rank == 1) return send_unseen(context, channel, are_sent, {0, 1, 2, 3, kLast});
    std::string wrong = await_unseen(context, channel, are_sent);
    engine::Envelope last{};
    if (!context.messenger.probe(channel, 1, kLast, last)) wrong += "the last one was not found";
    for (int tag = 0; tag <= kLast; ++tag)
      wrong += expect_message(context, *receive(context, channel, 1, tag, kBlockBytes), 1, tag, kBlockBytes,
                              static_cast<std::uint64_t>(tag));
    return wrong + give_word(context, channel, 1);
  });
}

/// Messages that are answered one by one.
TEST_P(Messages, LinesOfShortOnesAreTimed) {
  expect_all_well(2, [](RankContext& context) {
    Channel& channel = context.messenger.open(context.world);
    const int peer = 1 - context.rank;
    std::string wrong;
    for (const std::size_t bytes : {std::size_t{64}, std::size_t{500}}) {
      const auto& kept = context.process.decisions().of(engine::Decision::message_lines).kept;
      const std::uint64_t before = kept[0].peek() + kept[1].peek();
      for (std::uint64_t round = 0; round < 100; ++round) {
        const auto sent = send(context, channel, peer, 0, bytes, round);
        wrong += expect_message(context, *receive(context, channel, peer, 0, bytes), peer, 0, bytes, round);
        wrong += expect_end(context, *sent, Delivery::done);
      }
      const bool any = kept[0].peek() + kept[1].peek() > before;
      if (any != kernels::can_demote()) wrong += fmt::format("trials of {} B: {}", bytes, any);
    }
    return wrong;
  });
}

TEST_P(Messages, ToOneself) {
  expect_all_well(1, [](RankContext& context) {
    Channel& channel = context.messenger.open(context.world);
    std::string problems;
    for (const SendMode mode : {SendMode::standard, SendMode::synchronous}) {
      for (const Lying lying : kLyings) {
        for (std::size_t i = 0; i < kManySizes; ++i) {
          const int tag = static_cast<int>(i);
          const auto first = receive(context, channel, 0, tag, kSizes[i], lying);
          const auto sent = send(context, channel, 0, tag, kSizes[i], i, lying, mode);
          const auto again = send(context, channel, 0, tag, kSizes[i], i + 1, lying, mode);
          problems += expect_message(context, *first, 0, tag, kSizes[i], i);
          const auto second = receive(context, channel, kAnySource, tag, kSizes[i], lying);
          problems += expect_message(context, *second, 0, tag, kSizes[i], i + 1);
          problems +=
              expect_end(context, *sent, Delivery::done) + expect_end(context, *again, Delivery::done);
        }
      }
    }
    return problems;
  });
}

/// Lanes of more senders than are looked at by themselves.
TEST_P(Messages, OfMoreSendersThanAreWatched) {
  expect_all_well(40, [](RankContext& context) {
    constexpr int kRounds = 4;
    Channel& channel = context.messenger.open(context.world);
    std::string problems;
    for (int round = 0; round < kRounds; ++round) {
      if (context.rank != 0) {
        problems += expect_end(
            context, *send(context, channel, 0, round, 40, static_cast<std::uint64_t>(context.rank)),
            Delivery::done);
        problems += await_word(context, channel, 0);
        continue;
      }
      std::vector<int> came(static_cast<std::size_t>(context.size));
      for (int i = 1; i < context.size; ++i) {
        const auto received = receive(context, channel, kAnySource, round, 40);
        wait_for(context.messenger, *received);
        const auto source = received->envelope.source;
        ++came[source];
        problems += expect_message(context, *received, static_cast<int>(source), round, 40, source);
      }
      if (std::count(came.begin(), came.end(), 1) != context.size - 1) problems += "not one of each; ";
      for (int to = 1; to < context.size; ++to) problems += give_word(context, channel, to);
    }
    return problems;
  });
}

/// Each thread of a rank with the same one of the other rank, on one channel.
TEST_P(Messages, OfManyThreads) {
  expect_all_well(2, [](RankContext& context) {
    constexpr int kThreads = 4;
    context.process.progress().allow_threads();
    Channel& channel = context.messenger.open(context.world);
    std::vector<std::string> problems(kThreads);
    {
      std::vector<std::jthread> threads;
      for (int t = 0; t < kThreads; ++t) {
        threads.emplace_back([&, t] {
          const int peer = 1 - context.rank;
          std::string& wrong = problems[static_cast<std::size_t>(t)];
          for (std::size_t i = 0; i < 60; ++i) {
            const std::size_t bytes = kSizes[i % kManySizes];
            const auto mode = i % 2 == 0 ? SendMode::standard : SendMode::synchronous;
            const auto sent = send(context, channel, peer, t, bytes, i, Lying::privately, mode);
            const auto received = receive(context, channel, i % 3 == 0 ? kAnySource : peer, t, bytes);
            wrong += expect_message(context, *received, peer, t, bytes, i);
            wrong += expect_end(context, *sent, Delivery::done);
          }
        });
      }
    }
    std::string all;
    for (const auto& each : problems) all += each;
    if (auto met = engine::barrier(context.world); !met.ok()) all += met.error().message;
    return all;
  });
}

INSTANTIATE_TEST_SUITE_P(Ranks, Messages,
                         ::testing::Combine(::testing::ValuesIn(transports()), ::testing::Bool()),
                         [](const auto& test) {
                           return std::string(name(std::get<0>(test.param))) +
                                  (std::get<1>(test.param) ? "_asleep" : "");
                         });

}  // namespace
}  // namespace foldlane::testing
