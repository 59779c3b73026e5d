#pragma once

namespace foldlane::shm {

/// Before the launcher is told to end the job: MPICH's hydra may then end without having read what its ranks
/// have said last, such as why. Blocks until standard error, if it is a pipe, has been read, 100 ms at most.
/// True: it has been, or is no pipe.
bool await_reader_of_stderr() noexcept;

}  // namespace foldlane::shm
