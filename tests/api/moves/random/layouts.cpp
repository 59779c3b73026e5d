#include "layouts.hpp"

namespace foldlane::moves {
namespace {

/// In elements; the lower bound lies before the first one.
struct Way {
  std::vector<std::size_t> places;
  std::size_t extent;
  int below;
};

/// Dense; with gaps before and behind; with a gap and a lower bound that is negative; two in the reverse
/// order; four in a row.
const std::vector<Way>& ways() {
  static const std::vector<Way> all{
      {{0}, 1, 0}, {{1}, 3, 0}, {{0}, 2, 1}, {{3, 0}, 5, 0}, {{0, 1, 2, 3}, 6, 0}};
  return all;
}

MPI_Datatype made(const Way& way, MPI_Datatype base, std::size_t element) {
  std::vector<MPI_Aint> wheres;
  for (const std::size_t place : way.places) wheres.push_back(static_cast<MPI_Aint>(place * element));
  MPI_Datatype placed, type;
  MPI_Type_create_hindexed_block(static_cast<int>(wheres.size()), 1, wheres.data(), base, &placed);
  MPI_Type_create_resized(placed, -way.below * static_cast<MPI_Aint>(element),
                          static_cast<MPI_Aint>(way.extent * element), &type);
  MPI_Type_free(&placed);
  MPI_Type_commit(&type);
  return type;
}

}  // namespace

Layouts::Layouts() {
  const struct {
    MPI_Datatype type;
    std::size_t bytes;
  } bases[kBases] = {{MPI_BYTE, 1}, {MPI_INT, sizeof(int)}, {MPI_DOUBLE, sizeof(double)}};
  for (const auto& base : bases)
    for (const Way& way : ways()) {
      Layout layout{base.type, base.bytes, way.extent * base.bytes, way.places};
      for (std::size_t& place : layout.places) place *= base.bytes;
      if (way.extent > 1) layout.type = made(way, base.type, base.bytes);
      all_.push_back(layout);
    }
}

Layouts::~Layouts() {
  for (Layout& layout : all_)
    if (!layout.is_dense()) MPI_Type_free(&layout.type);
}

}  // namespace foldlane::moves
