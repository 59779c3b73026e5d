#include "bench/report/report_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "bench/report/case_name.hpp"
#include "bench/report/json_node.hpp"

namespace foldlane::bench {
namespace {

using nlohmann::json;

template <class Enum, std::size_t n>
using Words = std::array<std::pair<Enum, const char*>, n>;

constexpr Words<Buffers, 3> kBuffers{
    {{Buffers::hot, "hot"}, {Buffers::rotating, "rotating"}, {Buffers::fresh, "fresh"}}};

template <class Enum, std::size_t n>
std::string word_of(Enum value, const Words<Enum, n>& words) {
  return std::find_if(words.begin(), words.end(), [&](const auto& word) { return word.first == value; })
      ->second;
}

template <class Enum, std::size_t n>
Enum value_of(const JsonNode& node, const Words<Enum, n>& words) {
  const std::string text = node.text();
  std::string known;
  for (const auto& [value, word] : words) {
    if (text == word) return value;
    known += known.empty() ? word : fmt::format(", {}", word);
  }
  node.fail(fmt::format("'{}' is not one of {}", text, known));
}

template <class T, class Write>
json list_of(const std::vector<T>& values, Write write) {
  json result = json::array();
  for (const T& value : values) result.push_back(write(value));
  return result;
}

template <class Read>
auto read_list(const JsonNode& list, Read read) {
  std::vector<decltype(read(list))> result;
  for (const JsonNode& element : list.elements()) result.push_back(read(element));
  return result;
}

Estimate read_estimate(const JsonNode& node) {
  return {node.member("value").number(), node.member("low").number(), node.member("high").number()};
}

void put_if_there(json& object, const char* name, const std::optional<Estimate>& estimate) {
  if (estimate) object[name] = to_json(*estimate);
}

std::optional<Estimate> read_if_there(const std::optional<JsonNode>& node) {
  if (!node) return std::nullopt;
  return read_estimate(*node);
}

json case_json(const Case& what) {
  return {{"call", what.call},
          {"type", what.type},
          {"op", what.op},
          {"bytes", what.bytes},
          {"ranks", what.ranks},
          {"threads", what.threads},
          {"root", what.root},
          {"in_place", what.in_place},
          {"unaligned", what.unaligned},
          {"huge_pages", what.huge_pages},
          {"alloc_mem", what.alloc_mem},
          {"buffers", word_of(what.buffers, kBuffers)},
          {"timing", word_of(what.timing)},
          {"beside", word_of(what.beside)}};
}

/// What earlier versions did not write is as it was then.
bool flag_or_false(const JsonNode& node, std::string_view name) {
  const auto found = node.find(name);
  return found && found->flag();
}

int number_or_0(const JsonNode& node, std::string_view name) {
  const auto found = node.find(name);
  return found ? found->integer() : 0;
}

Beside beside_or_nothing(const std::optional<JsonNode>& node) {
  return node ? value_of(*node, kBesideWords) : Beside::nothing;
}

Case read_case(const JsonNode& node) {
  return {.call = node.member("call").text(),
          .type = node.member("type").text(),
          .op = node.member("op").text(),
          .bytes = node.member("bytes").count(),
          .ranks = node.member("ranks").integer(),
          .threads = number_or_0(node, "threads"),
          .root = node.member("root").integer(),
          .in_place = node.member("in_place").flag(),
          .unaligned = node.member("unaligned").flag(),
          .huge_pages = node.member("huge_pages").flag(),
          .alloc_mem = flag_or_false(node, "alloc_mem"),
          .buffers = value_of(node.member("buffers"), kBuffers),
          .timing = value_of(node.member("timing"), kTimingWords),
          .beside = beside_or_nothing(node.find("beside"))};
}

json check_json(const Check& check) {
  return {{"done", check.done},
          {"wrong_elements", check.wrong_elements},
          {"same_on_all_ranks", check.same_on_all_ranks},
          {"canonical", check.canonical}};
}

Check read_check(const JsonNode& node) {
  return {.done = node.member("done").flag(),
          .wrong_elements = node.member("wrong_elements").count(),
          .same_on_all_ranks = node.member("same_on_all_ranks").flag(),
          .canonical = node.member("canonical").flag()};
}

json overlap_json(const Overlap& overlap) {
  return {{"hidden_percent", to_json(overlap.hidden)},
          {"alone", overlap.alone},
          {"computing", overlap.computing}};
}

std::optional<Overlap> read_overlap(const std::optional<JsonNode>& node) {
  if (!node) return std::nullopt;
  return Overlap{read_estimate(node->member("hidden_percent")), node->member("alone").number(),
                 node->member("computing").number()};
}

json figure_json(const Figure& figure) {
  json result{
      {"who", figure.who},           {"options", figure.options}, {"time", to_json(figure.time)},
      {"p99", figure.p99},           {"skew", figure.skew},       {"samples", figure.samples},
      {"outliers", figure.outliers}, {"cpu", figure.cpu},         {"check", check_json(figure.check)}};
  put_if_there(result, "against", figure.against);
  if (figure.against_is_rough) result["against_is_rough"] = true;
  put_if_there(result, "against_near", figure.against_by_distance.near);
  put_if_there(result, "against_far", figure.against_by_distance.far);
  if (figure.overlap) result["overlap"] = overlap_json(*figure.overlap);
  return result;
}

Figure read_figure(const JsonNode& node) {
  return {.who = node.member("who").text(),
          .options = node.member("options").text(),
          .time = read_estimate(node.member("time")),
          .p99 = node.member("p99").number(),
          .skew = node.member("skew").number(),
          .samples = node.member("samples").count(),
          .outliers = node.member("outliers").count(),
          .cpu = node.member("cpu").number(),
          .against = read_if_there(node.find("against")),
          .check = read_check(node.member("check")),
          .overlap = read_overlap(node.find("overlap")),
          .against_by_distance = {read_if_there(node.find("against_near")),
                                  read_if_there(node.find("against_far"))},
          .against_is_rough = flag_or_false(node, "against_is_rough")};
}

json limit_json(const Limit& limit) { return {{"name", limit.name}, {"time", to_json(limit.time)}}; }

Limit read_limit(const JsonNode& node) {
  return {node.member("name").text(), read_estimate(node.member("time"))};
}

json result_json(const CaseResult& result) {
  json object{{"what", case_json(result.what)},
              {"figures", list_of(result.figures, figure_json)},
              {"limits", list_of(result.limits, limit_json)},
              {"bound", result.bound}};
  if (!result.not_supported_by.empty()) object["not_supported_by"] = result.not_supported_by;
  put_if_there(object, "over_bound", result.over_bound);
  return object;
}

std::vector<std::string> texts_or_none(const JsonNode& node, std::string_view name) {
  const auto found = node.find(name);
  if (!found) return {};
  return read_list(*found, [](const JsonNode& text) { return text.text(); });
}

CaseResult read_result(const JsonNode& node) {
  return {.what = read_case(node.member("what")),
          .figures = read_list(node.member("figures"), read_figure),
          .limits = read_list(node.member("limits"), read_limit),
          .bound = node.member("bound").text(),
          .over_bound = read_if_there(node.find("over_bound")),
          .not_supported_by = texts_or_none(node, "not_supported_by")};
}

json peer_json(const Peer& peer) {
  return {{"name", peer.name}, {"version", peer.version}, {"options", peer.options}};
}

Peer read_peer(const JsonNode& node) {
  return {node.member("name").text(), node.member("version").text(), node.member("options").text()};
}

json fact_json(const Fact& fact) { return {{"name", fact.name}, {"value", fact.value}}; }

Fact read_fact(const JsonNode& node) { return {node.member("name").text(), node.member("value").text()}; }

void require_known_schema(const JsonNode& schema) {
  const int number = schema.integer();
  if (number == kReportSchema) return;
  schema.fail(fmt::format("the report has layout {}, this Foldlane reads layout {}", number, kReportSchema));
}

}  // namespace

json to_json(const Estimate& estimate) {
  return {{"value", estimate.value}, {"low", estimate.low}, {"high", estimate.high}};
}

json to_json(const Report& report) {
  return {{"foldlane_bench", kReportSchema},
          {"version", report.version},
          {"date", report.date},
          {"command", report.command},
          {"machine", list_of(report.machine, fact_json)},
          {"warnings", report.warnings},
          {"peers", list_of(report.peers, peer_json)},
          {"cases", list_of(report.cases, result_json)}};
}

Report report_from_json(const json& document) {
  const JsonNode root(document);
  require_known_schema(root.member("foldlane_bench"));
  return {.version = root.member("version").text(),
          .date = root.member("date").text(),
          .command = root.member("command").text(),
          .machine = read_list(root.member("machine"), read_fact),
          .warnings = read_list(root.member("warnings"), [](const JsonNode& node) { return node.text(); }),
          .peers = read_list(root.member("peers"), read_peer),
          .cases = read_list(root.member("cases"), read_result)};
}

}  // namespace foldlane::bench
