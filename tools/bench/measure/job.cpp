#include "bench/measure/job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "bench/process/interrupt.hpp"
#include "bench/report/call_traits.hpp"
#include "bench/report/case_name.hpp"
#include "bench/report/pattern.hpp"
#include "bench/report/statistics.hpp"
#include "bench/values/elements.hpp"
#include "bench/values/verification.hpp"

namespace foldlane::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kStartS = 60;    // an MPI that takes longer to start will not come
constexpr double kAnswerS = 300;  // the slowest call known, 8 ranks of MPICH on 2 cores, takes seconds
constexpr double kLeadUs = 1.5;   // a start must have reached the farthest rank: several handoffs
constexpr int kPollMs = 100;

/// A socket in the abstract namespace, so that no file can be left behind.
struct Listener {
  shm::UniqueFd socket;
  std::string name;
};

sockaddr_un address_of(const std::string& name, socklen_t& length) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return address;
}

Listener listen_for_ranks() {
  static int number = 0;
  Listener listener{shm::UniqueFd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)),
                    fmt::format("foldlane-bench-{}-{}", ::getpid(), number++)};
  socklen_t length = 0;
  const sockaddr_un address = address_of(listener.name, length);
  if (::bind(listener.socket.get(), reinterpret_cast<const sockaddr*>(&address), length) != 0 ||
      ::listen(listener.socket.get(), Window::kMaxRanks) != 0) {
    throw JobFailure(fmt::format("cannot make a socket for the ranks: {}", std::strerror(errno)));
  }
  return listener;
}

/// The name of a socket without a file is anybody's to connect to.
bool is_same_user(int socket) {
  ucred peer{};
  socklen_t length = sizeof peer;
  return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == ::getuid();
}

void send_file(int socket, int file) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> room{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = room.data();
  message.msg_controllen = room.size();
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(header), &file, sizeof file);
  ::sendmsg(socket, &message, MSG_NOSIGNAL);  // a failure shows as the rank's silence
}

std::vector<std::string> command_line(const Implementation& implementation, const Setting& setting,
                                      const std::string& socket, const Ticks& ticks) {
  std::vector<std::string> arguments = implementation.launch;
  const std::string cpus = setting.cpus.empty() ? "-" : fmt::format("{}", fmt::join(setting.cpus, ","));
  arguments.insert(arguments.end(), {"-n", std::to_string(setting.ranks), implementation.probe, socket, cpus,
                                     ticks.name(), setting.thread_multiple ? "multiple" : "single"});
  return arguments;
}

/// The last lines: launchers add long explanations.
std::string tail_of(const std::string& text) {
  constexpr std::size_t kMost = 600;
  return text.size() <= kMost ? text : "…" + text.substr(text.size() - kMost);
}

}  // namespace

Job::Job(const Implementation& implementation, const Setting& setting, const Ticks& ticks)
    : name_(implementation.name), setting_(setting), ticks_(ticks), window_(setting.ranks) {
  const Listener listener = listen_for_ranks();
  launcher_ = std::make_unique<Child>(command_line(implementation, setting, listener.name, ticks));
  take_connections(listener.socket.get());
  tell(fmt::format("pace {} {}", ticks.ticks(kLeadUs), setting.oversubscribed ? 1 : 0));
}

Job::~Job() {
  constexpr double kGoodbyeS = 5;
  constexpr char kQuit[] = "quit\n";
  for (const shm::UniqueFd& rank : ranks_) ::send(rank.get(), kQuit, sizeof kQuit - 1, MSG_NOSIGNAL);
  launcher_->ended_within(kGoodbyeS);
}

void Job::take_connections(int listener) {
  ranks_.resize(static_cast<std::size_t>(setting_.ranks));
  const auto end = Clock::now() + std::chrono::duration<double>(kStartS);
  for (int connected = 0; connected < setting_.ranks;) {
    throw_if_interrupted();
    if (launcher_->has_ended()) fail("it ended before its ranks were ready");
    if (Clock::now() > end) fail(fmt::format("its ranks were not ready within {} s", kStartS));
    pollfd wait{listener, POLLIN, 0};
    if (::poll(&wait, 1, kPollMs) <= 0) continue;
    shm::UniqueFd socket(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket.open() || !is_same_user(socket.get())) continue;
    greet(std::move(socket));
    ++connected;
  }
}

void Job::greet(shm::UniqueFd socket) {
  send_file(socket.get(), window_.fd());
  const std::string line = read_line(socket.get());
  int rank = -1, ranks = 0;
  if (std::sscanf(line.c_str(), "rank %d of %d", &rank, &ranks) != 2 || ranks != setting_.ranks || rank < 0 ||
      rank >= ranks)
    fail(fmt::format("a rank said '{}' instead of its number among {}", line, setting_.ranks));
  ranks_[static_cast<std::size_t>(rank)] = std::move(socket);
}

void Job::make_arenas(std::size_t bytes, Arenas kind) {
  doing_ = "making buffers";
  tell(fmt::format("arenas {} {} {}", bytes, bytes, static_cast<int>(kind)));
}

