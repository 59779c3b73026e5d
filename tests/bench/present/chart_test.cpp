#include "bench/present/chart.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "bench/present/styles.hpp"
#include "support/markup_reader.hpp"

namespace foldlane::bench {
namespace {

Series line(const std::string& name, double first, double per_byte, bool is_limit = false) {
  Series series{name, {}, is_limit};
  for (double bytes = 8; bytes <= 1 << 26; bytes *= 4) {
    const double y = first + per_byte * bytes;
    series.points.push_back({bytes, y, y * 0.9, y * 1.2});
  }
  return series;
}

Chart sample() {
  return {"allreduce",
          "µs",
          {line("openmpi", 0.7, 0.0003), line("foldlane", 0.2, 0.0002), line("mpich", 0.6, 0.00031),
           line("handoff", 0.13, 0, true), line("memory", 0, 0.00015, true)}};
}

std::vector<double> label_heights(const Element& picture) {
  std::vector<double> heights;
  for (const Element& label : elements(picture, "text", "label")) {
    heights.push_back(std::stod(attribute(label, "y")));
  }
  return heights;
}

bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

TEST(Chart, IsOneAccessibleScalablePicture) {
  const Element picture = parsed(svg(sample()));
  ASSERT_EQ(picture.size(), 1U);
  const Element& root = picture.front().second;
  EXPECT_EQ(attribute(root, "role"), "img");
  EXPECT_EQ(attribute(root, "viewBox"), "0 0 480 320");
  EXPECT_EQ(root.get<std::string>("title"), "allreduce");
  EXPECT_EQ(root.get<std::string>("desc"),
            "µs against size, both logarithmic: foldlane, mpich, openmpi, memory, handoff");
}

TEST(Chart, NamesEverySeriesAtItsEnd) {
  const std::vector<std::string> labels = texts(parsed(svg(sample())), "text", "label");
  EXPECT_EQ(labels.size(), 5U);
  for (const char* name : {"foldlane", "openmpi", "mpich", "handoff", "memory"}) {
    EXPECT_TRUE(has(labels, name)) << name;
  }
}

TEST(Chart, MarksEverySizeWithItsFigures) {
  const Element picture = parsed(svg(sample()));
  const std::vector<std::string> titles = texts(picture, "title");
  EXPECT_EQ(titles.size(), 1U + 3 * 12);
  EXPECT_TRUE(has(titles, "foldlane, 8 B: 0.202 (0.181 to 0.242)"));
  EXPECT_TRUE(has(titles, "mpich, 2 KiB: 1.23 (1.11 to 1.48)"));
  EXPECT_TRUE(has(titles, "openmpi, 32 MiB: 10\u2009100 (9060 to 12\u2009100)"));
}

TEST(Chart, FoldlaneLooksTheSameWhereverItIsAndIsDrawnLast) {
  const std::string text = svg(sample());
  const Element picture = parsed(text);
  const std::vector<Element> ours = elements(picture, "g", "series s0");
  ASSERT_EQ(ours.size(), 2U);  // its line and its label
  EXPECT_EQ(texts(ours[1], "text").front(), "foldlane");
  EXPECT_GT(text.find("series s0"), text.find("series s1"));
  EXPECT_GT(text.find("series s0"), text.find("series s2"));
  EXPECT_EQ(texts(elements(picture, "g", "series s1")[1], "text").front(), "openmpi");
  EXPECT_EQ(texts(elements(picture, "g", "series s2")[1], "text").front(), "mpich");
}

TEST(Chart, AnEmptySeriesKeepsItsLooksForItself) {
  Chart chart = sample();
  chart.series[0].points.clear();
  const Element picture = parsed(svg(chart));
  EXPECT_TRUE(elements(picture, "g", "series s1").empty());
  EXPECT_EQ(texts(elements(picture, "g", "series s2")[1], "text").front(), "mpich");
}

TEST(Chart, SeriesHaveBandsAndOtherMarksLimitsHaveNeither) {
  const Element picture = parsed(svg(sample()));
  EXPECT_EQ(elements(picture, "polygon", "band").size(), 3U);
  for (const Element& limit : elements(picture, "g", "limit")) {
    EXPECT_TRUE(elements(limit, "path").empty());
  }
  std::vector<std::string> shapes;
  for (const char* looks : {"series s0", "series s1", "series s2"}) {
    const std::string path = attribute(elements(elements(picture, "g", looks).front(), "path").front(), "d");
    shapes.push_back(path.substr(path.find('m')));
  }
  EXPECT_NE(shapes[0], shapes[1]);
  EXPECT_NE(shapes[1], shapes[2]);
  EXPECT_NE(shapes[0], shapes[2]);
}

TEST(Chart, EveryLookHasItsOwnColourAndDashes) {
  const std::string style(kChartStyle);
  std::set<std::string> dashes;
  std::set<std::string> colours;
  for (int look = 0; look < 6; ++look) {
    const std::string looks = ".chart .s" + std::to_string(look);
    const auto rule = [&](const std::string& selector) {
      const std::size_t begin = style.find(selector);
      EXPECT_NE(begin, std::string::npos) << selector;
      return style.substr(begin + selector.size(), style.find('}', begin) - begin - selector.size());
    };
    dashes.insert(rule(looks + " .line { "));
    colours.insert(rule(looks + " { "));
  }
  EXPECT_EQ(dashes.size(), 6U);
  EXPECT_EQ(colours.size(), 6U);
}

TEST(Chart, LabelsOfLinesThatEndTogetherDoNotOverlap) {
  Chart chart{"t", "µs", {}};
  for (int i = 0; i < 9; ++i) {
    chart.series.push_back(line("peer" + std::to_string(i), 0.5, 0.0002));
  }
  std::vector<double> heights = label_heights(parsed(svg(chart)));
  ASSERT_EQ(heights.size(), 9U);
  std::sort(heights.begin(), heights.end());
  for (std::size_t i = 1; i < heights.size(); ++i) {
    EXPECT_GE(heights[i] - heights[i - 1], 12);
  }
  EXPECT_GT(heights.front(), 40);
  EXPECT_LT(heights.back(), 300);
}

TEST(Chart, LimitsFarAwayDoNotSqueezeTheFigures) {
  Chart chart{"t", "µs", {line("foldlane", 1, 0), line("far", 1e-7, 0, true), line("near", 0.5, 0, true)}};
  const std::vector<std::string> labels = texts(parsed(svg(chart)), "text", "label");
  EXPECT_TRUE(has(labels, "near"));
  EXPECT_FALSE(has(labels, "far"));
  const std::vector<std::string> ticks = texts(parsed(svg(chart)), "text", "tick value");
  EXPECT_EQ(ticks.front(), "0.2");
  EXPECT_EQ(ticks.back(), "2");
}

TEST(Chart, AxesHaveRoundLabels) {
  const Element picture = parsed(svg(sample()));
  const std::vector<std::string> sizes = {"16 B", "256 B", "4 KiB", "64 KiB", "1 MiB", "16 MiB"};
  EXPECT_EQ(texts(picture, "text", "tick size"), sizes);
  const std::vector<std::string> values = {"0.1", "1", "10", "100", "1000", "10\u2009000"};
  EXPECT_EQ(texts(picture, "text", "tick value"), values);
}

TEST(Chart, LeavesOutWhatHasNoLogarithm) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Chart chart{
      "t", "µs", {{"foldlane", {{0, 1, 1, 1}, {8, 0, 0, 0}, {16, 2, 0, kInfinity}, {32, kInfinity, 1, 1}}}}};
  const std::string text = svg(chart);
  EXPECT_EQ(elements(parsed(text), "path", "mark").size(), 2U);  // one point and the label's
  EXPECT_EQ(text.find("nan"), std::string::npos);
  EXPECT_EQ(text.find("inf"), std::string::npos);
}

TEST(Chart, WithoutFiguresSaysSo) {
  for (const Chart& chart : {Chart{"t", "µs", {}}, Chart{"t", "µs", {{"foldlane", {}}}}}) {
    EXPECT_TRUE(has(texts(parsed(svg(chart)), "text"), "nothing was measured"));
  }
}

TEST(Chart, EscapesAndShortensNames) {
  Chart chart{"a<b & \"c\"", "'µs'", {line("<&\">'", 1, 0), line("/opt/é/lib/bin/mpicc", 2, 0)}};
  const Element picture = parsed(svg(chart));
  EXPECT_EQ(texts(picture, "text", "title").front(), chart.title);
  EXPECT_EQ(texts(picture, "text", "unit").front(), chart.y_label);
  const std::vector<std::string> labels = texts(picture, "text", "label");
  EXPECT_TRUE(has(labels, "<&\">'"));
  EXPECT_TRUE(has(labels, "…/lib/bin/mpicc")) << labels.back();
}

TEST(Chart, ADocumentBringsItsStyle) {
  const std::string text = svg_document(sample());
  EXPECT_EQ(text.rfind("<?xml", 0), 0U);
  const Element picture = parsed(text);
  const std::string style = picture.get<std::string>("svg.style");
  EXPECT_NE(style.find("prefers-color-scheme: dark"), std::string::npos);
  EXPECT_NE(style.find(".chart .s0"), std::string::npos);
  EXPECT_TRUE(elements(parsed(svg(sample())), "style").empty());
}

}  // namespace
}  // namespace foldlane::bench
