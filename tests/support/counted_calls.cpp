#include "support/counted_calls.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>

#include "engine/algorithms/broadcast_grouped.hpp"
#include "engine/algorithms/exchange.hpp"
#include "engine/algorithms/fold_shares.hpp"
#include "engine/algorithms/fold_whole.hpp"
#include "engine/algorithms/inline_grouped.hpp"
#include "engine/moves/grouped_move.hpp"
#include "engine/moves/rooted/gather_root.hpp"
#include "engine/moves/rooted/leaf_move.hpp"
#include "engine/moves/shown_move.hpp"
#include "support/vector_blocks.hpp"

namespace foldlane::testing {
namespace {

using engine::Call;
using engine::Class;
using engine::Members;
using engine::Plan;
using engine::Procedure;
using engine::Style;
using Team = CountedCrowd::Team;

bool gathers_lists(const Plan& plan, Call call) {
  return call == Call::gather && plan.cls == Class::one_shot && plan.piece_bytes == 0;
}

constexpr int kWarmUps = 8;
constexpr int kCounted = 4;

const engine::Reduction kSum{.elem_bytes = sizeof(double),
                             .builtin = kernels::fold_function(kernels::Op::sum, kernels::Elem::f64)};

/// Sums of these depend on their order.
double input(int rank, std::size_t i) { return 1.0 / (1.0 + rank * 7 + static_cast<double>(i % 1013)); }

double serial(int lo, int hi, std::size_t i) {
  if (hi - lo == 1) return input(lo, i);
  const int mid = lo + static_cast<int>(std::bit_floor(static_cast<unsigned>(hi - lo - 1)));
  return serial(lo, mid, i) + serial(mid, hi, i);
}

struct Buffers {
  std::vector<double> send;
  std::vector<double> recv;
  std::unique_ptr<VectorMove> move;
};

struct Running {
  CountedCrowd& crowd;
  Call call;
  Plan plan;
  std::size_t count;
  engine::Shares shares;
  std::vector<Buffers> buffers;

