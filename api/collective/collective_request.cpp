#include "api/collective/collective_request.hpp"

namespace foldlane::api {

Keeping::Keeping(const Kept& kept) {
  if (kept.type_map != nullptr) type_map_ = *kept.type_map;
  if (!kept.by_program) return;
  reducer_.emplace(kept.op, kept.datatype, *kept.type);
  if (!kept.type->predefined()) datatype_.emplace(kept.datatype);
}

Keeping::~Keeping() = default;

void fail_as(engine::CollectiveOperation& operation) {
  operation.rethrow();
  fail(operation.trouble(), operation.error());
}

void make_long_request(MPI_Request& to, MPI_Comm comm, Lifetime lifetime, engine::Team& team,
                       engine::Collective call, Kept kept) {
  using Long = CollectiveRequest<engine::OperationOf<engine::LongCall>>;
  make_request<Long>(to, comm, lifetime, team, call, kept);
}

}  // namespace foldlane::api
