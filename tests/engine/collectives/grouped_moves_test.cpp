// Calls that only move data in a team of groups: with gaps in their blocks, in place and as operations.
// Compared with a serial shuffle.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/collectives/collectives.hpp"
#include "engine/moves/block_list.hpp"
#include "engine/moves/roles.hpp"
#include "support/counted_crowd.hpp"
#include "support/operations.hpp"
#include "support/ranks.hpp"

namespace foldlane::testing {
namespace {

using engine::Call;

constexpr int kRanks = 12;
constexpr std::size_t kSlotBytes = 4096;
constexpr Call kCalls[] = {Call::gather,  Call::allgatherv, Call::scatter,  Call::alltoall,
                           Call::gatherv, Call::allgather,  Call::scatterv, Call::alltoallv};

std::byte byte_of(int giver, std::size_t at, int round) {
  return static_cast<std::byte>(static_cast<std::size_t>(giver) * 37 + at * 11 + (at >> 8) +
                                static_cast<std::size_t>(round) * 5);
}

/// A call blocks, or is an operation, or one that is started again.
enum class Manner : std::uint8_t { blocking, stepped, restarted };
struct Way {
  bool has_gaps;
  bool in_place;
  Manner manner;
};
constexpr Way kWays[] = {{true, false, Manner::blocking}, {true, false, Manner::stepped},
                         {true, true, Manner::restarted}, {false, true, Manner::blocking},
                         {false, true, Manner::stepped},  {false, false, Manner::restarted}};

/// Elements of four bytes, with one between each two and two behind the last.
const engine::TypeMap& map_with_gaps() {
  static const auto map = engine::TypeMap::basic(1, 1).strided(4, 1, 2)->resized(0, 9);
  return *map;
}

/// Blocks one behind the other.
class Memory {
 public:
  Memory(bool has_gaps, int blocks, std::size_t bytes)
      : has_gaps_(has_gaps), bytes_(bytes), all_(static_cast<std::size_t>(blocks) * place_of(bytes)) {}

  void clear() { std::fill(all_.begin(), all_.end(), std::byte{0xa5}); }
  /// What `giver` has from byte `from` on.
  void write(int block, int giver, std::size_t from, int round) {
    for (std::size_t at = 0; at < bytes_; ++at)
      all_[start_of(block) + place_of(at)] = byte_of(giver, from + at, round);
  }
  engine::UserBuffer block(int i) {
    return {all_.data() + start_of(i), bytes_, has_gaps_ ? &map_with_gaps() : nullptr};
  }
  /// The first byte that differs; the number of all if none does.
  std::size_t difference(const Memory& other) const {
    return static_cast<std::size_t>(std::mismatch(all_.begin(), all_.end(), other.all_.begin()).first -
                                    all_.begin());
  }
  std::size_t size() const { return all_.size(); }

 private:
  std::size_t place_of(std::size_t at) const { return has_gaps_ ? at / 4 * 9 + at % 4 * 2 : at; }
  std::size_t start_of(int block) const { return static_cast<std::size_t>(block) * place_of(bytes_); }

