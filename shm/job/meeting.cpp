#include "shm/job/meeting.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "shm/base/hash.hpp"
#include "shm/job/life_lines.hpp"
#include "shm/job/packets.hpp"

namespace foldlane::shm {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// What rank 0 answers; behind kGivesUp stands why.
constexpr char kGoesOn = '+';
constexpr char kGivesUp = '-';

/// Who connects says this at once; a process that was stopped in between must not stop the others.
constexpr milliseconds kIntroduction(1000);

struct Arrival {
  std::uint64_t layout_hash;
  std::int32_t rank;
  std::int32_t size;
  pid_t process;
  CpuMask cpus;
};

std::string_view bytes_of(const Arrival& arrival) {
  return {reinterpret_cast<const char*>(&arrival), sizeof arrival};
}

std::string seconds_text(const Meeting& meeting) { return fmt::format("{} s", meeting.patience.count()); }

/// "rank 3", "ranks 1, 3", "ranks 1, 2, 3, 4 and 28 more".
std::string ranks_text(const std::vector<int>& ranks) {
  constexpr std::size_t kNamed = 4;
  const auto named = std::span(ranks).first(std::min(ranks.size(), kNamed));
  std::string text = fmt::format("rank{} {}", ranks.size() == 1 ? "" : "s", fmt::join(named, ", "));
  if (ranks.size() > kNamed) text += fmt::format(" and {} more", ranks.size() - kNamed);
  return text;
}

// ---- rank 0

class Gathering {
 public:
  explicit Gathering(const Meeting& meeting, std::uint64_t layout_hash)
      : meeting_(meeting),
        layout_hash_(layout_hash),
        sockets_(static_cast<std::size_t>(meeting.size)),
        cpus_(static_cast<std::size_t>(meeting.size)) {
    cpus_[0] = own_cpus();
  }

  Result<void> admit_all(const UniqueFd& listener) {
    const auto end = Clock::now() + meeting_.patience;
    for (;;) {
      const std::vector<int> missing = missing_ranks();
      if (missing.empty()) return {};
      auto ready = await_somebody(listener, end);
      if (!ready.ok()) return ready.error();
      if (!ready.value()) return not_there(missing);
      UniqueFd newcomer(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!newcomer.open()) return system_error("letting a rank in, for which rank 0 opens a file", errno);
      if (auto admitted = admit(std::move(newcomer)); !admitted.ok()) return admitted;
    }
  }

  std::span<const CpuMask> cpus() const { return cpus_; }

  Result<void> hand_out(const Segment& segment) {
    for_others([&](const UniqueFd& socket) { send_packet(socket, {&kGoesOn, 1}, segment.fd()); });
    for (int rank = 1; rank < meeting_.size; ++rank)
      if (receive_packet(at(rank)).bytes.empty()) return has_ended(rank);
    for_others([](const UniqueFd& socket) { send_packet(socket, {&kGoesOn, 1}); });
    return {};
  }

  Error dismiss(const Error& why) {
    for_others([&](const UniqueFd& socket) { send_packet(socket, kGivesUp + why.message.substr(0, 4000)); });
    return why;
  }

 private:
  UniqueFd& at(int rank) { return sockets_[static_cast<std::size_t>(rank)]; }

  template <class Do>
  void for_others(const Do& what) {
    for (const UniqueFd& socket : sockets_)
      if (socket.open()) what(socket);
  }

  std::vector<int> missing_ranks() const {
    std::vector<int> missing;
    for (int rank = 1; rank < meeting_.size; ++rank)
      if (!sockets_[static_cast<std::size_t>(rank)].open()) missing.push_back(rank);
    return missing;
  }

  /// True if somebody wants to come in. Who is in says nothing until it is told to: what is to be read there
  /// is its end.
  Result<bool> await_somebody(const UniqueFd& listener, Clock::time_point end) {
    std::vector<pollfd> watched{{listener.get(), POLLIN, 0}};
    for (const UniqueFd& socket : sockets_) watched.push_back({socket.get(), POLLIN, 0});
    int ready = 0;
    do {
      const auto left = std::chrono::ceil<milliseconds>(end - Clock::now());
      ready = poll(watched.data(), watched.size(), static_cast<int>(std::max<long>(left.count(), 0)));
    } while (ready < 0 && errno == EINTR);
    if (ready < 0) return system_error("waiting for ranks", errno);
    for (int rank = 1; rank < meeting_.size; ++rank)
      if (watched[static_cast<std::size_t>(rank) + 1].revents != 0) return has_ended(rank);
    return watched[0].revents != 0;
  }

  Result<void> admit(UniqueFd newcomer) {
    pollfd introduction{newcomer.get(), POLLIN, 0};
    if (process_behind(newcomer).user != geteuid() || poll(&introduction, 1, kIntroduction.count()) != 1)
      return {};
    const std::string bytes = receive_packet(newcomer).bytes;
    if (bytes.empty()) return {};
    Arrival arrival{};
    std::memcpy(&arrival, bytes.data(), std::min(bytes.size(), sizeof arrival));
    if (const auto wrong = contradiction(arrival, process_behind(newcomer).id)) {
      send_packet(newcomer, kGivesUp + *wrong);
      return Error{Errc::invalid, *wrong};
    }
    at(arrival.rank) = std::move(newcomer);
    cpus_[static_cast<std::size_t>(arrival.rank)] = arrival.cpus;
    return {};
  }

