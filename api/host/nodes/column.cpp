#include "api/host/nodes/column.hpp"

#include <fmt/format.h>

#include <algorithm>

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
  if (node_ != root) explanation_.note_from_other_nodes(bytes);
  return done("MPI_Bcast",
              host_.call().Bcast(data, static_cast<int>(bytes), host_.constants().byte, root, comm_));
}

Column::Result Column::gather(const void* own, std::size_t bytes, void* all, int root) {
  if (node_ == root) explanation_.note_from_other_nodes(bytes * others());
  const Handle byte = host_.constants().byte;
  const int count = static_cast<int>(bytes);
  return done("MPI_Gather", host_.call().Gather(own, count, byte, all, count, byte, root, comm_));
}

Column::Result Column::gather_all(const void* own, std::size_t bytes, void* all) {
  explanation_.note_from_other_nodes(bytes * others());
  const Handle byte = host_.constants().byte;
  const int count = static_cast<int>(bytes);
  return done("MPI_Allgather", host_.call().Allgather(own, count, byte, all, count, byte, comm_));
}

Column::Result Column::swap(const void* own, std::size_t bytes, void* all) {
  explanation_.note_from_other_nodes(bytes * others());
  const Handle byte = host_.constants().byte;
  const int count = static_cast<int>(bytes);
  return done("MPI_Alltoall", host_.call().Alltoall(own, count, byte, all, count, byte, comm_));
}

Column::Result Column::trade(const void* given, void* taken, std::size_t bytes, std::size_t piece_bytes,
                             const Arrived& arrived) {
  explanation_.note_from_other_nodes(bytes);
  const HostCalls& call = host_.call();
  const Handle byte = host_.constants().byte;
  const std::size_t pieces = (bytes + piece_bytes - 1) / piece_bytes;
  const int other = 1 - node_;
  requests_.assign(2 * pieces, 0);
  const auto length = [&](std::size_t i) { return std::min(piece_bytes, bytes - i * piece_bytes); };
  int code = 0;
  for (std::size_t i = 0; i < pieces && code == 0; ++i)
    code = call.Irecv(static_cast<std::byte*>(taken) + i * piece_bytes, static_cast<int>(length(i)), byte,
                      other, 0, comm_, &requests_[i]);
  for (std::size_t i = 0; i < pieces && code == 0; ++i)
    code = call.Isend(static_cast<const std::byte*>(given) + i * piece_bytes, static_cast<int>(length(i)),
                      byte, other, 0, comm_, &requests_[pieces + i]);
  for (std::size_t i = 0; i < pieces && code == 0; ++i) {
    code = call.Wait(&requests_[i], host_.constants().status_ignore);
    if (code == 0) code = call.Wait(&requests_[pieces + i], host_.constants().status_ignore);
    if (code == 0) arrived(i * piece_bytes, length(i));
  }
  return done("MPI_Isend, MPI_Irecv or MPI_Wait", code);
}

Column::Result Column::gather_all(std::byte* all, const Parts& parts) {
  explanation_.note_from_other_nodes(parts.total() - static_cast<std::size_t>(parts.bytes(node_)));
  const Handle byte = host_.constants().byte;
  return done("MPI_Allgatherv", host_.call().Allgatherv(host_.constants().in_place, 0, byte, all,
                                                        parts.all_bytes(), parts.all_starts(), byte, comm_));
}

Column::Result Column::gather(std::byte* all, const Parts& parts, int root) {
  const bool is_root = node_ == root;
  const auto own = static_cast<std::size_t>(parts.bytes(node_));
  if (is_root) explanation_.note_from_other_nodes(parts.total() - own);
  const Handle byte = host_.constants().byte;
  const void* const given = is_root ? host_.constants().in_place : all + parts.start(node_);
  return done("MPI_Gatherv", host_.call().Gatherv(given, parts.bytes(node_), byte, all, parts.all_bytes(),
                                                  parts.all_starts(), byte, root, comm_));
}

Column::Result Column::scatter(std::byte* all, const Parts& parts, int root) {
  const bool is_root = node_ == root;
  const auto own = static_cast<std::size_t>(parts.bytes(node_));
  if (!is_root) explanation_.note_from_other_nodes(own);
  const Handle byte = host_.constants().byte;
  void* const taken = is_root ? host_.constants().in_place : all + parts.start(node_);
  return done("MPI_Scatterv", host_.call().Scatterv(all, parts.all_bytes(), parts.all_starts(), byte, taken,
                                                    parts.bytes(node_), byte, root, comm_));
}

Column::Result Column::swap(const std::byte* given, const Parts& to, std::byte* taken, const Parts& from) {
  explanation_.note_from_other_nodes(from.total() - static_cast<std::size_t>(from.bytes(node_)));
  const Handle byte = host_.constants().byte;
  return done("MPI_Alltoallv", host_.call().Alltoallv(given, to.all_bytes(), to.all_starts(), byte, taken,
                                                      from.all_bytes(), from.all_starts(), byte, comm_));
}

Column::Result Column::done(const char* call, int code) const {
  if (code == 0) return {};
  return shm::Error{shm::Errc::system,
                    fmt::format("the host's {} between the nodes has failed with code {}", call, code)};
}

}  // namespace foldlane::host
