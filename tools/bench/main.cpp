// The program that `foldlane bench` executes in its place.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "bench/command.hpp"
#include "options/manual.hpp"

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments == std::vector<std::string>{"--man"}) {
    fmt::print("{}", foldlane::tools::manual_head("foldlane-bench",
                                                  "measure collectives and messages, and compare MPIs",
                                                  "foldlane bench [CALL...] [options]"));
  }
  return foldlane::bench::bench_command(arguments);
}
