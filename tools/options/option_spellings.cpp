// CLI11 has no single-dash long names, which is how MPI launchers have spelled their options since the
// nineties; they are translated before it sees them.
#include "options/option_spellings.hpp"

#include <algorithm>
#include <array>

namespace foldlane::tools {
namespace {

struct Spelling {
  std::string_view written;
  std::string_view name;
};

constexpr auto kSpellings = std::to_array<Spelling>({
    {"-np", "-n"},
    {"--np", "-n"},
    {"--n", "-n"},
    {"-c", "-n"},
    {"-l", "--label"},
    {"-prepend-rank", "--label"},
    {"--prepend-rank", "--label"},
    {"-tag-output", "--label"},
    {"--tag-output", "--label"},
    {"-genv", "--genv"},
    {"-env", "--local-env"},
    {"--env", "-x"},
    {"-wdir", "--wdir"},
    {"-wd", "--wdir"},
    {"--wd", "--wdir"},
    {"-bind-to", "--bind-to"},
    {"--bind", "--bind-to"},
    {"-cpus-per-rank", "--cpus-per-rank"},
    {"--cpus-per-proc", "--cpus-per-rank"},
    {"-report-bindings", "--report-bindings"},
    {"-host", "--host"},
    {"-hosts", "--host"},
    {"--hosts", "--host"},
    {"-H", "--host"},
    {"-hostfile", "--hostfile"},
    {"-machinefile", "--hostfile"},
    {"--machinefile", "--hostfile"},
    {"-f", "--hostfile"},
    {"-timeout", "--timeout"},
    {"-help", "--help"},
    {"-version", "--version"},
    {"-V", "--version"},
    {"-oversubscribe", "--oversubscribe"},
    {"-allow-run-as-root", "--allow-run-as-root"},
    {"-genvall", "--genvall"},
    {"-envall", "--genvall"},
    {"-ppn", "--ppn"},
    {"-N", "--ppn"},
    {"--npernode", "--ppn"},
    {"-npernode", "--ppn"},
    {"-mca", "--mca"},
    {"--prtemca", "--mca"},
    {"--pmixmca", "--mca"},
    {"-map-by", "--map-by"},
    {"-rank-by", "--rank-by"},
});

}  // namespace

std::string canonical_option(std::string_view spelling) {
  const auto* found = std::find_if(kSpellings.begin(), kSpellings.end(),
                                   [&](const Spelling& entry) { return entry.written == spelling; });
  return std::string(found == kSpellings.end() ? spelling : found->name);
}

}  // namespace foldlane::tools
