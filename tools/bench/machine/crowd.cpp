#include "bench/machine/crowd.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <system_error>

#include "bench/machine/cpu_binding.hpp"
#include "bench/process/interrupt.hpp"
#include "shm/sync/atoms.hpp"
#include "shm/sync/yield.hpp"

namespace foldlane::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Word = shm::RealAtoms::Word<std::uint32_t>;

constexpr std::int64_t kHourNs = 3'600'000'000'000;
constexpr std::int64_t kLookNs = 100'000'000;  // after others than its members

/// So many that the first and the last switch do not matter.
std::uint32_t meetings_of(int size) { return std::max(20U, 4'000U / static_cast<std::uint32_t>(size)); }

bool has_ended(pid_t process) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid != 0;
}

}  // namespace

/// What they share.
struct Crowd::Place {
  alignas(128) Word round;  // which measurement; they sleep until it changes
  alignas(128) Word arrived;
  alignas(128) Word meeting;
  alignas(128) Word over;  // the latest measurement that is
  // Of the clock, by whoever was the last in the first meeting, which is not timed, and in the last one.
  Clock::time_point start;
  Clock::time_point end;
};

namespace {

/// False: somebody else was the last to arrive.
template <class Place>
bool meet_once(Place& place, std::uint32_t size) {
  const std::uint32_t meeting = place.meeting.observe();
  if (place.arrived.add(1) + 1 == size) {
    place.arrived.publish(0);
    place.meeting.publish(meeting + 1);
    return true;
  }
  while (place.meeting.observe() == meeting) shm::yield_cpu();
  return false;
}

template <class Place>
void measure_once(Place& place, std::uint32_t size, std::uint32_t meetings, std::uint32_t round) {
  if (meet_once(place, size)) place.start = Clock::now();
  bool was_last = false;
  for (std::uint32_t i = 0; i < meetings; ++i) was_last = meet_once(place, size);
  if (!was_last) return;
  place.end = Clock::now();
  place.over.publish(round);
  shm::RealAtoms::wake_all(place.over);
}

/// The whole life of one of them, which has nothing of its parent's but this memory.
template <class Place>
[[noreturn]] void live(Place& place, int size, int cpu, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);  // it has died already
  ::syscall(SYS_close_range, 0U, ~0U,
            0U);  // who reads from a pipe of the parent's is not to wait for this one
  run_on_cpu(cpu);
  for (std::uint32_t round = 0;;) {
    shm::RealAtoms::sleep_while(place.round, round, kHourNs);
    if (place.round.observe() == round) continue;
    round = place.round.observe();
    measure_once(place, static_cast<std::uint32_t>(size), meetings_of(size), round);
  }
}

}  // namespace

Crowd::Crowd(int size, int cpu) : place_(nullptr, [](Place* place) { munmap(place, sizeof *place); }) {
  void* const memory =
      mmap(nullptr, sizeof(Place), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::system_error(errno, std::generic_category(), "mmap for the switch limit");
  place_.reset(static_cast<Place*>(memory));
  const pid_t parent = getpid();
  for (int i = 0; i < size; ++i) {
    const pid_t process = fork();
    if (process == 0) live(*place_, size, cpu, parent);
    if (process > 0) {
      processes_.push_back(process);
      continue;
    }
    const int reason = errno;
    end();
    throw std::system_error(reason, std::generic_category(),
                            "fork of " + std::to_string(size) + " processes that measure the switch limit");
  }
}

Crowd::~Crowd() { end(); }

void Crowd::end() noexcept {
  for (const pid_t process : processes_) ::kill(process, SIGKILL);
  for (const pid_t process : processes_) {
    while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

double Crowd::meet() {
  const std::uint32_t round = place_->over.observe() + 1;
  place_->round.publish(round);
  shm::RealAtoms::wake_all(place_->round);
  for (;;) {
    shm::RealAtoms::sleep_while(place_->over, round - 1, kLookNs);
    if (place_->over.observe() == round) break;
    throw_if_interrupted();
    if (std::any_of(processes_.begin(), processes_.end(), has_ended))
      throw std::runtime_error("one of the processes that measure the switch limit has ended");
  }
  const std::chrono::duration<double, std::micro> total = place_->end - place_->start;
  return total.count() / meetings_of(static_cast<int>(processes_.size()));
}

}  // namespace foldlane::bench
