// Shorthands of the hand-off tests: one model, many models in one row, and a death at every step.
#pragma once

#include <memory>
#include <vector>

#include "handoff_program.hpp"
#include "report.hpp"

namespace foldlane::model {

template <class AnyTeam = Team>
Verdict check(const Script& script, const Settings& settings = {}) {
  return explore([&] { return std::make_unique<HandoffProgram<AnyTeam>>(script); }, settings);
}

inline void add(Verdict& sum, const Verdict& one) {
  if (sum.passed()) sum.problem = one.problem;
  sum.executions += one.executions;
  sum.cut += one.cut;
  sum.choices += one.choices;
  sum.milliseconds += one.milliseconds;
}

/// Every sequence of `length` calls out of the alphabet. Ends at the first problem.
inline Verdict check_sequences(Script script, const std::vector<Call>& alphabet, std::size_t length,
                               const Settings& settings = {}) {
  Verdict sum;
  std::vector<std::size_t> letters(length, 0);
  for (bool more = true; more && sum.passed();) {
    script.calls.clear();
    for (const std::size_t letter : letters) script.calls.push_back(alphabet[letter]);
    add(sum, check(script, settings));
    std::size_t place = 0;
    while (place < length && ++letters[place] == alphabet.size()) letters[place++] = 0;
    more = place < length;
  }
  return sum;
}

/// Every rank in turn stops for good before each of its operations; then the launcher sets the abort word.
template <class AnyTeam = Team>
Verdict check_deaths(const Script& script, Settings settings = {}) {
  Verdict sum;
  for (int rank = 0; rank < script.ranks && sum.passed(); ++rank) {
    settings.dying_thread = rank;
    bool died = true;
    for (settings.dying_step = 0; died && sum.passed(); ++settings.dying_step) {
      const Verdict one = check<AnyTeam>(script, settings);
      died = one.died;
      add(sum, one);
    }
  }
  return sum;
}

}  // namespace foldlane::model
