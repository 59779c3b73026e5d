// The methods of the C++ bindings whose C calls are supported, in jobs of several ranks: each once, with its
// result.
#include <cstring>
#include <mpi_cxx.hpp>
#include <numeric>
#include <string>

#include "support/expect.h"

using namespace MPI;

void topologies();  // topologies.cpp

namespace {

int rank, ranks;

int sum_of_ranks() { return ranks * (ranks - 1) / 2; }

void environment() {
  int version = 0, subversion = 0, length = 0;
  Get_version(version, subversion);
  expect(version == MPI_VERSION && subversion == MPI_SUBVERSION);
  char name[MAX_PROCESSOR_NAME];
  Get_processor_name(name, length);
  expect(std::strlen(name) == static_cast<std::size_t>(length) && length > 0);
  expect(Is_initialized() && !Is_finalized() && Is_thread_main());
  expect(Query_thread() >= THREAD_SINGLE && Wtime() > 0 && Wtick() > 0);
  const int code = Add_error_code(Add_error_class());
  char text[MAX_ERROR_STRING];
  Add_error_string(code, "of this program");
  Get_error_string(code, text, length);
  expect(std::string(text) == "of this program" && Get_error_class(code) > 0);
  expect(Exception(ERR_RANK).Get_error_class() == ERR_RANK);
  void* memory = Alloc_mem(100, INFO_NULL);
  expect(memory != nullptr && Get_address(memory) == reinterpret_cast<Aint>(memory));
  Free_mem(memory);
  int dims[2] = {0, 0};
  Compute_dims(6, 2, dims);
  expect(dims[0] == 3 && dims[1] == 2);
  Pcontrol(1);
  Pcontrol(2, "more");
  expect(Comm::Get_parent() == COMM_NULL && Comm::Get_parent() == MPI_COMM_NULL);
}

void infos() {
  Info info = Info::Create();
  info.Set("key", "value");
  Info copy = info.Dup();
  char text[MAX_INFO_VAL];
  int length = 0;
  expect(copy.Get("key", MAX_INFO_VAL - 1, text) && std::string(text) == "value");
  expect(copy.Get_valuelen("key", length) && length == 5 && copy.Get_nkeys() == 1);
  copy.Get_nthkey(0, text);
  expect(std::string(text) == "key");
  info.Delete("key");
  expect(!info.Get("key", MAX_INFO_VAL - 1, text));
  info.Free();
  copy.Free();
  expect(info == INFO_NULL && copy == MPI_INFO_NULL);
}

void groups() {
  Group world = COMM_WORLD.Get_group();
  const int first[1] = {0};
  const int all[1][3] = {{0, ranks - 1, 1}};
  Group of_first = world.Incl(1, first), others = world.Excl(1, first);
  expect(world.Get_size() == ranks && world.Get_rank() == rank);
  expect(of_first.Get_size() == 1 && others.Get_size() == ranks - 1);
  Group joined = Group::Union(of_first, others);
  expect(Group::Compare(joined, world) == IDENT);
  Group common = Group::Intersect(of_first, others), rest = Group::Difference(world, of_first);
  expect(common == GROUP_EMPTY && Group::Compare(rest, others) == IDENT);
  Group ranged = world.Range_incl(1, all), none = world.Range_excl(1, all);
  expect(Group::Compare(ranged, world) == IDENT && none.Get_size() == 0);
  int there = UNDEFINED;
  Group::Translate_ranks(of_first, 1, first, world, &there);
  expect(there == 0);
  for (Group* group : {&world, &of_first, &others, &joined, &ranged}) group->Free();
  expect(world == GROUP_NULL);
}

void communicators() {
  Intracomm copy = COMM_WORLD.Dup();
  expect(Comm::Compare(copy, COMM_WORLD) == CONGRUENT && copy != COMM_WORLD && !copy.Is_inter());
  char name[MAX_OBJECT_NAME];
  int length = 0;
  copy.Set_name("a copy");
  copy.Get_name(name, length);
  expect(std::string(name) == "a copy" && length == 6);
  expect(copy.Get_topology() == UNDEFINED);
  Comm& clone = copy.Clone();
  expect(dynamic_cast<Intracomm*>(&clone) != nullptr && clone.Get_size() == ranks);
  clone.Disconnect();
  expect(clone == COMM_NULL);
  delete &clone;
  Group group = copy.Get_group();
  Intracomm created = copy.Create(group);
  expect(Comm::Compare(created, copy) == CONGRUENT);
  Intracomm reversed = created.Split(0, -rank);
  expect(reversed.Get_rank() == ranks - 1 - rank);
  group.Free();
  reversed.Free();
  created.Free();
  copy.Free();
  expect(copy == COMM_NULL && COMM_NULL == copy && copy == MPI_COMM_NULL);
}

/// Classes of topologies take any handle of C; nothing here asks for the topology.
template <class Class>
void duplicates() {
  Class copy = Class(MPI_COMM_WORLD).Dup();
  Class& clone = copy.Clone();
  expect(copy.Get_size() == ranks && clone.Get_size() == ranks);
  copy.Free();
  clone.Free();
  delete &clone;
}

/// The first half of the ranks against the others.
void intercommunicators() {
  if (ranks < 2) return;
  const bool low = rank < ranks / 2;
  const int here = low ? ranks / 2 : ranks - ranks / 2;
  Intracomm half = COMM_WORLD.Split(low, rank);
  Intercomm inter = half.Create_intercomm(0, COMM_WORLD, low ? ranks / 2 : 0, 1);
  expect(inter.Is_inter() && inter.Get_size() == here && inter.Get_remote_size() == ranks - here);
  Group remote = inter.Get_remote_group(), local = inter.Get_group();
  expect(remote.Get_size() == ranks - here);
  Intercomm copy = inter.Dup(), created = inter.Create(local), split = inter.Split(0, rank);
  expect(created.Get_remote_size() == ranks - here && split.Get_remote_size() == ranks - here);
  Intercomm& clone = split.Clone();
  expect(clone.Is_inter() && Comm::Compare(copy, clone) == CONGRUENT);
  Intracomm merged = inter.Merge(!low);
  expect(merged.Get_size() == ranks && merged.Get_rank() == rank);
  int sum = -1;
  inter.Allreduce(&rank, &sum, 1, INT, SUM);
  expect(sum == (low ? sum_of_ranks() - here * (here - 1) / 2 : (ranks - here) * (ranks - here - 1) / 2));
  clone.Free();
  delete &clone;
  for (Group* group : {&remote, &local}) group->Free();
  for (Comm* comm : {static_cast<Comm*>(&merged), static_cast<Comm*>(&half)}) comm->Free();
  for (Intercomm* comm : {&split, &created, &copy, &inter}) comm->Free();
}

void collectives() {
  int sum = -1;
  COMM_WORLD.Barrier();
  COMM_WORLD.Allreduce(&rank, &sum, 1, INT, SUM);
  expect(sum == sum_of_ranks());
  COMM_WORLD.Reduce(&rank, &sum, 1, INT, MAX, 0);
  expect(rank != 0 || sum == ranks - 1);
  COMM_WORLD.Bcast(&sum, 1, INT, 0);
  expect(sum == ranks - 1);
  COMM_WORLD.Scan(&rank, &sum, 1, INT, SUM);
  expect(sum == rank * (rank + 1) / 2);
  COMM_WORLD.Exscan(&rank, &sum, 1, INT, SUM);
  expect(rank == 0 || sum == rank * (rank - 1) / 2);
  std::vector<int> all(static_cast<std::size_t>(ranks)), ones(all.size(), 1);
  std::iota(all.begin(), all.end(), 0);
  COMM_WORLD.Reduce_scatter(all.data(), &sum, ones.data(), INT, SUM);
  expect(sum == rank * ranks);
  COMM_WORLD.Reduce_scatter_block(all.data(), &sum, 1, INT, SUM);
  expect(sum == rank * ranks);
  bool every = true;
  COMM_WORLD.Allreduce(IN_PLACE, &every, 1, BOOL, LAND);
  expect(every);
}

void datatypes() {
  const int lengths[2] = {1, 2}, places[2] = {0, 2}, sizes[1] = {8}, parts[1] = {4}, starts[1] = {2};
  const int block[1] = {DISTRIBUTE_BLOCK}, dflt[1] = {DISTRIBUTE_DFLT_DARG}, one[1] = {1};
  const Aint offsets[2] = {0, 8};
  const Datatype types[2] = {INT, FLOAT};
  struct Made {
    Datatype type;
    int size;
  };
  const Made made[] = {
      {INT.Dup(), 4},
      {INT.Create_contiguous(3), 12},
      {INT.Create_vector(2, 1, 2), 8},
      {INT.Create_hvector(2, 1, 8), 8},
      {INT.Create_indexed(2, lengths, places), 12},
      {INT.Create_hindexed(2, lengths, offsets), 12},
      {INT.Create_indexed_block(2, 1, places), 8},
      {INT.Create_resized(0, 16), 4},
      {INT.Create_subarray(1, sizes, parts, starts, ORDER_C), 16},
      {INT.Create_darray(1, 0, 1, sizes, block, dflt, one, ORDER_C), 32},
      {Datatype::Create_struct(2, lengths, offsets, types), 12},
  };
  for (Made entry : made) {
    entry.type.Commit();
    expect(entry.type.Get_size() == entry.size);
    entry.type.Free();
    expect(entry.type == DATATYPE_NULL);
  }
  expect(Datatype::Match_size(TYPECLASS_REAL, 8).Get_size() == 8);
  expect(Datatype::Create_f90_integer(9).Get_size() == 4 &&
         Datatype::Create_f90_real(15, 307).Get_size() == 8);
  expect(Datatype::Create_f90_complex(15, 307).Get_size() == 16);
  expect(COMPLEX.Get_size() == 8 && DOUBLE_COMPLEX.Get_size() == 16 && TWOINT.Get_size() == 8);
}

void inside_of_a_datatype() {
  Datatype vector = INT.Create_vector(2, 1, 2);
  int integers = 0, addresses = 0, types = 0, combiner = 0, numbers[3];
  Aint lb = -1, extent = -1, none[1];
  Datatype inner[1];
  vector.Get_envelope(integers, addresses, types, combiner);
  expect(integers == 3 && addresses == 0 && types == 1 && combiner == COMBINER_VECTOR);
  vector.Get_contents(3, 0, 1, numbers, none, inner);
  expect(numbers[0] == 2 && numbers[2] == 2 && inner[0] == INT);
  vector.Get_extent(lb, extent);
  expect(lb == 0 && extent == 12);
  vector.Get_true_extent(lb, extent);
  expect(lb == 0 && extent == 12);
  char name[MAX_OBJECT_NAME];
  int length = 0;
  vector.Set_name("a vector");
  vector.Get_name(name, length);
  expect(std::string(name) == "a vector");
  vector.Free();
}

void packing() {
  const int numbers[3] = {1, 2, 3};
  int back[3] = {}, position = 0;
  std::vector<char> packed(static_cast<std::size_t>(INT.Pack_size(3, COMM_WORLD)));
  INT.Pack(numbers, 3, packed.data(), static_cast<int>(packed.size()), position, COMM_WORLD);
  expect(position == 12);
  position = 0;
  INT.Unpack(packed.data(), static_cast<int>(packed.size()), back, 3, position, COMM_WORLD);
  expect(position == 12 && back[2] == 3);
  Aint there = 0;
  packed.resize(static_cast<std::size_t>(INT.Pack_external_size("external32", 3)));
  INT.Pack_external("external32", numbers, 3, packed.data(), 12, there);
  expect(there == 12);
  there = back[2] = 0;
  INT.Unpack_external("external32", packed.data(), 12, there, back, 3);
  expect(there == 12 && back[2] == 3);
}

}  // namespace

int main(int argc, char** argv) {
  expect(Init_thread(argc, argv, THREAD_SINGLE) >= THREAD_SINGLE);
  COMM_WORLD.Set_errhandler(ERRORS_THROW_EXCEPTIONS);
  COMM_SELF.Set_errhandler(ERRORS_THROW_EXCEPTIONS);
  rank = COMM_WORLD.Get_rank();
  ranks = COMM_WORLD.Get_size();
  for (const auto test : {environment, infos, groups, communicators, duplicates<Cartcomm>,
                          duplicates<Graphcomm>, duplicates<Distgraphcomm>, intercommunicators, collectives,
                          datatypes, inside_of_a_datatype, packing, topologies}) {
    test();
  }
  Finalize();
  expect(Is_finalized());
  return 0;
}
