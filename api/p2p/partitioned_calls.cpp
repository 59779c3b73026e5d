// MPI_Psend_init, MPI_Precv_init, MPI_Pready and its kin, MPI_Parrived.
#include <fmt/format.h>

#include "api/core/calls.hpp"
#include "api/info/info.hpp"
#include "api/p2p/partitioned.hpp"
#include "api/request/completion.hpp"
#include "api/request/replayed_look.hpp"
#include "api/request/request_slots.hpp"

namespace foldlane::api {
namespace {

MPI_Count check_partitions(int partitions, MPI_Count count, const Datatype& type) {
  if (partitions < 0) fail(MPI_ERR_ARG, fmt::format("partitions is {}; it must not be negative", partitions));
  if (count < 0) reject::negative_count(count);
  MPI_Count all;
  if (__builtin_mul_overflow(count, partitions, &all)) reject::huge_count(count, type);
  return all;
}

PartitionedArguments check_arguments(const void* buf, int partitions, MPI_Count count, MPI_Datatype datatype,
                                     int partner, int tag, MPI_Info info) {
  const Datatype& type = check_datatype(datatype);
  const MessageMemory memory = check_message(buf, check_partitions(partitions, count, type), datatype);
  check_send_tag(tag);
  check_info(info);
  return {type, memory, partitions, count, partner, tag};
}

/// What `use` is called with is there as long as that takes.
template <class Use>
void with_partitioned(MPI_Request request, MPI_Comm& comm, bool sends, const Use& use) {
  const PinnedRequest pinned(request);
  comm = pinned->comm();
  PartitionedRequest* const partitioned = pinned->partitioned();
  if (partitioned == nullptr || partitioned->sends() != sends)
    fail(MPI_ERR_REQUEST, fmt::format("the request is none of MPI_{}_init", sends ? "Psend" : "Precv"));
  use(*partitioned);
}

void check_partition(int partition, const PartitionedRequest& request, const char* parameter) {
  if (partition >= 0 && partition < request.partitions()) return;
  fail(MPI_ERR_ARG, request.partitions() == 0
                        ? fmt::format("{} is {}; the request has no partitions", parameter, partition)
                        : fmt::format("{} is {}; the request has the partitions 0 to {}", parameter,
                                      partition, request.partitions() - 1));
}

void check_started(const PartitionedRequest& request) {
  if (!request.is_active())
    fail(MPI_ERR_REQUEST, "the request is not active; start it before its partitions are marked as ready");
}

}  // namespace

int psend_init(Call call, const void* buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest,
               int tag, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return run(call, comm, [&] {
    *check_output(request, "request") = MPI_REQUEST_NULL;
    Communicator& communicator = check_communicator(comm);
    const auto arguments = check_arguments(buf, partitions, count, datatype, dest, tag, info);
    check_destination(dest, communicator);
    make_request<PartitionedSend>(*request, comm, communicator, arguments);
  });
}

int precv_init(Call call, void* buf, int partitions, MPI_Count count, MPI_Datatype datatype, int source,
               int tag, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return run(call, comm, [&] {
    *check_output(request, "request") = MPI_REQUEST_NULL;
    Communicator& communicator = check_communicator(comm);
    const auto arguments = check_arguments(buf, partitions, count, datatype, source, tag, info);
    check_destination(source, communicator, "source");  // no MPI_ANY_SOURCE
    make_request<PartitionedReceive>(*request, comm, communicator, arguments);
  });
}

int pready(Call call, int partition, MPI_Request request) {
  return run_on_requests(call, [&](MPI_Comm& comm) {
    with_partitioned(request, comm, true, [&](PartitionedRequest& sent) {
      check_partition(partition, sent, "partition");
      check_started(sent);
      sent.ready(partition);
    });
  });
}

int pready_range(Call call, int partition_low, int partition_high, MPI_Request request) {
  return run_on_requests(call, [&](MPI_Comm& comm) {
    with_partitioned(request, comm, true, [&](PartitionedRequest& sent) {
      check_partition(partition_low, sent, "partition_low");
      check_partition(partition_high, sent, "partition_high");
      if (partition_low > partition_high)
        fail(MPI_ERR_ARG, fmt::format("partition_low is {}, above partition_high, which is {}", partition_low,
                                      partition_high));
      check_started(sent);
      for (int each = partition_low; each <= partition_high; ++each) sent.ready(each);
    });
  });
}

int pready_list(Call call, int length, const int* array_of_partitions, MPI_Request request) {
  return run_on_requests(call, [&](MPI_Comm& comm) {
    with_partitioned(request, comm, true, [&](PartitionedRequest& sent) {
      if (length < 0) fail(MPI_ERR_ARG, fmt::format("length is {}; it must not be negative", length));
      if (length > 0) check_output(array_of_partitions, "array_of_partitions");
      check_started(sent);
      for (int i = 0; i < length; ++i) check_partition(array_of_partitions[i], sent, "array_of_partitions");
      for (int i = 0; i < length; ++i) sent.ready(array_of_partitions[i]);
    });
  });
}

int parrived(Call call, MPI_Request request, int partition, int* flag) {
  return run_with_progress(call, [&](MPI_Comm& comm) {
    check_output(flag, "flag");
    with_partitioned(request, comm, false, [&](PartitionedRequest& received) {
      check_partition(partition, received, "partition");
      *flag = look(call, [&] { return received.has_arrived(partition); });
    });
  });
}

}  // namespace foldlane::api
