// Arguments as Fortran passes them, made to arguments of the C functions: one conversion per kind of
// parameter. What C writes is written back when the call is over, by destructors.
#pragma once

#include <mpi.h>

#include <climits>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "api/fortran/sentinels.hpp"

namespace foldlane::fortran {

/// Any procedure of a Fortran program.
using Procedure = void();

inline void finish(int* ierror, int code) noexcept {
  if (ierror != nullptr) *ierror = code;  // optional with mpi_f08
}

// ---- handles

/// A handle of the ABI is a positive int in the clothes of a pointer (MPI_Comm_toint, MPI_Comm_fromint, …).
template <class Handle>
Handle handle(const int* fortran) noexcept {
  return reinterpret_cast<Handle>(static_cast<std::intptr_t>(*fortran));
}
template <class Handle>
int integer(Handle handle) noexcept {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(handle));
}

template <class Handle>
class HandleOut {
 public:
  explicit HandleOut(int* fortran) noexcept : fortran_(fortran), value_(handle<Handle>(fortran)) {}
  HandleOut(const HandleOut&) = delete;
  HandleOut& operator=(const HandleOut&) = delete;
  ~HandleOut() { *fortran_ = integer(value_); }
  operator Handle*() noexcept { return &value_; }

 private:
  int* fortran_;
  Handle value_;
};

/// `count` elements of another type than Fortran has; a count below 0 is for C to refuse.
template <class T>
class Converted {
 public:
  explicit Converted(std::int64_t count) : count_(count > 0 ? static_cast<std::size_t>(count) : 0) {
    if (count_ > kFew) many_.reset(new T[count_]);
  }
  T* data() noexcept { return many_ ? many_.get() : few_; }
  std::size_t size() const noexcept { return count_; }

 private:
  static constexpr std::size_t kFew = 16;  // without allocation

  std::size_t count_;
  T few_[kFew];
  std::unique_ptr<T[]> many_;
};

template <class Handle>
class Handles {
 public:
  Handles(const int* fortran, std::int64_t count) : handles_(count) {
    for (std::size_t i = 0; i < handles_.size(); ++i) handles_.data()[i] = handle<Handle>(fortran + i);
  }
  operator const Handle*() noexcept { return handles_.data(); }

 protected:
  Converted<Handle> handles_;
};

template <class Handle>
class HandlesOut : private Handles<Handle> {
 public:
  HandlesOut(int* fortran, std::int64_t count) : Handles<Handle>(fortran, count), fortran_(fortran) {}
  HandlesOut(const HandlesOut&) = delete;
  HandlesOut& operator=(const HandlesOut&) = delete;
  ~HandlesOut() {
    for (std::size_t i = 0; i < this->handles_.size(); ++i) fortran_[i] = integer(this->handles_.data()[i]);
  }
  operator Handle*() noexcept { return this->handles_.data(); }

 private:
  int* fortran_;
};

// ---- LOGICAL: 1 and 0, the values that MPI_Abi_set_fortran_booleans accepts; any value but 0 is taken for
// true

inline int logical(const int* fortran) noexcept { return *fortran != 0; }

class LogicalOut {
 public:
  explicit LogicalOut(int* fortran) noexcept : fortran_(fortran), value_(*fortran) {}
  LogicalOut(const LogicalOut&) = delete;
  LogicalOut& operator=(const LogicalOut&) = delete;
  ~LogicalOut() { *fortran_ = value_ != 0; }
  operator int*() noexcept { return &value_; }

 private:
  int* fortran_;
  int value_;
};

class Logicals {
 public:
  Logicals(const int* fortran, std::int64_t count) : values_(count) {
    for (std::size_t i = 0; i < values_.size(); ++i) values_.data()[i] = logical(fortran + i);
  }
  operator const int*() noexcept { return values_.data(); }

 protected:
  Converted<int> values_;
};

