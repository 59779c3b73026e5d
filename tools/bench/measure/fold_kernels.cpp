#include "bench/measure/fold_kernels.hpp"

#include <cstring>
#include <thread>

#include "bench/machine/cpu_binding.hpp"
#include "bench/values/elements.hpp"
#include "bench/values/test_values.hpp"

namespace foldlane::bench {

std::size_t source_stride(const Case& what) { return (what.bytes / kLineBytes + 2) * kLineBytes; }

void FoldKernels::make_arenas(std::size_t bytes, Arenas kind) {
  const bool huge_pages = kind == Arenas::huge_pages;
  input_.emplace(bytes, huge_pages);
  result_.emplace(bytes, huge_pages);
  on_cpu([&] {
    input_->touch();
    result_->touch();
  });
}

void FoldKernels::select(const Case& what, const Places& places) {
  fold_ = kernels::fold_function(operation(what.op), element_type(what.type).elem);
  places_ = places;
  stride_ = source_stride(what);
  count_ = what.bytes / element_bytes(what.type);
  sources_.resize(static_cast<std::size_t>(what.ranks));
  fresh_ = what.buffers == Buffers::fresh;
}

void FoldKernels::on_cpu(const std::function<void()>& work) const {
  std::thread([&] {
    if (cpu_) run_on_cpu(*cpu_);
    work();
  }).join();
}

void FoldKernels::call(unsigned number) {
  const std::size_t offset = number % places_.number * places_.stride + places_.shift;
  for (std::size_t i = 0; i < sources_.size(); ++i) sources_[i] = input_->at() + offset + i * stride_;
  if (fresh_) std::memset(input_->at() + offset, 1, sources_.size() * stride_);
  fold_(result_->at() + offset, sources_.data(), sources_.size(), count_);
}

Slice FoldKernels::run(int warm_up, int calls, Timing) {
  Slice slice;
  on_cpu([&] {
    for (int i = 0; i < warm_up; ++i) call(next_++);
    const std::uint64_t start = ticks_.now();
    for (int i = 0; i < calls; ++i) call(next_++);
    slice.times = {ticks_.microseconds(ticks_.now() - start) / calls};
    slice.cpu = slice.times.front();
  });
  return slice;
}

Check FoldKernels::verify(const Case& what) {
  const std::size_t bytes = element_bytes(what.type);
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    fill_values(what, Values::random, static_cast<int>(i), 0, count_,
                input_->at() + places_.shift + i * stride_);
  }
  call(0);
  std::vector<std::byte> expected(what.bytes);
  kernels::fold_reference_function(operation(what.op), element_type(what.type).elem)(
      expected.data(), sources_.data(), sources_.size(), count_);
  Check check;
  check.done = true;
  for (std::size_t i = 0; i < count_; ++i) {
    check.wrong_elements +=
        std::memcmp(result_->at() + places_.shift + i * bytes, expected.data() + i * bytes, bytes) != 0;
  }
  check.canonical = check.wrong_elements == 0;
  return check;
}

}  // namespace foldlane::bench
