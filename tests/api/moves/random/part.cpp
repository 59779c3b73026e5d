#include "part.hpp"

namespace foldlane::moves {
namespace {

class Partition {
 public:
  Partition(const Move& move, const Circle& circle, const Layouts& layouts)
      : move_(move), circle_(circle), layouts_(layouts), me_(at(circle.own, circle.rank)) {
    const std::vector<int>& with_root = has_root_here() ? circle.own : circle.partners;
    root_rank_ = move.root % static_cast<int>(with_root.size());
    root_ = at(with_root, root_rank_);
  }

  Part make() const {
    Part part;
    const bool is_root = me_ == root_, is_leaf = !circle_.is_inter || !has_root_here();
    part.root = !circle_.is_inter || is_leaf ? root_rank_ : is_root ? MPI_ROOT : MPI_PROC_NULL;
    part.in_place = move_.in_place && (move_.call > Call::scatterv || is_root);
    if (is_gather(move_.call)) {
      if (is_root) part.recv = all_blocks(true, from_partners(root_));
      if (is_leaf) part.send = one_block(false, {me_, root_});
    } else if (is_scatter(move_.call)) {
      if (is_root) part.send = all_blocks(false, to_partners(root_));
      if (is_leaf) part.recv = one_block(true, {root_, me_});
    } else if (is_allgather(move_.call)) {
      part.recv = all_blocks(true, move_.among_neighbours ? from_neighbours() : from_partners(kAll));
      part.send = one_block(false, {me_, kAll});
    } else {
      part.recv = all_blocks(true, move_.among_neighbours ? from_neighbours() : from_partners(me_));
      part.send = all_blocks(false, move_.among_neighbours ? to_neighbours() : to_partners(me_));
    }
    return part;
  }

 private:
  bool has_root_here() const { return !circle_.is_inter || circle_.side == move_.root_side; }

  using Passages = std::vector<Passage>;

  Passages from_partners(int to) const {
    Passages passages;
    for (const int partner : circle_.partners) passages.push_back({partner, to});
    return passages;
  }
  Passages to_partners(int from) const {
    Passages passages;
    for (const int partner : circle_.partners) passages.push_back({from, partner});
    return passages;
  }
  /// What is the same for all goes over no edge of its own.
  Passages from_neighbours() const {
    Passages passages;
    for (const auto [rank, edge] : circle_.sources)
      passages.push_back(is_allgather(move_.call) ? Passage{rank, kAll} : Passage{rank, me_, edge});
    return passages;
  }
  Passages to_neighbours() const {
    Passages passages;
    for (const auto [rank, edge] : circle_.destinations) passages.push_back({me_, rank, edge});
    return passages;
  }

  const Layout& layout_of(bool receives, Passage passage) const {
    const int partner = receives ? passage.from : passage.to;
    return layouts_.of(move_.base_of(passage), move_.way_of(receives, me_, partner));
  }

  Side one_block(bool receives, Passage passage) const {
    Side side;
    side.add(layout_of(receives, passage), move_.elements_of(passage), passage, 0, false);
    return side;
  }

  /// In this order without gaps; where displacements say so, in the reverse order and apart.
  Side all_blocks(bool receives, const Passages& passages) const {
    constexpr std::size_t kAligned = sizeof(double);
    const bool apart = is_list(move_.call), in_bytes = move_.call == Call::alltoallw;
    const int size = static_cast<int>(passages.size());
    std::vector<std::size_t> offsets(passages.size());
    std::size_t end = 0;
    for (int step = 0; step < size; ++step) {
      const int j = apart ? size - 1 - step : step;
      const Layout& layout = layout_of(receives, at(passages, j));
      at(offsets, j) = end;
      end += layout.span_of(move_.elements_of(at(passages, j)));
      if (apart) end += static_cast<std::size_t>(step % 3) * layout.extent;
      if (in_bytes) end = (end + kAligned - 1) / kAligned * kAligned;
    }
    Side side;
    for (int j = 0; j < size; ++j) {
      const Passage& passage = at(passages, j);
      side.add(layout_of(receives, passage), move_.elements_of(passage), passage, at(offsets, j), in_bytes);
    }
    return side;
  }

  const Move& move_;
  const Circle& circle_;
  const Layouts& layouts_;
  int me_;
  int root_rank_ = 0, root_ = 0;
};

}  // namespace

Part part_of(const Move& move, const Circle& circle, const Layouts& layouts) {
  return Partition(move, circle, layouts).make();
}

}  // namespace foldlane::moves
