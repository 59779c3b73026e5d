// Communicators that come and go leave nothing behind: no memory, mapping, descriptor or byte of the segment.
// And as many as there are ids can exist at a time; one more is an error on all ranks, not the end.
// Arguments: cycles of dup and free, cycles of split and free.
#include <dirent.h>
#include <mpi.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "support/expect.h"

namespace {

constexpr long kWarmUp = 1000;
constexpr int kLaps = 3;
constexpr int kMostAlive = 32'767;
constexpr int kRequired = 16'384;

int rank = -1;
int size = 0;

void check_sum(MPI_Comm comm) {
  int own = 1, sum = 0, members = 0;
  MPI_Comm_size(comm, &members);
  if (MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, comm) != MPI_SUCCESS) give_up("MPI_Allreduce failed");
  if (sum != members) give_up("a wrong sum");
}

/// What a process has.
struct Holdings {
  long written_kb = 0;
  long mappings = 0;
  long descriptors = 0;
  long segment_blocks = 0;
};

/// What has been written, of its own and of the segment. Unlike VmRSS this is exact, and without the
/// program's code, of which the kernel maps 64 KB more whenever a line of it runs for the first time.
long written_kb() {
  std::ifstream rollup("/proc/self/smaps_rollup");
  long sum = 0;
  int found = 0;
  for (std::string line; std::getline(rollup, line);) {
    const std::size_t colon = line.find(':');
    const std::string name = line.substr(0, colon);
    if (name != "Shared_Dirty" && name != "Private_Dirty") continue;
    sum += std::atol(line.c_str() + colon + 1);
    ++found;
  }
  if (found != 2) give_up("no count of written memory");
  return sum;
}

long mappings() {
  std::ifstream maps("/proc/self/maps");
  long lines = 0;
  for (std::string line; std::getline(maps, line);) ++lines;
  return lines;
}

Holdings holdings() {
  Holdings now{written_kb(), mappings(), 0, 0};
  DIR* const open_ones = opendir("/proc/self/fd");
  while (const dirent* entry = readdir(open_ones)) {
    ++now.descriptors;
    char target[64] = {};
    const std::string path = std::string("/proc/self/fd/") + entry->d_name;
    struct stat facts;
    if (readlink(path.c_str(), target, sizeof target - 1) > 0 && std::strstr(target, "memfd:") != nullptr &&
        stat(path.c_str(), &facts) == 0) {
      now.segment_blocks += facts.st_blocks;
    }
  }
  closedir(open_ones);
  return now;
}

/// Of the lists of what is under way, each of which gets a mapping of its own when it is as long as there are
/// communicators on their way out at a time: that varies.
constexpr long kListMappings = 4;

void check_growth(const char* what, long before, long after, long slack = 0) {
  if (after <= before + slack) return;
  give_up(std::string(what) + " grew from " + std::to_string(before) + " to " + std::to_string(after));
}

/// All ranks at one point, so that what one still needs for its peers does not count.
Holdings holdings_together() {
  MPI_Barrier(MPI_COMM_WORLD);
  const Holdings now = holdings();
  MPI_Barrier(MPI_COMM_WORLD);
  return now;
}

/// Every rank is late once: the paths of long waits (deeper stack, functions bound when first called) cost a
/// page or two the first time, which is no growth.
template <class Cycle>
void be_late_in_turn(const Cycle& cycle) {
  constexpr double kLateS = 0.02;
  for (int late = 0; late < size; ++late) {
    const double start = MPI_Wtime();
    while (rank == late && MPI_Wtime() - start < kLateS) {
    }
    cycle(late);
  }
}

/// A communicator goes when nobody has any use for it any more: how many are on their way out varies, and
/// with it how many ids were ever used. More than at any time later, here.
void use_many_ids() {
  std::vector<MPI_Comm> comms(32, MPI_COMM_NULL);
  for (MPI_Comm& comm : comms) {
    if (MPI_Comm_dup(MPI_COMM_WORLD, &comm) != MPI_SUCCESS) give_up("MPI_Comm_dup failed");
    check_sum(comm);
  }
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
}

/// The least that a lap adds. What leaks adds to every one; a page that is written for the first time late
/// (heap of a list that was never as long before) to one.
Holdings least_growth(const std::vector<Holdings>& after_laps) {
  Holdings least{LONG_MAX, LONG_MAX, LONG_MAX, LONG_MAX};
  for (std::size_t i = 1; i < after_laps.size(); ++i) {
    const Holdings &before = after_laps[i - 1], &after = after_laps[i];
    least.written_kb = std::min(least.written_kb, after.written_kb - before.written_kb);
    least.mappings = std::min(least.mappings, after.mappings - before.mappings);
    least.descriptors = std::min(least.descriptors, after.descriptors - before.descriptors);
    least.segment_blocks = std::min(least.segment_blocks, after.segment_blocks - before.segment_blocks);
  }
  return least;
}

