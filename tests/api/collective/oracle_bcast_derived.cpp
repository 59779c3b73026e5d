// Broadcasts between datatypes with equal signatures and different type maps.
#include "support/oracle_derived.hpp"

using namespace foldlane::testing;

namespace {

struct Parts {
  double re, im;
};

struct Shape {
  MPI_Datatype datatype;
  int per_pair;  // elements for two doubles
  std::vector<Span> spans;
  std::ptrdiff_t extent;
};

std::vector<Shape> shapes_of_pairs() {
  MPI_Datatype vector, indexed;
  MPI_Type_vector(2, 1, 3, MPI_DOUBLE, &vector);
  const int below[] = {-2, 1};
  MPI_Type_create_indexed_block(2, 1, below, MPI_DOUBLE, &indexed);
  return {{MPI_DOUBLE, 2, {{0, 8}}, 8},
          {contiguous(2, MPI_DOUBLE), 1, {{0, 16}}, 16},
          {committed(vector), 1, {{0, 8}, {24, 8}}, 32},
          {resized(indexed, -64, 96), 1, {{-16, 8}, {8, 8}}, 96},
          {resized(contiguous(1, MPI_DOUBLE), 0, 24), 2, {{0, 8}}, 24}};
}

/// Every rank has the shape behind that of the rank before.
void check_bcast_of_shapes() {
  const std::vector<Shape> shapes = shapes_of_pairs();
  for (std::size_t turn = 0; turn < shapes.size(); ++turn) {
    const Shape& own = shapes[(turn + static_cast<std::size_t>(my_rank())) % shapes.size()];
    for (const std::size_t pairs : {0ul, 1ul, 2ul, 3ul, 4ul, 100ul, 1000ul, 16'384ul, 50'001ul}) {
      const std::size_t elements = pairs * static_cast<std::size_t>(own.per_pair);
      Subject<double> one{"", own.datatype, MPI_OP_NULL, nullptr, nullptr, own.spans, own.extent};
      Subject<Parts> two{"", own.datatype, MPI_OP_NULL, nullptr, nullptr, own.spans, own.extent};
      for (int root = 0; root < world_size(); ++root) {
        std::vector<double> values;
        for (std::size_t i = 0; i < 2 * pairs; ++i)
          values.push_back(static_cast<double>(scramble(static_cast<std::uint64_t>(root), i)));
        const auto compare = [&](auto& subject, const auto& content) {
          const Buffer wanted(subject, content);
          in_all_forms([&] {
            Buffer data(subject, content.size());
            if (my_rank() == root) data.put(content.data(), content.size());
            perform(data, kBcast, data.data(), static_cast<int>(elements), own.datatype, root,
                    MPI_COMM_WORLD);
            ++compared_calls;
            if (!data.same(wanted)) give_up("MPI_Bcast between type maps: differing bytes");
          });
        };
        std::vector<Parts> parts;
        for (std::size_t i = 0; i < pairs; ++i) parts.push_back({values[2 * i], values[2 * i + 1]});
        if (own.per_pair == 2) compare(one, values);
        if (own.per_pair == 1) compare(two, parts);
      }
    }
  }
}

// A pair has the signature of a structure with its two members; its padding is no data.
void check_bcast_of_pairs() {
  struct Pair {
    double value;
    int index;
  };
  const MPI_Datatype members = resized(structure({1, 1}, {0, 8}, {MPI_DOUBLE, MPI_INT}), 0, sizeof(Pair));
  const MPI_Datatype several = contiguous(2, MPI_DOUBLE_INT), duplicate = [] {
    MPI_Datatype type;
    MPI_Type_dup(MPI_DOUBLE_INT, &type);
    return type;
  }();
  const struct {
    MPI_Datatype datatype;
    int per_element;
  } forms[] = {{MPI_DOUBLE_INT, 1}, {members, 1}, {several, 2}, {duplicate, 1}};
  for (const int pairs : {2, 4, 100, 40'000}) {
    for (int turn = 0; turn < 4; ++turn) {
      const auto& own = forms[(turn + my_rank()) % 4];
      for (int root = 0; root < world_size(); ++root) {
        std::vector<Pair> data(static_cast<std::size_t>(pairs));
        const auto value = [root](int i) { return root * 1e6 + i; };
        for (int i = 0; i < pairs && my_rank() == root; ++i)
          data[static_cast<std::size_t>(i)] = {value(i), i - root};
        MPI_Bcast(data.data(), pairs / own.per_element, own.datatype, root, MPI_COMM_WORLD);
        ++compared_calls;
        for (int i = 0; i < pairs; ++i) {
          const Pair& pair = data[static_cast<std::size_t>(i)];
          if (pair.value != value(i) || pair.index != i - root) give_up("MPI_Bcast of pairs: wrong data");
        }
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  check_bcast_of_shapes();
  check_bcast_of_pairs();
  report_comparisons("broadcasts between type maps");
  MPI_Finalize();
}
