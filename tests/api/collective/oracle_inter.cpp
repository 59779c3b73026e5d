// Intercommunicators: every call against the serial fold of the remote group, from every root; what is made
// of them; what they refuse. And communicators whose order is not that of the world.
#include "support/oracle_comm.hpp"

using namespace foldlane::testing;

namespace {

constexpr std::size_t kCounts[] = {0, 1, 6, 7, 8, 100, 1024, 5000, 40'000};

std::uint64_t chain(const std::uint64_t& l, const std::uint64_t& r) {
  const std::uint64_t a = (l >> 32) * (r >> 32),
                      b = (l >> 32) * (r & 0xffffffffU) + (l & 0xffffffffU) + 3 * r;
  return a << 32 | (b & 0xffffffffU);
}

void chain_all(void* in, void* inout, int* length, MPI_Datatype*) {
  for (int i = 0; i < *length; ++i) {
    auto& right = static_cast<std::uint64_t*>(inout)[i];
    right = chain(static_cast<const std::uint64_t*>(in)[i], right);
  }
}

// The same, 24 bytes apart.
void chain_spread(void* in, void* inout, int* length, MPI_Datatype* datatype) {
  for (int i = 0; i < *length; ++i) {
    int one = 1;
    chain_all(static_cast<char*>(in) + 24 * i, static_cast<char*>(inout) + 24 * i, &one, datatype);
  }
}

std::uint64_t make_word(std::uint64_t random) { return random | 1; }

double make_double(std::uint64_t random) { return static_cast<double>(random % 1'000'003) / 999.0; }
double plus(const double& a, const double& b) { return a + b; }

MPI_Op chain_op, spread_op;
MPI_Datatype spread_type;

Subject<double> sums() { return {"sums", MPI_DOUBLE, MPI_SUM, make_double, plus}; }
Subject<std::uint64_t> chains() { return {"chains", MPI_UINT64_T, chain_op, make_word, chain}; }
Subject<std::uint64_t> spread_chains() {
  Subject<std::uint64_t> subject{"chains with gaps", spread_type, spread_op, make_word, chain};
  subject.extent = 24;
  return subject;
}

int rank_of(MPI_Comm comm) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  return rank;
}
int size_of(MPI_Comm comm) {
  int size;
  MPI_Comm_size(comm, &size);
  return size;
}
int remote_size_of(MPI_Comm inter) {
  int size;
  MPI_Comm_remote_size(inter, &size);
  return size;
}

template <class T>
class InterWalk {
 public:
  /// `side`: 0 or 1, which of the groups this rank is in.
  InterWalk(const Subject<T>& subject, MPI_Comm inter, int side, std::size_t count)
      : subject_(subject),
        inter_(inter),
        side_(side),
        rank_(rank_of(inter)),
        size_(size_of(inter)),
        remote_size_(remote_size_of(inter)),
        count_(rounded(count)),
        length_(static_cast<int>(count_)),
        local_(subject, size_, count_, salt(side)),
        remote_(subject, remote_size_, count_, salt(1 - side)),
        all_(remote_.tree(0, remote_size_)) {}

  void run() {
    in_all_forms([this] { run_collectives(); });
  }

 private:
  static std::uint64_t salt(int side) { return side == 0 ? 100 : 5000; }

  void run_collectives() {
    allreduce();
    for (int root = 0; root < size_ + remote_size_; ++root) {
      // The roots of group 0 first.
      const int first = side_ == 0 ? size_ : remote_size_;
      const bool here = (root < first) == (side_ == 0);
      rooted(here, root < first ? root : root - first);
    }
    reduce_scatter();
    perform_idle(kBarrier, inter_);
  }

  std::size_t rounded(std::size_t count) const {
    const auto both = static_cast<std::size_t>(std::lcm(size_, remote_size_));
    return (count + both - 1) / both * both;
  }

  void allreduce() {
    Buffer<T> in(subject_, local_.of(rank_)), out(subject_, count_), wide(subject_, count_);
    perform(out, kAllreduce, in.data(), out.data(), length_, subject_.datatype, subject_.op, inter_);
    check("MPI_Allreduce", out, all_.data(), count_, count_);
    perform(wide, kAllreduceC, in.data(), wide.data(), length_, subject_.datatype, subject_.op, inter_);
    check("MPI_Allreduce_c", wide, all_.data(), count_, count_);
    check("the input of MPI_Allreduce", in, local_.of(rank_).data(), count_, count_);
  }

