#include "move.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "layouts.hpp"
#include "support/which_calls.hpp"

namespace foldlane::moves {
namespace {

/// More than what is asked of a block: its datatype, its length, its bytes in each round.
constexpr std::uint64_t kWhats = 16;

constexpr std::array<const char*, kCalls> kNames{"Gather",   "Gatherv",   "Scatter",
                                                 "Scatterv", "Allgather", "Allgatherv",
                                                 "Alltoall", "Alltoallv", "Alltoallw"};

/// Where ways of the library begin and end; the longer, the rarer, so that all take about the same time.
std::size_t draw_bytes(matching::Random& random) {
  struct Border {
    std::size_t bytes;
    int percent;
  };
  constexpr std::array<Border, 4> kLong{{{262'144, 1}, {65'536, 2}, {32'768, 4}, {8'192, 9}}};
  constexpr std::array<std::size_t, 9> kShort{0, 1, 8, 15, 32, 56, 96, 120, 400};
  int number = random.below(100);
  const Border* border = nullptr;
  for (const Border& one : kLong) {
    if (number >= 0 && number < one.percent) border = &one;
    number -= one.percent;
  }
  const std::size_t middle = border != nullptr ? border->bytes : kShort[random.next() % kShort.size()];
  const int off = random.chance(50) ? 0 : random.between(-16, 16);
  return off < 0 && middle < 16 ? middle : middle + static_cast<std::size_t>(off);
}

/// All of its names begin with their only capital.
std::string lower(std::string name) {
  name[0] = static_cast<char>(name[0] + 'a' - 'A');
  return name;
}

}  // namespace

std::uint64_t Move::mixed(std::uint64_t a, std::uint64_t b, std::uint64_t c) const {
  matching::Random random(seed ^
                          (a * 0x9e3779b97f4a7c15U + b * 0xc2b2ae3d27d4eb4fU + c * 0x165667b19e3779f9U));
  return random.next();
}

/// Where blocks are replaced, those of both directions are the same.
std::uint64_t Move::of_block(Passage passage, std::uint64_t what) const {
  if (in_place && is_alltoall(call) && passage.from > passage.to) std::swap(passage.from, passage.to);
  return mixed(static_cast<std::uint64_t>(passage.from + 1), static_cast<std::uint64_t>(passage.to + 1),
               what + kWhats * static_cast<std::uint64_t>(passage.edge));
}

int Move::base_of(Passage passage) const {
  return call == Call::alltoallw ? static_cast<int>(of_block(passage, 1) % Layouts::kBases) : base;
}

int Move::elements_of(Passage passage) const {
  constexpr std::array<std::size_t, Layouts::kBases> kElementBytes{1, 4, 8};
  std::size_t all = bytes;
  if (is_list(call)) {
    const std::uint64_t drawn = of_block(passage, 2);
    const std::size_t quarters = drawn % 8;  // none, less, as many, a little more
    all = quarters == 0 ? 0 : quarters < 4 ? bytes * quarters / 4 : bytes + (quarters - 4) * 8;
  }
  const int elements = static_cast<int>(all / at(kElementBytes, base_of(passage)));
  return in_fours ? elements / 4 * 4 : elements;
}

int Move::way_of(bool receives, int rank, int partner) const {
  const int ways = in_fours ? Layouts::kWays : Layouts::kSingles;
  const int of_whom = call == Call::alltoallw ? partner : 0;
  if (is_alike) rank = 0;
  return static_cast<int>(
      mixed(static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(of_whom), receives ? 3 : 4) %
      static_cast<std::uint64_t>(ways));
}

std::uint64_t Move::bytes_of(Passage passage, int round) const {
  return mixed(static_cast<std::uint64_t>(passage.from + 1), static_cast<std::uint64_t>(passage.to + 1),
               5 + static_cast<std::uint64_t>(round) + kWhats * static_cast<std::uint64_t>(passage.edge));
}

std::string Move::text() const {
  std::string name = at(kNames, static_cast<int>(call));
  if (among_neighbours) name = "Neighbor_" + lower(name);
  if (form == Form::nonblocking) name = lower(name);
  std::ostringstream text;
  text << (form == Form::nonblocking ? "MPI_I" : "MPI_") << name << (form == Form::persistent ? "_init" : "")
       << (large_counts ? "_c" : "") << " of about " << bytes << " bytes per block";
  if (in_place) text << ", in place";
  return text.str();
}

Move draw_move(matching::Random& random, int circle, bool may_be_in_place) {
  Move move;
  move.seed = random.next();
  move.circle = circle;
  move.call = static_cast<Call>(random.below(kCalls));
  move.form = static_cast<Form>(random.below(kForms));
  move.large_counts = random.chance(25);
  move.in_place = random.chance(25) && may_be_in_place;
  move.in_fours = random.chance(50);
  move.root = random.below(1 << 20);
  move.root_side = random.below(2);
  move.base = random.below(Layouts::kBases);
  move.bytes = draw_bytes(random);
  if (testing::are_all_blocking()) move.form = Form::blocking;
  move.rounds = move.form == Form::persistent ? random.between(1, 3) : 1;
  move.send_in_segment = random.chance(40);
  move.recv_in_segment = random.chance(40);
  return move;
}

Move draw_neighbours_move(matching::Random& random, int circle) {
  Move move = draw_move(random, circle, false);
  const int first = static_cast<int>(Call::allgather);
  move.call = static_cast<Call>(first + random.below(kCalls - first));
  move.among_neighbours = true;
  return move;
}

}  // namespace foldlane::moves
