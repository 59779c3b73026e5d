// The process management interface, version 1: lines of text between a rank and its launcher. MPICH's hydra
// and what descends from it speak it, Slurm's plugin pmi2, and Flux. A rank that has said `init` and ends
// without `finalize` has failed to them.
#pragma once

#include <string>

#include "shm/base/result.hpp"
#include "shm/base/unique_fd.hpp"

namespace foldlane::engine {

inline constexpr char kPmiFdVariable[] = "PMI_FD";      // an open connection
inline constexpr char kPmiPortVariable[] = "PMI_PORT";  // host:port of one to be made
inline constexpr char kPmiIdVariable[] = "PMI_ID";      // who makes it
inline constexpr char kPmiRankVariable[] = "PMI_RANK";  // with PMI_FD
inline constexpr char kPmiSizeVariable[] = "PMI_SIZE";

class Pmi {
 public:
  /// As the environment says, which must have kPmiFdVariable or kPmiPortVariable. Errors: it says too little,
  /// or the launcher does not answer as it should.
  static shm::Result<Pmi> open();

  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }
  /// No other job of this launcher on this machine is called so.
  const std::string& job() const noexcept { return job_; }
  bool is_on_one_node() const noexcept { return is_on_one_node_; }

  /// This rank may end. More than once: nothing.
  void finalize() noexcept;
  /// Ends the job, this process included: maybe before this returns.
  void abort(int code) noexcept;

 private:
  using Text = shm::Result<std::string>;

  shm::Result<void> introduce();
  shm::Result<void> connect();
  shm::Result<void> read_variables();
  bool say(const std::string& line) noexcept;
  Text hear();
  /// The value of `key` in the answer.
  Text ask(const std::string& line, const std::string& key);

  shm::UniqueFd connection_;
  int rank_ = -1;
  int size_ = -1;
  std::string job_;
  bool is_on_one_node_ = false;
};

/// Whether a PMI_process_mapping puts all ranks on one node: "(vector,(0,1,4))", blocks of first node, nodes
/// and ranks on each. Error: it is nothing of the kind.
shm::Result<bool> maps_to_one_node(const std::string& mapping);

}  // namespace foldlane::engine
