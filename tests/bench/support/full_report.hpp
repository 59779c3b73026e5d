// A report in which every field has a value of its own, none of them the default.
#pragma once

#include "bench/report/report.hpp"

namespace foldlane::bench {

inline Report full_report() {
  const Figure own{.who = "foldlane",
                   .options = "--mca a b",
                   .time = {1.25, 1.125, 1.0 / 3 + 1},
                   .p99 = 2.5,
                   .skew = 0.1,
                   .samples = (1ull << 53) + 1,  // no double
                   .outliers = 18446744073709551615ull,
                   .cpu = 3.75,
                   .against = std::nullopt,
                   .check = {true, 9007199254740995ull, false, false},
                   .overlap = Overlap{{87.5, 80, 90}, 12.5, 13.5}};
  Figure peer = own;
  peer.who = "openmpi";
  peer.against = Estimate{2, 1.9, 2.1};
  peer.against_is_rough = true;
  peer.against_by_distance = {Estimate{3, 2.9, 3.1}, Estimate{1.5, 1.4, 1.6}};
  const Case what{.call = "reduce",
                  .type = "float",
                  .op = "max",
                  .bytes = 1ull << 60,
                  .ranks = 4,
                  .threads = 1,
                  .root = 3,
                  .in_place = true,
                  .unaligned = true,
                  .huge_pages = true,
                  .alloc_mem = true,
                  .buffers = Buffers::rotating,
                  .timing = Timing::back_to_back,
                  .beside = Beside::late};
  return {.version = "0.1.0",
          .date = "2026-11-21T06:00:00Z",
          .command = "foldlane bench reduce --op max",
          .machine = {{"CPU", "a \"quoted\" one, 3 µm"}, {"cores", "2"}},
          .warnings = {"the machine is busy"},
          .peers = {{"openmpi", "Open MPI 4.1.4", "--mca coll tuned"}},
          .cases = {{.what = what,
                     .figures = {own, peer},
                     .limits = {{"handoff", {0.25, 0.2, 0.3}}},
                     .bound = "handoff",
                     .over_bound = Estimate{5, 4.5, 5.5},
                     .not_supported_by = {"mpich"}}}};
}

}  // namespace foldlane::bench
