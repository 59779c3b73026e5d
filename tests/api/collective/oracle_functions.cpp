// What a function of the user may do besides folding: call the interface, make and free objects, even the
// handles it was called with, and differ between the ranks.
#include "support/oracle_derived.hpp"

using namespace foldlane::testing;

namespace {

struct Four {
  std::uint32_t words[4];
};

Four make_four(std::uint64_t random) {
  return {{static_cast<std::uint32_t>(random), static_cast<std::uint32_t>(random >> 16),
           static_cast<std::uint32_t>(random >> 32), static_cast<std::uint32_t>(random >> 48)}};
}

Four weigh(const Four& left, const Four& right) {
  Four result;
  for (int i = 0; i < 4; ++i) result.words[i] = (left.words[i] + right.words[i]) * 3 + left.words[i];
  return result;
}

void fold_by_calls(void* in, void* inout, int* length, MPI_Datatype* datatype) {
  check_call(*length, *datatype);
  auto* const left = static_cast<std::uint32_t*>(in);
  auto* const right = static_cast<std::uint32_t*>(inout);
  MPI_Reduce_local(in, inout, 4 * *length, MPI_UINT32_T, MPI_SUM);
  for (int i = 0; i < 4 * *length; ++i) right[i] *= 3;
  MPI_Reduce_local(left, right, 4 * *length, MPI_UINT32_T, MPI_SUM);
}

void make_and_free(void* in, void* inout, int* length, MPI_Datatype* datatype) {
  fold_by_calls(in, inout, length, datatype);
  std::vector<MPI_Datatype> types(300);
  std::vector<MPI_Op> ops(300);
  for (MPI_Datatype& type : types) type = contiguous(3, MPI_INT);
  for (MPI_Op& op : ops) op = narrow(make_and_free);
  for (MPI_Datatype& type : types) MPI_Type_free(&type);
  for (MPI_Op& op : ops) MPI_Op_free(&op);
  *length = -5;  // what a function does to its arguments does not matter
  *datatype = MPI_DATATYPE_NULL;
}

MPI_Datatype doomed_type;
MPI_Op doomed_op;
std::vector<MPI_Datatype> successors;

// Elements with a gap behind them.
void free_own_handles(void* in, void* inout, int* length, MPI_Datatype* datatype) {
  check_call(*length, *datatype);
  for (int i = 0; i < *length; ++i) {
    Four left, right;
    std::memcpy(&left, static_cast<char*>(in) + 20 * i, sizeof left);
    std::memcpy(&right, static_cast<char*>(inout) + 20 * i, sizeof right);
    right = weigh(left, right);
    std::memcpy(static_cast<char*>(inout) + 20 * i, &right, sizeof right);
  }
  if (doomed_op == MPI_OP_NULL) return;
  MPI_Type_free(&doomed_type);
  MPI_Op_free(&doomed_op);
  // What takes the place of the freed type looks different.
  for (int i = 0; i < 20; ++i) successors.push_back(resized(contiguous(1, MPI_CHAR), -3, 5));
}

void check_freed_handles(std::size_t count) {
  Subject<Four> subject{"elements whose handles are freed", resized(contiguous(4, MPI_UINT32_T), 0, 20),
                        MPI_OP_NULL, make_four, weigh};
  subject.extent = 20;
  const Inputs<Four> inputs(subject, world_size(), count);
  Buffer<Four> data(subject, inputs.of(my_rank())), wanted(subject, inputs.tree(0, world_size()));
  given_type = doomed_type = subject.datatype;
  doomed_op = narrow(free_own_handles);
  perform(data, kAllreduce, MPI_IN_PLACE, data.data(), static_cast<int>(count), doomed_type, doomed_op,
          MPI_COMM_WORLD);
  ++compared_calls;
  if (!data.same(wanted)) give_up("handles freed by the user's function: differing bytes");
  for (MPI_Datatype& type : successors) MPI_Type_free(&type);
  successors.clear();
  if (doomed_op == MPI_OP_NULL) return;
  MPI_Type_free(&doomed_type);  // this rank had nothing to fold
  MPI_Op_free(&doomed_op);
}

void check_functions() {
  const auto type = [] { return contiguous(4, MPI_UINT32_T); };
  check<Four>({"elements folded by MPI_Reduce_local", type(), narrow(fold_by_calls), make_four, weigh});
  check<Four>({"elements whose function makes objects", type(), narrow(make_and_free), make_four, weigh},
              {1, 3, 40, 5000});
  // Every rank has a function of its own, and handles of its own.
  for (int i = 0; i < my_rank(); ++i) static_cast<void>(narrow(fold_by_calls));
  const MPI_Op own = my_rank() % 2 == 0 ? narrow(fold_by_calls) : wide(fold_objects_wide<Four, weigh>);
  check<Four>({"elements with a function per rank", type(), own, make_four, weigh});
  in_all_forms([] {
    for (const std::size_t count : {1ul, 100ul, 3000ul, 50'000ul}) check_freed_handles(count);
  });
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  check_functions();
  report_comparisons("functions of the user");
  MPI_Finalize();
}
