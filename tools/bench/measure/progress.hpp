// One line on a terminal that says how far a run is, and disappears at its end.
#pragma once

#include <functional>
#include <ostream>
#include <string>

namespace foldlane::bench {

class Progress {
 public:
  using Clock = std::function<double()>;  // seconds since any moment

  static double steady_seconds();

  /// Where `out` is no terminal, nothing is written.
  Progress(std::ostream& out, bool is_terminal, Clock clock = steady_seconds);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` of the whole run is done, 0 to 1, and this is measured now. Cheap enough to be called often:
  /// draws ten times per second.
  void show(const std::string& now, double done);

  void end();

 private:
  std::string line(const std::string& now, double done) const;

  std::ostream& out_;
  bool terminal_;
  Clock clock_;
  double started_;
  double drawn_ = 0;
  bool visible_ = false;
};

}  // namespace foldlane::bench
