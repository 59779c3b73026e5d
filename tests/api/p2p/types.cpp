// Derived datatypes on either side: gaps, absolute addresses, pairs, counts beyond an int. What is received
// is compared element by element, and so are the gaps.
#include <sys/mman.h>

#include <numeric>

#include "p2p/messages.hpp"

using namespace foldlane::testing;

namespace {

int last() { return world_size() - 1; }
bool is_sender() { return my_rank() == 0; }
bool is_receiver() { return my_rank() == last(); }

constexpr int kCounts[] = {1, 7, 30, 1000, 20'000};

/// `count` elements of a type in memory of `ints` ints per element; `place(i)` is where the i-th packed int
/// of an element is.
struct Layout {
  const char* name;
  MPI_Datatype type;
  int ints;                 // from one element to the next
  std::vector<int> places;  // of the packed ints of one element
};

MPI_Datatype committed(MPI_Datatype type) {
  MPI_Type_commit(&type);
  return type;
}

MPI_Datatype resized(MPI_Datatype type, int ints) {
  MPI_Datatype made;
  MPI_Type_create_resized(type, 0, ints * static_cast<MPI_Aint>(sizeof(int)), &made);
  MPI_Type_free(&type);
  return committed(made);
}

std::vector<Layout> layouts() {
  std::vector<Layout> made;
  MPI_Datatype type;
  MPI_Type_dup(MPI_INT, &type);
  made.push_back({"dense", committed(type), 1, {0}});
  MPI_Type_contiguous(3, MPI_INT, &type);
  made.push_back({"contiguous", committed(type), 3, {0, 1, 2}});
  MPI_Type_vector(3, 1, 2, MPI_INT, &type);
  made.push_back({"vector", resized(type, 6), 6, {0, 2, 4}});
  const int lengths[] = {2, 1}, displacements[] = {4, 1};
  MPI_Type_indexed(2, lengths, displacements, MPI_INT, &type);
  made.push_back({"indexed backwards", resized(type, 6), 6, {4, 5, 1}});
  const int sizes[] = {4, 4}, subsizes[] = {2, 3}, starts[] = {1, 1};
  MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &type);
  made.push_back({"subarray", committed(type), 16, {5, 6, 7, 9, 10, 11}});
  return made;
}

int element(int i) { return 3 * i + 1; }

std::vector<int> filled(const Layout& layout, int elements) {
  std::vector<int> memory(static_cast<std::size_t>(layout.ints * elements), -1);
  int number = 0;
  for (int e = 0; e < elements; ++e) {
    for (const int place : layout.places)
      memory[static_cast<std::size_t>(e * layout.ints + place)] = element(number++);
  }
  return memory;
}

void check_between(MPI_Comm comm, const Layout& from, const Layout& to, int count) {
  const int per_from = static_cast<int>(from.places.size()), per_to = static_cast<int>(to.places.size());
  const int ints = std::lcm(per_from, per_to) * count;
  const std::vector<int> data = filled(from, ints / per_from), expected = filled(to, ints / per_to);
  std::vector<int> got(expected.size(), -1);
  MPI_Request request = MPI_REQUEST_NULL;
  if (is_sender()) MPI_Isend(data.data(), ints / per_from, from.type, last(), 1, comm, &request);
  if (is_receiver()) {
    MPI_Status status{};
    MPI_Recv(got.data(), ints / per_to, to.type, 0, 1, comm, &status);
    int elements = -1;
    MPI_Get_count(&status, to.type, &elements);
    check_that(elements == ints / per_to, "the count is wrong");
    if (got != expected)
      give_up(std::to_string(ints) + " ints from " + from.name + " to " + to.name + " have come wrong");
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void check_layouts(MPI_Comm comm) {
  std::vector<Layout> all = layouts();
  for (const Layout& from : all) {
    for (const Layout& to : all) {
      for (const int count : kCounts) check_between(comm, from, to, count);
    }
  }
  for (Layout& layout : all) MPI_Type_free(&layout.type);
}

/// MPI_BOTTOM with the addresses of two variables.
void check_absolute(MPI_Comm comm) {
  std::vector<double> doubles(3000), got_doubles(3000, -1);
  std::vector<int> ints(5), got_ints(5, -1);
  std::iota(doubles.begin(), doubles.end(), 0.5);
  std::iota(ints.begin(), ints.end(), 7);
  const auto make = [](const void* first, const void* second) {
    MPI_Aint addresses[2];
    const int lengths[] = {3000, 5};
    const MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT};
    MPI_Datatype made;
    MPI_Get_address(first, &addresses[0]);
    MPI_Get_address(second, &addresses[1]);
    MPI_Type_create_struct(2, lengths, addresses, types, &made);
    return committed(made);
  };
  MPI_Datatype out = make(doubles.data(), ints.data()), in = make(got_doubles.data(), got_ints.data());
  MPI_Request request = MPI_REQUEST_NULL;
  if (is_sender()) MPI_Isend(MPI_BOTTOM, 1, out, last(), 1, comm, &request);
  if (is_receiver()) {
    MPI_Recv(MPI_BOTTOM, 1, in, 0, 1, comm, MPI_STATUS_IGNORE);
    check_that(got_doubles == doubles && got_ints == ints, "what lies at absolute addresses has come wrong");
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&out);
  MPI_Type_free(&in);
}

/// A pair has padding, which is nobody's.
void check_pairs(MPI_Comm comm) {
  struct Pair {
    double value;
    int index;
  };
  for (const int count : kCounts) {
    std::vector<Pair> data(static_cast<std::size_t>(count)), got(data.size());
    for (int i = 0; i < count; ++i) data[static_cast<std::size_t>(i)] = {i + 0.25, i};
    MPI_Request request = MPI_REQUEST_NULL;
    if (is_sender()) MPI_Isend(data.data(), count, MPI_DOUBLE_INT, last(), 1, comm, &request);
    if (is_receiver()) {
      MPI_Status status{};
      int pairs = -1, elements = -1;
      MPI_Recv(got.data(), count, MPI_DOUBLE_INT, 0, 1, comm, &status);
      MPI_Get_count(&status, MPI_DOUBLE_INT, &pairs);
      MPI_Get_elements(&status, MPI_DOUBLE_INT, &elements);
      check_that(pairs == count && elements == 2 * count, "the status does not count pairs");
      for (std::size_t i = 0; i < got.size(); ++i)
        check_that(got[i].value == data[i].value && got[i].index == data[i].index, "a pair is wrong");
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

/// A part of an element has come.
void check_parts(MPI_Comm comm) {
  MPI_Datatype three;
  MPI_Type_contiguous(3, MPI_INT, &three);
  MPI_Type_commit(&three);
  const int data[4] = {1, 2, 3, 4};
  int got[6] = {-1, -1, -1, -1, -1, -1};
  MPI_Request request = MPI_REQUEST_NULL;
  if (is_sender()) MPI_Isend(data, 4, MPI_INT, last(), 1, comm, &request);
  if (is_receiver()) {
    MPI_Status status{};
    int count = 0, elements = 0;
    MPI_Recv(got, 2, three, 0, 1, comm, &status);
    MPI_Get_count(&status, three, &count);
    MPI_Get_elements(&status, three, &elements);
    check_that(count == MPI_UNDEFINED && elements == 4, "the status does not say that a part has come");
    check_that(got[3] == 4 && got[4] == -1, "the wrong elements were written");
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&three);
}

/// More elements than an int counts, and no bytes (core/large.cpp has a message of more bytes than that).
void check_large_counts(MPI_Comm comm) {
  const MPI_Count huge = MPI_Count{3} << 30;
  MPI_Datatype nothing;
  MPI_Type_contiguous(0, MPI_INT, &nothing);
  MPI_Type_commit(&nothing);
  char data = 5, got = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  if (is_sender()) MPI_Isend_c(&data, huge, nothing, last(), 1, comm, &request);
  if (is_receiver()) {
    MPI_Status status{};
    MPI_Recv_c(&got, huge, nothing, 0, 1, comm, &status);
    check_status(status, 0, 1, 0);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&nothing);
}

/// Room for far more than comes.
void check_wide_room(MPI_Comm comm) {
  std::vector<int> data(100'000), got(data.size(), -1);
  std::iota(data.begin(), data.end(), 0);
  const MPI_Count room = MPI_Count{1} << 40;
  MPI_Request request = MPI_REQUEST_NULL;
  if (is_sender()) MPI_Isend_c(data.data(), 100'000, MPI_INT, last(), 1, comm, &request);
  if (is_receiver()) {
    MPI_Status status{};
    MPI_Recv_c(got.data(), room, MPI_INT, 0, 1, comm, &status);
    check_status(status, 0, 1, data.size() * sizeof(int));
    check_that(got == data, "the message has come wrong");
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/// Three ints, each more than 2^31 bytes behind the one before it; most of that has no memory.
class WideInts {
 public:
  static constexpr int kInts = 3;
  static constexpr MPI_Aint kStride = (MPI_Aint{1} << 31) + 8;

  explicit WideInts(int first)
      : data_(static_cast<char*>(mmap(nullptr, kInts * kStride, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))) {
    check_that(data_ != MAP_FAILED, "no address space");
    for (int i = 0; i < kInts; ++i) at(i) = first + i;
  }
  WideInts(const WideInts&) = delete;
  WideInts& operator=(const WideInts&) = delete;
  ~WideInts() { munmap(data_, kInts * kStride); }

  int& at(int i) { return *reinterpret_cast<int*>(data_ + i * kStride); }
  void* data() { return data_; }

 private:
  char* data_;
};

void check_wide_strides(MPI_Comm comm) {
  WideInts data(70), got(-10);
  MPI_Datatype type;
  MPI_Type_create_hvector(WideInts::kInts, 1, WideInts::kStride, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Request request = MPI_REQUEST_NULL;
  if (is_sender()) MPI_Isend(data.data(), 1, type, last(), 1, comm, &request);
  if (is_receiver()) {
    MPI_Recv(got.data(), 1, type, 0, 1, comm, MPI_STATUS_IGNORE);
    for (int i = 0; i < WideInts::kInts; ++i) check_that(got.at(i) == 70 + i, "a far element is wrong");
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&type);
}

}  // namespace

int main() {
  MPI_Init(nullptr, nullptr);
  on_duplicate("layouts", check_layouts);
  on_duplicate("absolute addresses", check_absolute);
  on_duplicate("pairs", check_pairs);
  on_duplicate("parts of elements", check_parts);
  on_duplicate("large counts", check_large_counts);
  on_duplicate("wide room", check_wide_room);
  on_duplicate("wide strides", check_wide_strides);
  MPI_Finalize();
  return 0;
}