  /// `here`: the root is in this group.
  void rooted(bool here, int root) {
    const bool is_root = here && root == rank_;
    const int argument = !here ? root : is_root ? MPI_ROOT : MPI_PROC_NULL;
    Buffer<T> in(subject_, local_.of(rank_)), out(subject_, count_);
    if (here && !is_root) {  // nothing else means anything
      perform_idle(kReduce, nullptr, nullptr, -1, MPI_DATATYPE_NULL, MPI_OP_NULL, argument, inter_);
      perform_idle(kBcast, nullptr, -1, MPI_DATATYPE_NULL, argument, inter_);
      return;
    }
    perform(out, kReduce, is_root ? nullptr : in.data(), is_root ? out.data() : nullptr, length_,
            subject_.datatype, subject_.op, argument, inter_);
    check("MPI_Reduce", out, all_.data(), is_root ? count_ : 0, count_);
    Buffer<T>& message = is_root ? in : out;
    if (is_root) {
      perform(in, kBcast, in.data(), length_, subject_.datatype, argument, inter_);
      check("the buffer of MPI_Bcast", message, local_.of(rank_).data(), count_, count_);
    } else {
      perform(out, kBcastC, out.data(), length_, subject_.datatype, argument, inter_);
      check("MPI_Bcast", message, remote_.of(root).data(), count_, count_);
    }
  }

  void reduce_scatter() {
    const std::vector<int> blocks = uneven_blocks(count_, size_);
    const std::vector<MPI_Count> wide_blocks(blocks.begin(), blocks.end());
    const auto own = static_cast<std::size_t>(blocks[static_cast<std::size_t>(rank_)]);
    const T* const block = all_.data() + std::accumulate(blocks.begin(), blocks.begin() + rank_, 0);
    Buffer<T> in(subject_, local_.of(rank_)), out(subject_, own), wide(subject_, own);
    perform(out, kReduceScatter, in.data(), out.data(), blocks.data(), subject_.datatype, subject_.op,
            inter_);
    check("MPI_Reduce_scatter", out, block, own, own);
    perform(wide, kReduceScatterC, in.data(), wide.data(), wide_blocks.data(), subject_.datatype, subject_.op,
            inter_);
    check("MPI_Reduce_scatter_c", wide, block, own, own);
    const std::size_t equal = count_ / static_cast<std::size_t>(size_);
    Buffer<T> part(subject_, equal);
    perform(part, kReduceScatterBlock, in.data(), part.data(), static_cast<int>(equal), subject_.datatype,
            subject_.op, inter_);
    check("MPI_Reduce_scatter_block", part, all_.data() + equal * static_cast<std::size_t>(rank_), equal,
          equal);
  }

  void check(const char* call, const Buffer<T>& result, const T* expected, std::size_t count,
             std::size_t size) {
    Buffer<T> wanted(subject_, size);
    wanted.put(expected, count);
    ++compared_calls;
    if (!result.same(wanted)) {
      give_up(std::string(call) + ", " + form_name() + ", of " + std::to_string(count_) + " x " +
              subject_.name + " between groups of " + std::to_string(size_) + " and " +
              std::to_string(remote_size_) + ": differing bytes");
    }
  }

