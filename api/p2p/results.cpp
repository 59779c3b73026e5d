#include "api/p2p/results.hpp"

#include <fmt/format.h>

#include <string>

#include "api/p2p/message_titles.hpp"
#include "engine/p2p/channel.hpp"

namespace foldlane::api {
namespace {

using engine::Delivery;

[[noreturn]] void fail_as(Delivery delivery, const std::string& what) {
  if (delivery == Delivery::no_memory) {
    fail(MPI_ERR_NO_MEM,
         fmt::format("{}: the shared memory that it would go through could not be committed", what));
  }
  fail(MPI_ERR_PROC_ABORTED,
       fmt::format("{}: the job has failed, or the rank that it depends on has died", what));
}

}  // namespace

void fail_send(const engine::Send& send) {
  fail_as(send.delivery(), fmt::format("sending {} bytes with tag {} on {}", send.buffer.bytes, send.tag,
                                       send.channel->name()));
}

void fail_receive(const engine::Receive& receive, int first) {
  if (receive.delivery() != Delivery::truncated) {
    fail_as(receive.delivery(),
            fmt::format("receiving from {} with {} on {}", rank_name(receive.source, first),
                        tag_name(receive.tag), receive.channel->name()));
  }
  fail(MPI_ERR_TRUNCATE,
       fmt::format(
           "rank {} sent {} bytes with tag {} on {}, but the receive from {} with {} has room for {}; the "
           "rest is lost",
           static_cast<int>(receive.envelope.source) - first, receive.envelope.bytes, receive.envelope.tag,
           receive.channel->name(), rank_name(receive.source, first), tag_name(receive.tag),
           receive.buffer.bytes));
}

}  // namespace foldlane::api
