#include "bench/command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bench/measure/implementation.hpp"
#include "bench/measure/session.hpp"
#include "bench/options.hpp"
#include "bench/present/output_file.hpp"
#include "bench/present/page.hpp"
#include "bench/present/text_output.hpp"
#include "bench/process/interrupt.hpp"
#include "bench/report/compare.hpp"
#include "bench/report/groups.hpp"
#include "bench/report/report_json.hpp"
#include "bench/suites/machine_report.hpp"
#include "bench/suites/never_slower_output.hpp"
#include "bench/suites/p2p_output.hpp"
#include "bench/suites/under_output.hpp"

namespace foldlane::bench {
namespace {

std::vector<Measured> read_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(fmt::format("cannot read {}", path));
  try {
    return read_measured(nlohmann::json::parse(file));
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("{}: {}", path, error.what()));
  }
}

void write_file(const std::string& path, const std::string& text) {
  if (path == "-") {
    fmt::print("{}", text);
    return;
  }
  OutputFile(path).complete(text);
}

/// What cannot be written should be known before the long run.
void check_writable(const Options& options) {
  for (const std::string* path :
       {&options.json, &options.csv, &options.markdown, &options.html, &options.svg}) {
    if (!path->empty() && *path != "-") const OutputFile tried(*path);
  }
}

bool is_colourful() { return ::isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr; }

bool stdout_is_taken(const Options& options) {
  return options.json == "-" || options.csv == "-" || options.markdown == "-" || options.html == "-" ||
         options.svg == "-";
}

nlohmann::json document_of(const Options& options, const Report& report) {
  nlohmann::json document = to_json(report);
  if (is_contest(options.suite)) document["never_slower"] = to_json(never_slower(report));
  if (options.suite == Suite::p2p) document["p2p"] = p2p_json(report);
  if (const nlohmann::json under = under_json(report); !under.empty()) document["under"] = under;
  if (options.suite == Suite::report)
    document["machine_report"] = machine_report(report, own_implementation(options.bound).launch.front());
  return document;
}

std::string text_of(const Options& options, const Report& report) {
  if (options.osu) return osu(report);
  std::string text = table(report, is_colourful()) + under_table(report, is_colourful());
  if (options.suite == Suite::p2p) text += p2p_table(report, is_colourful());
  if (is_contest(options.suite)) text += table(never_slower(report), is_colourful());
  if (options.suite == Suite::report) text += request_to_send(options.json);
  return text;
}

std::string markdown_of(const Options& options, const Report& report) {
  std::string text = markdown(report) + under_markdown(report);
  if (options.suite == Suite::p2p) text += p2p_markdown(report);
  if (is_contest(options.suite)) text += markdown(never_slower(report));
  return text;
}

void write_all(const Options& options, const Report& report) {
  const std::string first_call = options.calls.size() == 1 ? options.calls.front() : "";
  if (!options.json.empty()) write_file(options.json, document_of(options, report).dump(1) + "\n");
  if (!options.csv.empty()) write_file(options.csv, csv(report));
  if (!options.markdown.empty()) write_file(options.markdown, markdown_of(options, report));
  if (!options.html.empty()) write_file(options.html, html(report));
  if (!options.svg.empty()) write_file(options.svg, svg_of(report, first_call));
  if (stdout_is_taken(options)) return;
  fmt::print("{}", text_of(options, report));
}

bool has_wrong_result(const Report& report) {
  return std::any_of(report.cases.begin(), report.cases.end(), [](const CaseResult& result) {
    const Figure* const ours = own_figure(result);
    const Check check = ours == nullptr ? Check{} : ours->check;
    return check.done && (check.wrong_elements > 0 || !check.same_on_all_ranks || !check.canonical);
  });
}

int report_changes(const std::vector<Measured>& before, const std::vector<Measured>& after, double tolerance,
                   std::FILE* to) {
  const std::vector<Change> changes = compare(before, after, tolerance);
  fmt::print(to, "{}", describe(changes));
  return is_worse(changes) ? 1 : 0;
}

int measure_and_report(const Options& options, const std::string& command_line) {
  check_writable(options);
  std::vector<Measured> baseline;
  if (options.baseline) baseline = read_file(*options.baseline);  // before the long run
  const auto [report, interrupted] = measure(options, command_line);
  if (interrupted) {
    if (!stdout_is_taken(options)) fmt::print("{}", text_of(options, report));
    return 128 + interrupted->signal;
  }
  write_all(options, report);
  int code = is_contest(options.suite) && !is_passed(never_slower(report)) ? 1 : 0;
  if (options.baseline) {
    code |= report_changes(baseline, read_measured(to_json(report)), options.tolerance,
                           stdout_is_taken(options) ? stderr : stdout);
  }
  if (!has_wrong_result(report)) return code;
  fmt::print(stderr, "foldlane bench: wrong results, see the column \"check\"\n");
  return 1;
}

int run(const Options& options, const std::string& command_line) {
  const InterruptWatch watch;
  try {
    if (!options.to_compare.empty())
      return report_changes(read_file(options.to_compare[0]), read_file(options.to_compare[1]),
                            options.tolerance, stdout);
    return measure_and_report(options, command_line);
  } catch (const Interrupted& interrupted) {
    fmt::print(stderr, "foldlane bench: interrupted\n");
    return 128 + interrupted.signal;
  } catch (const std::exception& error) {
    fmt::print(stderr, "foldlane bench: {}\n", error.what());
    return 1;
  }
}

}  // namespace

int bench_command(const std::vector<std::string>& arguments) {
  const ParsedOptions parsed = parse_options(arguments);
  if (!parsed.options) {
    fmt::print(parsed.exit_code == 0 ? stdout : stderr, "{}", parsed.text);
    return parsed.exit_code;
  }
  return run(*parsed.options, fmt::format("foldlane bench {}", fmt::join(arguments, " ")));
}

}  // namespace foldlane::bench
