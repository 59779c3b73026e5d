// MPI_{Comm,Session,File,Win}_{create,get,set,call}_errhandler, MPI_Errhandler_free. Handlers are created and
// freed at any time.
#include <fmt/format.h>

#include "api/core/calls.hpp"
#include "api/errors/args.hpp"
#include "api/errors/error_codes.hpp"
#include "api/objects/communicator.hpp"
#include "api/objects/error_handler.hpp"
#include "api/objects/session.hpp"

namespace foldlane::api {
namespace {

ErrorHandlerSlot& slot_of(MPI_Comm comm) { return check_communicator(comm).errhandler; }
ErrorHandlerSlot& slot_of(MPI_Session session) { return check_session(session).errhandler; }

ErrorHandlerSlot& slot_of(MPI_File file) {
  check_active();
  if (file != MPI_FILE_NULL) {
    fail(MPI_ERR_FILE,
         fmt::format("the file {} is not open; only MPI_FILE_NULL has an error handler", fmt::ptr(file)));
  }
  return file_error_handler;
}

template <class Function>
int create(Call call, Function* function, MPI_Errhandler* errhandler) {
  return run(call, [&] {
    if (function == nullptr) fail(MPI_ERR_ARG, "the function is null");
    check_output(errhandler, "errhandler");
    *errhandler = create_error_handler(function);
  });
}

template <class Handle>
int get(Call call, Handle object, MPI_Errhandler* errhandler) {
  return run(call, object, [&] {
    const ErrorHandlerSlot& slot = slot_of(object);
    check_output(errhandler, "errhandler");
    *errhandler = hand_out(slot.load());
  });
}

template <class Handle>
int set(Call call, Handle object, MPI_Errhandler errhandler) {
  return run(call, object, [&] { slot_of(object).store(check_error_handler_for<Handle>(errhandler)); });
}

template <class Handle>
int call_handler(Call call, Handle object, int code) {
  ErrorHandlerPointer handler;
  const int result = run(call, object, [&] {
    handler = slot_of(object).load();
    check_error_code(code);
  });
  // Outside of run(), which would take what the handler throws for an error of this call.
  if (result == MPI_SUCCESS) report(call, object, *handler, code);
  return result;
}

int reject_window(Call call, MPI_Win win) {
  return run(call, win, [&] {
    check_active();
    if (win == MPI_WIN_NULL) fail(MPI_ERR_WIN, "the window is MPI_WIN_NULL");
    fail(MPI_ERR_WIN, fmt::format("the window {} does not exist", fmt::ptr(win)));
  });
}

}  // namespace

int comm_create_errhandler(Call call, MPI_Comm_errhandler_function* function, MPI_Errhandler* errhandler) {
  return create(call, function, errhandler);
}
int session_create_errhandler(Call call, MPI_Session_errhandler_function* function,
                              MPI_Errhandler* errhandler) {
  return create(call, function, errhandler);
}
int file_create_errhandler(Call call, MPI_File_errhandler_function* function, MPI_Errhandler* errhandler) {
  return create(call, function, errhandler);
}
int win_create_errhandler(Call call, MPI_Win_errhandler_function* function, MPI_Errhandler* errhandler) {
  return create(call, function, errhandler);
}

int comm_get_errhandler(Call call, MPI_Comm comm, MPI_Errhandler* errhandler) {
  return get(call, comm, errhandler);
}
int session_get_errhandler(Call call, MPI_Session session, MPI_Errhandler* errhandler) {
  return get(call, session, errhandler);
}
int file_get_errhandler(Call call, MPI_File file, MPI_Errhandler* errhandler) {
  return get(call, file, errhandler);
}
int win_get_errhandler(Call call, MPI_Win win, MPI_Errhandler*) { return reject_window(call, win); }

int comm_set_errhandler(Call call, MPI_Comm comm, MPI_Errhandler errhandler) {
  return set(call, comm, errhandler);
}
int session_set_errhandler(Call call, MPI_Session session, MPI_Errhandler errhandler) {
  return set(call, session, errhandler);
}
int file_set_errhandler(Call call, MPI_File file, MPI_Errhandler errhandler) {
  return set(call, file, errhandler);
}
int win_set_errhandler(Call call, MPI_Win win, MPI_Errhandler) { return reject_window(call, win); }

int comm_call_errhandler(Call call, MPI_Comm comm, int code) { return call_handler(call, comm, code); }
int session_call_errhandler(Call call, MPI_Session session, int code) {
  return call_handler(call, session, code);
}
int file_call_errhandler(Call call, MPI_File file, int code) { return call_handler(call, file, code); }
int win_call_errhandler(Call call, MPI_Win win, int) { return reject_window(call, win); }

int errhandler_free(Call call, MPI_Errhandler* errhandler) {
  return run(call, [&] {
    take_back(*check_output(errhandler, "errhandler"));
    *errhandler = MPI_ERRHANDLER_NULL;
  });
}

}  // namespace foldlane::api
