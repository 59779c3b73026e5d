#include "report.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>

namespace foldlane::model {
namespace {

void print_row(const std::string& model, const Verdict& verdict) {
  const std::string first_line = verdict.problem.substr(0, verdict.problem.find('\n'));
  fmt::print("{:<62} {:>9} executions {:>9} choices {:>9.1f} ms  {}\n", model, verdict.executions,
             verdict.choices, verdict.milliseconds, verdict.passed() ? "passed" : "caught: " + first_line);
  std::fflush(stdout);  // a hang of the next model shall not hide this row
}

}  // namespace

void expect_pass(const std::string& model, const Verdict& verdict) {
  print_row(model, verdict);
  EXPECT_TRUE(verdict.passed()) << model << ": " << verdict.problem;
}

void expect_caught(const std::string& model, const Verdict& verdict, const std::string& kind) {
  print_row(model, verdict);
  EXPECT_NE(verdict.problem.find(kind), std::string::npos)
      << model << ": expected '" << kind << "', found: " << verdict.problem;
}

}  // namespace foldlane::model
