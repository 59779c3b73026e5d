// Prints, as Markdown, what every kind of call moves on machines we do not have: counted in runs of the real
// engine, one thread playing all ranks (tests/support/traffic.hpp). Results are checked bit by bit on the
// way.
#include <fmt/format.h>

#include <exception>

#include "engine/team/call_names.hpp"
#include "support/counted_calls.hpp"
#include "support/peer_model.hpp"

namespace foldlane {
namespace {

using engine::Call;

constexpr std::size_t kSlotBytes = 256 << 10;
/// The last one stands for all that go through the ring of slots many times: counts grow in proportion.
constexpr std::size_t kSizes[] = {8, 512, 4 << 10, 64 << 10, 1 << 20, 4 << 20};

constexpr Call kMoves[] = {Call::gather, Call::scatter, Call::allgather, Call::alltoall};
constexpr std::size_t kBlockSizes[] = {8, 64, 72, 512, 1 << 10, 4 << 10, 64 << 10};

/// Longer blocks of an alltoall or a scatter go as lists, which are not counted; those of an allgather are
/// gigabytes.
bool is_counted(Call call, std::size_t block_bytes) { return block_bytes <= 4 << 10 || call == Call::gather; }

constexpr testing::AccessCosts kCosts = testing::kMeasuredCosts;

/// What the design costs beyond the least, of all rows whose ratio is above 1.1.
constexpr char kReasons[] = R"(
Why a ratio is above 1.1:

- Barrier, allreduce and reduce_scatter of 8 B, between caches: each cache takes the value of each package and folds them
  itself, so that none waits for a result that another one hands on: a hop less. The reduce_scatter goes as the allreduce does,
  though one element is of one rank; what it counts depends on the order in which ranks get on, between packages, too.
- Reduce, allreduce and reduce_scatter of more, between caches: members in all caches of a package fold a part each, and whoever
  wants the result collects it from them. Groups of 56, 28 or 14 are not aligned, and have up to three values of the canonical
  tree for one (56 = 32 + 16 + 8). There a package takes all values of the other for its blocks of a reduce_scatter in one
  crossing; two in a row would be 1.25 x less, and a hop more.
- Bcast and gather of 8 B: acknowledgements. A root of broadcasts, and leaders of a gather, wait for nobody; before they write a
  place again they ask whether it has been read, in a line that crosses back now and then, but not in each call. Besides, 14 or 28 blocks of 8 B do not fill their lines, which costs allgather and alltoall the same.
- Scatter: acknowledgements. The root alone gives, and before it fills a slot again it looks at a line of each member that says
  what that one has finished; so there are no groups.

Longer blocks of a scatter or an alltoall go as lists, with tables of their lengths and from where they lie, which is not
counted here; those of an allgather would be gigabytes.
)";

std::string size_name(std::size_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  return bytes < 1 << 20 ? fmt::format("{} KiB", bytes >> 10) : fmt::format("{} MiB", bytes >> 20);
}

/// Lines as KiB, or as they are where they are few.
std::string amount(double lines) {
  return lines < 160 ? fmt::format("{:.4g} l", lines) : fmt::format("{:.4g} K", lines * 64 / 1024);
}

std::string against(double counted, double least) {
  return least == 0 ? "-" : fmt::format("{:.2f}", counted / least);
}

void print_row(const std::vector<engine::Seat>& seats, Call call, std::size_t bytes,
               testing::CountedCrowd& grouped, testing::CountedCrowd& flat) {
  const auto ours = testing::count_call(grouped, call, bytes);
  const auto theirs = testing::count_call(flat, call, bytes);
  const auto boundaries = testing::boundaries_of(seats);
  const double packages = testing::least_lines(call, bytes, boundaries.packages, testing::InARow::one);
  const double caches = testing::least_lines_between_caches(call, bytes, boundaries);
  fmt::print("| {} {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} / {} | {} / {} | {} / {} |\n",
             engine::name_of(call), size_name(bytes),
             ours.plan.style == engine::Style::grouped ? "grouped" : "flat", amount(packages),
             amount(ours.package_lines), against(ours.package_lines, packages), amount(theirs.package_lines),
             amount(caches), amount(ours.cache_lines), against(ours.cache_lines, caches),
             amount(theirs.cache_lines), amount(ours.most_read), amount(theirs.most_read),
             amount(ours.most_written), amount(theirs.most_written), ours.hops, theirs.hops);
}

/// One word serves all chunks of a flat call: in one thread it is read when later chunks have set it already,
/// at a time that says nothing.
std::string prediction_of(const testing::CountedCall& call) {
  const bool says_nothing = call.plan.style != engine::Style::grouped && call.plan.chunks > 1;
  return says_nothing ? "-" : fmt::format("{:.2f}", call.predicted_ns / 1000);
}

void print_prediction(const std::vector<engine::Seat>& seats, std::size_t bytes,
                      testing::CountedCrowd& grouped, testing::CountedCrowd& flat) {
  const double ours = testing::count_call(grouped, Call::allreduce, bytes).predicted_ns;
  const std::string flat_us = prediction_of(testing::count_call(flat, Call::allreduce, bytes));
  fmt::print("| {} | {:.2f} | {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n", size_name(bytes), ours / 1000,
             flat_us, testing::recursive_doubling_ns(seats, bytes) / 1000,
             testing::rabenseifner_ns(seats, bytes) / 1000, testing::ring_ns(seats, bytes) / 1000,
             testing::release_gather_ns(seats, bytes) / 1000);
}

void print_predictions(const std::vector<engine::Seat>& seats, std::size_t most_bytes,
                       testing::CountedCrowd& grouped, testing::CountedCrowd& flat) {
  fmt::print(
      "\nPredicted us of an allreduce\n\n| bytes | grouped | flat | recursive doubling | Rabenseifner | ring "
      "| "
      "release_gather |\n|---|--:|--:|--:|--:|--:|--:|\n");
  for (const std::size_t bytes : kSizes) {
    if (bytes <= most_bytes) print_prediction(seats, bytes, grouped, flat);
  }
}

void print_predictions_of_moves(testing::CountedCrowd& grouped, testing::CountedCrowd& flat) {
  fmt::print("\nPredicted us of calls that only move data\n\n| call | grouped | flat |\n|---|--:|--:|\n");
  for (const Call call : {Call::gather, Call::allgather, Call::alltoall})
    for (const std::size_t bytes : kBlockSizes)
      if (is_counted(call, bytes))
        fmt::print("| {} {} | {} | {} |\n", engine::name_of(call), size_name(bytes),
                   prediction_of(testing::count_call(grouped, call, bytes)),
                   prediction_of(testing::count_call(flat, call, bytes)));
}

void print_machine(const testing::CountedMachine& machine, std::size_t most_bytes) {
  const auto seats = testing::seats_on(machine.topology, machine.ranks);
  testing::CountedCrowd grouped(seats, true, kSlotBytes);
  testing::CountedCrowd flat(seats, false, kSlotBytes);
  const auto* const hierarchy = grouped.team(0).hierarchy();
  fmt::print("\n### {} ranks on {}: {}\n\n", machine.ranks, machine.name,
             hierarchy == nullptr ? "flat" : engine::describe(hierarchy->groups()));
  fmt::print(
      "| call | plan | packages: least | counted | ratio | flat | caches: least | counted | ratio | flat | "
      "read by a "
      "rank / flat | written / flat | hops / flat "
      "|\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  print_row(seats, Call::barrier, 0, grouped, flat);
  for (const Call call : {Call::allreduce, Call::reduce, Call::reduce_scatter, Call::bcast}) {
    for (const std::size_t bytes : kSizes) {
      if (bytes <= most_bytes) print_row(seats, call, bytes, grouped, flat);
    }
  }
  for (const Call call : kMoves)
    for (const std::size_t bytes : kBlockSizes)
      if (is_counted(call, bytes)) print_row(seats, call, bytes, grouped, flat);
  print_predictions(seats, most_bytes, grouped, flat);
  print_predictions_of_moves(grouped, flat);
}

}  // namespace
}  // namespace foldlane

