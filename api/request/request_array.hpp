// The requests of a call that waits for some of several, or asks for all of them.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <memory_resource>
#include <vector>

#include "api/core/call.hpp"
#include "api/request/completion.hpp"

namespace foldlane::api {

class RequestArray {
 public:
  /// Takes them all. Throws MPI_ERR_REQUEST if one does not exist or is in use.
  RequestArray(int count, MPI_Request* handles);
  RequestArray(const RequestArray&) = delete;
  RequestArray& operator=(const RequestArray&) = delete;
  ~RequestArray() = default;

  /// One round: looks at each that is active and not complete yet.
  void poll();

  int count() const noexcept { return count_; }
  int active() const noexcept { return active_; }      // neither null nor inactive
  int complete() const noexcept { return complete_; }  // of those
  /// All are complete, or one has failed.
  bool is_over() const noexcept { return complete_ == active_ || failed_; }

  /// There is an active one at the index.
  bool has(int index) const noexcept {
    return index >= 0 && index < count() && at(index).state != State::idle;
  }
  bool is_complete(int index) const noexcept { return at(index).state == State::complete; }
  /// The index of a complete one; there must be one. Each has the same chance over many calls.
  int choose() const noexcept;

  void complete(int index, MPI_Status& status);
  /// The same into the status at `place` of an array.
  void complete(int index, StatusArray& statuses, int place);
  /// All, in a call that is over: those that are not complete are pending.
  void complete_all(StatusArray& statuses);

  /// What a wait for any of them says of itself.
  void note_wait(engine::WaitNote& note, Call call);

  /// Of one that has not been completed for the program.
  MPI_Comm comm(int index) const noexcept { return at(index).request->comm(); }

 private:
  enum class State : std::uint8_t { idle, pending, complete, gone };  // idle: null or inactive
  struct Entry {
    Entry(MPI_Request handle, int index) {
      take_request(request, handle, index);
      state = request && request->is_active() ? State::pending : State::idle;
    }
    TakenRequest request;
    State state;
  };
  static constexpr std::size_t kEntriesWithoutMalloc = 64;

  bool look(Entry& entry);
  Entry& at(int index) noexcept { return entries_[static_cast<std::size_t>(index)]; }
  const Entry& at(int index) const noexcept { return entries_[static_cast<std::size_t>(index)]; }

  MPI_Request* handles_;
  int count_;
  std::array<std::byte, kEntriesWithoutMalloc * sizeof(Entry)> buffer_;
  std::pmr::monotonic_buffer_resource memory_{buffer_.data(), buffer_.size()};
  std::pmr::vector<Entry> entries_;
  int active_ = 0;
  int complete_ = 0;
  bool failed_ = false;
};

}  // namespace foldlane::api
