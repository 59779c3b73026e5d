// Names of cases: readable, and never the same for different cases.
#include "bench/report/case_name.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace foldlane::bench {
namespace {

TEST(SizeText, IsTheLargestUnitThatDivides) {
  EXPECT_EQ(size_text(0), "0 B");
  EXPECT_EQ(size_text(8), "8 B");
  EXPECT_EQ(size_text(1000), "1000 B");
  EXPECT_EQ(size_text(1024), "1 KiB");
  EXPECT_EQ(size_text(1025), "1025 B");
  EXPECT_EQ(size_text(4096), "4 KiB");
  EXPECT_EQ(size_text(1536 << 10), "1536 KiB");
  EXPECT_EQ(size_text(1 << 20), "1 MiB");
  EXPECT_EQ(size_text(64 << 20), "64 MiB");
  EXPECT_EQ(size_text(1ull << 30), "1 GiB");
  EXPECT_EQ(size_text(1ull << 40), "1024 GiB");
}

TEST(CaseName, LeavesOutWhatIsUsual) {
  EXPECT_EQ(name_of({.call = "allreduce", .bytes = 4096}), "allreduce double sum 4 KiB 2 ranks hot");
  EXPECT_EQ(name_of({.call = "fold", .type = "float", .op = "max", .bytes = 8, .ranks = 1}),
            "fold float max 8 B 1 source hot");
}

TEST(CaseName, SaysWhatIsUnusual) {
  const Case what{.call = "reduce",
                  .bytes = 1 << 20,
                  .ranks = 4,
                  .root = 3,
                  .in_place = true,
                  .unaligned = true,
                  .huge_pages = true,
                  .alloc_mem = true,
                  .buffers = Buffers::rotating,
                  .timing = Timing::back_to_back};
  EXPECT_EQ(name_of(what),
            "reduce double sum 1 MiB 4 ranks root 3 rotating in place unaligned huge pages MPI_Alloc_mem "
            "back to back");
}

TEST(CaseName, SaysTheThreadsOrTheirLevel) {
  EXPECT_EQ(name_of({.call = "stream", .bytes = 8, .threads = 2}), "stream double 8 B 2 ranks 2 threads hot");
  EXPECT_EQ(name_of({.call = "barrier", .threads = 1}), "barrier 2 ranks MPI_THREAD_MULTIPLE");
}

TEST(CaseName, LeavesOutWhatMeansNothingToTheCall) {
  EXPECT_EQ(name_of({.call = "barrier"}), "barrier 2 ranks");
  EXPECT_EQ(name_of({.call = "bcast", .bytes = 8, .buffers = Buffers::fresh}),
            "bcast double 8 B 2 ranks fresh");
  EXPECT_EQ(name_of({.call = "alltoall", .bytes = 8}), "alltoall double 8 B 2 ranks hot");
  EXPECT_EQ(name_of({.call = "ibarrier"}), "ibarrier 2 ranks");
  EXPECT_EQ(name_of({.call = "bcast_init", .bytes = 8}), "bcast_init double 8 B 2 ranks hot");
  EXPECT_EQ(name_of({.call = "pingpong", .bytes = 8, .timing = Timing::back_to_back}),
            "pingpong double 8 B 2 ranks hot");
}

std::vector<Case> variants_of(const Case& what) {
  std::vector<Case> variants(19, what);
  variants[1].type = "float";
  variants[2].op = "max";
  variants[3].bytes = 16;
  variants[4].ranks = 3;
  variants[5].root = 1;
  variants[6].in_place = true;
  variants[7].unaligned = true;
  variants[8].huge_pages = true;
  variants[9].buffers = Buffers::rotating;
  variants[10].buffers = Buffers::fresh;
  variants[12].alloc_mem = true;
  variants[11].timing = Timing::back_to_back;
  variants[13].beside = Beside::tests;
  variants[14].beside = Beside::no_calls;
  variants[15].beside = Beside::late;
  variants[16].timing = Timing::whole;
  variants[17].threads = 1;
  variants[18].threads = 2;
  return variants;
}

TEST(CaseName, DiffersWhereCasesDiffer) {
  for (const char* call : {"allreduce", "bcast", "barrier"}) {
    const std::vector<Case> variants = variants_of({.call = call});
    std::set<std::string> names;
    for (const Case& variant : variants) names.insert(name_of(variant));
    EXPECT_EQ(names.size(), variants.size()) << call;
  }
}

}  // namespace
}  // namespace foldlane::bench
