// MPI_Reduce_local: inout = in op inout.
#include "api/core/calls.hpp"
#include "api/datatype/checks.hpp"
#include "api/errors/args.hpp"
#include "api/op/op.hpp"

namespace foldlane::api {

int reduce_local(Call call, const void* in, void* inout, MPI_Count count, MPI_Datatype datatype, MPI_Op op) {
  return run(call, [&] {
    check_active();
    const Datatype& type = check_datatype(datatype);
    const std::size_t bytes = check_vector(count, type);
    const Reducer reducer(op, datatype, type);
    check_separate_buffers(in, bytes, inout, bytes, "inbuf", "inoutbuf");
    if (count != 0 && type.size != 0) (*reducer).fold_two(in, inout, static_cast<std::size_t>(count));
  });
}

}  // namespace foldlane::api
