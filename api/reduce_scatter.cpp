// MPI_Reduce_scatter, MPI_Reduce_scatter_block.
#include <fmt/format.h>

#include "api/args.hpp"
#include "api/calls.hpp"
#include "api/op.hpp"
#include "engine/collectives.hpp"

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

void scatter(const void* send, void* recv, const engine::BlockCounts& counts, MPI_Datatype datatype,
             MPI_Op op, MPI_Comm comm) {
  const Communicator& communicator = check_communicator(comm);
  engine::Team& team = *communicator.team;
  const Datatype& type = check_datatype(datatype);
  const std::size_t all_bytes = check_vector(total_count(counts, communicator.size()), type);
  const std::int64_t own_count = counts[communicator.rank()];
  const std::size_t own_bytes = check_vector(own_count, type);
  const Reducer reducer(op, datatype, type);
  if (communicator.is_inter) [[unlikely]] {
    check_separate_buffers(send, all_bytes, recv, own_bytes);
    return require(team,
                   engine::reduce_scatter_between(team, communicator.sides(), send, recv, counts, *reducer));
  }
  const void* input = check_buffers(send, all_bytes, recv, own_bytes);
  // A caller without a block may pass any address, even that of its input, which would mean "in place" below.
  if (own_count == 0 && send != MPI_IN_PLACE) recv = nullptr;
  require(team, engine::reduce_scatter(team, input, recv, counts, *reducer));
}

template <class Count>
int scatter_blocks(Call call, const void* send, void* recv, const Count* counts, MPI_Datatype datatype,
                   MPI_Op op, MPI_Comm comm) {
  return run(call, comm, [&] {
    check_communicator(comm);
    check_output(counts, "recvcounts");
    scatter(send, recv, engine::BlockCounts(counts), datatype, op, comm);
  });
}

}  // namespace

int reduce_scatter(Call call, const void* send, void* recv, const int* counts, MPI_Datatype datatype,
                   MPI_Op op, MPI_Comm comm) {
  return scatter_blocks(call, send, recv, counts, datatype, op, comm);
}

int reduce_scatter(Call call, const void* send, void* recv, const MPI_Count* counts, MPI_Datatype datatype,
                   MPI_Op op, MPI_Comm comm) {
  return scatter_blocks(call, send, recv, counts, datatype, op, comm);
}

int reduce_scatter_block(Call call, const void* send, void* recv, MPI_Count count, MPI_Datatype datatype,
                         MPI_Op op, MPI_Comm comm) {
  return run(call, comm, [&] { scatter(send, recv, engine::BlockCounts::equal(count), datatype, op, comm); });
}

}  // namespace foldlane::api
