// A program of point-to-point calls as a value: what each of its ranks calls, in order. Ranks are numbered as
// in the program everywhere; only the executor knows ranks of communicators.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace foldlane::matching {

inline constexpr int kAny = -1;     // a source or a tag
inline constexpr int kNobody = -2;  // MPI_PROC_NULL
inline constexpr int kNone = -1;    // an index that is not there

/// Between the two groups where `remote` is not empty.
struct Communicator {
  std::vector<int> group, remote;

  bool has(int rank) const;
  /// Whom a rank's envelopes can name, by rank in the communicator.
  const std::vector<int>& peers_of(int rank) const;
  /// The member with this place among the peers of `rank`, or kNone.
  int peer_at(int rank, int place) const;
  int place_of(int rank, int peer) const;
};

/// What a message consists of: a pair is an int and a double.
enum class Unit { byte, integer, real, pair };
/// Where the units of a message lie in memory: the type map of one side.
enum class Layout { plain, triple, strided, blocks, reversed, gaps };
enum class Mode { standard, synchronous, buffered, ready };
enum class Kind { send, receive, exchange, replace, probe, cancel, complete, barrier };
/// Of which of its requests a call waits for, or tests, what.
enum class Which { one, all, any, some };

/// A message's number is above those of all that its sender has sent before.
struct Message {
  int sender, receiver, comm, tag;
  Unit unit;
  int units;
  int send = kNone;  // the call of the sender
};

/// One call, or a few that belong together:
/// receive   with `from`: what an earlier call has left to do. After a probe that found something, that
/// message (by
///           its handle or its envelope); after a receive, the same again if that was cancelled, else
///           nothing.
/// exchange  MPI_Sendrecv, replace MPI_Sendrecv_replace
/// probe     MPI_Probe, MPI_Iprobe and, with `takes`, MPI_Mprobe, MPI_Improbe
/// complete  MPI_Wait, MPI_Test and so on; `blocking` says which
struct Call {
  Kind kind;
  bool blocking = true;
  int comm = 0;
  // send, exchange, replace
  Mode mode = Mode::standard;
  int message = kNone;  // none: to nobody
  Layout layout = Layout::plain;
  // receive, exchange, replace, probe
  int source = kAny, tag = kAny;
  Unit unit = Unit::byte;
  int capacity = 0;  // units
  Layout receive_layout = Layout::plain;
  int from = kNone;
  bool takes = false;
  bool cancellable = false;  // a later call cancels it
  // complete, cancel
  Which which = Which::one;
  std::vector<int> requests = {};  // nonblocking calls of the same rank, at most 30

  bool sends() const { return kind == Kind::send || kind == Kind::exchange || kind == Kind::replace; }
  bool receives() const { return kind == Kind::receive || kind == Kind::exchange || kind == Kind::replace; }
  bool selects() const { return receives() || kind == Kind::probe; }
  bool accepts(const Message& other) const {
    return other.comm == comm && (source == kAny || source == other.sender) &&
           (tag == kAny || tag == other.tag);
  }
};

using Script = std::vector<Call>;

struct Program {
  std::uint64_t seed = 0;
  std::vector<Communicator> comms;
  std::vector<Message> messages;
  std::vector<Script> scripts;  // by rank

  int ranks() const { return static_cast<int>(scripts.size()); }
  const Message& message(int number) const { return messages[static_cast<std::size_t>(number)]; }
  const Communicator& comm(int number) const { return comms[static_cast<std::size_t>(number)]; }
  const Script& script(int rank) const { return scripts[static_cast<std::size_t>(rank)]; }
  const Call& call(int rank, int place) const { return script(rank)[static_cast<std::size_t>(place)]; }
};

/// The communicators of every program of so many ranks: all of them, a duplicate, the ranks backwards, all
/// but the first, and one between two halves. Those of fewer than the ranks they need are missing at the end.
std::vector<Communicator> communicators_of(int ranks);

std::string text_of(const Call& call, const Program& program);
std::string text_of(const Program& program);

}  // namespace foldlane::matching
