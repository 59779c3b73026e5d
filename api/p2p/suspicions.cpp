#include "api/p2p/suspicions.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <tuple>

#include "api/core/checks.hpp"
#include "api/core/failure.hpp"
#include "api/errors/raise.hpp"
#include "api/objects/assertions.hpp"
#include "api/op/op.hpp"
#include "api/p2p/arguments.hpp"
#include "api/p2p/message_titles.hpp"
#include "engine/p2p/channel.hpp"
#include "kernels/elem.hpp"

namespace foldlane::api {
namespace {

using kernels::Elem;

// What stands beside the code of a type.
constexpr std::uint16_t kCode = static_cast<std::uint16_t>(~(engine::kCameTooEarly | kExactLength));
static_assert((engine::kCameTooEarly & kExactLength) == 0);

bool are_several(std::uint16_t code) noexcept { return (code & kSeveralKinds) != 0; }

/// As of types in signatures (likeness_of() in api/datatype/datatype_table.cpp); 0 is everything. `is_whole`:
/// the message is as long as its receive; where that is of several kinds a shorter one may be its beginning.
bool correspond(std::uint16_t sent, std::uint16_t received, bool is_whole) noexcept {
  if (sent == received || sent == 0 || received == 0) return true;
  if (are_several(received)) return !is_whole;
  if (are_several(sent)) return false;
  const auto a = static_cast<Elem>(sent), b = static_cast<Elem>(received);
  return a <= Elem::u128 && b <= Elem::u128 && kernels::elem_bytes(a) == kernels::elem_bytes(b);
}

/// True the first time that this is asked about such a mistake on a communicator.
bool is_news(std::uint32_t context, std::uint16_t sent, std::uint16_t received) {
  static std::mutex mutex;
  static auto& told = *new std::set<std::tuple<std::uint32_t, std::uint16_t, std::uint16_t>>;
  const std::lock_guard lock(mutex);
  return told.emplace(context, sent, received).second;
}

std::string name_of(const engine::Receive& receive, int first) {
  return fmt::format("receiving from {} with {} on {}", rank_name(receive.source, first),
                     tag_name(receive.tag), receive.channel->name());
}

/// "rank 0 has sent it with tag 3".
std::string origin(const engine::Envelope& envelope, int first) {
  return fmt::format("by rank {} with tag {}", static_cast<int>(envelope.source) - first, envelope.tag);
}

std::string kinds_of(std::uint16_t code) {
  return are_several(code) ? "several kinds of elements" : name_of_type_code(code);
}

std::string difference(std::uint16_t sent, std::uint16_t received, const std::string& origin) {
  if (are_several(sent) && are_several(received))
    return fmt::format(
        "the message that was sent {} has other elements than the receive, or has them in another order",
        origin);
  return fmt::format("the receive is of {}, but the message that was sent {} is of {}", kinds_of(received),
                     origin, kinds_of(sent));
}

void tell(Check check, int code, bool is_first, const std::string& what) {
  if (checks.has(check)) fail(code, what);
  if (is_first) print_line(fmt::format("{}{}\n", line_prefix(), what));
}

}  // namespace

void examine(const engine::Receive& receive, int first) {
  const engine::Envelope& envelope = receive.envelope;
  const std::uint32_t context = receive.channel->context();
  if ((envelope.type & engine::kCameTooEarly) != 0) {
    tell(Check::ready, MPI_ERR_OTHER, is_news(context, engine::kCameTooEarly, 0),
         fmt::format("{}: the message was sent {} by MPI_Rsend or its kin, which must not begin before the "
                     "receive has",
                     name_of(receive, first), origin(envelope, first)));
  }
  if ((receive.buffer.type & kExactLength) != 0 && envelope.bytes != receive.buffer.bytes) {
    fail(MPI_ERR_TRUNCATE,
         fmt::format("{}: the message that was sent {} has {} bytes, the receive is of {}, and "
                     "mpi_assert_exact_length was set",
                     name_of(receive, first), origin(envelope, first), envelope.bytes, receive.buffer.bytes));
  }
  const std::uint16_t sent = envelope.type & kCode;
  const std::uint16_t received = receive.buffer.type & kCode;
  if (envelope.bytes == 0 || correspond(sent, received, envelope.bytes == receive.buffer.bytes)) return;
  tell(Check::types, MPI_ERR_TYPE, is_news(context, sent, received),
       fmt::format("{}: {}", name_of(receive, first), difference(sent, received, origin(envelope, first))));
}

}  // namespace foldlane::api
