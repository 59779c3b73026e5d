#include "matching/mpi/parts.hpp"

#include <algorithm>

#include "matching/payload.hpp"

namespace foldlane::matching {

namespace {

bool contains(const std::vector<int>& group, int rank) {
  return std::find(group.begin(), group.end(), rank) != group.end();
}

MPI_Comm split(MPI_Comm from, const std::vector<int>& group, int rank) {
  MPI_Comm made = MPI_COMM_NULL;
  const auto place = static_cast<int>(std::find(group.begin(), group.end(), rank) - group.begin());
  MPI_Comm_split(from, contains(group, rank) ? 0 : MPI_UNDEFINED, place, &made);
  return made;
}

MPI_Comm between(MPI_Comm from, const Communicator& comm, int rank) {
  MPI_Comm first = split(from, comm.group, rank), second = split(from, comm.remote, rank),
           made = MPI_COMM_NULL;
  const bool in_first = first != MPI_COMM_NULL;
  MPI_Comm& own = in_first ? first : second;
  MPI_Intercomm_create(own, 0, from, in_first ? comm.remote[0] : comm.group[0], 7, &made);
  MPI_Comm_free(&own);
  return made;
}

MPI_Datatype pair_type() {
  const int lengths[] = {1, 1};
  const MPI_Aint offsets[] = {0, 8};
  const MPI_Datatype parts[] = {MPI_INT, MPI_DOUBLE};
  MPI_Datatype pair;
  MPI_Type_create_struct(2, lengths, offsets, parts, &pair);
  return pair;
}

MPI_Datatype make_type(MPI_Datatype unit, Layout layout) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  const int reversed[][3] = {{2, 1, 3}, {4, 0, 6}}, gaps[][3] = {{1, 0, 2}, {1, 3, 4}};
  switch (layout) {
    case Layout::plain:
      MPI_Type_dup(unit, &made);
      break;
    case Layout::triple:
      MPI_Type_contiguous(3, unit, &made);
      break;
    case Layout::strided:
      MPI_Type_vector(4, 1, 2, unit, &made);
      break;
    case Layout::blocks:
      MPI_Type_vector(2, 3, 5, unit, &made);
      break;
    case Layout::reversed:
      MPI_Type_indexed(3, reversed[0], reversed[1], unit, &made);
      break;
    case Layout::gaps:
      MPI_Type_indexed(3, gaps[0], gaps[1], unit, &made);
      break;
  }
  MPI_Type_commit(&made);
  return made;
}

}  // namespace

std::vector<MPI_Comm> make_comms(int ranks) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::vector<Communicator> shapes = communicators_of(ranks);
  std::vector<MPI_Comm> comms(shapes.size(), MPI_COMM_NULL);
  comms[0] = split(MPI_COMM_WORLD, shapes[0].group, rank);
  for (std::size_t i = 1; i < shapes.size() && rank < ranks; ++i)
    comms[i] = shapes[i].remote.empty() ? split(comms[0], shapes[i].group, rank)
                                        : between(comms[0], shapes[i], rank);
  return comms;
}

void free_comms(std::vector<MPI_Comm>& comms) {
  for (MPI_Comm& comm : comms)
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
}

Types::Types() {
  MPI_Datatype pair = pair_type();
  const MPI_Datatype units[] = {MPI_BYTE, MPI_INT, MPI_DOUBLE, pair};
  for (int unit = 0; unit < 4; ++unit)
    for (int layout = 0; layout < 6; ++layout)
      types_[unit][layout] = make_type(units[unit], static_cast<Layout>(layout));
  MPI_Type_free(&pair);
}

Types::~Types() {
  for (auto& layouts : types_)
    for (MPI_Datatype& type : layouts) MPI_Type_free(&type);
}

}  // namespace foldlane::matching
