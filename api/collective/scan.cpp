// MPI_Scan and MPI_Exscan, with their nonblocking and persistent forms.
#include "api/collective/form.hpp"
#include "api/collective/move.hpp"
#include "api/core/calls.hpp"

namespace foldlane::api {
namespace {

constexpr engine::Prefix kInclusive = engine::Prefix::inclusive, kExclusive = engine::Prefix::exclusive;

template <class Form>
void fold_prefix(const Form& form, engine::Prefix prefix, const void* send, void* recv, MPI_Count count,
                 MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  Communicator& communicator = check_communicator(comm);
  if (communicator.is_inter) fail(MPI_ERR_COMM, "prefixes are not defined on intercommunicators");
  const Datatype& type = check_datatype(datatype);
  const std::size_t bytes = check_vector(count, type);
  const Reducer reducer(op, datatype, type);
  engine::Team& team = *communicator.team;
  // The receive buffer of an exclusive prefix means nothing at rank 0, unless it is the input.
  const bool receives = prefix == kInclusive || team.rank() > 0;
  const void* input = check_buffers(send, bytes, recv, receives || send == MPI_IN_PLACE ? bytes : 0);
  const auto elements = static_cast<std::size_t>(count);
  engine::Mail mail{};
  if (prefix == kExclusive && engine::may_go_by_message(team, elements * (*reducer).elem_bytes))
    mail = mail_on(communicator, comm);
  form(
      team, [&] { return engine::scan(team, input, recv, elements, *reducer, prefix, mail); },
      [&] {
        const engine::Call as = prefix == kInclusive ? engine::Call::scan : engine::Call::exscan;
        engine::Collective described = engine::fold_call(as, input, recv, elements, *reducer);
        described.mail = mail;
        return described;
      },
      [&] { return kept_for(reducer, op, datatype, type); });
}

}  // namespace

int scan(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
         MPI_Comm comm) {
  return run(call, comm,
             [&] { fold_prefix(Blocking(call, comm), kInclusive, send, recv, count, datatype, op, comm); });
}

int iscan(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
          MPI_Comm comm, MPI_Request* request) {
  return run_nonblocking(call, comm, request, [&](const auto& form) {
    fold_prefix(form, kInclusive, send, recv, count, datatype, op, comm);
  });
}

int scan_init(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return run_init(call, comm, info, request, [&](const auto& form) {
    fold_prefix(form, kInclusive, send, recv, count, datatype, op, comm);
  });
}

int exscan(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
           MPI_Comm comm) {
  return run(call, comm,
             [&] { fold_prefix(Blocking(call, comm), kExclusive, send, recv, count, datatype, op, comm); });
}

int iexscan(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
            MPI_Comm comm, MPI_Request* request) {
  return run_nonblocking(call, comm, request, [&](const auto& form) {
    fold_prefix(form, kExclusive, send, recv, count, datatype, op, comm);
  });
}

int exscan_init(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return run_init(call, comm, info, request, [&](const auto& form) {
    fold_prefix(form, kExclusive, send, recv, count, datatype, op, comm);
  });
}

}  // namespace foldlane::api
