#include "bench/suites/preset.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/measure/window.hpp"
#include "bench/report/call_traits.hpp"
#include "bench/report/pattern.hpp"
#include "bench/suite.hpp"

namespace foldlane::bench {
namespace {

constexpr std::uint64_t kKiB = 1024, kMiB = kKiB * kKiB;

std::vector<std::string> usual_calls() {
  return {"allreduce", "reduce", "reduce_scatter_block", "bcast", "barrier", "allgather", "alltoall"};
}

/// Followed by the nonblocking, then the persistent forms of `some`.
std::vector<std::string> with_forms(std::vector<std::string> calls, const std::vector<std::string>& some) {
  for (const Form form : {Form::nonblocking, Form::persistent})
    for (const std::string& call : some) calls.push_back(tools::written(call, form));
  return calls;
}

/// All that compute or synchronise; messages have a suite of their own, and calls among neighbours none.
std::vector<std::string> all_collectives() {
  std::vector<std::string> calls = known_calls();
  std::erase_if(calls, [](const std::string& call) { return is_pattern(call) || is_among_neighbours(call); });
  return calls;
}

Preset quick() {
  return {
      .calls = usual_calls(), .sizes = {8, 4 * kKiB, 64 * kKiB, kMiB, 16 * kMiB}, .effort = {.span_s = 40}};
}

Preset full() {
  return {.calls = with_forms(all_collectives(), usual_calls()),
          .buffers = {Buffers::hot, Buffers::rotating},
          .effort = {.span_s = 120, .case_s = 4, .half_width = 0.01}};
}

/// MPICH's collectives through shared memory, which it does not use unless told so; and from the first call.
std::string release_gather() {
  std::string options;
  for (const char* call : {"BCAST", "REDUCE", "ALLREDUCE", "BARRIER"})
    options += fmt::format(" -genv MPIR_CVAR_{}_POSIX_INTRA_ALGORITHM release_gather", call);
  return options + " -genv MPIR_CVAR_POSIX_NUM_COLLS_THRESHOLD 0";
}

/// Open MPI with and without one copy by the kernel (CMA).
std::vector<std::string> peers_of_messages() {
  return {"openmpi", "openmpi --mca btl_vader_single_copy_mechanism none", "mpich"};
}

/// Everybody at their best.
std::vector<std::string> all_peers() {
  std::vector<std::string> peers = peers_of_messages();
  peers.push_back("mpich" + release_gather());
  return peers;
}

std::vector<std::uint64_t> sizes_to_the_last() {
  std::vector<std::uint64_t> sizes = size_sweep(8, 64 * kMiB, 8);
  sizes.push_back(64 * kMiB);
  return sizes;
}

/// Six rounds, each of another launch, are the fewest with an interval of 95 %. Whoever is slower by a tenth
/// in all of them is done; the time goes to those that are not. A ratio may be twice as wide as our own
/// figure: 3 %.
constexpr Effort kContest{
    .passes = 6, .launches = 6, .span_s = 120, .case_s = 9, .half_width = 0.015, .lost_above = 1.1};

Preset never_slower() {
  return {.calls = known_collectives(),
          .sizes = sizes_to_the_last(),
          .buffers = {Buffers::hot, Buffers::rotating},
          .ranks = {2, 8},
          .peers = all_peers(),
          .effort = kContest};
}

Preset p2p() {
  return {.calls = known_patterns(),
          .sizes = {8, 96, 512, 2 * kKiB, 8 * kKiB, 32 * kKiB, 128 * kKiB, 512 * kKiB, 2 * kMiB, 8 * kMiB,
                    64 * kMiB},
          .buffers = {Buffers::hot, Buffers::rotating},
          .peers = peers_of_messages(),
          .effort = kContest};
}

/// 2, 4, 8 … and all CPUs.
std::vector<int> numbers_of_ranks(int usable_cpus) {
  const int most = std::clamp(usable_cpus, 2, Window::kMaxRanks);
  std::vector<int> numbers;
  for (int ranks = 2; ranks < most; ranks *= 2) numbers.push_back(ranks);
  numbers.push_back(most);
  return numbers;
}

/// Ends when its time is over, however wide the intervals, so that users know what they are asked for.
Preset report(int usable_cpus) {
  return {.calls = all_collectives(),
          .sizes = {8, 4 * kKiB, 64 * kKiB, kMiB, 8 * kMiB},
          .ranks = numbers_of_ranks(usable_cpus),
          .peers = all_peers(),
          .json = "foldlane-report.json",
          .effort = {.passes = 10, .span_s = 540, .case_s = 0}};
}

}  // namespace

const char* name_of(Suite suite) {
  const auto* const named = std::find_if(kSuiteNames.begin(), kSuiteNames.end(),
                                         [&](const auto& entry) { return entry.first == suite; });
  return named == kSuiteNames.end() ? "" : named->second;
}

Preset preset_of(Suite suite, int usable_cpus) {
  switch (suite) {
    case Suite::quick:
      return quick();
    case Suite::full:
      return full();
    case Suite::never_slower:
      return never_slower();
    case Suite::p2p:
      return p2p();
    case Suite::report:
      return report(usable_cpus);
    case Suite::none:
      break;
  }
  return {};
}

}  // namespace foldlane::bench