template <class Cycle>
void churn(const char* name, long cycles, const Cycle& cycle) {
  use_many_ids();
  for (long i = 0; i < kWarmUp; ++i) cycle(i);
  be_late_in_turn(cycle);
  holdings_together();  // its own first use of the C library counts too
  std::vector<Holdings> after_laps{holdings_together()};
  const double start = MPI_Wtime();
  for (int lap = 0; lap < kLaps; ++lap) {
    for (long i = 0; i < cycles / kLaps; ++i) cycle(i);
    after_laps.push_back(holdings_together());
  }
  const double us = (MPI_Wtime() - start) * 1e6 / static_cast<double>(cycles);
  const Holdings growth = least_growth(after_laps), after = after_laps.back();
  check_growth("written memory (KB)", 0, growth.written_kb);
  check_growth("mappings", 0, growth.mappings);
  check_growth("descriptors", 0, growth.descriptors);
  check_growth("blocks of the segment", 0, growth.segment_blocks);
  if (after.segment_blocks == 0) give_up("the segment was not found");
  if (rank == 0)
    std::printf("%ld cycles of %s: %.1f us each, %ld KB written\n", cycles, name, us, after.written_kb);
}

void dup_and_free(long) {
  MPI_Comm comm = MPI_COMM_NULL;
  if (MPI_Comm_dup(MPI_COMM_WORLD, &comm) != MPI_SUCCESS) give_up("MPI_Comm_dup failed");
  check_sum(comm);
  MPI_Comm_free(&comm);
}

void split_and_free(long cycle) {
  MPI_Comm comm = MPI_COMM_NULL;
  const int color = static_cast<int>((rank + cycle) % 3) - 1;  // some are in none
  const int code = MPI_Comm_split(MPI_COMM_WORLD, color < 0 ? MPI_UNDEFINED : color, -rank, &comm);
  if (code != MPI_SUCCESS) give_up("MPI_Comm_split failed");
  if ((color < 0) != (comm == MPI_COMM_NULL)) give_up("MPI_Comm_split: in the wrong one");
  if (comm == MPI_COMM_NULL) return;
  check_sum(comm);
  MPI_Comm_free(&comm);
}

/// As many as there can be.
std::vector<MPI_Comm> fill_up() {
  std::vector<MPI_Comm> alive;
  for (;;) {
    MPI_Comm comm = MPI_COMM_NULL;
    const int code = MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    int error_class = MPI_SUCCESS;
    MPI_Error_class(code, &error_class);
    if (error_class == MPI_ERR_NO_MEM) return alive;
    if (code != MPI_SUCCESS) give_up("class " + std::to_string(error_class) + " at the limit");
    alive.push_back(comm);
    if (alive.size() > kMostAlive) give_up("there is no limit");
    if (alive.size() % 512 == 0) check_sum(comm);
  }
}

void check_limit() {
  std::vector<MPI_Comm> alive = fill_up();
  const int most = static_cast<int>(alive.size());
  int least = 0;
  MPI_Allreduce(&most, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (least != most) give_up("the limit came at different times");
  if (size > 1 && most != kMostAlive) give_up("the limit is " + std::to_string(most));
  if (most < kRequired) give_up("too few");
  check_sum(MPI_COMM_WORLD);
  for (int i = 0; i < 3; ++i) {  // one goes, one comes
    MPI_Comm_free(&alive[static_cast<std::size_t>(i) * 5000]);
    if (MPI_Comm_dup(MPI_COMM_WORLD, &alive[static_cast<std::size_t>(i) * 5000]) != MPI_SUCCESS)
      give_up("an id that was given back is not to be had");
  }
  for (std::size_t i = 0; i < alive.size(); i += 1000) check_sum(alive[i]);
  for (std::size_t i = 0; i < alive.size(); ++i) MPI_Comm_free(&alive[i * 7919 % alive.size()]);
  check_sum(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  churn("dup and free", argc > 1 ? std::atol(argv[1]) : 20'000, dup_and_free);
  churn("split and free", argc > 2 ? std::atol(argv[2]) : 20'000, split_and_free);
  if (size > 1) {
    const double start = MPI_Wtime();
    check_limit();
    const Holdings once = holdings_together();
    check_limit();
    const Holdings twice = holdings_together();
    check_growth("blocks of the segment", once.segment_blocks, twice.segment_blocks);
    check_growth("mappings", once.mappings, twice.mappings, kListMappings);
    if (rank == 0) std::printf("twice up to the limit: %.2f s\n", MPI_Wtime() - start);
  }
  MPI_Finalize();
  return 0;
}
