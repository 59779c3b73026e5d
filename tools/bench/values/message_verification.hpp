// Whether messages arrive as they were sent.
#pragma once

#include "bench/measure/job.hpp"
#include "bench/report/report.hpp"

namespace foldlane::bench {

/// Makes one run of the selected pattern, with known data in all send buffers and zeros in those that
/// receive: each element must be that of the right sender and message. Where buffers have room for less than
/// all messages, the last ones are looked at.
Check verify_messages(Job& job, const Case& what);

}  // namespace foldlane::bench
