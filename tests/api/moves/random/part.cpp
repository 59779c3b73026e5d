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
      if (is_root) part.recv = all_blocks(true, [&](int partner) { return Passage{partner, root_}; });
      if (is_leaf) part.send = one_block(false, {me_, root_});
    } else if (is_scatter(move_.call)) {
      if (is_root) part.send = all_blocks(false, [&](int partner) { return Passage{root_, partner}; });
      if (is_leaf) part.recv = one_block(true, {root_, me_});
    } else {
      const bool for_all = is_allgather(move_.call);
      const int me = for_all ? kAll : me_;
      part.recv = all_blocks(true, [&](int partner) { return Passage{partner, me}; });
      part.send = for_all ? one_block(false, {me_, kAll}) : all_blocks(false, [&](int partner) {
        return Passage{me_, partner};
      });
    }
    return part;
  }

 private:
  bool has_root_here() const { return !circle_.is_inter || circle_.side == move_.root_side; }

  const Layout& layout_of(bool receives, Passage passage, int partner) const {
    return layouts_.of(move_.base_between(passage.from, passage.to), move_.way_of(receives, me_, partner));
  }

  Side one_block(bool receives, Passage passage) const {
    Side side;
    side.add(layout_of(receives, passage, 0), move_.elements_between(passage.from, passage.to), passage, 0,
             false);
    return side;
  }

  /// In the order of ranks without gaps; where displacements say so, in the reverse order and apart.
  template <class PassageOf>
  Side all_blocks(bool receives, const PassageOf& passage_of) const {
    constexpr std::size_t kAligned = sizeof(double);
    const bool apart = is_list(move_.call), in_bytes = move_.call == Call::alltoallw;
    const int size = static_cast<int>(circle_.partners.size());
    std::vector<std::size_t> offsets(circle_.partners.size());
    std::size_t end = 0;
    for (int step = 0; step < size; ++step) {
      const int j = apart ? size - 1 - step : step;
      const int partner = at(circle_.partners, j);
      const Passage passage = passage_of(partner);
      const Layout& layout = layout_of(receives, passage, partner);
      at(offsets, j) = end;
      end += layout.span_of(move_.elements_between(passage.from, passage.to));
      if (apart) end += static_cast<std::size_t>(step % 3) * layout.extent;
      if (in_bytes) end = (end + kAligned - 1) / kAligned * kAligned;
    }
    Side side;
    for (int j = 0; j < size; ++j) {
      const int partner = at(circle_.partners, j);
      const Passage passage = passage_of(partner);
      side.add(layout_of(receives, passage, partner), move_.elements_between(passage.from, passage.to),
               passage, at(offsets, j), in_bytes);
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
