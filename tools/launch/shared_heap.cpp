#include "launch/shared_heap.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

#include "shm/program_heap/program_heap.hpp"

namespace foldlane::tools {

std::string problem_with_shared_heap() {
  void* const library = ::dlopen(kSharedHeapAllocator, RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return ::dlerror();
  const bool complete = ::dlsym(library, shm::kArenaFunction) != nullptr;
  ::dlclose(library);
  return complete ? std::string()
                  : fmt::format("{} is too old, it has no {}", kSharedHeapAllocator, shm::kArenaFunction);
}

void ask_for_shared_heap(RankEnvironment& environment) {
  const std::string others = environment.value("LD_PRELOAD");
  environment.set("LD_PRELOAD",
                  others.empty() ? kSharedHeapAllocator : std::string(kSharedHeapAllocator) + ":" + others);
  // By default the first memory of each thread does not come from arenas like ours.
  environment.set("MIMALLOC_EAGER_COMMIT_DELAY", "0");
  environment.set(shm::kSharedHeapVariable, "1");
}

}  // namespace foldlane::tools