  std::optional<std::string> contradiction(const Arrival& arrival, pid_t process) {
    if (arrival.layout_hash != layout_hash_)
      return "the ranks have libraries of different builds of Foldlane; all must be of the same one";
    if (arrival.process != process)  // ranks use each other's memory by these numbers
      return fmt::format("rank {} is in another PID namespace than rank 0: is it in a container of its own?",
                         arrival.rank);
    if (arrival.size != meeting_.size)
      return fmt::format("rank {} was told that the job has {} ranks, rank 0 that it has {}", arrival.rank,
                         arrival.size, meeting_.size);
    if (arrival.rank < 1 || arrival.rank >= meeting_.size || at(arrival.rank).open())
      return fmt::format("two processes were told that they are rank {}: are these two jobs of one name?",
                         arrival.rank);
    return {};
  }

  static Error has_ended(int rank) {
    return {Errc::peer_failed, fmt::format("rank {} ended while the ranks were meeting", rank)};
  }
  Error not_there(const std::vector<int>& missing) const {
    return {Errc::peer_failed, fmt::format("{} of {} did not come within {}", ranks_text(missing),
                                           meeting_.size, seconds_text(meeting_))};
  }

  const Meeting& meeting_;
  std::uint64_t layout_hash_;
  std::vector<UniqueFd> sockets_;  // by rank
  std::vector<CpuMask> cpus_;      // by rank
};

Result<Segment> receive_all(const UniqueFd& listener, Gathering& gathering, const SegmentMaker& make) {
  if (auto admitted = gathering.admit_all(listener); !admitted.ok()) return admitted.error();
  auto segment = make(gathering.cpus());
  if (!segment.ok()) return segment;
  if (auto taken = take_life_line(segment.value(), 0); !taken.ok()) return taken.error();
  if (auto done = gathering.hand_out(segment.value()); !done.ok()) return done.error();
  return segment;
}

Result<Segment> lead(const Meeting& meeting, std::uint64_t layout_hash, const SegmentMaker& make) {
  const auto listener = listen_as(meeting_name(meeting.job));
  if (!listener.ok())
    return Error{listener.error().code,
                 listener.error().message + ": another job is called \"" + meeting.job + "\""};
  Gathering gathering(meeting, layout_hash);
  auto segment = receive_all(listener.value(), gathering, make);
  if (!segment.ok()) return gathering.dismiss(segment.error());
  return segment;
}

// ---- the others

Result<UniqueFd> reach_rank_0(const Meeting& meeting) {
  const std::string name = meeting_name(meeting.job);
  const auto end = Clock::now() + meeting.patience;
  for (milliseconds nap(1);; nap = std::min(2 * nap, milliseconds(50))) {
    auto socket = connect_to(name);
    if (!socket.ok() || socket.value().open()) return socket;
    if (Clock::now() >= end)
      return Error{Errc::peer_failed, fmt::format("rank 0 did not come within {}", seconds_text(meeting))};
    std::this_thread::sleep_for(nap);
  }
}

Result<Packet> answer_of(const UniqueFd& rank_0) {
  Packet answer = receive_packet(rank_0);
  if (answer.bytes.empty()) return Error{Errc::peer_failed, "rank 0 ended while the ranks were meeting"};
  if (answer.bytes[0] == kGivesUp) return Error{Errc::peer_failed, answer.bytes.substr(1)};
  return answer;
}

Result<Segment> receive_segment(const UniqueFd& rank_0, std::uint64_t layout_hash) {
  const auto answer = answer_of(rank_0);
  if (!answer.ok()) return answer.error();
  return Segment::attach(answer.value().fd.get(), layout_hash);
}

Result<Segment> attend(const Meeting& meeting, std::uint64_t layout_hash) {
  const auto rank_0 = reach_rank_0(meeting);
  if (!rank_0.ok()) return rank_0.error();
  if (const uid_t user = process_behind(rank_0.value()).user; user != geteuid())
    return Error{Errc::system, fmt::format("another user (uid {}) listens where rank 0 should", user)};
  send_packet(rank_0.value(), bytes_of({layout_hash, meeting.rank, meeting.size, getpid(), own_cpus()}));
  auto segment = receive_segment(rank_0.value(), layout_hash);  // no descriptor of it is closed from here on
  if (!segment.ok()) return segment;
  if (auto taken = take_life_line(segment.value(), meeting.rank); !taken.ok()) return taken.error();
  send_packet(rank_0.value(), {&kGoesOn, 1});
  if (auto all = answer_of(rank_0.value()); !all.ok()) return all.error();
  return segment;
}

}  // namespace

std::string meeting_name(const std::string& job) {
  Hash hash;
  hash.mix(job);
  return fmt::format("foldlane-{}-{:016x}", geteuid(), hash.value());
}

Result<Segment> meet(const Meeting& meeting, std::uint64_t layout_hash, const SegmentMaker& make) {
  return meeting.rank == 0 ? lead(meeting, layout_hash, make) : attend(meeting, layout_hash);
}

}  // namespace foldlane::shm
