// Cost against the number of ranks: a row per number, a pair of columns per size.
#include <fmt/format.h>

#include <algorithm>

#include "bench/present/cells.hpp"
#include "bench/present/text_output.hpp"
#include "bench/present/wording.hpp"
#include "bench/report/call_traits.hpp"
#include "bench/report/case_name.hpp"

namespace foldlane::bench {
namespace {

/// Cases that differ only in ranks and bytes.
struct Sweep {
  Case what;
  std::vector<int> ranks;
  std::vector<std::uint64_t> sizes;
  std::vector<const CaseResult*> results;
};

Case without_ranks(Case what) {
  what.ranks = 0;
  what.bytes = 0;
  return what;
}

template <class T>
void add_new(std::vector<T>& list, const T& value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

std::vector<Sweep> sweeps_of(const Report& report) {
  std::vector<Sweep> sweeps;
  for (const CaseResult& result : report.cases) {
    const Case what = without_ranks(result.what);
    auto sweep =
        std::find_if(sweeps.begin(), sweeps.end(), [&](const Sweep& one) { return one.what == what; });
    if (sweep == sweeps.end()) sweep = sweeps.insert(sweeps.end(), {what, {}, {}, {}});
    add_new(sweep->ranks, result.what.ranks);
    add_new(sweep->sizes, result.what.bytes);
    sweep->results.push_back(&result);
  }
  std::erase_if(sweeps, [](const Sweep& sweep) { return sweep.ranks.size() < 2; });
  return sweeps;
}

/// What `Case::ranks` counts.
const char* counted(const Case& what) { return what.call == "fold" ? "sources" : "ranks"; }

Row titles_of(const Sweep& sweep) {
  Row row{{counted(sweep.what), Paint::dim}};
  for (const std::uint64_t size : sweep.sizes) {
    row.push_back({has_data(sweep.what.call) ? fmt::format("{}, us", size_text(size)) : "us", Paint::dim});
    row.push_back({"cpu us", Paint::dim});
  }
  return row;
}

Row row_of(const Sweep& sweep, int ranks) {
  Row row{{fmt::format("{}", ranks)}};
  for (const std::uint64_t size : sweep.sizes) {
    const auto result = std::find_if(sweep.results.begin(), sweep.results.end(), [&](const CaseResult* one) {
      return one->what.ranks == ranks && one->what.bytes == size;
    });
    const bool there = result != sweep.results.end() && own_figure(**result) != nullptr;
    const Figure figure = there ? *own_figure(**result) : Figure{};
    row.push_back({there ? three_digits(figure.time.value) : "-", Paint::bold});
    row.push_back({figure.cpu > 0 ? three_digits(figure.cpu) : "-"});
  }
  return row;
}

}  // namespace

std::string scale_table(const Report& report, bool colour) {
  std::string text;
  for (const Sweep& sweep : sweeps_of(report)) {
    std::vector<Column> columns{{0}};
    for (std::size_t i = 0; i < sweep.sizes.size(); ++i) columns.insert(columns.end(), {{3}, {1}});
    std::vector<Row> rows{titles_of(sweep)};
    for (const int ranks : sweep.ranks) rows.push_back(row_of(sweep, ranks));
    const std::string heading = fmt::format(
        "{} against the number of ranks: time and CPU time of all ranks, per call", sweep.what.call);
    text += fmt::format("\n{}\n{}", painted(heading, Paint::bold, colour), aligned(columns, rows, colour));
  }
  return text;
}

}  // namespace foldlane::bench
