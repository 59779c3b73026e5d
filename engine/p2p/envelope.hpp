// What a message says of itself; it travels before the data.
#pragma once

#include <cstdint>

namespace foldlane::engine {

/// In the place of a member that is to send: anybody. In the place of a tag: any.
inline constexpr int kAnySource = -1;
inline constexpr int kAnyTag = -1;

/// Where the data of a message are.
enum class Carriage : std::uint8_t {
  cell,      // beside the envelope
  block,     // in a block of the sender's, whose place is beside the envelope
  transfer,  // they follow when the message is matched (transfer_lines.hpp)
};

/// In Envelope::type, of a message that came before its receive although it was sent as one that is awaited
/// ("ready"). Codes of types are below, so that such a message is none that its receive expects.
inline constexpr std::uint16_t kCameTooEarly = 0x8000;

/// In Envelope::manner. No bit-fields: to set one, a core would first fetch the line from the receiver.
inline constexpr std::uint8_t kReady = 1;      // sent in the belief that it is awaited
inline constexpr std::uint8_t kDemotable = 2;  // maybe demoted by its sender (engine/choice/demotion.hpp)

struct Envelope {
  std::int32_t tag;
  std::uint32_t context;  // of the channel: messages of different ones never meet
  std::uint32_t source;   // a member of the channel's team
  std::uint16_t type;     // what the sender says its elements are; 0: it does not
  Carriage carriage;
  std::uint8_t manner;  // kReady, kDemotable
  std::uint64_t bytes;  // packed

  bool operator==(const Envelope&) const = default;
};
static_assert(sizeof(Envelope) == 24);

/// In the place of an offset: there is none.
inline constexpr std::uint64_t kNoPlace = ~std::uint64_t{0};
/// The same: sender and receiver copy it together (engine/data/pieces.hpp).
inline constexpr std::uint64_t kInPieces = kNoPlace - 1;

/// Where data are that do not lie beside the envelope; all in bytes from where the job's heaps start.
struct DataPlace {
  std::uint64_t at;       // of a block: its bytes; of a transfer: its lines
  std::uint64_t first;    // of a transfer: what `taken` is once the message is matched
  std::uint64_t direct;   // of a transfer: the sender's buffer, if the receiver can read it there
  std::uint32_t note;     // of a block: what it took to fill it, if that is timed (engine/team/one_way.hpp);
                          // of a transfer: TransferNote
  std::uint32_t process;  // of a transfer that may be pulled: whose address `direct` is; else 0
};

}  // namespace foldlane::engine
