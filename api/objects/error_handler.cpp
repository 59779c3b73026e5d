#include "api/objects/error_handler.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <mutex>

#include "api/core/failure.hpp"
#include "api/core/handle_table.hpp"

namespace foldlane::api {
namespace {

using Predefined = ErrorHandler::Predefined;

// The object and its handles. The slot of the table is free again when nobody holds the handler, neither the
// program nor a communicator; until then the handle stays the same, so that programs can compare it.
struct Entry {
  ErrorHandler handler;
  ErrorHandlerPointer held;  // null if the program has no handle
  long handles;              // how often the program must free it
};

std::optional<std::string> describe(MPI_Errhandler, const Entry& entry) {
  return entry.handles == 0 ? std::nullopt : std::optional<std::string>("");
}

// Never destroyed: communicators that live until the end of the process hold handlers.
struct Registry {
  Registry();

  std::mutex mutex;  // also of all slots: errors are rare, and setting handlers is rarer
  std::array<Entry, 3> predefined;
  HandleTable<MPI_Errhandler, Entry> created{"error handler", describe};
};

Registry::Registry()
    : predefined{{{{Predefined::are_fatal, MPI_ERRORS_ARE_FATAL}, nullptr, 0},
                  {{Predefined::abort, MPI_ERRORS_ABORT}, nullptr, 0},
                  {{Predefined::returning, MPI_ERRORS_RETURN}, nullptr, 0}}} {
  for (Entry& entry : predefined) entry.held = ErrorHandlerPointer(ErrorHandlerPointer(), &entry.handler);
}

Registry& registry() {
  static Registry& registry = *new Registry;
  return registry;
}

Entry* find_predefined(MPI_Errhandler handle) {
  const auto index =
      reinterpret_cast<std::uintptr_t>(handle) - reinterpret_cast<std::uintptr_t>(MPI_ERRORS_ARE_FATAL);
  return index < registry().predefined.size() ? &registry().predefined[index] : nullptr;
}

Entry* find(MPI_Errhandler handle) {
  Entry* predefined = find_predefined(handle);
  return predefined != nullptr ? predefined : registry().created.find(handle);
}

[[noreturn]] void reject(MPI_Errhandler handle) {
  if (handle == MPI_ERRHANDLER_NULL) fail(MPI_ERR_ERRHANDLER, "the error handler is MPI_ERRHANDLER_NULL");
  fail(MPI_ERR_ERRHANDLER,
       fmt::format("the error handler {} does not exist; it may have been freed", fmt::ptr(handle)));
}

}  // namespace

ErrorHandlerPointer predefined_error_handler(MPI_Errhandler handle) { return find_predefined(handle)->held; }

ErrorHandlerPointer check_error_handler(MPI_Errhandler handle) {
  const std::lock_guard lock(registry().mutex);
  const Entry* entry = find(handle);
  if (entry == nullptr || entry->held == nullptr) reject(handle);
  return entry->held;
}

template <class Handle>
ErrorHandlerPointer check_error_handler_for(MPI_Errhandler handle) {
  ErrorHandlerPointer handler = check_error_handler(handle);
  if (!handler->fits<Handle>()) {
    fail(MPI_ERR_ERRHANDLER,
         fmt::format("the error handler {} was created for another kind of object", fmt::ptr(handle)));
  }
  return handler;
}
template ErrorHandlerPointer check_error_handler_for<MPI_Comm>(MPI_Errhandler handle);
template ErrorHandlerPointer check_error_handler_for<MPI_Session>(MPI_Errhandler handle);
template ErrorHandlerPointer check_error_handler_for<MPI_File>(MPI_Errhandler handle);

MPI_Errhandler create_error_handler(ErrorHandler::Action action) {
  Registry& all = registry();
  const MPI_Errhandler handle = all.created.emplace();
  if (handle == nullptr) {
    fail(MPI_ERR_NO_MEM, "too many error handlers exist; free some with MPI_Errhandler_free");
  }
  Entry& entry = *all.created.find(handle);
  entry.handler = {action, handle};
  entry.held = ErrorHandlerPointer(&entry.handler,
                                   [handle](const ErrorHandler*) { registry().created.erase(handle); });
  entry.handles = 1;
  return handle;
}

MPI_Errhandler hand_out(const ErrorHandlerPointer& handler) {
  const std::lock_guard lock(registry().mutex);
  Entry& entry = *find(handler->handle);
  if (entry.held == nullptr) entry.held = handler;
  ++entry.handles;
  return handler->handle;
}

void take_back(MPI_Errhandler handle) {
  ErrorHandlerPointer last;  // outlives the lock
  const std::lock_guard lock(registry().mutex);
  Entry* entry = find(handle);
  const bool predefined = find_predefined(handle) != nullptr;
  if (predefined && entry->handles == 0) {
    fail(MPI_ERR_ERRHANDLER, "a predefined error handler is freed only after a call handed it out");
  }
  if (entry == nullptr || entry->handles == 0) reject(handle);
  if (--entry->handles == 0 && !predefined) last = std::move(entry->held);
}

ErrorHandlerSlot file_error_handler(predefined_error_handler(MPI_ERRORS_RETURN));

ErrorHandlerPointer ErrorHandlerSlot::load() const {
  const std::lock_guard lock(registry().mutex);
  return handler_;
}

void ErrorHandlerSlot::store(ErrorHandlerPointer handler) {
  const std::lock_guard lock(registry().mutex);
  handler_.swap(handler);  // the parameter, with what was here, outlives the lock
}

}  // namespace foldlane::api
