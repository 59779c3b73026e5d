#include "engine/plans/plan.hpp"

#include <gtest/gtest.h>

#include "engine/moves/shown_blocks.hpp"
#include "engine/plans/plan_of_moves.hpp"
#include "engine/team/call_names.hpp"
#include "support/counted_crowd.hpp"

namespace foldlane::engine {
namespace {

constexpr TeamShape shape(int ranks, std::size_t slot_bytes = 64 << 10) {
  return {ranks, slot_bytes, 32 << 20};
}

struct Row {
  Call call;
  std::uint64_t bytes;
  int ranks;
  Class cls;
  std::uint64_t chunks;
  int hops;
};

TEST(Plan, WhereRanksShareCpusASecondHopCostsMoreThanReading) {
  TeamShape team = shape(8, 256 << 10);
  EXPECT_EQ(plan(Call::allreduce, 9362, team).cls, Class::two_shot);
  team.shared_cpus = 2;
  EXPECT_EQ(plan(Call::allreduce, 9362, team).cls, Class::one_shot);
  EXPECT_EQ(plan(Call::reduce, 9362, team).hops, 1);
  EXPECT_EQ(plan(Call::allreduce, 9363, team).cls, Class::two_shot);
}

TEST(Plan, WhereRanksShareCpusChunksGoTogether) {
  TeamShape team = shape(8, 256 << 10);
  EXPECT_EQ(plan(Call::allreduce, 8 << 20, team).together, 1u);
  team.shared_cpus = 2;
  EXPECT_EQ(plan(Call::allreduce, 8 << 20, team).together, 4u);
  EXPECT_EQ(plan(Call::reduce, 512 << 10, team).together, 2u);
  EXPECT_EQ(plan(Call::reduce_scatter, 256 << 10, team).together, 1u);
  EXPECT_TRUE(describe(Call::allreduce, 8 << 20, team).ends_with(", 4 at a time"));
}

TEST(Plan, TheLastOfRanksThatShareCpusFoldsForAll) {
  TeamShape team = shape(9);
  for (const Call call : {Call::allreduce, Call::reduce_scatter, Call::barrier}) {
    const std::uint64_t bytes = call == Call::barrier ? 0 : 72;
    team.shared_cpus = 0;
    EXPECT_EQ(plan(call, bytes, team).style, Style::whole) << name_of(call);
    team.shared_cpus = 9;
    EXPECT_EQ(plan(call, bytes, team).style, Style::whole) << name_of(call);
    team.shared_cpus = 8;
    EXPECT_EQ(plan(call, bytes, team).style, Style::central) << name_of(call);
    EXPECT_EQ(plan(call, bytes, team).cls, Class::inline_line) << name_of(call);
  }
  for (const Call call : {Call::reduce, Call::bcast, Call::scan, Call::exscan})
    EXPECT_EQ(plan(call, 72, team).style, Style::whole) << name_of(call);
  EXPECT_NE(plan(Call::allreduce, 121, team).style, Style::central);
  EXPECT_EQ(
      describe(Call::allreduce, 8, team),
      "allreduce of 8 bytes on 9 ranks: inline by the last to arrive (ranks share CPUs; if the operation "
      "is predefined); 2 hops");
}

TEST(Plan, OfDataThatMove) {
  const auto cls = [](Call call, std::uint64_t bytes, int ranks) {
    return plan(call, bytes, shape(ranks)).cls;
  };
  for (const Call call : {Call::gather, Call::allgather}) {
    EXPECT_EQ(cls(call, 120, 4), Class::inline_line) << name_of(call);
    EXPECT_EQ(cls(call, 121, 4), Class::one_shot) << name_of(call);
    EXPECT_EQ(cls(call, 32 << 10, 4), Class::one_shot) << name_of(call);
  }
  EXPECT_EQ(plan(Call::gather, 32 << 10, shape(4)).piece_bytes, 32u << 10);
  EXPECT_EQ(cls(Call::gather, (32 << 10) + 1, 4), Class::one_shot);
  EXPECT_EQ(plan(Call::gather, (32 << 10) + 1, shape(4)).piece_bytes, 0u) << "as lists";
  EXPECT_EQ(cls(Call::allgather, (32 << 10) + 1, 4), Class::pipelined);
  EXPECT_EQ(cls(Call::allgather, 64 << 20, 4), Class::pipelined);
  for (const Call call : {Call::scatter, Call::alltoall}) {
    EXPECT_EQ(cls(call, 30, 4), Class::inline_line) << name_of(call);
    EXPECT_EQ(cls(call, 31, 4), Class::one_shot) << name_of(call);
    EXPECT_EQ(cls(call, 16 << 10, 4), Class::one_shot) << name_of(call) << ": a slot of 64 KiB holds four";
    EXPECT_EQ(plan(call, 16 << 10, shape(4)).piece_bytes, 64u << 10) << name_of(call);
    EXPECT_EQ(cls(call, 16 << 10, 5), Class::pipelined) << name_of(call) << ": but not five";
    EXPECT_EQ(cls(call, (16 << 10) + 1, 4), Class::one_shot) << name_of(call);
    EXPECT_EQ(plan(call, (16 << 10) + 1, shape(4)).piece_bytes, 0u) << name_of(call) << ": as lists";
    EXPECT_EQ(cls(call, 33, 2049), Class::messages) << name_of(call) << ": a slot has no line for each";
    EXPECT_EQ(cls(call, 0, 4), Class::alone) << name_of(call);
    EXPECT_EQ(cls(call, 1 << 20, 1), Class::alone) << name_of(call);
  }
  for (const Call call : {Call::gatherv, Call::scatterv, Call::allgatherv, Call::alltoallv, Call::alltoallw})
    EXPECT_EQ(cls(call, 8, 4), Class::one_shot) << name_of(call);
  EXPECT_EQ(cls(Call::alltoallv, 8, 511), Class::one_shot) << "half of a slot of 64 KiB has a line for each";
  EXPECT_EQ(cls(Call::alltoallv, 8, 512), Class::messages);
  EXPECT_EQ(cls(Call::allgatherv, 8, 2049), Class::one_shot);
  for (const int ranks : {2, 4}) {
    for (const Call call : {Call::neighbor_allgather, Call::neighbor_allgatherv}) {
      EXPECT_EQ(cls(call, 112, ranks), Class::inline_line) << name_of(call);
      EXPECT_EQ(cls(call, 113, ranks), Class::one_shot) << name_of(call);
      EXPECT_EQ(cls(call, (64 << 10) + 1, ranks), Class::messages) << name_of(call);
    }
    for (const Call call : {Call::neighbor_alltoall, Call::neighbor_alltoallv, Call::neighbor_alltoallw}) {
      EXPECT_EQ(cls(call, 8, ranks), Class::one_shot) << name_of(call);
      EXPECT_EQ(cls(call, (64 << 10) + 1, ranks), Class::messages) << name_of(call);
    }
  }
  EXPECT_EQ(describe(Call::neighbor_alltoall, 8, shape(4)),
            "neighbor_alltoall of 8 bytes on 4 ranks: one-shot (beside the epoch, if all blocks of a member "
            "fit there, else through slots); 1 hop");
  EXPECT_EQ(describe(Call::neighbor_alltoallw, 64 << 10, shape(4)),
            "neighbor_alltoallw of 65536 bytes on 4 ranks: one-shot (lengths and blocks beside the epoch, if "
            "all of a member fit there, else through slots); 1 hop");
  EXPECT_EQ(
      describe(Call::alltoallv, 8, shape(4)),
      "alltoallv of 8 bytes on 4 ranks: one-shot (lengths and short blocks beside the epoch, others through "
      "slots; long ones from where they lie, in chunks or pulled, as timed); 1 hop");
  const auto is_announced = [](Call call, int ranks) {
    return std::string(plan(call, 8, shape(ranks)).why).find("short blocks beside the epoch") !=
           std::string::npos;
  };
  EXPECT_TRUE(is_announced(Call::alltoallw, 56));
  EXPECT_FALSE(is_announced(Call::alltoallw, 57)) << "no line has room for their ends";
  EXPECT_TRUE(is_announced(Call::allgatherv, 1000));
  EXPECT_TRUE(is_announced(Call::scatterv, 112));
  EXPECT_FALSE(is_announced(Call::scatterv, 113));
  EXPECT_EQ(
      describe(Call::alltoall, 1024, shape(4)),
      "alltoall of 1024 bytes on 4 ranks: one-shot (whole vectors through slots); 1 hop, 1 chunk in pieces "
      "of 4096 bytes, cached stores");
}

TEST(Plan, OfAnAlltoallInPlace) {
  for (const std::uint64_t bytes : {8U, 1024U, 16U << 10})
    EXPECT_EQ(plan_of_alltoall_in_place(bytes, shape(4)).why, plan(Call::alltoall, bytes, shape(4)).why);
  EXPECT_EQ(plan_of_alltoall_in_place((16 << 10) + 1, shape(4)).cls, Class::pipelined);
  EXPECT_EQ(plan_of_alltoall_in_place(128 << 10, shape(4)).cls, Class::pipelined);
  EXPECT_EQ(plan_of_alltoall_in_place((128 << 10) + 1, shape(4)).cls, Class::messages);
}

TEST(Plan, OfLongBlocks) {
  EXPECT_EQ(
      describe(Call::allgather, 64 << 10, shape(4)),
      "allgather of 65536 bytes on 4 ranks: pipelined one-shot (long blocks through slots, or from where "
      "they lie in common memory); 1 hop, 1 chunk in pieces of 65536 bytes, filled by vectors or string as "
      "timed, cached stores");
  EXPECT_EQ(describe(Call::gather, 64 << 10, shape(4)),
            "gather of 65536 bytes on 4 ranks: one-shot (lengths and short blocks beside the epoch, others "
            "through slots; long ones straight into the root's heap, or by messages); 1 hop");
  TeamShape crowd = shape(9);
  crowd.shared_cpus = 2;
  EXPECT_EQ(plan(Call::allgather, 1 << 20, crowd).together, 4u);
  EXPECT_FALSE(plan(Call::allgather, 1 << 20, shape(4)).streaming);
  EXPECT_TRUE(plan(Call::allgather, 2 << 20, shape(4)).streaming) << "20 of them fit no cache";
}

TEST(Plan, OfDataThatMoveBetweenTwo) {
  for (const Call call : {Call::gather, Call::scatter, Call::allgather, Call::alltoall}) {
    EXPECT_EQ(plan(call, 120, shape(2)).cls, Class::inline_line) << name_of(call);
    EXPECT_EQ(plan(call, 121, shape(2)).style, Style::pair) << name_of(call);
    EXPECT_EQ(plan(call, 32 << 10, shape(2)).style, Style::pair) << name_of(call);
  }
  TeamShape heaps = shape(2);
  heaps.has_common_memory = true;
  for (const Call call : {Call::gather, Call::scatter, Call::allgather, Call::alltoall}) {
    EXPECT_TRUE(plan(call, (32 << 10) + 1, heaps).direct_first) << name_of(call);
    EXPECT_FALSE(plan(call, 32 << 10, heaps).direct_first) << name_of(call);
    EXPECT_FALSE(plan(call, (32 << 10) + 1, shape(2)).direct_first) << name_of(call);
  }
  for (const Call call : {Call::gather, Call::scatter})
    EXPECT_EQ(plan(call, (32 << 10) + 1, heaps).cls, Class::messages) << name_of(call);
  EXPECT_EQ(
      describe(Call::gather, 64 << 10, heaps),
      "gather of 65536 bytes on 2 ranks: direct if the root's buffer is in common memory and it is not in "
      "place; else by messages (what is long is a message, which knows more ways); 1 hop");
  EXPECT_EQ(
      describe(Call::scatter, 64 << 10, heaps),
      "scatter of 65536 bytes on 2 ranks: direct if the root's buffer is in common memory and it is not "
      "in place; else by messages (what is long is a message, which knows more ways); 1 hop");
  for (const Call call : {Call::allgather, Call::alltoall})
    EXPECT_EQ(plan(call, 64 << 20, shape(2)).style, Style::pair) << name_of(call);
  EXPECT_EQ(describe(Call::allgather, 64 << 10, heaps),
            "allgather of 65536 bytes on 2 ranks: direct if both blocks are in common memory; else pipelined "
            "one-shot "
            "(long blocks in boxes, or pulled as timed); 2 hops, 8 chunks in pieces of 8192 bytes, filled by "
            "vectors or string as timed, stores as "
            "timed");
  for (const Call call : {Call::gatherv, Call::scatterv, Call::allgatherv, Call::alltoallv, Call::alltoallw})
    EXPECT_EQ(plan(call, 0, shape(2)).style, Style::pair) << name_of(call);
  for (const Call call : {Call::allgatherv, Call::alltoallv, Call::alltoallw})
    EXPECT_EQ(plan(call, 64 << 10, shape(2)).style, Style::pair) << name_of(call);
  for (const Call call : {Call::gatherv, Call::scatterv})
    EXPECT_EQ(plan(call, 64 << 10, shape(2)).cls, Class::messages) << name_of(call);
  EXPECT_EQ(
      describe(Call::gather, 32 << 10, shape(2)),
      "gather of 32768 bytes on 2 ranks: pipelined one-shot (two members pass each other blocks in boxes "
      "that change hands, or have them pulled, as timed); 1 hop, 4 chunks in pieces of 8192 bytes, filled by "
      "vectors or string as timed, stores as "
      "timed, handed back dirty or "
      "clean as timed");
}

TEST(Plan, OfDataThatMoveWhereRanksShareCpus) {
  TeamShape team = shape(9);
  team.shared_cpus = 8;
  EXPECT_EQ(plan(Call::allgather, 8, team).style, Style::central);
  EXPECT_EQ(plan(Call::alltoall, 8, team).style, Style::central);
  EXPECT_EQ(plan(Call::gather, 8, team).style, Style::whole);
  EXPECT_EQ(plan(Call::alltoall, 1024, team).style, Style::central);
  EXPECT_EQ(plan(Call::gather, 1024, team).style, Style::whole);
  EXPECT_EQ(plan(Call::scatter, 8, team).style, Style::whole);
  team = shape(64);
  team.shared_cpus = 62;
  EXPECT_EQ(plan(Call::scatter, 4 << 10, team).cls, Class::pipelined)
      << "four turns of a KiB, and four slots";
  EXPECT_EQ(plan(Call::scatter, (4 << 10) + 1, team).cls, Class::one_shot) << "as lists";
  team = shape(2);
  team.shared_cpus = 1;
  EXPECT_EQ(plan(Call::alltoall, 8, team).style, Style::whole) << "there is one other to wait for";
}

TEST(Plan, LargeElements) {
  constexpr std::uint64_t kSlot = 64 << 10;
  constexpr std::uint64_t kShare = kSlot / 4;
  EXPECT_EQ(plan(Call::allreduce, 8 * kShare, shape(4), kShare).style, Style::shares);
  EXPECT_EQ(plan(Call::allreduce, 8 * (kShare + 1), shape(4), kShare + 1).style, Style::whole);
  EXPECT_EQ(plan(Call::reduce_scatter, 8 * kSlot, shape(4), kSlot).cls, Class::pipelined);
  for (const Call call : {Call::allreduce, Call::reduce, Call::reduce_scatter, Call::scan}) {
    EXPECT_EQ(plan(call, 8 * (kSlot + 1), shape(4), kSlot + 1).cls, Class::gathered);
  }
  EXPECT_EQ(plan_by_wholes(kSlot + 1, shape(4), kSlot + 1).cls, Class::gathered);
  EXPECT_EQ(plan_by_wholes(8 * kSlot, shape(4), 8).cls, Class::pipelined);
  EXPECT_EQ(plan_by_wholes(0, shape(4), 8).cls, Class::alone);
}

TEST(Plan, TableOfClasses) {
  constexpr std::uint64_t kMiB = 1 << 20;
  const Row rows[] = {
      {Call::barrier, 0, 1, Class::alone, 0, 0},
      {Call::barrier, 0, 2, Class::inline_line, 1, 1},
      {Call::barrier, 0, 256, Class::inline_line, 1, 1},
      {Call::allreduce, 8, 1, Class::alone, 0, 0},
      {Call::allreduce, 0, 4, Class::alone, 0, 0},
      {Call::allreduce, 8, 2, Class::inline_line, 1, 1},
      {Call::allreduce, 56, 256, Class::inline_line, 1, 1},
      {Call::allreduce, 120, 256, Class::inline_line, 1, 1},
      {Call::allreduce, 121, 2, Class::one_shot, 1, 1},
      {Call::allreduce, 64 << 10, 2, Class::one_shot, 1, 1},
      {Call::allreduce, (64 << 10) + 1, 2, Class::pipelined, 2, 1},
      {Call::allreduce, 8 * kMiB, 2, Class::pipelined, 128, 1},
      {Call::allreduce, 64 * kMiB, 2, Class::pipelined, 1024, 2},
      {Call::allreduce, 4096, 3, Class::one_shot, 1, 1},
      {Call::allreduce, 4097, 3, Class::two_shot, 1, 2},
      {Call::allreduce, 1170, 8, Class::one_shot, 1, 1},
      {Call::allreduce, 1171, 8, Class::two_shot, 1, 2},
      {Call::allreduce, 64 << 10, 4, Class::two_shot, 1, 2},
      {Call::allreduce, (64 << 10) + 1, 4, Class::pipelined, 2, 2},
      {Call::allreduce, 64 * kMiB, 4, Class::pipelined, 1024, 2},
      {Call::reduce, 8, 2, Class::inline_line, 1, 1},
      {Call::reduce, 4096, 2, Class::one_shot, 1, 1},
      {Call::reduce, 64 << 10, 4, Class::two_shot, 1, 2},
      {Call::reduce, 8 * kMiB, 4, Class::pipelined, 128, 2},
      {Call::reduce_scatter, 120, 3, Class::inline_line, 1, 1},
      {Call::reduce_scatter, 121, 3, Class::two_shot, 1, 1},
      {Call::reduce_scatter, 8 * kMiB, 4, Class::pipelined, 128, 1},
      {Call::bcast, 120, 3, Class::inline_line, 1, 1},
      {Call::bcast, 121, 3, Class::one_shot, 1, 1},
      {Call::bcast, 64 << 10, 3, Class::one_shot, 1, 1},
      {Call::bcast, kMiB, 3, Class::pipelined, 16, 1},
      {Call::scan, 120, 8, Class::inline_line, 1, 1},
      {Call::scan, 121, 8, Class::one_shot, 1, 1},
      {Call::exscan, kMiB, 8, Class::pipelined, 16, 1},
      {Call::exscan, 120, 2, Class::inline_line, 1, 1},
      {Call::exscan, 128 << 10, 2, Class::pipelined, 8, 1},
      {Call::exscan, (128 << 10) + 8, 2, Class::messages, 1, 1},
  };
  for (const Row& row : rows) {
    const Plan chosen = plan(row.call, row.bytes, shape(row.ranks));
    const std::string what = describe(row.call, row.bytes, shape(row.ranks));
    EXPECT_EQ(chosen.cls, row.cls) << what;
    EXPECT_EQ(chosen.chunks, row.chunks) << what;
    EXPECT_EQ(chosen.hops, row.hops) << what;
  }
}

TEST(Plan, StreamsOnlyWhatDoesNotFitTheCache) {
  EXPECT_FALSE(plan(Call::allreduce, 4 << 20, shape(4)).streaming);
  EXPECT_TRUE(plan(Call::allreduce, (4 << 20) + 1, shape(4)).streaming);
  EXPECT_TRUE(plan(Call::bcast, (4 << 20) + 1, shape(4)).streaming);
  EXPECT_TRUE(plan(Call::allreduce, 64 << 20, shape(2)).streaming);
  TeamShape unknown = shape(4);
  unknown.llc_bytes = 0;
  EXPECT_FALSE(plan(Call::allreduce, 64 << 20, unknown).streaming);
}

TEST(Plan, PiecesOfAllMembersFitASlot) {
  for (const int ranks : {3, 7, 64, 255, 256, 4096}) {
    const TeamShape team = shape(ranks, 256 << 10);
    const Plan chosen = plan(Call::reduce_scatter, std::uint64_t{1} << 33, team);
    EXPECT_GE(chosen.piece_bytes, 64u) << ranks;
    EXPECT_LE(chosen.piece_bytes * static_cast<std::size_t>(ranks), team.slot_bytes) << ranks;
  }
}

TEST(Plan, TwoMembersExchangeBoxes) {
  const TeamShape team = shape(2);
  EXPECT_EQ(plan(Call::allreduce, 64 << 10, team).cls, Class::one_shot);
  EXPECT_EQ(plan(Call::allreduce, (64 << 10) + 8, team).cls, Class::pipelined);
  EXPECT_EQ(plan(Call::reduce_scatter, 128 << 10, team).cls, Class::one_shot);  // half of it each way
  for (const Call call : {Call::allreduce, Call::reduce_scatter}) {
    EXPECT_EQ(plan(call, 128, team).style, Style::pair);
    EXPECT_EQ(plan(call, 8 << 20, team).style, Style::pair);
    EXPECT_EQ(plan(call, 8 << 20, team).piece_bytes, team.slot_bytes);
    EXPECT_EQ(plan(call, 8 << 20, team).hops, 1);
    EXPECT_NE(plan(call, 64, shape(3)).style, Style::pair);
    EXPECT_EQ(plan(call, 8 << 20, team, team.slot_bytes + 1).cls, Class::gathered);
  }
  EXPECT_NE(plan(Call::bcast, 64, team).style, Style::pair);
}

TEST(Plan, TwoMembersHalveWhatFitsNoCache) {
  TeamShape team = shape(2);
  const Plan chosen = plan(Call::allreduce, (8 << 20) + 1, team);
  EXPECT_EQ(chosen.style, Style::halves);
  EXPECT_EQ(chosen.piece_bytes, team.slot_bytes / 2);
  EXPECT_EQ(chosen.chunks, 129u);
  EXPECT_EQ(chosen.hops, 2);
  EXPECT_TRUE(chosen.streaming);
  EXPECT_EQ(plan(Call::reduce_scatter, (8 << 20) + 1, team).style, Style::halves);
  EXPECT_EQ(plan(Call::reduce_scatter, (8 << 20) + 1, team).hops, 1);
  EXPECT_EQ(plan(Call::allreduce, 64 << 20, team, team.slot_bytes / 2).style, Style::halves);
  EXPECT_EQ(plan(Call::allreduce, 64 << 20, team, team.slot_bytes / 2 + 1).style, Style::pair);
  EXPECT_EQ(describe(Call::allreduce, 16 << 20, team),
            "allreduce of 16777216 bytes on 2 ranks: pipelined two-shot (two members fold one half each, in "
            "boxes that come back; if the operation is predefined); 2 hops, 256 chunks in pieces of 32768 "
            "bytes, streaming stores");
  team.shared_cpus = 1;
  EXPECT_EQ(plan(Call::allreduce, 64 << 20, team).style, Style::pair);
}

TEST(Plan, SaysHowResultsAreStored) {
  const auto ends_with = [](const std::string& text, const char* end) { return text.ends_with(end); };
  EXPECT_TRUE(ends_with(describe(Call::allreduce, 4095, shape(2)), "cached stores"));
  EXPECT_TRUE(ends_with(describe(Call::allreduce, 4096, shape(2)), "stores as timed"));
  EXPECT_TRUE(ends_with(describe(Call::reduce_scatter, 8191, shape(2)), "cached stores"));
  EXPECT_TRUE(ends_with(describe(Call::reduce_scatter, 8192, shape(2)), "stores as timed"));
  EXPECT_TRUE(ends_with(describe(Call::reduce, 8 << 20, shape(2)),
                        "stores as timed, handed back dirty or clean as timed"));
  EXPECT_TRUE(ends_with(describe(Call::bcast, 2 << 10, shape(2)), "cached stores, handed back dirty"));
  EXPECT_TRUE(ends_with(describe(Call::bcast, 4 << 10, shape(3)), "stores as timed"));
  EXPECT_TRUE(ends_with(describe(Call::allgather, 4095, shape(2)), "cached stores"));
  EXPECT_TRUE(ends_with(describe(Call::allgather, 4096, shape(2)), "stores as timed"));
  EXPECT_TRUE(ends_with(describe(Call::allgather, 4096, shape(3)), "cached stores"));
  EXPECT_TRUE(ends_with(describe(Call::allreduce, 64 << 20, shape(2)), "streaming stores"));
}

TEST(Plan, ALeafOfTwoPassesSmallPieces) {
  const TeamShape team = shape(2);
  EXPECT_EQ(plan(Call::reduce, 121, team).style, Style::pair);
  EXPECT_EQ(plan(Call::reduce, 8 << 10, team).cls, Class::one_shot);
  EXPECT_EQ(plan(Call::reduce, (8 << 10) + 1, team).chunks, 2u);
  EXPECT_EQ(plan(Call::reduce, 96 << 10, team).piece_bytes, 12u << 10);  // as many as there are boxes
  EXPECT_EQ(plan(Call::reduce, 8 << 20, team).piece_bytes, 16u << 10);
  EXPECT_EQ(plan(Call::reduce, 8 << 20, team, 20 << 10).piece_bytes, 20u << 10);  // a whole element
  EXPECT_NE(plan(Call::reduce, 57, shape(3)).style, Style::pair);
  EXPECT_EQ(plan(Call::bcast, 16 << 10, team).piece_bytes, 8u << 10);
  EXPECT_EQ(plan(Call::bcast, 32 << 10, team).chunks, 4u);  // as many as there are slots
  EXPECT_EQ(plan(Call::bcast, 64 << 10, shape(3)).chunks, 1u);
  TeamShape on_one_cpu = team;
  on_one_cpu.shared_cpus = 1;
  EXPECT_EQ(plan(Call::reduce, 64 << 10, on_one_cpu).chunks, 1u);
}

TEST(Plan, AsksForDirectBuffersWhereTheyPay) {
  TeamShape team = shape(2);
  EXPECT_FALSE(plan(Call::allreduce, 64 << 10, team).direct_first);  // no memory in common
  team.has_common_memory = true;
  TeamShape alone = shape(1);
  alone.has_common_memory = true;
  for (const Call call : {Call::allreduce, Call::reduce, Call::reduce_scatter, Call::bcast}) {
    const std::uint64_t least = call == Call::reduce ? 32 << 10 : 8 << 10;
    EXPECT_TRUE(plan(call, least, team).direct_first) << name_of(call);
    EXPECT_FALSE(plan(call, least - 1, team).direct_first) << name_of(call);
    EXPECT_FALSE(plan(call, 4 << 20, alone).direct_first) << name_of(call);
  }
  TeamShape on_one_cpu = team;
  on_one_cpu.shared_cpus = 1;
  EXPECT_TRUE(plan(Call::reduce, 1 << 20, on_one_cpu).direct_first);
  EXPECT_FALSE(plan(Call::reduce, (1 << 20) - 1, on_one_cpu).direct_first);
  for (const Call call : {Call::scan, Call::exscan, Call::barrier}) {
    EXPECT_FALSE(plan(call, 64 << 10, team).direct_first) << name_of(call);
  }
  EXPECT_FALSE(plan(Call::allreduce, 8 << 20, team).direct_streaming);
  EXPECT_TRUE(plan(Call::allreduce, (8 << 20) + 1, team).direct_streaming);
  EXPECT_EQ(plan(Call::allreduce, 64 << 10, team).cls, Class::one_shot);  // if it turns out otherwise
  EXPECT_EQ(
      describe(Call::reduce, 1 << 20, team),
      "reduce of 1048576 bytes on 2 ranks: direct if all inputs and the root's result are in "
      "common memory and the operation is predefined; 2 hops, stores as timed; else pipelined one-shot (the "
      "leaf passes its input to the root in boxes that come back empty, or has it pulled, as timed); 1 hop, "
      "64 chunks in pieces of 16384 "
      "bytes, filled by vectors or string as timed, stores as timed, handed back dirty or clean as timed");
  EXPECT_EQ(
      describe(Call::bcast, 32 << 10, team),
      "bcast of 32768 bytes on 2 ranks: direct if the root's buffer is in common memory; 2 hops, "
      "cached stores; else pipelined one-shot (the root passes it in boxes that come back empty, or "
      "has it pulled, as timed); 1 hop, 4 "
      "chunks in pieces of 8192 bytes, filled by vectors or string as timed, stores as timed, handed back "
      "dirty or clean as timed");
}

TEST(Plan, LongBroadcastsOfTwoAreMessages) {
  TeamShape team = shape(2);
  team.has_common_memory = true;
  EXPECT_EQ(
      describe(Call::bcast, (128 << 10) + 1, team),
      "bcast of 131073 bytes on 2 ranks: by messages (what is long is a message, which knows more ways); "
      "1 hop");
  EXPECT_EQ(plan(Call::bcast, 128 << 10, team).cls, Class::pipelined);
  EXPECT_EQ(plan(Call::bcast, 1 << 20, shape(3)).cls, Class::pipelined);
  team.has_mail = false;
  EXPECT_EQ(plan(Call::bcast, 1 << 20, team).cls, Class::pipelined);
  EXPECT_TRUE(plan(Call::bcast, 1 << 20, team).direct_first);
}

/// So whoever knows that they fit needs no channel (engine/collectives/move_steps.hpp).
TEST(Plan, BlocksThatFitSlotsAreShownAtOnce) {
  int shown = 0;
  for (const Call call : {Call::allgather, Call::alltoall})
    for (const int ranks : {3, 8, 64, 1000})
      for (const std::uint64_t bytes : {1U, 8U, 120U, 121U, 2048U, 16U << 10, 16385U, 32U << 10, 32769U})
        for (const int shared_cpus : {0, 2})
          for (const std::size_t slot_bytes : {std::size_t{4} << 10, std::size_t{256} << 10}) {
            TeamShape team = shape(ranks, slot_bytes);
            team.shared_cpus = shared_cpus;
            if (!fit_slots(call, bytes, shown_bytes(call, bytes, ranks), slot_bytes)) continue;
            const Plan chosen = plan_of_move(call, bytes, team);
            const bool is_by_lists = chosen.cls == Class::one_shot && chosen.piece_bytes == 0;
            EXPECT_TRUE(chosen.cls == Class::inline_line || chosen.cls == Class::one_shot) << name_of(call);
            EXPECT_FALSE(is_by_lists) << name_of(call) << " " << bytes;
            ++shown;
          }
  EXPECT_GT(shown, 40);
}

TEST(Plan, LongScansOfTwoAreReduces) {
  for (const std::uint64_t bytes : {(2UL << 10) + 8, 8UL << 10})
    EXPECT_EQ(plan(Call::scan, bytes, shape(2)).style, Style::whole) << bytes;
  for (const std::uint64_t bytes : {128UL, 2UL << 10}) {
    EXPECT_EQ(plan(Call::scan, bytes, shape(2)).style, plan(Call::reduce, bytes, shape(2)).style) << bytes;
    EXPECT_EQ(plan(Call::scan, bytes, shape(3)).style, Style::whole) << bytes;
  }
  EXPECT_EQ(plan(Call::scan, 1 << 20, shape(3)).style, Style::whole);
  EXPECT_EQ(
      describe(Call::scan, 64 << 10, shape(2)),
      "scan of 65536 bytes on 2 ranks: pipelined one-shot (the first member keeps its input and passes it "
      "on in boxes that come back empty, or has it pulled, as timed); 1 hop, 8 chunks in pieces of 8192 "
      "bytes, filled by vectors or string as timed, stores as timed, handed back dirty or clean as timed");
}

TEST(Plan, LongExscansOfTwoAreMessages) {
  TeamShape team = shape(2);
  EXPECT_EQ(
      describe(Call::exscan, (128 << 10) + 1, team),
      "exscan of 131073 bytes on 2 ranks: by messages (the first member's input goes to the second as a "
      "message); 1 hop");
  team.has_mail = false;
  EXPECT_EQ(plan(Call::exscan, 1 << 20, team).cls, Class::pipelined);
}

TEST(Plan, ExplainsItself) {
  EXPECT_EQ(describe(Call::allreduce, 8, shape(2)),
            "allreduce of 8 bytes on 2 ranks: inline (fits beside the epoch); 1 hop");
  EXPECT_EQ(
      describe(Call::allreduce, 64 << 20, shape(4)),
      "allreduce of 67108864 bytes on 4 ranks: pipelined two-shot (each member folds a share); 2 hops, 1024 "
      "chunks in pieces of 16384 bytes, filled by vectors or string as timed, streaming stores");
}

std::string describe_on(const char* topology, int ranks, Call call, std::uint64_t bytes) {
  const Groups groups = groups_of(testing::seats_on(topology, ranks));
  const Hierarchy hierarchy(groups, ranks, 0);
  return describe(call, bytes, {ranks, 256 << 10, 32 << 20, 0, &hierarchy});
}

TEST(Plan, OfTeamsInGroups) {
  const char* const caches = "package:2 l3:8 core:8";
  EXPECT_EQ(
      describe_on(caches, 128, Call::allreduce, 8),
      "allreduce of 8 bytes on 128 ranks: inline in groups (leaders show what their groups made); 3 hops");
  EXPECT_EQ(describe_on(caches, 128, Call::allreduce, 64 << 10),
            "allreduce of 65536 bytes on 128 ranks: two-shot in groups (groups fold first and exchange their "
            "values); 5 hops, 1 chunk in pieces of 206848 bytes, filled by vectors or string as timed, "
            "cached stores");
  EXPECT_EQ(describe_on(caches, 128, Call::bcast, 64 << 10),
            "bcast of 65536 bytes on 128 ranks: pipelined one-shot in groups (leaders hand it on to their "
            "groups); 3 hops, 2 chunks in pieces of 32768 bytes, filled by vectors or string as timed, "
            "cached stores");
  EXPECT_EQ(
      describe_on(caches, 128, Call::scan, 121),
      "scan of 121 bytes on 128 ranks: one-shot (each member folds what it needs of those before it); 1 hop, "
      "1 chunk in pieces of 262144 bytes, cached stores");
  EXPECT_EQ(
      describe_on(caches, 128, Call::allgather, 8),
      "allgather of 8 bytes on 128 ranks: one-shot in groups (leaders collect the blocks of their groups); "
      "3 hops, 1 chunk in pieces of 64 bytes, cached stores");
  EXPECT_EQ(describe_on(caches, 128, Call::alltoall, 64),
            "alltoall of 64 bytes on 128 ranks: one-shot in groups (leaders tell that the blocks of their "
            "groups are in slots); 3 hops, 1 chunk in pieces of 9216 bytes, cached stores");
  EXPECT_EQ(describe_on(caches, 128, Call::alltoallv, 64).substr(0, 65),
            "alltoallv of 64 bytes on 128 ranks: one-shot (lengths and blocks ");
  const auto moves_on = [&](Call call, std::uint64_t bytes) {
    const std::string text = describe_on(caches, 128, call, bytes);
    return text.find("collect the blocks") != std::string::npos     ? "collected"
           : text.find("tell that the blocks") != std::string::npos ? "told of"
                                                                    : "flat";
  };
  for (const Call call : {Call::gather, Call::allgather}) {
    EXPECT_STREQ(moves_on(call, 127), "collected") << name_of(call);
    for (const std::uint64_t bytes : {64ul, 128ul, 129ul, 32ul << 10})
      EXPECT_STREQ(moves_on(call, bytes), "told of") << name_of(call) << bytes;
    EXPECT_STREQ(moves_on(call, (32 << 10) + 1), "flat") << name_of(call);
  }
  EXPECT_STREQ(moves_on(Call::alltoall, 8), "told of");
  EXPECT_STREQ(moves_on(Call::alltoall, 2040), "told of");
  EXPECT_STREQ(moves_on(Call::alltoall, 2041), "flat") << "a line for each of 16 caches fits the slot, too";
  EXPECT_STREQ(moves_on(Call::scatter, 8), "flat");
  // Three values of 56 bytes do not fit a leader's line.
  EXPECT_EQ(describe_on("package:2 l3:1 core:56", 112, Call::reduce, 56).substr(0, 55),
            "reduce of 56 bytes on 112 ranks: two-shot in groups (gr");
}

}  // namespace
}  // namespace foldlane::engine
