#include "support/mismatch_kinds.hpp"

#include <utility>

#include "support/forms.hpp"

namespace foldlane::testing {
namespace {

constexpr std::size_t kBufferBytes = 8 << 20;

void* input() {
  static std::vector<std::byte> bytes(kBufferBytes);
  return bytes.data();
}

void* output() {
  static std::vector<std::byte> bytes(kBufferBytes);
  return bytes.data();
}

void keep_right(void*, void*, int*, MPI_Datatype*) {}

MPI_Op user_op() {
  static MPI_Op op = [] {
    MPI_Op made = MPI_OP_NULL;
    MPI_Op_create(keep_right, 0, &made);
    return made;
  }();
  return op;
}

MPI_Datatype committed(MPI_Datatype type) {
  MPI_Type_commit(&type);
  return type;
}

MPI_Datatype pair_of(MPI_Datatype first, MPI_Datatype second) {
  const int lengths[] = {1, 1};
  const MPI_Aint places[] = {0, 8};
  const MPI_Datatype types[] = {first, second};
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(2, lengths, places, types, &made);
  return committed(made);
}

MPI_Datatype vector_of(int count) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_vector(count, 1, 2, MPI_INT, &made);
  return committed(made);
}

std::string folds(const char* call, int count, const char* type = "MPI_INT", const char* op = "MPI_SUM") {
  return std::string(call) + "(count " + std::to_string(count) + ", " + type + ", " + op;
}

Side sum(int count) { return allreduce_side(count, MPI_INT, MPI_SUM, folds("MPI_Allreduce", count) + ")"); }

Side sum_to(int root, int count = 4) {
  return reduce_side(count, MPI_INT, MPI_SUM, root,
                     folds("MPI_Reduce", count) + ", root " + std::to_string(root) + ")");
}

Side ints_from(int root, int count) {
  return bcast_side(count, MPI_INT, root, "MPI_Bcast(" + std::to_string(4 * count) + " bytes of ");
}

void add_calls(std::vector<Mismatch>& all, int size) {
  const auto equal = std::vector<int>(static_cast<std::size_t>(size), 2);
  all.push_back({"allreduce, barrier", sum(4), barrier_side()});
  all.push_back({"large allreduce, barrier", sum(500'000), barrier_side()});
  all.push_back({"barrier, bcast", barrier_side(), ints_from(0, 4)});
  all.push_back({"barrier, large bcast", barrier_side(), ints_from(0, 500'000)});
  all.push_back({"allreduce, bcast", sum(4), ints_from(0, 4)});
  all.push_back({"allreduce, reduce", sum(4), sum_to(0)});
  all.push_back({"reduce, allreduce", sum_to(0), sum(4)});
  all.push_back(
      {"reduce, reduce_scatter", sum_to(0), reduce_scatter_side(equal, "MPI_Reduce_scatter(counts")});
  all.push_back({"reduce_scatter, _block", reduce_scatter_side(equal, "MPI_Reduce_scatter(counts"),
                 block_side(2, folds("MPI_Reduce_scatter_block", 2))});
  all.push_back({"scan, exscan", scan_side(4), exscan_side(4)});
  all.push_back({"allreduce, large scan", sum(4), scan_side(300'000)});
  all.push_back({"exscan, barrier", exscan_side(4), barrier_side()});
  all.push_back({"counts of large exscan", exscan_side(300'000), exscan_side(4)});
  all.push_back({"large exscan, barrier", exscan_side(300'000), barrier_side()});
}

void add_foundings(std::vector<Mismatch>& all) {
  all.push_back({"barrier, dup", barrier_side(), dup_side()});
  all.push_back({"dup, split", dup_side(), split_side()});
  all.push_back({"split, create", split_side(), create_side()});
  all.push_back({"create, allreduce", create_side(), sum(3000)});
  all.push_back({"allreduce, free", sum(4), free_side()});
  all.push_back({"free, barrier", free_side(), barrier_side()});
  all.push_back({"dup, free", dup_side(), free_side()});
}

void add_roots(std::vector<Mismatch>& all) {
  all.push_back({"roots of reduce", sum_to(0), sum_to(1)});
  all.push_back({"roots of a one-shot reduce", sum_to(0, 100), sum_to(1, 100)});
  all.push_back({"roots of a large reduce", sum_to(1, 500'000), sum_to(0, 500'000)});
  for (const int count : {4, 100, 500'000}) {
    Side zero = ints_from(0, count), one = ints_from(1, count);
    zero.text = "root 0)";
    one.text = "root 1)";
    all.push_back({"roots of bcast of " + std::to_string(count), zero, one});
  }
}

void add_counts(std::vector<Mismatch>& all, int size) {
  // inline 14 at most, one-shot, two-shot, pipelined
  for (const auto& [few, many] : std::vector<std::pair<int, int>>{{1, 2},
                                                                  {4, 100},
                                                                  {100, 200},
                                                                  {100, 40'000},
                                                                  {40'000, 500'000},
                                                                  {500'000, 900'000},
                                                                  {0, 4},
                                                                  {0, 500'000}}) {
    all.push_back({"counts " + std::to_string(few) + ", " + std::to_string(many), sum(few), sum(many)});
    all.push_back({"counts " + std::to_string(many) + ", " + std::to_string(few), sum(many), sum(few)});
  }
  all.push_back({"counts of bcast", ints_from(0, 4), ints_from(0, 500'000)});
  all.push_back({"no count in bcast", ints_from(0, 0), ints_from(0, 4)});
  all.push_back({"counts of reduce", sum_to(0, 4), sum_to(0, 90'000)});
  all.push_back({"counts of scan", scan_side(4), scan_side(90'000)});
  std::vector<int> even(static_cast<std::size_t>(size), 2), uneven = even;
  uneven[0] = 1;
  uneven[1] = 3;
  all.push_back({"recvcounts", reduce_scatter_side(even, "MPI_Reduce_scatter(counts"),
                 reduce_scatter_side(uneven, "MPI_Reduce_scatter(counts")});
  all.push_back({"counts of _block", block_side(2, folds("MPI_Reduce_scatter_block", 2)),
                 block_side(2000, folds("MPI_Reduce_scatter_block", 2000))});
}

void add_operations(std::vector<Mismatch>& all) {
  all.push_back({"operations", sum(4),
                 allreduce_side(4, MPI_INT, MPI_MAX, folds("MPI_Allreduce", 4, "MPI_INT", "MPI_MAX"))});
  all.push_back(
      {"operations of large ones", sum(500'000),
       allreduce_side(500'000, MPI_INT, MPI_MAX, folds("MPI_Allreduce", 500'000, "MPI_INT", "MPI_MAX"))});
  all.push_back({"predefined and user operation", sum(4),
                 allreduce_side(4, MPI_INT, user_op(), "an operation of the program")});
}

void add_types(std::vector<Mismatch>& all) {
  const auto floats = [](int count) {
    return allreduce_side(count, MPI_FLOAT, MPI_SUM, folds("MPI_Allreduce", count, "MPI_FLOAT"));
  };
  all.push_back({"types of one size", sum(4), floats(4)});
  all.push_back({"types of one size, large", sum(500'000), floats(500'000)});
  all.push_back({"types of other sizes", sum(4),
                 allreduce_side(4, MPI_DOUBLE, MPI_SUM, folds("MPI_Allreduce", 4, "MPI_DOUBLE"))});
  all.push_back(
      {"a pair type", sum(4),
       allreduce_side(4, MPI_2INT, MPI_MAXLOC, folds("MPI_Allreduce", 4, "MPI_2INT", "MPI_MAXLOC"))});
  all.push_back({"types of bcast", bcast_side(1, MPI_INT, 0, "MPI_Bcast(4 bytes of MPI_INT"),
                 bcast_side(1, MPI_FLOAT, 0, "MPI_Bcast(4 bytes of MPI_FLOAT")});
  all.push_back(
      {"derived types of bcast",
       bcast_side(2, pair_of(MPI_INT, MPI_DOUBLE), 0, "MPI_Bcast(24 bytes of a datatype with signature"),
       bcast_side(2, pair_of(MPI_DOUBLE, MPI_INT), 0, "MPI_Bcast(24 bytes of a datatype with signature")});
  all.push_back({"lengths of derived types", bcast_side(3, vector_of(4), 0, "MPI_Bcast(48 bytes of "),
                 bcast_side(3, vector_of(5), 0, "MPI_Bcast(60 bytes of ")});
  all.push_back(
      {"derived types of a user operation",
       allreduce_side(2, pair_of(MPI_INT, MPI_DOUBLE), user_op(), "MPI_Allreduce(count 2, a datatype"),
       allreduce_side(2, pair_of(MPI_DOUBLE, MPI_INT), user_op(), "MPI_Allreduce(count 2, a datatype")});
}

}  // namespace

Side barrier_side() {
  return {"MPI_Barrier()", [](MPI_Comm& comm) { return perform_idle(kBarrier, comm); }};
}

Side bcast_side(int count, MPI_Datatype type, int root, const std::string& text) {
  return {text, [=](MPI_Comm& comm) { return perform_idle(kBcast, input(), count, type, root, comm); }};
}

Side reduce_side(int count, MPI_Datatype type, MPI_Op op, int root, const std::string& text) {
  return {text, [=](MPI_Comm& comm) {
            return perform_idle(kReduce, input(), output(), count, type, op, root, comm);
          }};
}

Side allreduce_side(int count, MPI_Datatype type, MPI_Op op, const std::string& text) {
  return {text,
          [=](MPI_Comm& comm) { return perform_idle(kAllreduce, input(), output(), count, type, op, comm); }};
}

Side reduce_scatter_side(std::vector<int> counts, const std::string& text) {
  return {text, [counts = std::move(counts)](MPI_Comm& comm) {
            return perform_idle(kReduceScatter, input(), output(), counts.data(), MPI_INT, MPI_SUM, comm);
          }};
}

Side block_side(int count, const std::string& text) {
  return {text, [=](MPI_Comm& comm) {
            return perform_idle(kReduceScatterBlock, input(), output(), count, MPI_INT, MPI_SUM, comm);
          }};
}

Side scan_side(int count) {
  return {folds("MPI_Scan", count), [=](MPI_Comm& comm) {
            return perform_idle(kScan, input(), output(), count, MPI_INT, MPI_SUM, comm);
          }};
}

Side exscan_side(int count) {
  return {folds("MPI_Exscan", count), [=](MPI_Comm& comm) {
            return perform_idle(kExscan, input(), output(), count, MPI_INT, MPI_SUM, comm);
          }};
}

Side dup_side() {
  return {"MPI_Comm_dup()", [](MPI_Comm& comm) {
            MPI_Comm made = MPI_COMM_NULL;
            return MPI_Comm_dup(comm, &made);
          }};
}

Side split_side() {
  return {"MPI_Comm_split()", [](MPI_Comm& comm) {
            MPI_Comm made = MPI_COMM_NULL;
            return MPI_Comm_split(comm, 0, 0, &made);
          }};
}

Side create_side() {
  return {"MPI_Comm_create()", [](MPI_Comm& comm) {
            MPI_Group group = MPI_GROUP_NULL;
            MPI_Comm made = MPI_COMM_NULL;
            MPI_Comm_group(comm, &group);
            const int code = MPI_Comm_create(comm, group, &made);
            MPI_Group_free(&group);
            return code;
          }};
}

Side free_side() {
  return {"MPI_Comm_free()", [](MPI_Comm& comm) { return MPI_Comm_free(&comm); }};
}

Side twice_side(const Side& one) {
  return {one.text, [call = one.call](MPI_Comm& comm) {
            const int first = call(comm);
            return first == MPI_SUCCESS ? call(comm) : first;
          }};
}

std::vector<Mismatch> all_mismatches(int size) {
  std::vector<Mismatch> all;
  add_calls(all, size);
  add_foundings(all);
  add_roots(all);
  add_counts(all, size);
  add_operations(all);
  add_types(all);
  return all;
}

std::vector<Mismatch> some_mismatches() {
  return {{"allreduce, barrier", sum(4), barrier_side()},
          {"counts", sum(4), sum(500'000)},
          {"operations", sum(100), allreduce_side(100, MPI_INT, MPI_MAX, "MPI_MAX")},
          {"dup, split", dup_side(), split_side()}};
}

}  // namespace foldlane::testing