void Job::select(const Case& what, const Places& places) {
  doing_ = name_of(what);
  const Pattern pattern = pattern_of(what);
  steps_ = pattern.steps;
  calls_at_once_ = at_once(what);
  tell(fmt::format("case {} {} {} {} {} {} {} {} {} {} {} {} {} {}", collective_of(what.call),
                   static_cast<int>(form_of(what.call)), what.type, what.op,
                   what.bytes / element_bytes(what.type), what.root, what.in_place ? 1 : 0,
                   what.buffers == Buffers::fresh ? 1 : 0, places.number, places.stride, places.shift,
                   pattern.messages, slots_of(what), is_pattern(what.call) ? what.threads : 0));
}

bool Job::has_call() {
  const std::vector<std::string> answers = ask("try");
  return std::find(answers.begin(), answers.end(), "lacks") == answers.end();
}

void Job::load(const Load& load) {
  tell(fmt::format("load {:d} {} {} {}", load.communicates, load.compute_us, load.test_every_us,
                   load.late_us));
}

Slice Job::run(int warm_up, int calls, Timing timing) {
  const bool of_calls = is_of_calls(timing);
  const double cpu_ns = tell(fmt::format("run {} {} {}", warm_up, calls, of_calls ? 1 : 0));
  Slice slice = of_calls ? stamped_slice(calls, timing) : mean_slice(calls);
  slice.cpu = cpu_ns / 1000 / (warm_up + calls) / steps_ / calls_at_once_;
  return slice;
}

Slice Job::stamped_slice(int calls, Timing timing) const {
  Slice slice;
  std::vector<double> skews;
  for (std::size_t call = 0; call < static_cast<std::size_t>(calls); ++call) {
    std::uint64_t first_entry = ~std::uint64_t{0}, last_entry = 0, last_exit = 0;
    for (int rank = 0; rank < ranks(); ++rank) {
      const Stamps& stamps = window_.stamps(rank)[call];
      first_entry = std::min(first_entry, stamps.entry);
      last_entry = std::max(last_entry, stamps.entry);
      last_exit = std::max(last_exit, stamps.exit);
    }
    const std::uint64_t start = timing == Timing::whole ? first_entry : last_entry;
    slice.times.push_back(std::max(0.0, ticks_.microseconds(last_exit - start) - ticks_.cost()));
    skews.push_back(ticks_.microseconds(last_entry - first_entry));
  }
  slice.skew = median(skews);
  return slice;
}

/// As other suites take it: each rank's time for the loop, the mean of all ranks, per step.
Slice Job::mean_slice(int calls) const {
  double sum = 0;
  std::uint64_t first_entry = ~std::uint64_t{0}, last_entry = 0;
  for (int rank = 0; rank < ranks(); ++rank) {
    const Stamps& stamps = window_.stamps(rank)[0];
    sum += ticks_.microseconds(stamps.exit - stamps.entry) / calls;
    first_entry = std::min(first_entry, stamps.entry);
    last_entry = std::max(last_entry, stamps.entry);
  }
  return {{sum / ranks() / steps_}, ticks_.microseconds(last_entry - first_entry), 0};
}

Check Job::verify(const Case& what) { return bench::verify(*this, what); }

void Job::call_once() { tell("once"); }

void Job::move(const char* command, Buffer buffer, std::size_t offset, std::size_t bytes) {
  static constexpr std::array kBuffers{"data", "send", "recv", "sources"};
  tell(fmt::format("{} {} {} {}", command, kBuffers[static_cast<std::size_t>(buffer)], offset, bytes));
}

std::vector<std::string> Job::ask(const std::string& line) {
  const std::string text = line + "\n";
  for (const shm::UniqueFd& rank : ranks_) {
    if (::send(rank.get(), text.data(), text.size(), MSG_NOSIGNAL) < 0) fail("a rank has gone");
  }
  std::vector<std::string> answers;
  for (const shm::UniqueFd& rank : ranks_) answers.push_back(read_line(rank.get()));
  return answers;
}

double Job::tell(const std::string& line) {
  double cpu_ns = 0;
  for (const std::string& answer : ask(line)) {
    if (!answer.starts_with("ok ")) fail(fmt::format("a rank answered '{}'", answer));
    cpu_ns += std::stod(answer.substr(3));
  }
  return cpu_ns;
}

std::string Job::read_line(int socket) {
  const auto end = Clock::now() + std::chrono::duration<double>(kAnswerS);
  std::string line;
  while (line.empty() || line.back() != '\n') {
    throw_if_interrupted();
    if (Clock::now() > end) fail(fmt::format("a rank has not answered within {} s", kAnswerS));
    pollfd wait{socket, POLLIN, 0};
    if (::poll(&wait, 1, kPollMs) <= 0) continue;
    std::array<char, 128> buffer{};
    const ssize_t length = ::recv(socket, buffer.data(), buffer.size(), 0);
    if (length <= 0) fail("a rank has ended");
    line.append(buffer.data(), static_cast<std::size_t>(length));
  }
  line.pop_back();
  return line;
}

void Job::fail(const std::string& why) {
  launcher_->end();
  const std::string output = tail_of(launcher_->output());
  throw JobFailure(fmt::format("{} ({}): {}{}{}", name_, doing_, why, output.empty() ? "" : ":\n", output));
}

}  // namespace foldlane::bench
