// MPI_Reduce_scatter and MPI_Reduce_scatter_block, with their nonblocking and persistent forms.
#include <fmt/format.h>

#include "api/collective/form.hpp"
#include "api/core/calls.hpp"

namespace foldlane::api {
namespace {

std::int64_t total_count(const engine::BlockCounts& counts, int members) {
  std::int64_t total = 0;
  for (int member = 0; member < members; ++member) {
    const std::int64_t count = counts[member];
    if (count < 0) {
      fail(MPI_ERR_COUNT,
           fmt::format("the count of rank {} is {}; counts must not be negative", member, count));
    }
    if (__builtin_add_overflow(total, count, &total))
      fail(MPI_ERR_COUNT, "the sum of all counts exceeds 64 bits");
  }
  return total;
}

template <class Form>
void scatter(const Form& form, const void* send, void* recv, const engine::BlockCounts& counts,
             MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  const Communicator& communicator = check_communicator(comm);
  engine::Team& team = *communicator.team;
  const Datatype& type = check_datatype(datatype);
  const std::int64_t total = total_count(counts, communicator.size());
  const std::size_t all_bytes = check_vector(total, type);
  const std::int64_t own_count = counts[communicator.rank()];
  const std::size_t own_bytes = check_vector(own_count, type);
  const Reducer reducer(op, datatype, type);
  const auto keep = [&] {
    Kept kept = kept_for(reducer, op, datatype, type);
    if (!counts.are_equal()) {
      kept.counts = &counts;
      kept.members = communicator.size();
    }
    return kept;
  };
  const auto describe = [&](const void* input) {
    auto described = engine::fold_call(engine::Call::reduce_scatter, input, recv,
                                       static_cast<std::size_t>(total), *reducer);
    described.blocks = counts;
    return described;
  };
  if (communicator.is_inter) [[unlikely]] {
    check_separate_buffers(send, all_bytes, recv, own_bytes);
    auto described = describe(send);
    described.sides = communicator.sides();
    return form(team, described, keep);
  }
  const void* input = check_buffers(send, all_bytes, recv, own_bytes);
  // A caller without a block may pass any address, even that of its input, which would mean "in place" below.
  if (own_count == 0 && send != MPI_IN_PLACE) recv = nullptr;
  form(
      team, [&] { return engine::reduce_scatter(team, input, recv, counts, *reducer); },
      [&] { return describe(input); }, keep);
}

template <class Form, class Count>
void scatter_blocks(const Form& form, const void* send, void* recv, const Count* counts,
                    MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  check_communicator(comm);
  check_output(counts, "recvcounts");
  scatter(form, send, recv, engine::BlockCounts(counts), datatype, op, comm);
}

template <class Count>
int blocking(Call call, const void* send, void* recv, const Count* counts, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm) {
  return run(call, comm,
             [&] { scatter_blocks(Blocking(call, comm), send, recv, counts, datatype, op, comm); });
}

template <class Count>
int nonblocking(Call call, const void* send, void* recv, const Count* counts, MPI_Datatype datatype,
                MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  return run_nonblocking(call, comm, request, [&](const auto& form) {
    scatter_blocks(form, send, recv, counts, datatype, op, comm);
  });
}

template <class Count>
int init(Call call, const void* send, void* recv, const Count* counts, MPI_Datatype datatype, MPI_Op op,
         MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return run_init(call, comm, info, request,
                  [&](const auto& form) { scatter_blocks(form, send, recv, counts, datatype, op, comm); });
}

}  // namespace

int reduce_scatter(Call call, const void* send, void* recv, const int* counts, MPI_Datatype datatype,
                   MPI_Op op, MPI_Comm comm) {
  return blocking(call, send, recv, counts, datatype, op, comm);
}

int ireduce_scatter(Call call, const void* send, void* recv, const int* counts, MPI_Datatype datatype,
                    MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  return nonblocking(call, send, recv, counts, datatype, op, comm, request);
}

int reduce_scatter_init(Call call, const void* send, void* recv, const int* counts, MPI_Datatype datatype,
                        MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return init(call, send, recv, counts, datatype, op, comm, info, request);
}

int reduce_scatter(Call call, const void* send, void* recv, const MPI_Count* counts, MPI_Datatype datatype,
                   MPI_Op op, MPI_Comm comm) {
  return blocking(call, send, recv, counts, datatype, op, comm);
}

int ireduce_scatter(Call call, const void* send, void* recv, const MPI_Count* counts, MPI_Datatype datatype,
                    MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  return nonblocking(call, send, recv, counts, datatype, op, comm, request);
}

int reduce_scatter_init(Call call, const void* send, void* recv, const MPI_Count* counts,
                        MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                        MPI_Request* request) {
  return init(call, send, recv, counts, datatype, op, comm, info, request);
}

int reduce_scatter_block(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype,
                         MPI_Op op, MPI_Comm comm) {
  return run(call, comm, [&] {
    scatter(Blocking(call, comm), send, recv, engine::BlockCounts::equal(count), datatype, op, comm);
  });
}

int ireduce_scatter_block(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype,
                          MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  return run_nonblocking(call, comm, request, [&](const auto& form) {
    scatter(form, send, recv, engine::BlockCounts::equal(count), datatype, op, comm);
  });
}

int reduce_scatter_block_init(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype,
                              MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return run_init(call, comm, info, request, [&](const auto& form) {
    scatter(form, send, recv, engine::BlockCounts::equal(count), datatype, op, comm);
  });
}

}  // namespace foldlane::api
