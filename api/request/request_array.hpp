// The requests of a call that waits for several.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <memory_resource>
#include <vector>

#include "api/request/completion.hpp"

namespace foldlane::api {

class RequestArray {
 public:
  /// Takes them all. Throws MPI_ERR_REQUEST if one does not exist or is in use.
  RequestArray(int count, MPI_Request* handles);
  RequestArray(const RequestArray&) = delete;
  RequestArray& operator=(const RequestArray&) = delete;
  ~RequestArray() = default;

  /// One round: goes on with each that is active and not complete yet.
  void poll();

  int count() const noexcept { return static_cast<int>(entries_.size()); }
  int active() const noexcept { return active_; }      // neither null nor inactive
  int complete() const noexcept { return complete_; }  // of those
  /// All are complete, or one has failed.
  bool is_over() const noexcept { return complete_ == active_ || failed_; }

  bool is_complete(int index) const noexcept { return at(index).complete; }
  /// The index of a complete one; there must be one. Each has the same chance over many calls.
  int choose() const noexcept;

  void complete(int index, MPI_Status& status);
  /// The same into the next status of an array.
  void complete(int index, StatusArray& statuses);
  /// All, in a call that is over: those that are not complete are pending.
  void complete_all(StatusArray& statuses);

  MPI_Comm comm(int index) const noexcept { return at(index).comm; }

 private:
  struct Entry {
    TakenRequest request;
    MPI_Comm comm = MPI_COMM_NULL;
    bool active = false;
    bool complete = false;
  };
  static constexpr std::size_t kEntriesWithoutMalloc = 64;

  Entry& at(int index) noexcept { return entries_[static_cast<std::size_t>(index)]; }
  const Entry& at(int index) const noexcept { return entries_[static_cast<std::size_t>(index)]; }

  MPI_Request* handles_;
  std::array<std::byte, kEntriesWithoutMalloc * sizeof(Entry)> buffer_;
  std::pmr::monotonic_buffer_resource memory_{buffer_.data(), buffer_.size()};
  std::pmr::vector<Entry> entries_{&memory_};
  int active_ = 0;
  int complete_ = 0;
  bool failed_ = false;
};

}  // namespace foldlane::api
