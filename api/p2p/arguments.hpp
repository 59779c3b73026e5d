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

/// Where a datatype keeps its type map.
using TypeMapPlace = std::shared_ptr<const engine::TypeMap>;

/// The memory of a message, and the type map if that must be kept for a call that outlasts this one.
struct MessageMemory {
  engine::UserBuffer buffer;
  const TypeMapPlace* type_map = nullptr;
};

/// What the envelope says of the elements: their code (kernels::Elem) if all are of one kind. 0: not to be
/// compared, as bytes and packed data match everything (MPI-5.0, 3.3.1).
inline std::uint16_t message_type(const Datatype& type) noexcept {
  constexpr auto kByte = static_cast<std::uint64_t>(kernels::Elem::u8);
  const std::uint64_t code = type.signature.hash;
  return engine::is_uniform(type.signature) && code != kByte ? static_cast<std::uint16_t>(code) : 0;
}

/// Fills in the memory of a message where it is to stay: what is written in parts and then copied as a whole
/// waits until all parts have left the store buffer, which took a third of the time of a short send. Returns
/// the type map if that must be kept for a call that outlasts this one, else null.
inline const TypeMapPlace* check_message(engine::UserBuffer& memory, const void* buffer, MPI_Count count,
                                         MPI_Datatype datatype, const char* parameter = "buf") {
  const Datatype& type = check_datatype(datatype);
  check_committed(type);
  const std::size_t bytes = check_vector(count, type);
  check_buffer(buffer, bytes, parameter);
  memory.address = static_cast<std::byte*>(const_cast<void*>(buffer));
  memory.type = message_type(type);
  memory.bytes = bytes;
  if (type.dense()) return nullptr;
  memory.bytes = static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(type.size);
  memory.type_map = type.type_map.get();
  check_elements(buffer, memory.bytes, type, parameter);
  return &type.type_map;
}
inline MessageMemory check_message(const void* buffer, MPI_Count count, MPI_Datatype datatype) {
  MessageMemory memory;
  memory.type_map = check_message(memory.buffer, buffer, count, datatype);
  return memory;
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
  int first;                // first_partner()
  std::uint16_t type_mark;  // of receives: kExactLength, if the program has promised that

  int source(int rank) const noexcept { return rank == MPI_ANY_SOURCE ? engine::kAnySource : first + rank; }
  int rank_in_job(int rank) const noexcept { return channel->rank_in_job(first + rank); }
};

/// The member that is rank 0 to calls on it.
inline int first_partner(const Communicator& communicator) noexcept {
  return communicator.is_inter ? communicator.sides().remote.first : 0;
}

engine::Channel& open_channel(Communicator& communicator, MPI_Comm comm);
/// Of the messages that collective calls make.
engine::Channel& open_collective_channel(Communicator& communicator, MPI_Comm comm);

inline Line line_of(Communicator& communicator, MPI_Comm comm) {
  engine::Channel* channel = communicator.channel.observe();
  if (channel == nullptr) [[unlikely]]
    channel = &open_channel(communicator, comm);
  return {channel, first_partner(communicator),
          static_cast<std::uint16_t>(communicator.assertions.peek() & kExactLength)};
}

inline int tag_wanted(int tag) noexcept { return tag == MPI_ANY_TAG ? engine::kAnyTag : tag; }

inline engine::Messenger& messenger() noexcept { return world.job->messenger(); }

}  // namespace foldlane::api
