#include "api/p2p/arguments.hpp"

#include <fmt/format.h>

namespace foldlane::api {

namespace reject {

void tag(int tag, const char* parameter, bool may_be_any) {
  fail(MPI_ERR_TAG, fmt::format("{} is {}; tags are 0 to MPI_TAG_UB{}", parameter, tag,
                                may_be_any ? ", or MPI_ANY_TAG" : ""));
}

void partner(int rank, const Communicator& communicator, const char* parameter, bool may_be_any) {
  fail(MPI_ERR_RANK, fmt::format("{} is {}; the {} has the ranks 0 to {}, and MPI_PROC_NULL{} is allowed",
                                 parameter, rank, communicator.is_inter ? "remote group" : "communicator",
                                 partners(communicator) - 1, may_be_any ? " or MPI_ANY_SOURCE" : ""));
}

void any_tag(const char* parameter) {
  fail(MPI_ERR_TAG, fmt::format("{} is MPI_ANY_TAG, but mpi_assert_no_any_tag was set", parameter));
}

void any_source(const char* parameter) {
  fail(MPI_ERR_RANK, fmt::format("{} is MPI_ANY_SOURCE, but mpi_assert_no_any_source was set", parameter));
}

}  // namespace reject

std::uint16_t hash_of_kinds(const engine::Signature& type, std::uint64_t count) noexcept {
  const std::uint64_t alike = count == 1 ? type.alike : engine::repeated(type, count).alike;
  return static_cast<std::uint16_t>(alike < kSeveralKinds ? alike : kSeveralKinds | alike % kSeveralKinds);
}

engine::Channel& open_channel(Communicator& communicator, MPI_Comm comm) {
  engine::Channel& channel = messenger().open(*communicator.team);
  channel.set_name(describe(communicator, comm));
  communicator.channel.publish(&channel);
  return channel;
}

engine::Channel& open_collective_channel(Communicator& communicator, MPI_Comm comm) {
  engine::Channel& channel = messenger().open(*communicator.team, engine::Messages::collective);
  channel.set_name(describe(communicator, comm) + " by collective calls");
  communicator.collective_channel.publish(&channel);
  return channel;
}

}  // namespace foldlane::api
