// What the classes of the C++ bindings have in common: they are handles of C, and they throw if told to.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <exception>

#if defined(FOLDLANE_CXX_DEPRECATED)
// [[gnu::deprecated]] is [[deprecated]] in C++11 too.
#define FOLDLANE_CXX_CALLS(name)                                                  \
  [[gnu::deprecated(                                                              \
      "the C++ bindings are deprecated since MPI-2.2 and removed since MPI-3.0; " \
      "call " #name)]]
#else
#define FOLDLANE_CXX_CALLS(name)
#endif

// For what is one in the whole program, also where a shared library of it hides its symbols.
#define FOLDLANE_CXX_SHARED __attribute__((visibility("default")))

namespace MPI {

/// What a call throws on an object whose error handler is ERRORS_THROW_EXCEPTIONS.
class FOLDLANE_CXX_SHARED Exception : public std::exception {
 public:
  Exception(int error_code) : code_(error_code) {
    int length = 0;
    MPI_Error_string(code_, text_, &length);
  }
  int Get_error_code() const { return code_; }
  int Get_error_class() const {
    int error_class = MPI_ERR_UNKNOWN;
    MPI_Error_class(code_, &error_class);
    return error_class;
  }
  const char* Get_error_string() const { return text_; }
  const char* what() const noexcept override { return text_; }

 private:
  int code_;
  char text_[MPI_MAX_ERROR_STRING] = "";
};

namespace detail {

/// The integer that a predefined handle is in the standard ABI. C's macros cast it to a pointer, which no
/// constant expression may do; but constants must be there before any code runs.
struct Predefined {
  std::intptr_t value;
};

template <class C, std::intptr_t null>
class Handle {
 public:
  constexpr Handle() noexcept : value_(null) {}
  constexpr explicit Handle(Predefined handle) noexcept : value_(handle.value) {}
  Handle(C handle) noexcept : handle_(handle) {}

  operator C() const noexcept { return handle_; }
  bool operator==(const Handle& other) const noexcept { return handle_ == other.handle_; }
  bool operator!=(const Handle& other) const noexcept { return handle_ != other.handle_; }
  bool operator==(C other) const noexcept { return handle_ == other; }
  bool operator!=(C other) const noexcept { return handle_ != other; }

  /// Where C calls read and write the handle.
  C* c_address() noexcept { return &handle_; }

 private:
  // Compilers read either member, whichever was written.
  union {
    std::intptr_t value_;
    C handle_;
  };
};

/// The error that the handler behind ERRORS_THROW_EXCEPTIONS got in the current call of this thread. It only
/// takes a note: an exception may not pass through every MPI library, and C programs use the communicator
/// too.
template <class Unused = void>
struct FOLDLANE_CXX_SHARED Noted {
  static thread_local int code;
};
template <class Unused>
thread_local int Noted<Unused>::code = MPI_SUCCESS;

template <class C>
void take_note(C*, int* code, ...) {
  Noted<>::code = *code;
}

/// One call of C. What calls that C itself made have left behind is forgotten at its start.
class Call {
 public:
  Call() { Noted<>::code = MPI_SUCCESS; }
  void operator()(int code) const {
    if (code != MPI_SUCCESS) has_raised();
  }
  /// What a call that does not fail has given to the handler.
  void has_raised() const {
    if (Noted<>::code != MPI_SUCCESS) throw Exception(Noted<>::code);
  }
};

// The calls on error handlers, which each kind of object has for itself.
inline int create_errhandler(MPI_Comm_errhandler_function* function, MPI_Errhandler* handler) {
  return MPI_Comm_create_errhandler(function, handler);
}
inline int create_errhandler(MPI_Win_errhandler_function* function, MPI_Errhandler* handler) {
  return MPI_Win_create_errhandler(function, handler);
}
inline int create_errhandler(MPI_File_errhandler_function* function, MPI_Errhandler* handler) {
  return MPI_File_create_errhandler(function, handler);
}
inline int get_errhandler(MPI_Comm comm, MPI_Errhandler* handler) {
  return MPI_Comm_get_errhandler(comm, handler);
}
inline int get_errhandler(MPI_Win win, MPI_Errhandler* handler) {
  return MPI_Win_get_errhandler(win, handler);
}
inline int get_errhandler(MPI_File file, MPI_Errhandler* handler) {
  return MPI_File_get_errhandler(file, handler);
}
inline int set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
  return MPI_Comm_set_errhandler(comm, handler);
}
inline int set_errhandler(MPI_Win win, MPI_Errhandler handler) {
  return MPI_Win_set_errhandler(win, handler);
}
inline int set_errhandler(MPI_File file, MPI_Errhandler handler) {
  return MPI_File_set_errhandler(file, handler);
}

template <class C>
MPI_Errhandler make_throwing() {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  create_errhandler(&take_note<C>, &handler);
  return handler;
}

/// What ERRORS_THROW_EXCEPTIONS is for objects of type C; made when it is first wanted.
template <class C>
FOLDLANE_CXX_SHARED MPI_Errhandler throwing() {
  static const MPI_Errhandler handler = make_throwing<C>();
  return handler;
}

}  // namespace detail
}  // namespace MPI
