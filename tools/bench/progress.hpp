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

  /// Where `out` is no terminal, nothing is written but, if `verbose`, a line per case.
  Progress(int total_cases, std::ostream& out, bool is_terminal, bool verbose = false,
           Clock clock = steady_seconds);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void begin(const std::string& case_name);

  /// `fraction` of the current case is done. Cheap enough to be called often: draws ten times per second.
  void update(double fraction);

  void end();

 private:
  void draw(double fraction);
  std::string line(double fraction) const;

  int total_;
  std::ostream& out_;
  bool terminal_;
  bool verbose_;
  Clock clock_;
  double started_;
  double drawn_ = 0;
  int case_ = 0;
  std::string name_;
  bool visible_ = false;
};

}  // namespace foldlane::bench
