// Collectives as requests.
#include <memory>
#include <optional>
#include <type_traits>

#include "api/collective/form.hpp"
#include "api/datatype/datatype_store.hpp"
#include "api/op/mismatch.hpp"
#include "api/request/request_slots.hpp"
#include "engine/collectives/operation.hpp"

namespace foldlane::api {
namespace {

[[noreturn, gnu::cold]] void fail_as(engine::CollectiveOperation& operation) {
  operation.rethrow();
  fail(operation.trouble(), operation.error());
}

/// A call and all that it needs until it is done.
template <class Operation>
class CollectiveRequest final : public Request {
 public:
  CollectiveRequest(MPI_Comm comm, Lifetime lifetime, engine::Team& team, engine::Collective& call,
                    const Kept& kept)
      : Request(comm, lifetime),
        owned_team_(team_to_keep(comm, lifetime)),
        operation_(team, with_own_reduction(call, kept)) {
    if (kept.type_map != nullptr) type_map_ = *kept.type_map;
    if (lifetime == Lifetime::once) begin();
  }

  bool poll() override { return operation_.done(); }
  void advance() override { world.job->process().progress().finish_alone(operation_); }
  bool has_failed() const noexcept override { return operation_.failed(); }
  void finish(MPI_Status&) override {
    if (operation_.failed()) [[unlikely]]
      fail_as(operation_);
  }

 private:
  /// What is under way when its communicator is freed ends before the team does.
  static OwnedTeam team_to_keep(MPI_Comm comm, Lifetime lifetime) {
    return lifetime == Lifetime::persistent ? check_communicator(comm).owned_team : nullptr;
  }
  /// What the call knows of an operation of the program ends with the call.
  const engine::Collective& with_own_reduction(engine::Collective& call, const Kept& kept) {
    if (kept.by_program == nullptr) [[likely]]
      return call;
    call.reduction = &*reducer_.emplace(kept.op, kept.datatype, *kept.by_program);
    if (!kept.by_program->predefined()) datatype_.emplace(kept.datatype);
    return call;
  }

  void begin() override { operation_.start(); }

  OwnedTeam owned_team_;
  std::optional<Reducer> reducer_;
  std::optional<KeptDatatype> datatype_;
  std::shared_ptr<const engine::TypeMap> type_map_;
  Operation operation_;
};

}  // namespace

void Requested::make(engine::Team& team, engine::Collective& call, const Kept& kept) const {
  const SoleCall sole(call_, comm_);
  *request_ = engine::with_operation_for(team, call, [&]<class Operation>(std::type_identity<Operation>) {
    return new_request<CollectiveRequest<Operation>>(comm_, lifetime_, team, call, kept);
  });
}

}  // namespace foldlane::api
