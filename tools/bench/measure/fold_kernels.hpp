// The k-way fold of the kernels by itself: one thread, no MPI. A case's ranks are the sources.
#pragma once

#include <functional>
#include <optional>

#include "bench/machine/ticks.hpp"
#include "bench/measure/arena.hpp"
#include "bench/measure/contestant.hpp"
#include "kernels/fold.hpp"

namespace foldlane::bench {

/// The bytes from one source to the next: whole lines, and not a power of two, at which addresses would be
/// taken for each other.
std::size_t source_stride(const Case& what);

class FoldKernels final : public Contestant {
 public:
  /// `cpu`: where to run; none: anywhere.
  FoldKernels(std::optional<int> cpu, const Ticks& ticks) : cpu_(cpu), ticks_(ticks) {}

  void make_arenas(std::size_t bytes, Arenas kind) override;
  void select(const Case& what, const Places& places) override;
  Slice run(int warm_up, int calls, Timing timing) override;
  /// Random inputs, against the scalar reference.
  Check verify(const Case& what) override;

 private:
  void on_cpu(const std::function<void()>& work) const;
  void call(unsigned number);

  std::optional<int> cpu_;
  const Ticks& ticks_;
  std::optional<Arena> input_, result_;
  Places places_{};
  kernels::FoldFunction fold_ = nullptr;
  std::vector<const void*> sources_;
  std::size_t stride_ = 0;
  std::size_t count_ = 0;
  bool fresh_ = false;
  unsigned next_ = 0;
};

}  // namespace foldlane::bench
