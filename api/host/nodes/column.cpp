#include "api/host/nodes/column.hpp"

#include <fmt/format.h>

namespace foldlane::host {

Column::Column(const Host& host, Explanation& explanation, Handle comm, int number, int node, int nodes)
    : host_(host), explanation_(explanation), node_(node), nodes_(nodes) {
  const int color = number == kNone ? host.constants().undefined : number;
  host.call().Comm_split(comm, color, node, &comm_);
}

Column::~Column() {
  if (comm_ != host_.constants().comm_null) host_.call().Comm_free(&comm_);
}

Column::Result Column::meet() { return done("MPI_Barrier", host_.call().Barrier(comm_)); }

Column::Result Column::broadcast(void* data, std::size_t bytes, int root) {
  if (node_ != root) note_from_others(bytes, 1);
  return done("MPI_Bcast",
              host_.call().Bcast(data, static_cast<int>(bytes), host_.constants().byte, root, comm_));
}

Column::Result Column::gather(const void* own, std::size_t bytes, void* all, int root) {
  if (node_ == root) note_from_others(bytes, nodes_ - 1);
  const Handle byte = host_.constants().byte;
  const int count = static_cast<int>(bytes);
  return done("MPI_Gather", host_.call().Gather(own, count, byte, all, count, byte, root, comm_));
}

Column::Result Column::gather_all(const void* own, std::size_t bytes, void* all) {
  note_from_others(bytes, nodes_ - 1);
  const Handle byte = host_.constants().byte;
  const int count = static_cast<int>(bytes);
  return done("MPI_Allgather", host_.call().Allgather(own, count, byte, all, count, byte, comm_));
}

Column::Result Column::swap(const void* own, std::size_t bytes, void* all) {
  note_from_others(bytes, nodes_ - 1);
  const Handle byte = host_.constants().byte;
  const int count = static_cast<int>(bytes);
  return done("MPI_Alltoall", host_.call().Alltoall(own, count, byte, all, count, byte, comm_));
}

Column::Result Column::done(const char* call, int code) const {
  if (code == 0) return {};
  return shm::Error{shm::Errc::system,
                    fmt::format("the host's {} between the nodes has failed with code {}", call, code)};
}

void Column::note_from_others(std::size_t bytes, int senders) noexcept {
  explanation_.note_from_other_nodes(bytes * static_cast<std::size_t>(senders));
}

}  // namespace foldlane::host