  bool has_gaps_;
  std::size_t bytes_;
  std::vector<std::byte> all_;
};

/// A member's part in a call of blocks of so many bytes.
class Part {
 public:
  Part(RankContext& context, engine::Channel& channel, Call call, int root, std::size_t bytes, const Way& way)
      : context_(context),
        call_(call),
        root_(root),
        bytes_(bytes),
        in_place_(way.in_place && (is_root() || !engine::moves_from_or_to_root(call))),
        send_(way.has_gaps, context.size, bytes),
        recv_(way.has_gaps, context.size, bytes) {
    movement_.mail = {&context.messenger, &channel};
    movement_.replaces = in_place_ && gives_each() && !engine::moves_from_or_to_root(call);
    movement_.sends = movement_.replaces ? &receives_ : &sends_;
    movement_.receives = &receives_;
    movement_.first = engine::moves_from_or_to_root(call) ? 0 : (context.rank + 1) % context.size;
    movement_.block_bytes = engine::moves_equal_blocks(call) ? bytes : 0;
    list_blocks();
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  std::string make(Manner manner, int round) {
    const engine::Collective call{.call = call_, .root = root_, .movement = &movement_};
    prepare(round);
    if (manner == Manner::blocking) return verdict(perform(context_.world, call), round);
    const auto operation = make_operation(context_.world, call);
    std::string problem = verdict(carry_out(*operation), round);
    if (manner == Manner::stepped || !problem.empty()) return problem;
    prepare(round + 1);
    return verdict(carry_out(*operation), round + 1);
  }

 private:
  bool is_root() const { return context_.rank == root_; }
  bool gives_each() const { return engine::gives_block_for_each(call_); }
  bool takes_each() const { return engine::takes_block_of_each(call_); }
  /// Of and for this member, where its data stay where they are.
  bool is_left_out(int member) const { return in_place_ && !movement_.replaces && member == context_.rank; }
  bool is_rooted_at_other(bool has_each, int member) const {
    return engine::moves_from_or_to_root(call_) && !has_each && member != root_;
  }

  /// A root gives itself a block, too.
  void list_blocks() {
    for (int member = 0; member < context_.size; ++member) {
      const bool is_absent = is_left_out(member);
      if ((!gives_each() || engine::gives_in(call_, is_root())) && !is_rooted_at_other(gives_each(), member))
        sends_.add({member, is_absent ? engine::UserBuffer{} : given_block(member)});
      if ((!takes_each() || engine::takes_in(call_, is_root())) && !is_rooted_at_other(takes_each(), member))
        receives_.add({member, is_absent ? engine::UserBuffer{} : recv_.block(takes_each() ? member : 0)});
    }
  }
  engine::UserBuffer given_block(int member) {
    if (gives_each()) return send_.block(member);
    return in_place_ ? recv_.block(context_.rank) : send_.block(0);
  }

  void prepare(int round) {
    send_.clear();
    recv_.clear();
    Memory& given = in_place_ && takes_each() ? recv_ : send_;
    if (!gives_each()) return given.write(in_place_ ? context_.rank : 0, context_.rank, 0, round);
    for (int member = 0; member < context_.size; ++member)
      given.write(member, context_.rank, static_cast<std::size_t>(member) * bytes_, round);
  }
  shm::Result<void> carry_out(engine::CollectiveOperation& operation) {
    operation.start();
    context_.process.progress().wait_until([&] { return operation.done(); });
    if (operation.failed()) return operation.error();
    return {};
  }
  std::string verdict(const shm::Result<void>& done, int round) {
    if (!done.ok()) return done.error().message;
    Memory wanted = recv_;
    const std::size_t from = gives_each() ? static_cast<std::size_t>(context_.rank) * bytes_ : 0;
    wanted.clear();
    for (int i = 0; i < receives_.count(); ++i) {
      const int member = receives_.at(i).member;
      if (takes_each() || !is_left_out(member)) wanted.write(takes_each() ? member : 0, member, from, round);
    }
    const std::size_t at = recv_.difference(wanted);
    return at == wanted.size() ? "" : fmt::format("byte {} differs", at);
  }

  RankContext& context_;
  Call call_;
  int root_;
  std::size_t bytes_;
  bool in_place_;
  Memory send_, recv_;
  engine::BlockList sends_, receives_;
  engine::Movement movement_;
};

std::string move_in_all_ways(RankContext& context) {
  if (context.world.hierarchy() == nullptr) return "the team is flat";
  engine::Channel& channel = context.messenger.open(context.world, engine::Messages::collective);
  int round = 0;
  for (const std::size_t bytes : {std::size_t{8}, std::size_t{72}, std::size_t{200}, kSlotBytes + 4})
    for (const Call call : kCalls)
      for (const Way& way : kWays) {
        Part part(context, channel, call, ++round % context.size, bytes, way);
        const std::string problem = part.make(way.manner, round);
        if (problem.empty()) continue;
        context.world.agreement().give_up(engine::Broken::operation);  // the others do not wait for this one
        return fmt::format("{} of {} bytes, gaps {}, in place {}, manner {}: {}", static_cast<int>(call),
                           bytes, way.has_gaps, way.in_place, static_cast<int>(way.manner), problem);
      }
  return "";
}

TEST(GroupedMoves, WithGapsInPlaceAndAsOperations) {
  RunOptions options{.shape = tiny_shape(kRanks)};
  options.seats = seats_on("package:2 l3:2 core:3", kRanks);
  for (const Transport transport : {Transport::threads, Transport::processes}) {
    const auto problems = run_ranks(transport, options, move_in_all_ways);
    EXPECT_TRUE(problems.empty()) << name(transport) << ": " << fmt::format("{}", fmt::join(problems, "\n"));
  }
}

}  // namespace
}  // namespace foldlane::testing
