#include "support/sample_report.hpp"

namespace foldlane::bench {
namespace {

/// Half a percent around `value`, or as far as told.
Estimate about(double value, double spread = 0.005) {
  return {value, value * (1 - spread), value * (1 + spread)};
}

Figure ours(double time, double skew) {
  return {"foldlane", "",           about(time, 0.012),    time * 1.5,  skew, 2000, 3,
          time * 2,   std::nullopt, {true, 0, true, true}, std::nullopt};
}

Figure peer(const char* who, double time, double ratio) {
  return {who,         "", about(time), time * 2,           0.1,
          2000,        0,  time * 2,    about(ratio, 0.02), {true, 0, true, false},
          std::nullopt};
}

Case allreduce_of(std::uint64_t bytes) {
  Case what;
  what.call = "allreduce";
  what.bytes = bytes;
  return what;
}

CaseResult compared(std::uint64_t bytes, double time, const char* bound, double over_bound) {
  return {allreduce_of(bytes),
          {ours(time, time / 20), peer("openmpi", time * 2.31, 2.31), peer("mpich", time * 0.9, 0.9)},
          {{bound, about(time / over_bound)}},
          bound,
          about(over_bound),
          {}};
}

/// One size per thing that is to be seen in a cell.
std::vector<CaseResult> allreduces() {
  std::vector<CaseResult> results{compared(8, 0.4123, "handoff", 1.8), compared(4096, 1.987, "handoff", 4.25),
                                  compared(65536, 12.34, "memory", 1.31),
                                  compared(1048576, 345.6, "memory", 1.07),
                                  compared(67108864, 31234.5, "memory", 1.02)};
  results[1].figures[0].check = {true, 17, false, false};
  results[2].figures.pop_back();
  results[2].figures[1].check = {true, 5, false, false};
  results[3].figures[0].outliers = 150;
  results[3].figures[2].against = about(123.4, 0.03);
  results[4].figures[0].check.canonical = false;
  results[4].figures[2].against = about(1.001, 0.01);
  return results;
}

CaseResult barrier() {
  Case what;
  what.call = "barrier";
  what.timing = Timing::back_to_back;
  return {what, {ours(0.2345, 0.01), peer("openmpi", 0.5, 2.1)}, {}, "", std::nullopt, {}};
}

/// One peer has the call, one has not, and we have it only in the other of two sizes.
CaseResult persistent(std::uint64_t bytes) {
  CaseResult result = compared(bytes, 1.23, "handoff", 2);
  result.what.call = "allreduce_init";
  result.figures.pop_back();
  result.not_supported_by = {"mpich"};
  if (bytes == 8) {
    result.figures.erase(result.figures.begin());
    result.figures[0].against.reset();
    result.over_bound.reset();
    result.not_supported_by = {"foldlane", "mpich"};
  }
  return result;
}

CaseResult overlapped() {
  CaseResult result = compared(8 << 20, 4321, "", 1);
  result.what.call = "iallreduce";
  result.what.beside = Beside::late;
  result.limits.clear();
  result.over_bound.reset();
  double hidden = 87.4;
  for (Figure& figure : result.figures) {
    figure.overlap = Overlap{{hidden, hidden - 3, hidden + 2}, 3456, 3460};
    hidden /= 10;
  }
  return result;
}

CaseResult reduce() {
  Case what;
  what.call = "reduce";
  what.type = "int32, \"signed\"|odd";
  what.bytes = 1000;
  what.ranks = 4;
  what.root = 3;
  what.in_place = what.unaligned = what.huge_pages = true;
  what.buffers = Buffers::rotating;
  CaseResult result{what, {ours(1.5, 12.5)}, {}, "", std::nullopt, {}};
  result.figures[0].check = {};
  return result;
}

}  // namespace

Report sample_report() {
  Report report{"0.1.0",
                "2026-03-01T12:00:00Z",
                "foldlane bench allreduce -n 2 --vs openmpi,mpich",
                {{"CPU", "AMD EPYC"},
                 {"caches", "L1d 32 KiB, L2 1 MiB, L3 32 MiB"},
                 {"layout", "1 socket, 1 NUMA node, 2 cores, 2 threads; 2 CPUs usable"},
                 {"ranks on", "CPUs 0, 1 (same L3)"},
                 {"virtual machine", "yes, vendor not visible"},
                 {"kernel", "6.18.44"}},
                {"Other processes used 37 % of the CPUs under test during the run: the figures cannot be "
                 "trusted. Stop them, or measure again when the machine is idle.",
                 "This is a virtual machine."},
                {{"openmpi", "Open MPI 4.1.4", "--mca coll tuned"}, {"mpich", "MPICH 4.0.2", ""}},
                allreduces()};
  report.cases.push_back(barrier());
  report.cases.push_back(reduce());
  report.cases.insert(report.cases.end(), {persistent(8), persistent(4096), overlapped()});
  // A sweep over ranks in between belongs to another group.
  report.cases.insert(report.cases.begin() + 1, report.cases.front());
  report.cases[1].what.ranks = 8;
  return report;
}

}  // namespace foldlane::bench
