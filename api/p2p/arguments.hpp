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

/// The memory of a message. Plain values, which stay in registers until what is made of them is written.
struct MessageMemory {
  std::byte* address;
  std::uint64_t bytes;           // packed
  const TypeMapPlace* type_map;  // to be kept for a call that outlasts this one; null: there is none
  std::uint16_t type;

  /// Of one that has nothing in it yet.
  void set(engine::UserBuffer& buffer) const noexcept {
    buffer.address = address;
    buffer.bytes = bytes;
    if (type_map != nullptr) [[unlikely]]
      buffer.type_map = type_map->get();
    buffer.type = type;
  }
  engine::UserBuffer buffer() const noexcept {
    engine::UserBuffer buffer;
    set(buffer);
    return buffer;
  }
};

/// In what the envelope says of the elements: they are of several kinds, and what follows is a hash.
inline constexpr std::uint16_t kSeveralKinds = 0x2000;
/// Of them, in so many instances of a type.
[[gnu::cold]] std::uint16_t hash_of_kinds(const engine::Signature& type, std::uint64_t count) noexcept;

/// What the envelope says of the elements: their code (kernels::Elem) if all are of one kind. 0: not to be
/// compared.
inline std::uint16_t message_type(const Datatype& type, MPI_Count count) noexcept {
  if (type.signature.alike == engine::kAnything) return 0;
  if (engine::is_uniform(type.signature)) [[likely]]
    return static_cast<std::uint16_t>(type.signature.hash);
  return hash_of_kinds(type.signature, static_cast<std::uint64_t>(count));
}

/// The arguments that say where a message lies, checked.
[[gnu::always_inline]] inline MessageMemory check_message(const void* buffer, MPI_Count count,
                                                          MPI_Datatype datatype,
                                                          const char* parameter = "buf") {
  const Datatype& type = check_datatype(datatype);
  check_committed(type);
  std::uint64_t bytes = check_vector(count, type);
  check_buffer(buffer, bytes, parameter);
  const TypeMapPlace* type_map = nullptr;
  if (!type.dense()) [[unlikely]] {
    bytes = static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(type.size);
    check_elements(buffer, bytes, type, parameter);
    type_map = &type.type_map;
  }
  return {static_cast<std::byte*>(const_cast<void*>(buffer)), bytes, type_map, message_type(type, count)};
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

[[gnu::always_inline]] inline Line line_of(Communicator& communicator, MPI_Comm comm) {
  engine::Channel* channel = communicator.channel.observe();
  if (channel == nullptr) [[unlikely]]
    channel = &open_channel(communicator, comm);
  return {channel, first_partner(communicator),
          static_cast<std::uint16_t>(communicator.assertions.peek() & kExactLength)};
}

/// The same, once it is known that the call may name this partner. There is no channel to MPI_PROC_NULL.
[[gnu::always_inline]] inline Line line_to(int rank, Communicator& communicator, MPI_Comm comm) {
  if (rank == MPI_PROC_NULL) [[unlikely]]
    return {nullptr, first_partner(communicator), 0};
  return line_of(communicator, comm);
}
[[gnu::always_inline]] inline Line check_receiver(Communicator& communicator, MPI_Comm comm, int dest,
                                                  int tag) {
  check_send_tag(tag);
  check_destination(dest, communicator);
  return line_to(dest, communicator, comm);
}
[[gnu::always_inline]] inline Line check_sender(Communicator& communicator, MPI_Comm comm, int source,
                                                int tag) {
  check_receive_tag(tag, communicator);
  check_source(source, communicator);
  return line_to(source, communicator, comm);
}

inline int tag_wanted(int tag) noexcept { return tag == MPI_ANY_TAG ? engine::kAnyTag : tag; }

inline engine::Messenger& messenger() noexcept { return world.job->messenger(); }

}  // namespace foldlane::api
