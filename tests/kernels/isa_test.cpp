// FOLDLANE_DISABLE_ISA, in child processes: the choice is made once per process, so this binary must never
// ask for a level in the parent.
#include "kernels/isa.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <string>

#include "kernels/fold.hpp"

namespace foldlane::kernels {
namespace {

/// Runs `report` in a child with the variable set (or unset, for nullptr) and returns what it says.
template <class Report>
std::string in_child(const char* disabled, Report report) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    disabled == nullptr ? unsetenv("FOLDLANE_DISABLE_ISA") : setenv("FOLDLANE_DISABLE_ISA", disabled, 1);
    const std::string text = report();
    const bool written = write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 256> part;
  for (ssize_t bytes = 0; (bytes = read(ends[0], part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(bytes));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0 ? text : "child failed with status " + std::to_string(status);
}

const IsaLevel& chosen() {
  return *std::find_if(isa_levels().begin(), isa_levels().end(),
                       [](const IsaLevel& level) { return level.chosen; });
}

std::string chosen_name(const char* disabled) {
  return in_child(disabled, [] { return chosen().name; });
}

TEST(Isa, ExactlyOneLevelIsChosenAndAllGiveAReason) {
  EXPECT_EQ(in_child(nullptr,
                     [] {
                       int count = 0;
                       bool reasons = true;
                       for (const IsaLevel& level : isa_levels()) {
                         count += level.chosen;
                         reasons = reasons && !level.reason.empty();
                       }
                       return std::to_string(count) + (reasons ? " with reasons" : " without");
                     }),
            "1 with reasons");
}

TEST(Isa, DisablingTheChosenLevelChoosesAWorseOneDownToScalar) {
  std::set<std::string> seen;
  std::string disabled;
  for (std::string level = chosen_name(nullptr); level != "scalar"; level = chosen_name(disabled.c_str())) {
    ASSERT_TRUE(seen.insert(level).second) << level << " was chosen although disabled";
    disabled += (disabled.empty() ? "" : ",") + level;
  }
  EXPECT_FALSE(seen.empty()) << "this machine has no vector level at all";
}

TEST(Isa, ScalarMeansTheReference) {
  EXPECT_EQ(in_child("avx512,avx2,sse,neon",
                     [] {
                       const bool same =
                           fold_function(Op::sum, Elem::f64) == fold_reference_function(Op::sum, Elem::f64);
                       return chosen().name + (same ? " reference" : " other");
                     }),
            "scalar reference");
}

TEST(Isa, VectorCodeIsHandedOutWhereItExists) {
  EXPECT_EQ(in_child(nullptr,
                     [] {
                       const bool same =
                           fold_function(Op::sum, Elem::f64) == fold_reference_function(Op::sum, Elem::f64);
                       return same ? "reference" : "vector";
                     }),
            "vector");
}

TEST(Isa, ScalarCannotBeDisabled) { EXPECT_EQ(chosen_name("avx512,avx2,sse,neon,scalar"), "scalar"); }

TEST(Isa, UnknownNamesAreReportedAndDisableNothing) {
  EXPECT_EQ(chosen_name("avx51,,sse4.2"), chosen_name(nullptr));
  const std::string reason = in_child("avx51,,sse4.2", [] { return chosen().reason; });
  EXPECT_NE(reason.find("\"avx51\""), std::string::npos) << reason;
  EXPECT_EQ(in_child(nullptr, [] { return chosen().reason; }).find("unknown"), std::string::npos);
}

TEST(Isa, TheEnvironmentIsReadOnce) {
  EXPECT_EQ(in_child("avx512,avx2,sse,neon",
                     [] {
                       const FoldFunction before = fold_function(Op::sum, Elem::f64);
                       unsetenv("FOLDLANE_DISABLE_ISA");
                       const bool same =
                           before == fold_function(Op::sum, Elem::f64) && chosen().name == "scalar";
                       return same ? "same" : "changed";
                     }),
            "same");
}

}  // namespace
}  // namespace foldlane::kernels