class LogicalsOut : private Logicals {
 public:
  LogicalsOut(int* fortran, std::int64_t count) : Logicals(fortran, count), fortran_(fortran) {}
  LogicalsOut(const LogicalsOut&) = delete;
  LogicalsOut& operator=(const LogicalsOut&) = delete;
  ~LogicalsOut() {
    for (std::size_t i = 0; i < values_.size(); ++i) fortran_[i] = values_.data()[i] != 0;
  }
  operator int*() noexcept { return values_.data(); }

 private:
  int* fortran_;
};

// ---- buffers, statuses, weights, error codes: as they are, but for the variables that stand for constants

inline void* choice(void* fortran) noexcept {
  if (fortran == &foldlane_in_place_) return MPI_IN_PLACE;
  if (fortran == &foldlane_bottom_) return MPI_BOTTOM;
  if (fortran == &foldlane_buffer_automatic_) return MPI_BUFFER_AUTOMATIC;
  return fortran;
}

static_assert(sizeof(MPI_Status) == sizeof foldlane_status_ignore_,
              "a status is 8 integers in both languages");
inline MPI_Status* c_status(int* fortran) noexcept {
  return fortran == foldlane_status_ignore_ ? MPI_STATUS_IGNORE : reinterpret_cast<MPI_Status*>(fortran);
}
inline const MPI_Status* c_status(const int* fortran) noexcept {
  return reinterpret_cast<const MPI_Status*>(fortran);
}
inline MPI_Status* c_statuses(int* fortran) noexcept {
  return fortran == foldlane_statuses_ignore_ ? MPI_STATUSES_IGNORE : reinterpret_cast<MPI_Status*>(fortran);
}

template <class Int>
Int* c_weights(Int* fortran) noexcept {
  if (fortran == foldlane_unweighted_) return MPI_UNWEIGHTED;
  return fortran == foldlane_weights_empty_ ? MPI_WEIGHTS_EMPTY : fortran;
}

inline int* c_error_codes(int* fortran) noexcept {
  return fortran == foldlane_errcodes_ignore_ ? MPI_ERRCODES_IGNORE : fortran;
}

/// What C stores through this nobody asked for: the address of a detached buffer, in the old interfaces.
class Ignored {
 public:
  operator void*() noexcept { return &pointer_; }

 private:
  void* pointer_ = nullptr;
};

// ---- places in arrays, which Fortran counts from 1

class IndexOut {
 public:
  explicit IndexOut(int* fortran) noexcept : fortran_(fortran) {}
  IndexOut(const IndexOut&) = delete;
  IndexOut& operator=(const IndexOut&) = delete;
  ~IndexOut() {
    if (value_ != kUnset) *fortran_ = value_ >= 0 ? value_ + 1 : value_;  // MPI_UNDEFINED is negative
  }
  operator int*() noexcept { return &value_; }

 private:
  static constexpr int kUnset = INT_MIN;

  int* fortran_;
  int value_ = kUnset;
};

/// The first `*count` of them, as many as C has written.
class IndicesOut {
 public:
  IndicesOut(int* fortran, int* count) noexcept : fortran_(fortran), count_(count) {
    *count = 0;  // if the call fails early, there are none
  }
  IndicesOut(const IndicesOut&) = delete;
  IndicesOut& operator=(const IndicesOut&) = delete;
  ~IndicesOut() {
    for (int i = 0; i < *count_; ++i) ++fortran_[i];
  }
  operator int*() noexcept { return fortran_; }

 private:
  int* fortran_;
  const int* count_;
};

// ---- how long arrays are whose length no parameter says

/// As far as the communicator is what the call needs; otherwise 0, and the call refuses it.
int peers(const int* comm);                   // of MPI_Alltoallw
int neighbours(const int* comm, bool sends);  // of MPI_Neighbor_alltoallw
int dimensions(const int* comm);              // of MPI_Cart_sub

/// What is significant at the root only may be anything elsewhere.
std::int64_t at_root(const int* comm, const int* root, std::int64_t count);

}  // namespace foldlane::fortran
