// The arguments that calls about messages have in common: what is sent or received, and with whom.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>

#include "api/datatype/datatype_args.hpp"
#include "api/errors/args.hpp"
#include "api/objects/communicator.hpp"
#include "engine/p2p/messenger.hpp"

namespace foldlane::api {

namespace reject {

[[noreturn, gnu::cold]] void tag(int tag, const char* parameter, bool may_be_any);
[[noreturn, gnu::cold]] void partner(int rank, const Communicator& communicator, const char* parameter,
                                     bool may_be_any);
[[noreturn, gnu::cold]] void any_tag(const char* parameter);
[[noreturn, gnu::cold]] void any_source(const char* parameter);

}  // namespace reject

/// The memory of a message, and the type map if that must be kept for a call that outlasts this one.
struct MessageMemory {
  engine::UserBuffer buffer;
  const std::shared_ptr<const engine::TypeMap>* type_map = nullptr;
};

/// What the envelope says of the elements: their code (kernels::Elem) if all are of one kind. 0: not to be
/// compared, as bytes and packed data match everything (MPI-5.0, 3.3.1).
inline std::uint16_t message_type(const Datatype& type) noexcept {
  constexpr auto kByte = static_cast<std::uint64_t>(kernels::Elem::u8);
  const std::uint64_t code = type.signature.hash;
  return engine::is_uniform(type.signature) && code != kByte ? static_cast<std::uint16_t>(code) : 0;
}

inline MessageMemory check_message(const void* buffer, MPI_Count count, MPI_Datatype datatype,
                                   const char* parameter = "buf") {
  const Datatype& type = check_datatype(datatype);
  check_committed(type);
  const std::size_t bytes = check_vector(count, type);
  check_buffer(buffer, bytes, parameter);
  auto* const address = static_cast<std::byte*>(const_cast<void*>(buffer));
  if (type.dense()) return {{address, bytes, nullptr, message_type(type)}, nullptr};
  const auto packed = static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(type.size);
  check_elements(buffer, packed, type, parameter);
  return {{address, packed, type.type_map.get(), message_type(type)}, &type.type_map};
}

inline void check_send_tag(int tag, const char* parameter = "tag") {
  if (tag < 0) [[unlikely]]
    reject::tag(tag, parameter, false);
}
inline void check_receive_tag(int tag, const Communicator& communicator, const char* parameter = "tag") {
  if (tag >= 0) return;
  if (tag != MPI_ANY_TAG) [[unlikely]]
    reject::tag(tag, parameter, true);
  if ((communicator.assertions.peek() & kNoAnyTag) != 0) [[unlikely]]
    reject::any_tag(parameter);
}

/// How many ranks a call on it can name.
inline int partners(const Communicator& communicator) noexcept {
  return communicator.is_inter ? communicator.remote_group->size() : communicator.team->size();
}
/// MPI_PROC_NULL may be sent to and received from.
inline void check_destination(int rank, const Communicator& communicator, const char* parameter = "dest") {
  if ((rank < 0 || rank >= partners(communicator)) && rank != MPI_PROC_NULL) [[unlikely]]
    reject::partner(rank, communicator, parameter, false);
}
inline void check_source(int rank, const Communicator& communicator, const char* parameter = "source") {
  if (rank >= 0 && rank < partners(communicator)) [[likely]]
    return;
  if (rank != MPI_PROC_NULL && rank != MPI_ANY_SOURCE) [[unlikely]]
    reject::partner(rank, communicator, parameter, true);
  if (rank == MPI_ANY_SOURCE && (communicator.assertions.peek() & kNoAnySource) != 0) [[unlikely]]
    reject::any_source(parameter);
}

/// How ranks of a communicator are named by its channel.
struct Line {
  engine::Channel* channel;
  int first;                // the member that is rank 0 to calls on this communicator
  std::uint16_t type_mark;  // of receives: kExactLength, if the program has promised that

  int source(int rank) const noexcept { return rank == MPI_ANY_SOURCE ? engine::kAnySource : first + rank; }
  int rank_in_job(int rank) const noexcept { return channel->rank_in_job(first + rank); }
};

engine::Channel& open_channel(Communicator& communicator, MPI_Comm comm);

inline Line line_of(Communicator& communicator, MPI_Comm comm) {
  engine::Channel* channel = communicator.channel.observe();
  if (channel == nullptr) [[unlikely]]
    channel = &open_channel(communicator, comm);
  return {channel, communicator.is_inter ? communicator.sides().remote.first : 0,
          static_cast<std::uint16_t>(communicator.assertions.peek() & kExactLength)};
}

inline int tag_wanted(int tag) noexcept { return tag == MPI_ANY_TAG ? engine::kAnyTag : tag; }

inline engine::Messenger& messenger() noexcept { return world.job->messenger(); }

}  // namespace foldlane::api
