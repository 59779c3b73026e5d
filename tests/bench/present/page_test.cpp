#include "bench/present/page.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "bench/present/markup.hpp"
#include "support/markup_reader.hpp"

namespace foldlane::bench {
namespace {

Figure figure(const std::string& who, double time, double ratio) {
  Figure figure;
  figure.who = who;
  figure.time = {time, time * 0.9, time * 1.1};
  figure.p99 = 77;
  figure.skew = 0.055;
  if (who != "foldlane") {
    figure.against = Estimate{ratio, ratio * 0.9, ratio * 1.1};
  }
  figure.check = {true, 0, true, who == "foldlane"};
  return figure;
}

CaseResult result(const std::string& call, std::uint64_t bytes, double ratio) {
  CaseResult result;
  result.what.call = call;
  result.what.bytes = bytes;
  const double time = 0.5 + static_cast<double>(bytes) / 8000;
  result.figures = {figure("foldlane", time, 1), figure("openmpi", time * ratio, ratio),
                    figure("mpich", time * 3, 3)};
  result.limits = {{"handoff", {0.25, 0.24, 0.26}}};
  result.bound = "handoff";
  result.over_bound = Estimate{time * 4, time * 3.9, time * 4.1};
  return result;
}

Report sample() {
  Report report;
  report.version = "0.1.0";
  report.date = "2026-11-21T06:35:29Z";
  report.command = "foldlane bench";
  report.machine = {{"processor", "A processor"}};
  report.warnings = {"no governor"};
  report.peers = {{"openmpi", "Open MPI 4.1.4", "--mca a b"}, {"mpich", "MPICH 4.0.2", ""}};
  report.cases = {result("allreduce", 8, 2), result("allreduce", 4096, 8), result("barrier", 0, 5)};
  return report;
}

bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

std::vector<Element> groups(const Element& page) { return elements(page, "section", "group"); }

TEST(Page, IsSelfContained) {
  const std::string page = html(sample());
  EXPECT_EQ(page.rfind("<!DOCTYPE html>", 0), 0U);
  for (const char* outside : {"<script", "<link", "src=", "href=", "url(", "@import"}) {
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  }
  EXPECT_NE(page.find("width=device-width"), std::string::npos);
  EXPECT_NE(page.find("@media print"), std::string::npos);
  EXPECT_NE(page.find(".chart .s0"), std::string::npos);
}

TEST(Page, ShowsWhereTheFiguresComeFrom) {
  const Element page = parsed(html(sample()));
  EXPECT_TRUE(has(texts(page, "time"), "2026-11-21T06:35:29Z"));
  EXPECT_TRUE(has(texts(page, "code"), "foldlane bench"));
  EXPECT_TRUE(has(texts(page, "dd"), "A processor"));
  EXPECT_TRUE(has(texts(page, "li"), "no governor"));
  EXPECT_TRUE(has(texts(page, "td"), "Open MPI 4.1.4"));
  EXPECT_TRUE(has(texts(page, "code"), "--mca a b"));
}

TEST(Page, EveryTextIsEscaped) {
  const std::string evil = "<b title=\"x\">&'";
  Report report = sample();
  report.version = report.date = report.command = evil;
  report.machine = {{evil, evil}};
  report.warnings = {evil};
  report.peers = {{evil, evil, evil}};
  for (CaseResult& one : report.cases) {
    one.what.call = one.what.type = one.what.op = one.bound = one.limits[0].name = one.figures[1].who = evil;
  }
  const std::string page = html(report);
  EXPECT_EQ(page.find("<b title"), std::string::npos);
  EXPECT_NO_THROW(parsed(page));
  EXPECT_NO_THROW(parsed(svg_of(report, evil)));
  EXPECT_EQ(escaped("<&>\"'\x01ü"), "&lt;&amp;&gt;&quot;&#39;ü");
}

TEST(Page, CasesThatDifferInMoreThanSizeAreApart) {
  Report report = sample();
  report.cases.push_back(result("allreduce", 8, 2));
  report.cases.back().what.ranks = 4;
  report.cases.push_back(result("allreduce", 64, 2));
  const Element page = parsed(html(report));
  ASSERT_EQ(groups(page).size(), 3U);
  EXPECT_EQ(texts(groups(page)[0], "th").size(), texts(groups(page)[2], "th").size() + 2);
  EXPECT_TRUE(has(texts(groups(page)[0], "span"), "double, sum, 2 ranks, hot buffers"));
  EXPECT_TRUE(has(texts(groups(page)[2], "span"), "double, sum, 4 ranks, hot buffers"));
  const std::vector<std::string> heads = texts(groups(page)[0], "th");
  const std::vector<std::string> rows(heads.end() - 3, heads.end());
  EXPECT_EQ(rows, (std::vector<std::string>{"8 B", "64 B", "4 KiB"}));
}

TEST(Page, ChartsOnlyWhereThereAreSeveralSizes) {
  const Element page = parsed(html(sample()));
  ASSERT_EQ(groups(page).size(), 2U);
  EXPECT_EQ(elements(groups(page)[0], "svg", "chart").size(), 2U);
  EXPECT_TRUE(elements(groups(page)[1], "svg").empty());
  EXPECT_EQ(elements(groups(page)[1], "table").size(), 1U);
  EXPECT_TRUE(has(texts(groups(page)[1], "th"), "–"));
}

TEST(Page, BandwidthIsBytesByTime) {
  const Element page = parsed(html(sample()));
  const Element bandwidth = elements(groups(page)[0], "svg", "chart")[1];
  // 4096 bytes in 1.012 µs, and the shortest time is the highest bandwidth
  EXPECT_TRUE(has(texts(bandwidth, "title"), "foldlane, 4 KiB: 4.05 (3.68 to 4.50)"));
  EXPECT_TRUE(has(texts(bandwidth, "text", "label"), "bound"));
}

TEST(Page, TablesHoldTheFigures) {
  const Element group = groups(parsed(html(sample())))[0];
  const Element row = elements(group, "tr")[3];
  EXPECT_EQ(texts(row, "th"), std::vector<std::string>{"4 KiB"});
  const std::vector<std::string> cells = texts(row, "td");
  ASSERT_EQ(cells.size(), 11U);
  EXPECT_EQ(cells[0], "1.01");
  EXPECT_EQ(cells[1], "77.0");
  EXPECT_EQ(cells[2], "0.0550");
  EXPECT_EQ(cells[3], "4.05× handoff");
  EXPECT_EQ(cells[4], "✓");
  EXPECT_EQ(cells[5], "8.10");
  EXPECT_EQ(texts(row, "b"), (std::vector<std::string>{"8.00×", "3.00×"}));
  const std::vector<std::string> intervals = texts(row, "small");
  EXPECT_EQ(intervals[0], "0.911–1.11");
  EXPECT_EQ(intervals[1], "3.95–4.15");
  EXPECT_EQ(intervals[3], "7.20–8.80");
  EXPECT_EQ(intervals[4], "other order");
}

TEST(Page, ARatioCountsOnlyWithItsWholeInterval) {
  Report report = sample();
  report.cases[0].figures[1].against = Estimate{0.9, 0.8, 0.95};
  report.cases[1].figures[1].against = Estimate{1.1, 0.95, 1.2};
  const Element page = parsed(html(report));
  const Element group = groups(page)[0];
  EXPECT_EQ(texts(elements(group, "td", "slower")[0], "b").front(), "0.900×");
  EXPECT_EQ(texts(elements(group, "td", "even")[0], "b").front(), "1.10×");
  EXPECT_EQ(elements(group, "td", "faster").size(), 2U);
}

TEST(Page, SummaryIsTheGeometricMean) {
  const Element page = parsed(html(sample()));
  const Element summary = elements(page, "table", "summary").front();
  const std::vector<Element> rows = elements(summary, "tr");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(texts(rows[1], "b"), (std::vector<std::string>{"4.00×", "3.00×", "2.85×"}));
  EXPECT_EQ(texts(rows[1], "small").front(), "2.00 to 8.00");
  EXPECT_EQ(texts(rows[2], "b").front(), "5.00×");
  EXPECT_TRUE(texts(rows[2], "small").empty());
}

TEST(Page, WrongResultsAreTheFirstWarning) {
  Report report = sample();
  report.cases[0].figures[0].check.wrong_elements = 3;
  report.cases[1].figures[1].check.same_on_all_ranks = false;
  report.cases[2].figures[0].check.canonical = false;
  const Element page = parsed(html(report));
  const std::vector<std::string> warnings = texts(elements(page, "section", "warnings").front(), "li");
  ASSERT_EQ(warnings.size(), 4U);
  EXPECT_EQ(warnings[0],
            "foldlane, allreduce of 8 B (double, sum, 2 ranks, hot buffers): verification failed: 3 wrong");
  EXPECT_EQ(warnings[3], "no governor");
  EXPECT_EQ(texts(page, "td", "fault"),
            (std::vector<std::string>{"3 wrong", "ranks differ", "not canonical"}));
}

TEST(Page, WhatWasNotMeasuredOrCheckedIsSaid) {
  Report report = sample();
  report.cases[0].figures.pop_back();
  report.cases[1].figures[0].check.done = false;
  report.cases[2].figures.clear();
  const Element page = parsed(html(report));
  EXPECT_TRUE(has(texts(groups(page)[0], "td", "none first"), "not measured"));
  EXPECT_TRUE(has(texts(groups(page)[0], "td", "none"), "not checked"));
  EXPECT_EQ(texts(groups(page)[1], "td", "none first").size(), 1U);
}

TEST(Page, WhoDoesNotSupportACallIsNamed) {
  Report report = sample();
  for (CaseResult& result : report.cases)
    std::erase_if(result.figures, [](const Figure& f) { return f.who == "mpich"; });
  report.cases[2].not_supported_by = {"mpich"};
  const Element page = parsed(html(report));
  EXPECT_TRUE(has(texts(groups(page)[1], "td", "none first"), "not supported by mpich"));
  EXPECT_TRUE(elements(groups(page)[0], "td", "none first").empty());
}

TEST(Page, OverlapIsShownInPercentAndIsNoComparison) {
  Report report = sample();
  report.cases.resize(2);
  for (CaseResult& result : report.cases) {
    result.what.beside = Beside::tests;
    for (Figure& f : result.figures) f.overlap = Overlap{{87.4, 80, 90}, 12.5, 13.5};
  }
  const Element page = parsed(html(report));
  EXPECT_TRUE(elements(groups(page)[0], "svg").empty());
  EXPECT_EQ(texts(groups(page)[0], "b"), std::vector<std::string>(6, "87 %"));
  EXPECT_TRUE(has(texts(groups(page)[0], "th"), "hidden"));
  EXPECT_TRUE(texts(elements(page, "table", "summary").front(), "b").empty());
}

TEST(Page, NothingMeasuredIsAPageToo) {
  const Element page = parsed(html(Report{}));
  EXPECT_TRUE(has(texts(page, "p", "note"), "Nothing was measured."));
  EXPECT_TRUE(elements(page, "table").empty());
  EXPECT_TRUE(elements(page, "section", "warnings").empty());
}

std::string error_of(const Report& report, std::string_view call) {
  try {
    return svg_of(report, call);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

TEST(SinglePlot, IsOfTheFirstGroupWithSizesOrOfTheCall) {
  Report report = sample();
  report.cases.push_back(result("bcast", 8, 2));
  report.cases.push_back(result("bcast", 64, 2));
  report.cases.erase(report.cases.begin());
  const auto title = [&](std::string_view call) {
    return parsed(svg_of(report, call)).get<std::string>("svg.title");
  };
  EXPECT_EQ(title(""), "bcast");
  EXPECT_EQ(title("bcast"), "bcast");
  EXPECT_EQ(parsed(svg_of(sample(), "allreduce")).get<std::string>("svg.title"), "allreduce");
}

TEST(SinglePlot, SaysWhyThereIsNone) {
  EXPECT_EQ(error_of(sample(), "barrier"),
            "nothing to plot: barrier was not measured with more than one size");
  EXPECT_EQ(error_of({}, ""), "nothing to plot: no call was measured with more than one size");
}

TEST(Texts, FiguresHaveThreeDigits) {
  EXPECT_EQ(figure_text(0.03124), "0.0312");
  EXPECT_EQ(figure_text(9.996), "10.0");
  EXPECT_EQ(figure_text(999.6), "1000");
  EXPECT_EQ(figure_text(12431), "12\u2009400");
  EXPECT_EQ(figure_text(1234567), "1\u2009230\u2009000");
  EXPECT_EQ(figure_text(0), "0");
}

TEST(Texts, SizesHaveBinaryUnits) {
  EXPECT_EQ(bytes_text(8), "8 B");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text(64 << 20), "64 MiB");
}

}  // namespace
}  // namespace foldlane::bench
