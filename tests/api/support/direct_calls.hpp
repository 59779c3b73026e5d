// Programs of the MPI interface that check which calls went straight from buffer to buffer.
#pragma once

#include "support/counters.hpp"
#include "support/expect.h"

namespace foldlane::tests {

inline unsigned long direct_calls() { return counted("foldlane_direct_calls"); }

/// `call` is (or is not) direct on this rank.
template <class Call>
void expect_direct(const Call& call, bool direct, const char* what) {
  const unsigned long before = direct_calls();
  call();
  expect_that(direct_calls() - before == (direct ? 1 : 0), what);
}

}  // namespace foldlane::tests
