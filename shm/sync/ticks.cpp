#include "engine/statistics/ticks.hpp"

#include <fstream>
#include <string>

namespace foldlane::engine {

Ticks::Ticks() {
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string source;
  file >> source;
  counter_ = source == "tsc" || source == "arch_sys_counter";
}

}  // namespace foldlane::engine
