// What an error handler is, and how communicators, sessions and files hold one.
//
// MPI_ERRORS_ABORT ends this process like MPI_ERRORS_ARE_FATAL. Under the launcher either ends the whole job:
// it is fail-stop, and no member of a communicator could go on without the others anyway.
#pragma once

#include <mpi.h>

#include <memory>
#include <utility>
#include <variant>

namespace foldlane::api {

/// Immutable. Lives while an object holds it or the program has its handle.
struct ErrorHandler {
  enum class Predefined { are_fatal, abort, returning };
  using Action = std::variant<Predefined, MPI_Comm_errhandler_function*, MPI_Session_errhandler_function*,
                              MPI_File_errhandler_function*, MPI_Win_errhandler_function*>;

  Action action;
  MPI_Errhandler handle;

  /// A function of the program fits one kind of object, the predefined handlers fit all.
  template <class Handle>
  bool fits() const noexcept {
    return std::holds_alternative<Predefined>(action) || std::holds_alternative<Function<Handle>>(action);
  }

  /// False if the process is to end. What a function of the program throws passes through.
  template <class Handle>
  bool handle_error(Handle object, int code) const {
    if (const auto* function = std::get_if<Function<Handle>>(&action)) {
      (*function)(&object, &code);
      return true;
    }
    return action == Action(Predefined::returning);
  }

 private:
  template <class Handle>
  using Function = void (*)(Handle*, int*, ...);
};

using ErrorHandlerPointer = std::shared_ptr<const ErrorHandler>;

/// Needs one of the three predefined handles.
ErrorHandlerPointer predefined_error_handler(MPI_Errhandler handle);

/// Throws MPI_ERR_ERRHANDLER unless `handle` is a live error handler.
ErrorHandlerPointer check_error_handler(MPI_Errhandler handle);

/// The same for one that is to be held by an object of the type of `Handle`.
template <class Handle>
ErrorHandlerPointer check_error_handler_for(MPI_Errhandler handle);

/// A new handler; the program has its handle.
MPI_Errhandler create_error_handler(ErrorHandler::Action action);

/// The handle of `handler`, which the program has once more and must free once more.
MPI_Errhandler hand_out(const ErrorHandlerPointer& handler);

/// The program gives a handle back. Throws MPI_ERR_ERRHANDLER if it does not have it: predefined handlers are
/// freed only after a call handed them out.
void take_back(MPI_Errhandler handle);

/// The error handler of an object. One thread may replace it while others raise errors on the object.
class ErrorHandlerSlot {
 public:
  explicit ErrorHandlerSlot(ErrorHandlerPointer handler) : handler_(std::move(handler)) {}
  ErrorHandlerSlot(ErrorHandlerSlot&&) noexcept = default;
  ErrorHandlerSlot& operator=(ErrorHandlerSlot&&) noexcept = default;

  ErrorHandlerPointer load() const;
  void store(ErrorHandlerPointer handler);

 private:
  ErrorHandlerPointer handler_;
};

/// Of MPI_FILE_NULL, the only file there is.
extern ErrorHandlerSlot file_error_handler;

}  // namespace foldlane::api
