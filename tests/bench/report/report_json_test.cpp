// Reports as JSON: nothing gets lost, the format does not change unnoticed, bad documents are explained.
#include "bench/report/report_json.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>

#include "bench/report/case_name.hpp"
#include "support/full_report.hpp"

namespace foldlane::bench {
namespace {

using nlohmann::json;

/// Through text, as files go.
Report written_and_read(const Report& report) {
  return report_from_json(json::parse(to_json(report).dump(2)));
}

TEST(ReportJson, KeepsEveryField) { EXPECT_EQ(written_and_read(full_report()), full_report()); }

TEST(ReportJson, KeepsDefaultsAndEmptyLists) {
  Report report;
  EXPECT_EQ(written_and_read(report), report);
  report.cases.emplace_back().figures.emplace_back();
  report.cases[0].limits.emplace_back();
  EXPECT_EQ(written_and_read(report), report);
}

TEST(ReportJson, KeepsEveryWord) {
  for (const auto& [timing, timing_word] : kTimingWords) {
    for (const Buffers buffers : {Buffers::hot, Buffers::rotating, Buffers::fresh}) {
      Report report = full_report();
      report.cases[0].what.timing = timing;
      report.cases[0].what.buffers = buffers;
      EXPECT_EQ(written_and_read(report), report);
    }
  }
  for (const auto& [beside, word] : kBesideWords) {
    Report report = full_report();
    report.cases[0].what.beside = beside;
    EXPECT_EQ(written_and_read(report), report) << word;
  }
}

TEST(ReportJson, CountsStayWholeNumbers) {
  const json own = to_json(full_report())["cases"][0]["figures"][0];
  EXPECT_EQ(own["samples"].dump(), "9007199254740993");
  EXPECT_EQ(own["outliers"].dump(), "18446744073709551615");
}

void collect_keys(const json& value, const std::string& path, std::set<std::string>& keys) {
  for (const auto& [name, member] : value.items()) {
    const std::string place = path + (value.is_array() ? "[]" : (path.empty() ? "" : ".") + name);
    if (value.is_object()) keys.insert(place + ": " + member.type_name());
    if (member.is_structured()) collect_keys(member, place, keys);
  }
}

std::set<std::string> keys_of(const json& document) {
  std::set<std::string> keys;
  collect_keys(document, "", keys);
  return keys;
}

/// Whoever changes this changes what others read: think of kReportSchema.
TEST(ReportJson, HasExactlyTheseKeys) {
  const std::set<std::string> expected{"foldlane_bench: number",
                                       "version: string",
                                       "date: string",
                                       "command: string",
                                       "machine: array",
                                       "machine[].name: string",
                                       "machine[].value: string",
                                       "warnings: array",
                                       "peers: array",
                                       "peers[].name: string",
                                       "peers[].version: string",
                                       "peers[].options: string",
                                       "cases: array",
                                       "cases[].what: object",
                                       "cases[].what.call: string",
                                       "cases[].what.type: string",
                                       "cases[].what.op: string",
                                       "cases[].what.bytes: number",
                                       "cases[].what.ranks: number",
                                       "cases[].what.threads: number",
                                       "cases[].what.root: number",
                                       "cases[].what.in_place: boolean",
                                       "cases[].what.unaligned: boolean",
                                       "cases[].what.huge_pages: boolean",
                                       "cases[].what.alloc_mem: boolean",
                                       "cases[].what.buffers: string",
                                       "cases[].what.timing: string",
                                       "cases[].what.beside: string",
                                       "cases[].figures: array",
                                       "cases[].figures[].who: string",
                                       "cases[].figures[].time: object",
                                       "cases[].figures[].time.value: number",
                                       "cases[].figures[].time.low: number",
                                       "cases[].figures[].time.high: number",
                                       "cases[].figures[].p99: number",
                                       "cases[].figures[].skew: number",
                                       "cases[].figures[].samples: number",
                                       "cases[].figures[].options: string",
                                       "cases[].figures[].outliers: number",
                                       "cases[].figures[].cpu: number",
                                       "cases[].figures[].against: object",
                                       "cases[].figures[].against.value: number",
                                       "cases[].figures[].against.low: number",
                                       "cases[].figures[].against.high: number",
                                       "cases[].figures[].against_is_rough: boolean",
                                       "cases[].figures[].against_near: object",
                                       "cases[].figures[].against_near.value: number",
                                       "cases[].figures[].against_near.low: number",
                                       "cases[].figures[].against_near.high: number",
                                       "cases[].figures[].against_far: object",
                                       "cases[].figures[].against_far.value: number",
                                       "cases[].figures[].against_far.low: number",
                                       "cases[].figures[].against_far.high: number",
                                       "cases[].figures[].check: object",
                                       "cases[].figures[].check.done: boolean",
                                       "cases[].figures[].check.wrong_elements: number",
                                       "cases[].figures[].check.same_on_all_ranks: boolean",
                                       "cases[].figures[].check.canonical: boolean",
                                       "cases[].figures[].overlap: object",
                                       "cases[].figures[].overlap.hidden_percent: object",
                                       "cases[].figures[].overlap.hidden_percent.value: number",
                                       "cases[].figures[].overlap.hidden_percent.low: number",
                                       "cases[].figures[].overlap.hidden_percent.high: number",
                                       "cases[].figures[].overlap.alone: number",
                                       "cases[].figures[].overlap.computing: number",
                                       "cases[].not_supported_by: array",
                                       "cases[].limits: array",
                                       "cases[].limits[].name: string",
                                       "cases[].limits[].time: object",
                                       "cases[].limits[].time.value: number",
                                       "cases[].limits[].time.low: number",
                                       "cases[].limits[].time.high: number",
                                       "cases[].bound: string",
                                       "cases[].over_bound: object",
                                       "cases[].over_bound.value: number",
                                       "cases[].over_bound.low: number",
                                       "cases[].over_bound.high: number"};
  EXPECT_EQ(keys_of(to_json(full_report())), expected);
}

TEST(ReportJson, OfEarlierVersionsHadNeitherBuffersOfMpiNorOverlapNorThreads) {
  json document = to_json(full_report());
  document["cases"][0]["what"].erase("alloc_mem");
  document["cases"][0]["what"].erase("beside");
  document["cases"][0]["what"].erase("threads");
  EXPECT_FALSE(report_from_json(document).cases[0].what.alloc_mem);
  EXPECT_EQ(report_from_json(document).cases[0].what.beside, Beside::nothing);
  EXPECT_EQ(report_from_json(document).cases[0].what.threads, 0);
}

TEST(ReportJson, LeavesOutWhatIsNotThere) {
  Report report = full_report();
  report.cases[0].over_bound.reset();
  const json document = to_json(report);
  EXPECT_FALSE(document["cases"][0].contains("over_bound"));
  EXPECT_FALSE(document["cases"][0]["figures"][0].contains("against"));
  report.cases[0].figures[0].overlap.reset();
  report.cases[0].not_supported_by.clear();
  EXPECT_FALSE(to_json(report)["cases"][0].contains("not_supported_by"));
  EXPECT_FALSE(to_json(report)["cases"][0]["figures"][0].contains("overlap"));
}

TEST(ReportJson, HasTheseValues) {
  const json document = to_json(full_report());
  EXPECT_EQ(document["foldlane_bench"], 1);
  EXPECT_EQ(document["machine"][1], json::parse(R"({"name": "cores", "value": "2"})"));
  EXPECT_EQ(document["warnings"], json::parse(R"(["the machine is busy"])"));
  EXPECT_EQ(document["cases"][0]["what"]["buffers"], "rotating");
  EXPECT_EQ(document["cases"][0]["what"]["timing"], "back_to_back");
  EXPECT_EQ(document["cases"][0]["what"]["beside"], "late");
  EXPECT_EQ(document["cases"][0]["limits"][0]["time"],
            json::parse(R"({"value": 0.25, "low": 0.2, "high": 0.3})"));
}

/// Documents of the same layout may say more than this version knows.
TEST(ReportJson, OverlooksUnknownMembers) {
  json document = to_json(full_report());
  document["cases"][0]["colour"] = "blue";
  EXPECT_EQ(report_from_json(document), full_report());
}

std::string complaint_about(const json& document) {
  try {
    report_from_json(document);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(ReportJson, ExplainsWhatIsNoReport) {
  for (const char* text : {"[]", "3", "\"report\"", "null"}) {
    EXPECT_EQ(complaint_about(json::parse(text)), "the document: an object was expected") << text;
  }
  EXPECT_EQ(complaint_about(json::object()), "foldlane_bench: is missing");
}

TEST(ReportJson, RefusesOtherLayouts) {
  json document = to_json(full_report());
  document["foldlane_bench"] = 2;
  EXPECT_EQ(complaint_about(document),
            "foldlane_bench: the report has layout 2, this Foldlane reads layout 1");
  document["foldlane_bench"] = 0;
  EXPECT_EQ(complaint_about(document),
            "foldlane_bench: the report has layout 0, this Foldlane reads layout 1");
}

struct Damage {
  const char* place;  // a JSON pointer
  json value;
  const char* complaint;
};

const Damage kDamages[] = {
    {"/foldlane_bench", "1", "foldlane_bench: a whole number was expected"},
    {"/version", 1, "version: a text was expected"},
    {"/machine", json::object(), "machine: a list was expected"},
    {"/machine/1", "cores", "machine[1]: an object was expected"},
    {"/warnings/0", 3, "warnings[0]: a text was expected"},
    {"/cases/0/what/bytes", -8, "cases[0].what.bytes: a whole number, at least 0, was expected"},
    {"/cases/0/what/bytes", 8.5, "cases[0].what.bytes: a whole number, at least 0, was expected"},
    {"/cases/0/what/bytes", "8", "cases[0].what.bytes: a whole number, at least 0, was expected"},
    {"/cases/0/what/ranks", 2.5, "cases[0].what.ranks: a whole number was expected"},
    {"/cases/0/what/ranks", 1ull << 32, "cases[0].what.ranks: this number is out of range"},
    {"/cases/0/what/ranks", 18446744073709551615ull, "cases[0].what.ranks: this number is out of range"},
    {"/cases/0/what/root", -(1ll << 32), "cases[0].what.root: this number is out of range"},
    {"/cases/0/what/in_place", 0, "cases[0].what.in_place: true or false was expected"},
    {"/cases/0/what/buffers", "cold", "cases[0].what.buffers: 'cold' is not one of hot, rotating, fresh"},
    {"/cases/0/what/timing", "", "cases[0].what.timing: '' is not one of stamped, back_to_back, whole"},
    {"/cases/0/figures/1/time/low", "1", "cases[0].figures[1].time.low: a number was expected"},
    {"/cases/0/figures/0/p99", nullptr, "cases[0].figures[0].p99: a number was expected"},
    {"/cases/0/figures/1/against", 2, "cases[0].figures[1].against: an object was expected"},
    {"/cases/0/over_bound/high", true, "cases[0].over_bound.high: a number was expected"},
};

TEST(ReportJson, SaysWhereSomethingIsOfTheWrongKind) {
  for (const Damage& damage : kDamages) {
    json document = to_json(full_report());
    document.at(json::json_pointer(damage.place)) = damage.value;
    EXPECT_EQ(complaint_about(document), damage.complaint);
  }
}

/// Calls `visit` with the JSON pointer of every member of every object.
void for_each_member(const json& value, const json::json_pointer& place,
                     const std::function<void(const json::json_pointer&)>& visit) {
  for (const auto& [name, member] : value.items()) {
    const auto here = value.is_array() ? place / static_cast<std::size_t>(std::stoul(name)) : place / name;
    if (value.is_object()) visit(here);
    if (member.is_structured()) for_each_member(member, here, visit);
  }
}

TEST(ReportJson, MissesEveryMemberButTheOptionalOnes) {
  const json whole = to_json(full_report());
  for_each_member(whole, json::json_pointer(), [&](const json::json_pointer& place) {
    json document = whole;
    document.at(place.parent_pointer()).erase(place.back());
    const std::string complaint = complaint_about(document);
    static const std::set<std::string> kOptional{
        "against", "against_near", "against_far",      "over_bound",       "alloc_mem",
        "beside",  "overlap",      "not_supported_by", "against_is_rough", "threads"};
    if (kOptional.contains(place.back())) {
      EXPECT_EQ(complaint, "");
    } else {
      EXPECT_NE(complaint.find(place.back() + ": is missing"), std::string::npos) << place;
    }
  });
}

TEST(ReportJson, SaysWhereSomethingIsMissing) {
  json document = to_json(full_report());
  document["cases"][0]["figures"][1]["time"].erase("low");
  EXPECT_EQ(complaint_about(document), "cases[0].figures[1].time.low: is missing");
}

}  // namespace
}  // namespace foldlane::bench
