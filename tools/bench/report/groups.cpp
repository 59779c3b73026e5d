#include "bench/report/groups.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/report/call_traits.hpp"
#include "bench/report/case_name.hpp"
#include "bench/report/pattern.hpp"

namespace foldlane::bench {
namespace {

Case without_size(Case what) {
  what.bytes = 0;
  return what;
}

double bytes_of(const CaseResult& result) { return static_cast<double>(result.what.bytes); }

Point time_point(const CaseResult& result, const Estimate& time) {
  return {bytes_of(result), time.value, time.low, time.high};
}

/// A byte per nanosecond is a GB/s, and times are in microseconds. The longest time is the lowest bandwidth.
Point bandwidth_point(const CaseResult& result, const Estimate& time) {
  const double scale = bytes_of(result) * at_once(result.what) / 1000;
  return {bytes_of(result), scale / time.value, scale / time.high, scale / time.low};
}

using PointOf = Point (*)(const CaseResult&, const Estimate&);

std::vector<Series> measured(const Group& group, const std::vector<std::string>& implementations,
                             PointOf point_of) {
  std::vector<Series> all;
  for (const std::string& who : implementations) {
    Series series{who, {}};
    for (const CaseResult* result : group.cases) {
      if (const Figure* figure = figure_of(*result, who)) {
        series.points.push_back(point_of(*result, figure->time));
      }
    }
    all.push_back(std::move(series));
  }
  return all;
}

Series& series_named(std::vector<Series>& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Series& s) { return s.name == name; });
  return found != all.end() ? *found : all.emplace_back(Series{name, {}, true});
}

std::vector<Series> limits_of(const Group& group) {
  std::vector<Series> all;
  for (const CaseResult* result : group.cases) {
    for (const Limit& limit : result->limits) {
      series_named(all, limit.name).points.push_back(time_point(*result, limit.time));
    }
  }
  return all;
}

/// As a bandwidth, a limit that does not bind goes up to absurd heights; so there is one line for those that
/// do.
Series bound_of(const Group& group) {
  Series bound{"bound", {}, true};
  for (const CaseResult* result : group.cases) {
    const auto binding = std::find_if(result->limits.begin(), result->limits.end(),
                                      [&](const Limit& limit) { return limit.name == result->bound; });
    if (binding != result->limits.end()) {
      bound.points.push_back(bandwidth_point(*result, binding->time));
    }
  }
  return bound;
}

}  // namespace

std::vector<Group> groups_of(const Report& report) {
  std::vector<Group> groups;
  for (const CaseResult& result : report.cases) {
    const Case what = without_size(result.what);
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.what == what; });
    if (group == groups.end()) {
      group = groups.insert(groups.end(), {what, {}});
    }
    group->cases.push_back(&result);
  }
  for (Group& group : groups) {
    std::stable_sort(group.cases.begin(), group.cases.end(),
                     [](const auto* a, const auto* b) { return a->what.bytes < b->what.bytes; });
  }
  return groups;
}

bool has_several_sizes(const Group& group) {
  return group.cases.front()->what.bytes != group.cases.back()->what.bytes;
}

std::string details_of(const Case& what) {
  std::string words;
  if (combines(what.call)) {
    words = what.type + ", " + what.op + ", ";
  }
  words += ranks_text(what);
  if (what.threads != 0) words += fmt::format(", {}", threads_text(what));
  if (what.root != 0) {
    words += fmt::format(", root {}", what.root);
  }
  if (has_data(what.call)) {
    words += fmt::format(", {} buffers", name_of(what.buffers));
  }
  if (moves_blocks(what.call)) words += ", sizes per block";
  if (what.beside != Beside::nothing) words += fmt::format(", {}", name_of(what.beside));
  for (const auto& [is_so, text] :
       {std::pair{what.in_place, "in place"}, std::pair{what.unaligned, "unaligned"},
        std::pair{what.huge_pages, "huge pages"}, std::pair{what.alloc_mem, "MPI_Alloc_mem"},
        std::pair{what.timing == Timing::back_to_back, "back to back"},
        std::pair{what.timing == Timing::whole, "from first entry"}}) {
    words += is_so ? std::string(", ") + text : "";
  }
  return words;
}

std::vector<std::string> implementations_of(const Report& report) {
  std::vector<std::string> names = {"foldlane"};
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  };
  for (const Peer& peer : report.peers) {
    add(peer.name);
  }
  for (const CaseResult& result : report.cases) {
    for (const Figure& figure : result.figures) {
      add(figure.who);
    }
  }
  return names;
}

const Figure* figure_of(const CaseResult& result, const std::string& who) {
  const auto found = std::find_if(result.figures.begin(), result.figures.end(),
                                  [&](const Figure& figure) { return figure.who == who; });
  return found == result.figures.end() ? nullptr : &*found;
}

std::string support_text(const CaseResult& result, const std::string& who) {
  const auto& lacking = result.not_supported_by;
  const bool lacks = std::find(lacking.begin(), lacking.end(), who) != lacking.end();
  return lacks ? "not supported by " + who : "";
}

Chart time_chart(const Group& group, const std::vector<std::string>& implementations) {
  Chart chart{"Time per call", "µs", measured(group, implementations, time_point)};
  for (Series& limit : limits_of(group)) {
    chart.series.push_back(std::move(limit));
  }
  return chart;
}

Chart bandwidth_chart(const Group& group, const std::vector<std::string>& implementations) {
  Chart chart{"Bandwidth", "GB/s (bytes ÷ time)", measured(group, implementations, bandwidth_point)};
  chart.series.push_back(bound_of(group));
  return chart;
}

}  // namespace foldlane::bench
