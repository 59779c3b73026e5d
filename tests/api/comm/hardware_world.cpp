// Communicators by hardware, of ranks that bind themselves to CPUs.
#include <mpi.h>
#include <sched.h>

#include <cstring>
#include <string>
#include <vector>

#include "support/expect.h"

namespace {

int rank_of(MPI_Comm comm) {
  int rank = -1;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int size_of(MPI_Comm comm) {
  int size = -1;
  MPI_Comm_size(comm, &size);
  return size;
}

/// Whatever the launcher said: all that the machine gives.
std::vector<int> unbind() {
  cpu_set_t set;
  std::memset(&set, 0xff, sizeof set);
  expect_that(sched_setaffinity(0, sizeof set, &set) == 0, "a process can be unbound");
  expect_that(sched_getaffinity(0, sizeof set, &set) == 0, "a process knows its CPUs");
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) cpus.push_back(cpu);
  return cpus;
}

void bind(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(cpu), &set);
  expect_that(sched_setaffinity(0, sizeof set, &set) == 0, "a process can be bound");
}

constexpr char kKind[] = "mpi_hw_resource_type";

MPI_Comm split_of(MPI_Comm from, int type, const char* key = nullptr, const std::string& value = "") {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Comm made = MPI_COMM_NULL;
  if (key != nullptr) {
    MPI_Info_create(&info);
    MPI_Info_set(info, key, value.c_str());
  }
  MPI_Comm_split_type(from, type, 0, info, &made);
  if (key != nullptr) MPI_Info_free(&info);
  return made;
}

MPI_Comm split(int type, const char* key = nullptr, const std::string& value = "") {
  return split_of(MPI_COMM_WORLD, type, key, value);
}

MPI_Comm split_by_kind(const std::string& kind) { return split(MPI_COMM_TYPE_HW_GUIDED, kKind, kind); }

void expect_all(MPI_Comm made, const char* what) {
  expect_that(made != MPI_COMM_NULL && size_of(made) == size_of(MPI_COMM_WORLD), what);
  MPI_Comm_free(&made);
}

void split_unbound(std::size_t cpus) {
  expect_all(split_by_kind("hwloc://Machine"), "everybody is in the machine");
  expect_all(split(MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", "mpi://WORLD"),
             "everybody is in the world");
  MPI_Comm self = split(MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", "mpi://SELF");
  expect_that(size_of(self) == 1, "a rank is alone in its own set");
  MPI_Comm_free(&self);
  if (cpus == 1) return;
  expect_that(split_by_kind("PU") == MPI_COMM_NULL, "who spans several processing units is on none");
  expect_that(split(MPI_COMM_TYPE_HW_UNGUIDED) == MPI_COMM_NULL, "nothing splits ranks that are everywhere");
}

/// Rank 0 stays unbound, the others take the CPUs in turn.
void split_all_but_one(const std::vector<int>& cpus) {
  const int rank = rank_of(MPI_COMM_WORLD);
  const bool bound = rank > 0 || cpus.size() == 1;
  if (bound) bind(cpus[static_cast<std::size_t>(rank) % cpus.size()]);
  MPI_Comm made = split_by_kind("hwloc://PU");
  expect_that((made != MPI_COMM_NULL) == bound, "who is bound to a processing unit is with those on it");
  if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
}

int members_with_my_place(std::size_t cpus) {
  int count = 0;
  for (int rank = 0; rank < size_of(MPI_COMM_WORLD); ++rank)
    count += (rank - rank_of(MPI_COMM_WORLD)) % static_cast<int>(cpus) == 0;
  return count;
}

/// Empty if the info does not tell it.
std::string kind_in(MPI_Info info) {
  char kind[MPI_MAX_INFO_VAL] = "";
  int length = sizeof kind, found = 0;
  MPI_Info_get_string(info, kKind, &length, kind, &found);
  return found != 0 ? kind : "";
}

std::string kind_of(MPI_Comm comm) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Comm_get_info(comm, &info);
  const std::string kind = kind_in(info);
  MPI_Info_free(&info);
  expect_that(!kind.empty(), "the communicator says what it was split by");
  return kind;
}

/// The info argument of an unguided split says what it went by, if it made something.
void tell_kind_in_the_info() {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Info_create(&info);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_UNGUIDED, 0, info, &made);
  expect_that(kind_in(info) == (made == MPI_COMM_NULL ? "" : kind_of(made)), "the info says what was found");
  MPI_Info_free(&info);
  if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
}

// ---- Intercommunicators

bool in_first_half(int rank) { return rank < size_of(MPI_COMM_WORLD) / 2; }

MPI_Comm inter_of_halves() {
  const int rank = rank_of(MPI_COMM_WORLD);
  MPI_Comm half = MPI_COMM_NULL, inter = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, in_first_half(rank), 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, in_first_half(rank) ? size_of(MPI_COMM_WORLD) / 2 : 0, 1,
                       &inter);
  MPI_Comm_free(&half);
  return inter;
}

