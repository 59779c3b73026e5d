#include "api/p2p/arguments.hpp"

#include <fmt/format.h>

#include "api/op/op.hpp"

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

}  // namespace reject

std::uint16_t message_type(const Datatype& type) noexcept {
  static const std::uint16_t byte = type_code(find_datatype(MPI_BYTE)->signature);
  static const std::uint16_t packed = type_code(find_datatype(MPI_PACKED)->signature);
  const std::uint16_t code = engine::is_uniform(type.signature) ? type_code(type.signature) : 0;
  return code == byte || code == packed ? 0 : code;
}

engine::Channel& open_channel(Communicator& communicator, MPI_Comm comm) {
  engine::Channel& channel = messenger().open(*communicator.team);
  channel.set_name(describe(communicator, comm));
  communicator.channel.publish(&channel);
  return channel;
}

}  // namespace foldlane::api
