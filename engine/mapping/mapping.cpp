#include "engine/mapping/mapping.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "engine/mapping/cuts.hpp"
#include "engine/mapping/links.hpp"
#include "engine/mapping/partition.hpp"

namespace foldlane::engine {
namespace {

std::vector<int> count_up(std::size_t count) {
  std::vector<int> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

/// From the outermost level inwards.
constexpr int Seat::*kLevels[] = {&Seat::package, &Seat::numa, &Seat::llc};

/// The members so that those that share something stand side by side.
std::vector<int> side_by_side(std::span<const Seat> seats) {
  std::vector<int> members = count_up(seats.size());
  std::stable_sort(members.begin(), members.end(), [&](int a, int b) {
    const Seat &one = seats[static_cast<std::size_t>(a)], &other = seats[static_cast<std::size_t>(b)];
    return std::tie(one.package, one.numa, one.llc) < std::tie(other.package, other.numa, other.llc);
  });
  return members;
}

class Placing {
 public:
  Placing(std::span<const Seat> seats, const Links& links, const Cut& cut)
      : seats_(seats), links_(links), cut_(cut), members_(side_by_side(seats)), placed_(seats.size()) {
    place(count_up(seats.size()), members_, 0);
  }

  /// By task.
  const std::vector<int>& members() const { return placed_; }

 private:
  /// Parts the tasks among those of the members that share something on this level, and so on inwards.
  void place(std::vector<int> tasks, std::span<const int> members, std::size_t level) {
    if (level == std::size(kLevels)) {
      for (std::size_t i = 0; i < tasks.size(); ++i) placed_[static_cast<std::size_t>(tasks[i])] = members[i];
      return;
    }
    const std::vector<std::size_t> sizes = sizes_of_runs(members, kLevels[level]);
    if (sizes.size() == 1) return place(std::move(tasks), members, level + 1);
    Parts parts = divide(std::move(tasks), sizes, cut_);
    improve(parts, links_);
    for (auto& part : parts) {
      const std::size_t size = part.size();
      place(std::move(part), members.first(size), level + 1);
      members = members.subspan(size);
    }
  }

  std::vector<std::size_t> sizes_of_runs(std::span<const int> members, int Seat::*shared) const {
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i == 0 || number(members[i], shared) != number(members[i - 1], shared)) sizes.push_back(0);
      ++sizes.back();
    }
    return sizes;
  }
  int number(int member, int Seat::*shared) const { return seats_[static_cast<std::size_t>(member)].*shared; }

  std::span<const Seat> seats_;
  const Links& links_;
  const Cut& cut_;
  std::vector<int> members_;
  std::vector<int> placed_;
};

/// Takes over what is better than what it has.
class Best {
 public:
  Best(std::span<const Edge> edges, std::span<const Seat> seats)
      : edges_(edges), seats_(seats), mapping_{count_up(seats.size()), {}, {}} {
    mapping_.before = mapping_.after = crossings_of(edges, mapping_.members, seats);
  }

  void consider(std::vector<int> members) {
    const Crossings crossings = crossings_of(edges_, members, seats_);
    if (!crossings.improves(mapping_.before) || crossings.cost() >= mapping_.after.cost()) return;
    mapping_.members = std::move(members);
    mapping_.after = crossings;
  }

  bool can_be_better() const { return mapping_.after.cost() > 0; }
  Mapping result() && { return std::move(mapping_); }

 private:
  std::span<const Edge> edges_;
  std::span<const Seat> seats_;
  Mapping mapping_;
};

}  // namespace

Mapping map_grid(const Grid& grid, std::span<const Seat> seats) {
  const auto taken = seats.first(static_cast<std::size_t>(grid.cells()));
  const std::vector<Edge> edges = edges_of(grid);
  Best best(edges, taken);
  if (best.can_be_better()) {
    const Links links(grid.cells(), edges);
    best.consider(side_by_side(taken));
    best.consider(Placing(taken, links, cut_across(grid, links)).members());
  }
  return std::move(best).result();
}

Mapping map_graph(int tasks, std::span<const Edge> edges, std::span<const Seat> seats) {
  const auto taken = seats.first(static_cast<std::size_t>(tasks));
  Best best(edges, taken);
  if (best.can_be_better()) {
    const Links links(tasks, edges);
    best.consider(side_by_side(taken));
    best.consider(Placing(taken, links, cut_by_growth(links)).members());
  }
  return std::move(best).result();
}

}  // namespace foldlane::engine
