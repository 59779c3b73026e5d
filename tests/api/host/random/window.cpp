#include "window.hpp"

namespace foldlane::host_test {

Visit draw_visit(matching::Random& random, int ranks) {
  return {random.below(ranks), random.below(ranks), static_cast<Access>(random.below(3)), random.chance(50),
          random.below(1000)};
}

Window::Window(int rank, int ranks)
    : rank_(rank), words_(static_cast<std::size_t>(ranks) + 1), wanted_(words_.size()) {
  MPI_Win_create(words_.data(), static_cast<MPI_Aint>(words_.size() * sizeof(long)), sizeof(long),
                 MPI_INFO_NULL, MPI_COMM_WORLD, &window_);
}

Window::~Window() { MPI_Win_free(&window_); }

/// Word 0 is the sum.
void Window::make(const Visit& one) {
  if (one.from == rank_) visit(one);
  if (one.to != rank_) return;
  if (one.access == Access::put) {
    wanted_[static_cast<std::size_t>(one.from) + 1] = one.value;
  } else {
    wanted_[0] += one.value;
  }
}

void Window::visit(const Visit& one) {
  long before = 0;
  MPI_Win_lock(one.is_exclusive ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, one.to, 0, window_);
  if (one.access == Access::put) MPI_Put(&one.value, 1, MPI_LONG, one.to, rank_ + 1, 1, MPI_LONG, window_);
  if (one.access == Access::accumulate)
    MPI_Accumulate(&one.value, 1, MPI_LONG, one.to, 0, 1, MPI_LONG, MPI_SUM, window_);
  if (one.access == Access::fetch)
    MPI_Fetch_and_op(&one.value, &before, MPI_LONG, one.to, 0, MPI_SUM, window_);
  MPI_Win_unlock(one.to, window_);
}

bool Window::is_right() {
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank_, 0, window_);
  const bool same = words_ == wanted_;
  MPI_Win_unlock(rank_, window_);
  MPI_Barrier(MPI_COMM_WORLD);
  return same;
}

}  // namespace foldlane::host_test
