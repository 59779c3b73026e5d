// The table of models, and the two verdicts a model must get: passed, or caught.
#pragma once

#include <string>

#include "explorer.hpp"

namespace foldlane::model {

/// Prints a row and fails the test if something went wrong in some execution.
void expect_pass(const std::string& model, const Verdict& verdict);

/// Prints a row and fails the test unless the explorer found something of this kind ("race", "hang", …).
void expect_caught(const std::string& model, const Verdict& verdict, const std::string& kind);

}  // namespace foldlane::model