  Procedure start(int rank);
  Procedure start_broadcast(CountedCrowd::Team& team, std::byte* buffer) const;
  Procedure start_grouped(CountedCrowd::Team& team, const std::byte* send, std::byte* recv) const;
  Procedure start_whole(CountedCrowd::Team& team, const std::byte* send, std::byte* recv) const;
  Procedure start_move(CountedCrowd::Team& team, const engine::Movement& movement) const;
  void check() const;
  void check_move(int rank) const;
};

Procedure Running::start_grouped(CountedCrowd::Team& team, const std::byte* send, std::byte* recv) const {
  const int root = call == Call::reduce ? 0 : engine::kNobody;
  const bool scatters = call == Call::reduce_scatter;
  if (plan.cls == Class::inline_line) {
    return engine::fold_inline_grouped(
        team, {send, recv, count, call == Call::barrier ? nullptr : &kSum, root,
               scatters ? shares.start(team.rank()) : 0, scatters ? shares.count(team.rank()) : count});
  }
  return engine::fold_grouped(team, {send, recv, count, &kSum, root, scatters ? &shares : nullptr,
                                     plan.piece_bytes / sizeof(double), false});
}

Procedure Running::start_whole(CountedCrowd::Team& team, const std::byte* send, std::byte* recv) const {
  engine::WholeFold whole{send, recv, count, 0, count, {0, crowd.size()}, &kSum};
  if (call == Call::reduce && team.rank() != 0) whole.wanted_count = 0;
  if (call == Call::reduce_scatter) {
    whole.wanted_start = shares.start(team.rank());
    whole.wanted_count = shares.count(team.rank());
  }
  if (plan.cls == Class::inline_line) return engine::as_procedure<engine::InlineFold<Team>>(team, whole);
  if (plan.cls == Class::one_shot)
    return engine::as_procedure<engine::SlotFold<Team>>(team, whole, count, false);
  return engine::as_procedure<engine::SlotFold<Team>>(team, whole, plan.piece_bytes / sizeof(double), false);
}

Procedure Running::start_broadcast(CountedCrowd::Team& team, std::byte* buffer) const {
  const engine::Broadcast bcast{buffer, nullptr, count * sizeof(double), 0, true, plan.piece_bytes, false};
  const bool grouped = plan.style == Style::grouped;
  if (plan.cls == Class::inline_line)
    return grouped ? engine::broadcast_grouped_inline(team, bcast)
                   : engine::as_procedure<engine::InlineBroadcast<Team>>(team, bcast);
  return grouped ? engine::broadcast_grouped_chunks(team, bcast)
                 : engine::as_procedure<engine::SlotBroadcast<Team>>(team, bcast);
}

Procedure Running::start_move(CountedCrowd::Team& team, const engine::Movement& movement) const {
  const auto all = std::cref(movement);
  if (plan.style == Style::grouped) return engine::move_in_groups(team, call, 0, movement);
  if (plan.cls == Class::pipelined)
    return engine::as_procedure<engine::ChunkedMove<Team, 0>>(
        team, call, 0, all, std::cref(team.process().common()), plan.piece_bytes, engine::Arm::first);
  if (plan.cls == Class::inline_line)
    return engine::as_procedure<engine::InlineMove<Team>>(team, call, 0, all);
  if (gathers_lists(plan, call) && team.rank() == 0)
    return engine::as_procedure<engine::GatherRoot<Team>>(team, all, false);
  if (gathers_lists(plan, call))
    return engine::as_procedure<engine::LeafMove<Team>>(team, 0, movement.sends->at(0).buffer, true);
  return engine::as_procedure<engine::SlotMove<Team>>(team, call, 0, all);
}

Procedure Running::start(int rank) {
  auto& team = crowd.team(rank);
  Buffers& own = buffers[static_cast<std::size_t>(rank)];
  const auto* const send = reinterpret_cast<const std::byte*>(own.send.data());
  auto* const recv = reinterpret_cast<std::byte*>(own.recv.data());
  if (own.move != nullptr) return start_move(team, own.move->movement);
  if (call == Call::bcast) {
    if (rank == 0) own.recv = own.send;
    return start_broadcast(team, recv);
  }
  if (plan.style == Style::grouped) return start_grouped(team, send, recv);
  if (call == Call::barrier) return engine::as_procedure<engine::Exchange<Team>>(team);
  if (plan.style == Style::whole) return start_whole(team, send, recv);
  const auto deliver = call == Call::reduce           ? engine::Deliver::to_root
                       : call == Call::reduce_scatter ? engine::Deliver::own_share
                                                      : engine::Deliver::to_all;
  return engine::fold_shares(
      team, {send, recv, &kSum, deliver, 0, plan.piece_bytes / sizeof(double), false, plan.together}, shares);
}

void Running::check_move(int rank) const {
  const bool takes = call == Call::scatter || engine::takes_in(call, rank == 0);
  const Buffers& own = buffers[static_cast<std::size_t>(rank)];
  const auto senders = static_cast<std::size_t>(!takes ? 0 : call == Call::scatter ? 1 : crowd.size());
  const std::size_t from = engine::gives_block_for_each(call) ? static_cast<std::size_t>(rank) * count : 0;
  for (std::size_t sender = 0; sender < senders; ++sender)
    for (std::size_t i = 0; i < count; ++i)
      if (own.recv[sender * count + i] != input(static_cast<int>(sender), from + i))
        throw std::logic_error("a block has other bytes than were sent");
}

/// All elements of small vectors, a sample of large ones.
void Running::check() const {
  if (call == Call::barrier) return;
  if (engine::only_moves(call)) {
    for (int rank = 0; rank < crowd.size(); ++rank) check_move(rank);
    return;
  }
  for (std::size_t i = 0; i<count; i += count> 1000 ? 977 : 1) {
    const double expected = call == Call::bcast ? input(0, i) : serial(0, crowd.size(), i);
    for (int rank = 0; rank < crowd.size(); ++rank) {
      if (call == Call::reduce && rank != 0) continue;
      std::size_t at = i;
      if (call == Call::reduce_scatter) {
        if (i < shares.start(rank) || i >= shares.start(rank + 1)) continue;
        at -= shares.start(rank);
      }
      if (std::memcmp(&buffers[static_cast<std::size_t>(rank)].recv[at], &expected, sizeof expected) != 0)
        throw std::logic_error("a result differs from the serial fold");
    }
  }
}

/// That a buffer has, of a side of the call that has a block for each member, or one.
std::size_t blocks_of(Call call, int rank, int ranks, bool for_each) {
  const bool has_all =
      engine::only_moves(call) && for_each && (rank == 0 || !engine::moves_from_or_to_root(call));
  return has_all ? static_cast<std::size_t>(ranks) : 1;
}

/// Lists tell in their slots how much there is, but those of a gather in their lines; and messages go
/// elsewhere.
bool goes_through_slots(const Plan& plan, Call call, std::size_t bytes) {
  if (gathers_lists(plan, call)) return bytes <= engine::kMostBesideLengths;
  return plan.cls == Class::inline_line || (plan.piece_bytes > 0 && plan.cls != Class::messages);
}

double largest(const std::vector<std::uint64_t>& counts) {
  return static_cast<double>(*std::max_element(counts.begin(), counts.end()));
}

}  // namespace

std::vector<CountedMachine> counted_machines() {
  return {{"2x64, caches of 8 cores", "package:2 l3:8 core:8", 128},
          {"1x192, caches of 8 cores", "package:1 l3:24 core:8", 192},
          {"4x32", "package:4 l3:1 core:32", 128},
          {"2x56, 2 NUMA clusters each", "package:2 l3:1 numa:2 core:28", 112},
          {"2x56, 4 NUMA clusters each", "package:2 l3:1 numa:4 core:14", 112}};
}

CountedCall count_call(CountedCrowd& crowd, Call call, std::size_t bytes) {
  const engine::TeamShape shape{crowd.size(), crowd.slot_bytes(), 0, 0, crowd.team(0).hierarchy()};
  Running running{crowd,
                  call,
                  engine::plan(call, bytes, shape, sizeof(double)),
                  bytes / sizeof(double),
                  engine::Shares::equal(bytes / sizeof(double), crowd.size(), sizeof(double)),
                  {}};
  if (engine::only_moves(call) && !goes_through_slots(running.plan, call, bytes))
    throw std::logic_error("a call that is not counted");
  for (int rank = 0; rank < crowd.size(); ++rank) {
    Buffers& own = running.buffers.emplace_back();
    own.send.resize(running.count * blocks_of(call, rank, crowd.size(), engine::gives_block_for_each(call)));
    own.recv.resize(running.count * blocks_of(call, rank, crowd.size(), engine::takes_block_of_each(call)));
    for (std::size_t i = 0; i < own.send.size(); ++i) own.send[i] = input(rank, i);
    if (engine::only_moves(call))
      own.move = std::make_unique<VectorMove>(call, 0, crowd.size(), rank, bytes,
                                              reinterpret_cast<std::byte*>(own.send.data()),
                                              reinterpret_cast<std::byte*>(own.recv.data()));
  }
  CountedCall result{running.plan, 0, 0, 0, 0, 0, 0, 0};
  for (int i = 0; i < kWarmUps + kCounted; ++i) {
    crowd.traffic().start_counting();
    if (!crowd.run([&](int rank) { return running.start(rank); })) throw std::logic_error("nobody gets on");
    if (i < kWarmUps) continue;
    const TrafficCounts& counts = crowd.traffic().counts();
    result.package_lines += static_cast<double>(counts.packages.lines()) / kCounted;
    result.package_link_lines += static_cast<double>(counts.package_links.lines()) / kCounted;
    result.cache_lines += static_cast<double>(counts.caches.lines()) / kCounted;
    result.most_read += largest(counts.lines_read) / kCounted;
    result.most_written += largest(counts.lines_written) / kCounted;
    result.hops = std::max(result.hops, counts.hops);
    const double links_ns = static_cast<double>(counts.packages.lines()) / 2 * kMeasuredCosts.link_line;
    result.predicted_ns += std::max(counts.predicted_ns, links_ns) / kCounted;
  }
  running.check();
  return result;
}

namespace {

/// Crossings until a node's value is in each of the groups.
std::vector<int> crossings_to(const Members& node, const std::vector<Members>& groups) {
  std::vector<int> least(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (node.first < groups[g].first || node.end() > groups[g].end()) continue;
    least.assign(groups.size(), 1);
    least[g] = 0;
    return least;
  }
  const auto left = static_cast<int>(std::bit_floor(static_cast<unsigned>(node.count - 1)));
  least = crossings_to({node.first, left}, groups);
  const auto right = crossings_to({node.first + left, node.count - left}, groups);
  for (std::size_t g = 0; g < groups.size(); ++g) least[g] += right[g];
  const int elsewhere = *std::min_element(least.begin(), least.end()) + 1;
  for (int& cost : least) cost = std::min(cost, elsewhere);
  return least;
}

}  // namespace

int least_crossings(const std::vector<Members>& groups, int ranks, int root) {
  const auto least = crossings_to({0, ranks}, groups);
  if (root >= 0) return least[static_cast<std::size_t>(root)];
  return *std::min_element(least.begin(), least.end()) + static_cast<int>(groups.size()) - 1;
}

namespace {

/// A block goes once into each group that wants it, in lines that hold what one group has for all others, or,
/// of blocks for each member, what one member gives to a group; with a flag for each transfer between groups,
/// or, with two crossings in a row, one from each group to one of them, and one back.
double least_lines_of_move(Call call, std::size_t bytes, const std::vector<Members>& groups,
                           InARow in_a_row) {
  const auto lines = [bytes](int blocks) { return std::ceil(static_cast<double>(bytes) * blocks / 64); };
  const auto others = static_cast<double>(groups.size()) - 1;
  const bool is_rooted = engine::moves_from_or_to_root(call);
  double all = is_rooted ? others : in_a_row == InARow::one ? others * (others + 1) : 2 * others;
  for (const Members& from : groups)
    for (const Members& to : groups) {
      if (from == to || (is_rooted && to != groups.front())) continue;
      all += call == Call::alltoall ? from.count * lines(to.count) : lines(from.count);
    }
  return all;
}

}  // namespace

double least_lines(Call call, std::size_t bytes, const std::vector<Members>& groups, InARow in_a_row) {
  const int ranks = groups.back().end();
  const auto others = static_cast<int>(groups.size()) - 1;
  if (others == 0) return 0;
  if (engine::only_moves(call)) return least_lines_of_move(call, bytes, groups, in_a_row);
  // Beside the epoch, the values of a group and its flag are one line. Elsewhere each transfer between groups
  // is announced by a line. What one group sends to all, or gets from all, are `others` transfers.
  const bool rooted = call == Call::bcast || call == Call::reduce;
  const double each_to_each = others * (others + 1);
  const double least = rooted ? others : call == Call::reduce_scatter ? others + 1 : 2 * others;
  if (bytes <= 56) return rooted || in_a_row == InARow::any ? least : each_to_each;
  const bool one = call == Call::reduce_scatter && in_a_row == InARow::one;
  const double transfers = one ? each_to_each : least;
  const auto lines = static_cast<double>((bytes + 63) / 64);
  if (call == Call::bcast) return others * lines + transfers;
  if (call == Call::reduce) return least_crossings(groups, ranks, 0) * lines + transfers;
  if (call != Call::reduce_scatter) return least_crossings(groups, ranks, -1) * lines + transfers;
  double all = transfers;
  for (std::size_t g = 0; g < groups.size(); ++g)
    all += least_crossings(groups, ranks, static_cast<int>(g)) * lines * groups[g].count / ranks;
  return all;
}

Boundaries boundaries_of(const std::vector<engine::Seat>& seats) {
  Boundaries boundaries;
  for (int rank = 0; rank < static_cast<int>(seats.size()); ++rank) {
    const auto at = static_cast<std::size_t>(rank);
    const auto& seat = seats[at];
    const auto& before = seats[rank == 0 ? 0 : at - 1];
    if (rank == 0 || seat.package != before.package) boundaries.packages.push_back({rank, 0});
    if (rank == 0 || seat.llc != before.llc || seat.numa != before.numa)
      boundaries.caches.push_back({rank, 0});
    ++boundaries.packages.back().count;
    ++boundaries.caches.back().count;
  }
  return boundaries;
}

double least_lines_between_caches(Call call, std::size_t bytes, const Boundaries& boundaries) {
  const bool are_outermost =
      boundaries.packages.size() == 1 || boundaries.packages.size() == boundaries.caches.size();
  return least_lines(call, bytes, boundaries.caches, are_outermost ? InARow::one : InARow::any);
}

}  // namespace foldlane::testing
