// Reads the machine's state from /proc and /sys.
#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <sstream>

#include "bench/machine/machine.hpp"
#include "shm/machine/cgroup.hpp"

namespace foldlane::bench {
namespace {

namespace fs = std::filesystem;

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

/// "" if there is none.
std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return trimmed(line);
}

/// "always [madvise] never" -> "madvise"
std::string chosen(const std::string& alternatives) {
  const auto open = alternatives.find('[');
  const auto close = alternatives.find(']', open);
  return close == std::string::npos ? alternatives : alternatives.substr(open + 1, close - open - 1);
}

/// The number in "cpu17" or "index3".
std::optional<int> number_after(const std::string& prefix, const std::string& name) {
  if (!name.starts_with(prefix) || name.size() > prefix.size() + 6) return std::nullopt;
  const std::string digits = name.substr(prefix.size());
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  return std::stoi(digits);
}

/// The first CPU's block of "name : value" lines; that of the others is alike.
std::map<std::string, std::string> first_block(const fs::path& file) {
  std::map<std::string, std::string> members;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line) && !(line.empty() && !members.empty());) {
    const auto colon = line.find(':');
    if (colon != std::string::npos) members[trimmed(line.substr(0, colon))] = trimmed(line.substr(colon + 1));
  }
  return members;
}

void read_processor(const fs::path& root, Surroundings& result) {
  auto members = first_block(root / "proc/cpuinfo");
  result.model = members["model name"];
  result.arm = members.contains("CPU implementer");
  // Linux on ARM knows numbers only.
  if (result.arm && result.model.empty()) {
    result.model = "ARM implementer " + members["CPU implementer"] + " part " + members["CPU part"];
  }
  std::istringstream flags(members["flags"]);
  for (std::string flag; flags >> flag;) result.flags.insert(flag);
}

/// "32K" or "8M"
std::uint64_t size_in(const std::string& text) {
  std::istringstream stream(text);
  std::uint64_t number = 0;
  char unit = ' ';
  stream >> number >> unit;
  return unit == 'M' ? number << 20 : unit == 'K' ? number << 10 : number;
}

void read_caches(const fs::path& root, Surroundings& result) {
  for (int index = 0;; ++index) {
    const fs::path cache = root / "sys/devices/system/cpu/cpu0/cache" / ("index" + std::to_string(index));
    const std::string type = first_line(cache / "type");
    if (type.empty()) return;
    if (type == "Instruction") continue;
    const std::string name = fmt::format("L{}{}", first_line(cache / "level"), type == "Data" ? "d" : "");
    result.caches.push_back({name, size_in(first_line(cache / "size"))});
  }
}

void read_governors(const fs::path& root, Surroundings& result) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(root / "sys/devices/system/cpu", ignored)) {
    const auto cpu = number_after("cpu", entry.path().filename());
    const std::string governor = cpu ? first_line(entry.path() / "cpufreq/scaling_governor") : "";
    if (!governor.empty()) result.governors[*cpu] = governor;
  }
}

void read_ticks(const fs::path& root, Surroundings& result) {
  std::ifstream stream(root / "proc/stat");
  for (std::string line; std::getline(stream, line);) {
    std::istringstream fields(line);
    std::string name;
    std::uint64_t user = 0, nice = 0, system = 0, idle = 0, waiting = 0, hard = 0, soft = 0, stolen = 0;
    fields >> name >> user >> nice >> system >> idle >> waiting >> hard >> soft >> stolen;
    // Time of guests is in user time already. The line "cpu" is the sum of all.
    if (const auto cpu = number_after("cpu", name)) {
      result.cpus[*cpu] = {user + nice + system + hard + soft, idle + waiting, stolen};
    }
  }
  if (const long ticks = sysconf(_SC_CLK_TCK); ticks > 0)
    result.ticks_per_second = static_cast<double>(ticks);
}

void read_memory(const fs::path& root, Surroundings& result) {
  auto memory = first_block(root / "proc/meminfo");
  std::istringstream(memory["MemTotal"]) >> result.memory_bytes;
  std::istringstream(memory["MemAvailable"]) >> result.available_bytes;
  result.memory_bytes <<= 10;
  result.available_bytes <<= 10;
  const fs::path pages = root / "sys/kernel/mm/transparent_hugepage";
  result.transparent_pages = chosen(first_line(pages / "enabled"));
  result.shared_transparent_pages = chosen(first_line(pages / "shmem_enabled"));
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(root / "sys/kernel/mm/hugepages", ignored)) {
    const std::string name = entry.path().filename();
    std::istringstream(first_line(entry.path() / "nr_hugepages")) >>
        result.reserved_pages[name.substr(name.find('-') + 1)];
  }
}

void read_hypervisor(const fs::path& root, Surroundings& result) {
  const std::string type = first_line(root / "sys/hypervisor/type");
  result.hypervisor = result.flags.contains("hypervisor") || !type.empty();
  // Of a machine that is no guest this is who built it.
  if (!result.hypervisor) return;
  result.hypervisor_vendor = type.empty() ? first_line(root / "sys/class/dmi/id/sys_vendor") : type;
}

std::string load_averages(const fs::path& root) {
  std::istringstream stream(first_line(root / "proc/loadavg"));
  std::string one, five, fifteen;
  stream >> one >> five >> fifteen;
  return trimmed(one + " " + five + " " + fifteen);
}

}  // namespace

Surroundings read_surroundings(const fs::path& root) {
  Surroundings result;
  read_processor(root, result);
  read_caches(root, result);
  read_governors(root, result);
  read_ticks(root, result);
  read_memory(root, result);
  read_hypervisor(root, result);
  result.kernel = first_line(root / "proc/sys/kernel/osrelease");
  result.clock_source = first_line(root / "sys/devices/system/clocksource/clocksource0/current_clocksource");
  result.load = load_averages(root);
  result.cpu_quota = shm::cgroup_cpu_quota(root);
  result.memory_limit = shm::cgroup_memory_limit(root);
  return result;
}

bool has_invariant_clock(const Surroundings& surroundings) {
  // ARM's architecture promises it of the generic timer.
  return surroundings.arm ||
         (surroundings.flags.contains("constant_tsc") && surroundings.flags.contains("nonstop_tsc"));
}

}  // namespace foldlane::bench
