// Communicators by hardware, of ranks that bind themselves to CPUs.
#include <mpi.h>
#include <sched.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

void expect(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "failed: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

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
  expect(sched_setaffinity(0, sizeof set, &set) == 0, "a process can be unbound");
  expect(sched_getaffinity(0, sizeof set, &set) == 0, "a process knows its CPUs");
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) cpus.push_back(cpu);
  return cpus;
}

void bind(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(cpu), &set);
  expect(sched_setaffinity(0, sizeof set, &set) == 0, "a process can be bound");
}

MPI_Comm split(int type, const char* key = nullptr, const std::string& value = "") {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Comm made = MPI_COMM_NULL;
  if (key != nullptr) {
    MPI_Info_create(&info);
    MPI_Info_set(info, key, value.c_str());
  }
  MPI_Comm_split_type(MPI_COMM_WORLD, type, 0, info, &made);
  if (key != nullptr) MPI_Info_free(&info);
  return made;
}

MPI_Comm split_by_kind(const std::string& kind) {
  return split(MPI_COMM_TYPE_HW_GUIDED, "mpi_hw_resource_type", kind);
}

void expect_all(MPI_Comm made, const char* what) {
  expect(made != MPI_COMM_NULL && size_of(made) == size_of(MPI_COMM_WORLD), what);
  MPI_Comm_free(&made);
}

void split_unbound(std::size_t cpus) {
  expect_all(split_by_kind("hwloc://Machine"), "everybody is in the machine");
  expect_all(split(MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", "mpi://WORLD"),
             "everybody is in the world");
  MPI_Comm self = split(MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", "mpi://SELF");
  expect(size_of(self) == 1, "a rank is alone in its own set");
  MPI_Comm_free(&self);
  if (cpus == 1) return;
  expect(split_by_kind("PU") == MPI_COMM_NULL, "who spans several processing units is on none");
  expect(split(MPI_COMM_TYPE_HW_UNGUIDED) == MPI_COMM_NULL, "nothing splits ranks that are everywhere");
}

/// Rank 0 stays unbound, the others take the CPUs in turn.
void split_all_but_one(const std::vector<int>& cpus) {
  const int rank = rank_of(MPI_COMM_WORLD);
  const bool bound = rank > 0 || cpus.size() == 1;
  if (bound) bind(cpus[static_cast<std::size_t>(rank) % cpus.size()]);
  MPI_Comm made = split_by_kind("hwloc://PU");
  expect((made != MPI_COMM_NULL) == bound, "who is bound to a processing unit is with those on it");
  if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
}

int members_with_my_place(std::size_t cpus) {
  int count = 0;
  for (int rank = 0; rank < size_of(MPI_COMM_WORLD); ++rank)
    count += (rank - rank_of(MPI_COMM_WORLD)) % static_cast<int>(cpus) == 0;
  return count;
}

std::string kind_of(MPI_Comm comm) {
  MPI_Info info = MPI_INFO_NULL;
  char kind[MPI_MAX_INFO_VAL] = "";
  int length = sizeof kind, found = 0;
  MPI_Comm_get_info(comm, &info);
  MPI_Info_get_string(info, "mpi_hw_resource_type", &length, kind, &found);
  MPI_Info_free(&info);
  expect(found != 0, "the communicator says what it was split by");
  return kind;
}

/// The kind found is the coarsest that splits: guided by it, the same ranks are together.
void split_unguided(std::size_t cpus) {
  MPI_Comm made = split(MPI_COMM_TYPE_HW_UNGUIDED);
  const bool apart = cpus > 1 && size_of(MPI_COMM_WORLD) > 1;
  expect((made != MPI_COMM_NULL) == apart, "ranks on several CPUs can be split");
  if (made == MPI_COMM_NULL) return;
  expect(size_of(made) < size_of(MPI_COMM_WORLD), "each part is smaller than the whole");
  MPI_Comm guided = split_by_kind(kind_of(made));
  int result = MPI_UNEQUAL;
  MPI_Comm_compare(made, guided, &result);
  expect(result == MPI_CONGRUENT, "guided by what was found, the parts are the same");
  MPI_Comm_free(&made);
  MPI_Comm_free(&guided);
}

void split_bound(const std::vector<int>& cpus) {
  const int rank = rank_of(MPI_COMM_WORLD);
  bind(cpus[static_cast<std::size_t>(rank) % cpus.size()]);
  MPI_Comm made = split_by_kind("hwloc://PU");
  expect(made != MPI_COMM_NULL && size_of(made) == members_with_my_place(cpus.size()),
         "those on one processing unit are together");
  MPI_Comm_free(&made);
  split_unguided(cpus.size());
  // Rank 0 does not take part; the others still find each other.
  made = split(rank == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_HW_UNGUIDED);
  const bool apart = cpus.size() > 1 && size_of(MPI_COMM_WORLD) > 2;
  expect((made != MPI_COMM_NULL) == (apart && rank > 0), "who does not take part is left out");
  if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::vector<int> cpus = unbind();
  split_unbound(cpus.size());
  split_all_but_one(cpus);
  split_bound(cpus);
  MPI_Finalize();
}