/// traffic_table [largest vector in KiB]
int main(int argc, char** argv) {
  try {
    const std::size_t most_bytes = (argc > 1 ? std::stoul(argv[1]) : 4096) << 10;
    fmt::print(
        "What crosses packages and caches, in lines (l) or KiB (K) of 64-byte lines per call, counted in "
        "runs of the "
        "engine by\n`perf/traffic_table` (what the numbers mean: tests/support/traffic.hpp, "
        "counted_calls.hpp). "
        "least: what the canonical order must\nmove, with a line of flags per transfer (between outermost "
        "groups: "
        "with one crossing in a row, for what travels beside the\nepoch and for reduce_scatter); ratio: "
        "counted / "
        "least; "
        "flat: without groups. Sizes of gather, scatter, allgather and\nalltoall are those of a "
        "block.\n\nPredictions: a handoff of {:g}, {:g}, {:g} ns within a cache, a package, "
        "between "
        "packages; {:g}, {:g}, {:g} ns per line read there, {:g} ns\nper line written, {:g} ns per line of a "
        "direction between packages. The costs between packages are assumed, the others measured\n(on one "
        "server). "
        "Peers are idealized: no matching, no second copy. Contention for a line is not modelled.\n",
        foldlane::kCosts.handoff[0], foldlane::kCosts.handoff[1], foldlane::kCosts.handoff[2],
        foldlane::kCosts.line[0], foldlane::kCosts.line[1], foldlane::kCosts.line[2],
        foldlane::kCosts.own_line, foldlane::kCosts.link_line);
    fmt::print("{}", foldlane::kReasons);
    for (const auto& machine : foldlane::testing::counted_machines())
      foldlane::print_machine(machine, most_bytes);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "traffic_table: {}\n", error.what());
    return 1;
  }
}
