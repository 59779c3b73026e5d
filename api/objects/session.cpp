#include "api/objects/session.hpp"

#include <fmt/format.h>

#include "api/core/failure.hpp"

namespace foldlane::api {

HandleTable<MPI_Session, Session> sessions("session", [](MPI_Session, const Session&) {
  return std::optional<std::string>("");
});

Session& check_session(MPI_Session session) {
  if (Session* found = sessions.find(session)) return *found;
  if (session == MPI_SESSION_NULL) fail(MPI_ERR_SESSION, "the session is MPI_SESSION_NULL");
  fail(MPI_ERR_SESSION,
       fmt::format("the session {} does not exist; it may have been finalized", fmt::ptr(session)));
}

}  // namespace foldlane::api
