#include "api/p2p/message_titles.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "api/objects/communicator.hpp"
#include "api/p2p/requests.hpp"

namespace foldlane::api {
namespace {

/// The rank that a call on the communicator has named. Of one that is gone: that in the job.
int rank_on(MPI_Comm comm, int rank_in_job) {
  const Communicator* const found = find_communicator(comm);
  if (found == nullptr) return comm == MPI_COMM_SELF ? 0 : rank_in_job;
  const std::vector<int>& members = found->team->members();
  const auto member = std::find(members.begin(), members.end(), rank_in_job) - members.begin();
  return static_cast<int>(member) - (found->is_inter ? found->sides().remote.first : 0);
}

std::string title(const char* call, const std::string& partner, const std::string& tag, std::uint64_t bytes,
                  MPI_Comm comm) {
  return fmt::format("{}({}, {}, {} bytes, {})", call, partner, tag, bytes, describe(comm));
}

}  // namespace

const char* name_of_send(engine::SendMode mode, bool is_persistent) {
  switch (mode) {
    case engine::SendMode::standard:
      break;
    case engine::SendMode::synchronous:
      return is_persistent ? "MPI_Ssend_init" : "MPI_Issend";
    case engine::SendMode::ready:
      return is_persistent ? "MPI_Rsend_init" : "MPI_Irsend";
  }
  return is_persistent ? "MPI_Send_init" : "MPI_Isend";
}

std::string rank_name(int source, int first) {
  return source == engine::kAnySource ? "any rank" : fmt::format("rank {}", source - first);
}

std::string tag_name(int tag) { return tag == engine::kAnyTag ? "any tag" : fmt::format("tag {}", tag); }

std::string title_of(const char* call, MPI_Comm comm, const engine::Parcel& send, bool is_null) {
  if (is_null) return fmt::format("{}(dest MPI_PROC_NULL, {})", call, describe(comm));
  return title(call, fmt::format("dest {}", rank_on(comm, send.to)), tag_name(send.tag), send.buffer.bytes,
               comm);
}

std::string title_of(const char* call, MPI_Comm comm, const engine::Receive& receive, bool is_null,
                     int first) {
  if (is_null) return fmt::format("{}(source MPI_PROC_NULL, {})", call, describe(comm));
  const bool is_any = receive.source == engine::kAnySource;
  return title(call, is_any ? "any source" : fmt::format("source {}", receive.source - first),
               tag_name(receive.tag), receive.buffer.bytes, comm);
}

std::string SendRequest::title() const {
  return title_of(name_of_send(send_.mode, is_persistent()), comm(), send_, is_null());
}

std::string PlainReceive::title() const { return title_of("MPI_Irecv", comm(), receive_, false, 0); }

std::string ReceiveRequest::title() const {
  if (claimed_ != nullptr)
    return fmt::format("MPI_Imrecv({} bytes, {})", receive_.buffer.bytes, api::describe(comm()));
  return title_of(is_persistent() ? "MPI_Recv_init" : "MPI_Irecv", comm(), receive_, is_null(), first_);
}

}  // namespace foldlane::api