int remote_size_of(MPI_Comm inter) {
  int size = -1;
  MPI_Comm_remote_size(inter, &size);
  return size;
}

/// Of the ranks that a split of an intercommunicator is to put together with this one.
struct Sides {
  int local;
  int remote;
};

template <class Together>
Sides sides_of(const Together& together) {
  const int rank = rank_of(MPI_COMM_WORLD);
  Sides sides{0, 0};
  for (int other = 0; other < size_of(MPI_COMM_WORLD); ++other)
    if (together(other)) ++(in_first_half(other) == in_first_half(rank) ? sides.local : sides.remote);
  return sides;
}

void expect_sides(MPI_Comm made, Sides expected, const char* what) {
  if (made == MPI_COMM_NULL) {
    expect_that(expected.remote == 0, what);
    return;
  }
  int inter = 0;
  MPI_Comm_test_inter(made, &inter);
  expect_that(inter != 0 && size_of(made) == expected.local && remote_size_of(made) == expected.remote, what);
  MPI_Comm_free(&made);
}

void split_inter_unbound() {
  if (size_of(MPI_COMM_WORLD) == 1) return;
  MPI_Comm inter = inter_of_halves();
  const Sides all = sides_of([](int) { return true; });
  expect_sides(split_of(inter, MPI_COMM_TYPE_SHARED), all, "both groups share the memory");
  expect_sides(split_of(inter, MPI_COMM_TYPE_HW_GUIDED, kKind, "Machine"), all, "both are in the machine");
  expect_sides(split_of(inter, MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", "mpi://WORLD"), all,
               "both are in the world");
  expect_that(split_of(inter, MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", "mpi://SELF") == MPI_COMM_NULL,
              "nobody is in the other group too");
  expect_that(split_of(inter, MPI_UNDEFINED) == MPI_COMM_NULL, "who does not take part is left out");
  MPI_Comm_free(&inter);
}

/// Every rank is bound to the CPU of its number.
void split_inter_bound(int cpus) {
  if (size_of(MPI_COMM_WORLD) == 1) return;
  const int rank = rank_of(MPI_COMM_WORLD);
  const Sides here = sides_of([&](int other) { return (other - rank) % cpus == 0; });
  MPI_Comm inter = inter_of_halves();
  expect_sides(split_of(inter, MPI_COMM_TYPE_HW_GUIDED, kKind, "PU"), here, "the two groups of a CPU");
  MPI_Comm made = split_of(inter, MPI_COMM_TYPE_HW_UNGUIDED);
  expect_that(made != MPI_COMM_NULL || cpus == 1 || here.remote == 0, "what splits both groups is found");
  const bool alone = made == MPI_COMM_NULL;
  MPI_Comm guided =
      split_of(inter, alone ? MPI_UNDEFINED : MPI_COMM_TYPE_HW_GUIDED, kKind, alone ? "none" : kind_of(made));
  if (!alone) {
    expect_sides(guided, {size_of(made), remote_size_of(made)},
                 "guided by what was found, the parts are the same");
    MPI_Comm_free(&made);
  }
  MPI_Comm_free(&inter);
}

/// The kind found is the coarsest that splits: guided by it, the same ranks are together.
void split_unguided(std::size_t cpus) {
  MPI_Comm made = split(MPI_COMM_TYPE_HW_UNGUIDED);
  const bool apart = cpus > 1 && size_of(MPI_COMM_WORLD) > 1;
  expect_that((made != MPI_COMM_NULL) == apart, "ranks on several CPUs can be split");
  if (made == MPI_COMM_NULL) return;
  expect_that(size_of(made) < size_of(MPI_COMM_WORLD), "each part is smaller than the whole");
  MPI_Comm guided = split_by_kind(kind_of(made));
  int result = MPI_UNEQUAL;
  MPI_Comm_compare(made, guided, &result);
  expect_that(result == MPI_CONGRUENT, "guided by what was found, the parts are the same");
  MPI_Comm_free(&made);
  MPI_Comm_free(&guided);
}

void split_bound(const std::vector<int>& cpus) {
  const int rank = rank_of(MPI_COMM_WORLD);
  bind(cpus[static_cast<std::size_t>(rank) % cpus.size()]);
  MPI_Comm made = split_by_kind("hwloc://PU");
  expect_that(made != MPI_COMM_NULL && size_of(made) == members_with_my_place(cpus.size()),
              "those on one processing unit are together");
  MPI_Comm_free(&made);
  split_unguided(cpus.size());
  tell_kind_in_the_info();
  split_inter_bound(static_cast<int>(cpus.size()));
  // Rank 0 does not take part; the others still find each other.
  made = split(rank == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_HW_UNGUIDED);
  const bool apart = cpus.size() > 1 && size_of(MPI_COMM_WORLD) > 2;
  expect_that((made != MPI_COMM_NULL) == (apart && rank > 0), "who does not take part is left out");
  if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::vector<int> cpus = unbind();
  split_unbound(cpus.size());
  split_inter_unbound();
  split_all_but_one(cpus);
  split_bound(cpus);
  MPI_Finalize();
}
