#include "matching/mpi/notes.hpp"

#include "matching/draft.hpp"
#include "matching/mpi/peer_defects.hpp"

namespace foldlane::matching {

void Notes::receive(std::size_t place, const MPI_Status& status) {
  const Call& call = script_[place];
  int cancelled = 0, units = 0;
  MPI_Test_cancelled(&status, &cancelled);
  if (cancelled != 0) {
    see(place, Seen::cancelled);
  } else {
    units = std::min(envelope(place, status, call.receive_layout), call.capacity);
  }
  const Memory& memory = memory_[place];
  const std::uint32_t id = id_in(memory, call.unit, call.receive_layout, units);
  if (memory != memory_of(call.unit, call.receive_layout, call.capacity, units, id))
    complain(place, Complaint::memory);
  log_[place].id = id;
}

void Notes::probe(std::size_t place, const MPI_Status& status) { envelope(place, status, Layout::plain); }

/// Returns how many units the message has.
int Notes::envelope(std::size_t place, const MPI_Status& status, Layout layout) {
  const Call& call = script_[place];
  if (kForgetsNobody && call.source == kNobody) {
    see(place, Seen::nobody);
    return 0;
  }
  const MPI_Datatype type = types_.of(call.unit, layout);
  int count = 0, parts = 0;
  MPI_Get_count(&status, type, &count);
  MPI_Get_elements(&status, type, &parts);
  if (status.MPI_SOURCE == MPI_PROC_NULL) {
    see(place, Seen::nobody);
    if (status.MPI_TAG != MPI_ANY_TAG || count != 0 || parts != 0) complain(place, Complaint::nobody);
    return 0;
  }
  const int parts_of_unit = call.unit == Unit::pair ? 2 : 1;
  const int parts_of_element = parts_of_unit * units_of(layout);
  if (count != (parts % parts_of_element == 0 ? parts / parts_of_element : MPI_UNDEFINED))
    complain(place, Complaint::count);
  Record& record = log_[place];
  record.source = status.MPI_SOURCE;
  record.tag = status.MPI_TAG;
  record.units = parts / parts_of_unit;
  see(place, Seen::message);
  return parts / parts_of_unit;
}

}  // namespace foldlane::matching
