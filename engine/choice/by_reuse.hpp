// One of each for results that go where others went a short while ago, and for others. Where a program does
// both in turns, one choice for both would change too late each time.
#pragma once

#include <cstddef>

#include "engine/choice/by_size.hpp"
#include "engine/choice/likely_way.hpp"
#include "engine/choice/recent_results.hpp"

namespace foldlane::engine {

template <class T>
class ByReuse {
 public:
  explicit ByReuse(const T& each) noexcept : again_(each), elsewhere_(each) {}

  /// So many bytes are about to go there. What goes where others went begins with this arm.
  T& of(std::size_t bytes, const void* result, Arm likely_again) noexcept {
    return note(bytes, result) ? again_.beginning_with(bytes, likely_again) : elsewhere_.of(bytes);
  }
  /// The same of the ways that data go (likely_way.hpp), which begin as others have decided.
  T& informed_way(std::size_t bytes, const void* result) noexcept {
    const bool is_again = note(bytes, result);
    return (is_again ? again_ : elsewhere_).informed(bytes, likely_way_of_exchange(bytes, is_again));
  }

 private:
  bool note(std::size_t bytes, const void* result) noexcept {
    const bool is_recent = results_.find(result).has_value();
    results_.note(result, bytes);
    return is_recent;
  }

  RecentResults results_;
  BySize<T> again_;
  BySize<T> elsewhere_;
};

}  // namespace foldlane::engine