  const Subject<T>& subject_;
  MPI_Comm inter_;
  int side_, rank_, size_, remote_size_;
  std::size_t count_;
  int length_;
  Inputs<T> local_, remote_;
  std::vector<T> all_;
};

void walk(MPI_Comm inter, int side, std::initializer_list<std::size_t> counts) {
  const auto one = sums();
  const auto two = chains(), three = spread_chains();
  for (const std::size_t count : counts) {
    InterWalk<double>(one, inter, side, count).run();
    InterWalk<std::uint64_t>(two, inter, side, count).run();
    InterWalk<std::uint64_t>(three, inter, side, count).run();
  }
}

void walk_intra(MPI_Comm comm) {
  const auto one = sums();
  const auto two = chains(), three = spread_chains();
  for (const std::size_t count : {1ul, 7ul, 1000ul, 40'000ul}) {
    CommWalk<double>(one, comm, count).run();
    CommWalk<std::uint64_t>(two, comm, count).run();
    CommWalk<std::uint64_t>(three, comm, count).run();
  }
}

void check_dup(MPI_Comm inter, int side) {
  MPI_Comm twin;
  MPI_Comm_dup(inter, &twin);
  int flag = 0, relation = -1;
  MPI_Comm_test_inter(twin, &flag);
  MPI_Comm_compare(inter, twin, &relation);
  expect_that(flag == 1 && relation == MPI_CONGRUENT, "a duplicate is not congruent");
  walk(twin, side, {1, 1000});
  MPI_Comm_free(&twin);
}

/// Every other rank, backwards.
void check_split(MPI_Comm inter, int side) {
  const int color = rank_of(inter) % 2;
  MPI_Comm part;
  MPI_Comm_split(inter, color, -rank_of(inter), &part);
  const int own = (size_of(inter) + 1 - color) / 2, others = (remote_size_of(inter) + 1 - color) / 2;
  expect_that((part == MPI_COMM_NULL) == (others == 0), "a split without partners");
  if (part == MPI_COMM_NULL) return;
  expect_that(size_of(part) == own && remote_size_of(part) == others, "the sizes of a split");
  expect_that(rank_of(part) == own - 1 - rank_of(inter) / 2, "the order of a split");
  walk(part, side, {1, 1000});
  MPI_Comm_free(&part);
}

/// All but the last one of group 1, backwards.
void check_create(MPI_Comm inter, int side) {
  const int left_out = side == 1 && size_of(inter) > 1 ? 1 : 0;
  const int kept = size_of(inter) - left_out;
  std::vector<int> ranks;
  for (int rank = kept - 1; rank >= 0; --rank) ranks.push_back(rank);
  MPI_Group group, part;
  MPI_Comm_group(inter, &group);
  MPI_Group_incl(group, kept, ranks.data(), &part);
  MPI_Comm made;
  MPI_Comm_create(inter, part, &made);
  MPI_Group_free(&group);
  MPI_Group_free(&part);
  expect_that((made == MPI_COMM_NULL) == (rank_of(inter) >= kept), "who is in a created intercommunicator");
  if (made == MPI_COMM_NULL) return;
  expect_that(rank_of(made) == kept - 1 - rank_of(inter), "the order of a created intercommunicator");
  walk(made, side, {1, 1000});
  MPI_Comm_free(&made);
}

void check_create_empty(MPI_Comm inter, int side) {
  MPI_Group group = MPI_GROUP_EMPTY;
  if (side == 0) MPI_Comm_group(inter, &group);
  MPI_Comm made = MPI_COMM_WORLD;
  MPI_Comm_create(inter, group, &made);
  expect_that(made == MPI_COMM_NULL, "an intercommunicator with an empty group");
  if (side == 0) MPI_Group_free(&group);
}

void check_merge(MPI_Comm inter, int side) {
  for (const int high_of_0 : {0, 1}) {
    for (const int high_of_1 : {0, 7}) {
      MPI_Comm merged;
      MPI_Intercomm_merge(inter, side == 0 ? high_of_0 : high_of_1, &merged);
      const bool known = (high_of_0 != 0) != (high_of_1 != 0);
      const bool first = (side == 0) == (high_of_0 == 0);
      if (known) {
        expect_that(rank_of(merged) == rank_of(inter) + (first ? 0 : remote_size_of(inter)),
                    "the order of a merge");
      }
      walk_intra(merged);
      MPI_Comm_free(&merged);
    }
  }
}

void check_refusals(MPI_Comm inter) {
  MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
  double in[8] = {}, out[8] = {};
  const std::vector<int> counts(static_cast<std::size_t>(size_of(inter)), 1);
  expect_that(MPI_Allreduce(MPI_IN_PLACE, out, 1, MPI_DOUBLE, MPI_SUM, inter) == MPI_ERR_BUFFER, "in place");
  expect_that(MPI_Allreduce(in, MPI_IN_PLACE, 1, MPI_DOUBLE, MPI_SUM, inter) == MPI_ERR_BUFFER,
              "out in place");
  expect_that(MPI_Reduce(MPI_IN_PLACE, out, 1, MPI_DOUBLE, MPI_SUM, 0, inter) == MPI_ERR_BUFFER,
              "reduce in place");
  expect_that(MPI_Reduce(in, MPI_IN_PLACE, 1, MPI_DOUBLE, MPI_SUM, MPI_ROOT, inter) == MPI_ERR_BUFFER,
              "root in place");
  expect_that(MPI_Reduce_scatter_block(MPI_IN_PLACE, out, 1, MPI_DOUBLE, MPI_SUM, inter) == MPI_ERR_BUFFER,
              "reduce_scatter_block in place");
  expect_that(
      MPI_Reduce_scatter(MPI_IN_PLACE, out, counts.data(), MPI_DOUBLE, MPI_SUM, inter) == MPI_ERR_BUFFER,
      "reduce_scatter in place");
  expect_that(MPI_Scan(in, out, 1, MPI_DOUBLE, MPI_SUM, inter) == MPI_ERR_COMM, "scan");
  expect_that(MPI_Exscan(in, out, 1, MPI_DOUBLE, MPI_SUM, inter) == MPI_ERR_COMM, "exscan");
  for (const int root : {remote_size_of(inter), -10, MPI_ANY_SOURCE}) {
    expect_that(MPI_Bcast(in, 1, MPI_DOUBLE, root, inter) == MPI_ERR_ROOT, "a root of bcast");
    expect_that(MPI_Reduce(in, out, 1, MPI_DOUBLE, MPI_SUM, root, inter) == MPI_ERR_ROOT, "a root of reduce");
  }
  MPI_Comm made = MPI_COMM_NULL;
  expect_that(MPI_Intercomm_create(inter, 0, MPI_COMM_WORLD, 0, 1, &made) == MPI_ERR_COMM,
              "a local intercommunicator");
  MPI_Comm_set_errhandler(inter, MPI_ERRORS_ARE_FATAL);
}

/// Groups of `first` ranks and of all others, each backwards if `reversed`; the leaders are their last ranks.
void check_pair(int first, bool reversed) {
  const int side = my_rank() < first ? 0 : 1;
  MPI_Comm half, inter;
  MPI_Comm_split(MPI_COMM_WORLD, side, reversed ? -my_rank() : my_rank(), &half);
  const int last = size_of(half) - 1, total = world_size();
  const int leader_of_0 = reversed ? 0 : first - 1, leader_of_1 = reversed ? first : total - 1;
  MPI_Intercomm_create(half, last, MPI_COMM_WORLD, side == 0 ? leader_of_1 : leader_of_0, 12, &inter);
  expect_that(rank_of(inter) == rank_of(half), "the order of an intercommunicator");
  for (const std::size_t count : kCounts) walk(inter, side, {count});
  check_dup(inter, side);
  check_split(inter, side);
  check_create(inter, side);
  check_create_empty(inter, side);
  check_merge(inter, side);
  check_refusals(inter);
  walk(inter, side, {1000});
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

int relation(MPI_Comm left, MPI_Comm right) {
  int result = -1;
  MPI_Comm_compare(left, right, &result);
  return result;
}

/// Of intercommunicators, too: their groups may differ on either side.
void check_relations() {
  MPI_Comm backwards, single, half, inter, twin, turned;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -my_rank(), &backwards);
  MPI_Comm_split(MPI_COMM_WORLD, my_rank(), 0, &single);
  expect_that(relation(MPI_COMM_WORLD, backwards) == MPI_SIMILAR, "permuted communicators");
  expect_that(relation(single, MPI_COMM_WORLD) == MPI_UNEQUAL, "communicators of different groups");
  const int side = my_rank() == 0 ? 0 : 1, partner = side == 0 ? 1 : 0;
  MPI_Comm_split(MPI_COMM_WORLD, side, my_rank(), &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, partner, 1, &inter);
  MPI_Comm_dup(inter, &twin);
  MPI_Comm_split(inter, 0, -rank_of(inter), &turned);
  expect_that(relation(inter, inter) == MPI_IDENT, "an intercommunicator and itself");
  expect_that(relation(inter, twin) == MPI_CONGRUENT, "an intercommunicator and its duplicate");
  expect_that(relation(inter, turned) == (world_size() > 2 ? MPI_SIMILAR : MPI_CONGRUENT),
              "a turned intercommunicator");
  expect_that(relation(inter, half) == MPI_UNEQUAL, "an intercommunicator and a communicator");
  for (MPI_Comm* comm : {&backwards, &single, &half, &inter, &twin, &turned}) MPI_Comm_free(comm);
}

void check_orders() {
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, 3, -my_rank(), &comm);
  expect_that(rank_of(comm) == world_size() - 1 - my_rank(), "a split backwards");
  walk_intra(comm);
  MPI_Comm_free(&comm);
  // Every third rank after the other.
  std::vector<int> ranks;
  for (int start = 2; start >= 0; --start) {
    for (int rank = start; rank < world_size(); rank += 3) ranks.push_back(rank);
  }
  MPI_Group world, permuted;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, world_size(), ranks.data(), &permuted);
  for (const bool alone : {false, true}) {
    if (alone) {
      MPI_Comm_create_group(MPI_COMM_WORLD, permuted, 5, &comm);
    } else {
      MPI_Comm_create(MPI_COMM_WORLD, permuted, &comm);
    }
    expect_that(ranks[static_cast<std::size_t>(rank_of(comm))] == my_rank(), "a permuted group");
    walk_intra(comm);
    MPI_Comm_free(&comm);
  }
  MPI_Group_free(&world);
  MPI_Group_free(&permuted);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Op_create(chain_all, 0, &chain_op);
  MPI_Op_create(chain_spread, 0, &spread_op);
  MPI_Type_create_resized(MPI_UINT64_T, 0, 24, &spread_type);
  MPI_Type_commit(&spread_type);
  for (int first = 1; first < world_size(); ++first) check_pair(first, first % 2 == 0);
  check_orders();
  check_relations();
  MPI_Type_free(&spread_type);
  MPI_Op_free(&chain_op);
  MPI_Op_free(&spread_op);
  report_comparisons("intercommunicators");
  MPI_Finalize();
}
