// The four kinds of text are compared with golden/ beside this file, byte by byte. To renew the files after a
// wanted change: FOLDLANE_RENEW_GOLDEN=1 bench_text_test, and look at the difference before it is committed.
#include "bench/present/text_output.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "bench/present/cells.hpp"
#include "bench/present/wording.hpp"
#include "support/sample_report.hpp"

namespace foldlane::bench {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string difference(const std::string& wanted, const std::string& got) {
  const auto left = lines_of(wanted);
  const auto right = lines_of(got);
  std::string text;
  for (std::size_t at = 0; at < std::max(left.size(), right.size()); ++at) {
    const std::string before = at < left.size() ? left[at] : "";
    const std::string after = at < right.size() ? right[at] : "";
    if (before != after) text += "line " + std::to_string(at + 1) + "\n- " + before + "\n+ " + after + "\n";
  }
  return text;
}

void expect_golden(const std::string& name, const std::string& text) {
  const std::filesystem::path file = std::filesystem::path(FOLDLANE_GOLDEN_DIR) / name;
  if (std::getenv("FOLDLANE_RENEW_GOLDEN") != nullptr) {
    std::ofstream(file) << text;
    return;
  }
  std::ostringstream wanted;
  wanted << std::ifstream(file).rdbuf();
  EXPECT_TRUE(wanted.str() == text) << file.string() << " differs; if that is wanted, run this test with "
                                    << "FOLDLANE_RENEW_GOLDEN=1 and look at the file.\n"
                                    << difference(wanted.str(), text);
}

TEST(Golden, Table) { expect_golden("table.txt", table(sample_report(), false)); }
TEST(Golden, ColouredTable) { expect_golden("table_colour.txt", table(sample_report(), true)); }
TEST(Golden, Csv) { expect_golden("csv.txt", csv(sample_report())); }
TEST(Golden, Markdown) { expect_golden("markdown.txt", markdown(sample_report())); }
TEST(Golden, Osu) { expect_golden("osu.txt", osu(sample_report())); }

TEST(Table, FitsAHundredColumnsAndHasNoBlanksAtLineEnds) {
  for (const std::string& line : lines_of(table(sample_report(), false))) {
    EXPECT_LE(width_of(line), 100U) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
}

TEST(Table, ColourChangesNothingElse) {
  std::string plain;
  bool code = false;
  for (const char letter : table(sample_report(), true)) {
    code = code || letter == '\x1b';
    if (!code) plain += letter;
    if (letter == 'm') code = false;
  }
  EXPECT_EQ(plain, table(sample_report(), false));
}

TEST(Table, OfNothingHasNoGroups) {
  Report report;
  report.version = "1";
  report.date = "today";
  EXPECT_EQ(table(report, false), "Foldlane 1, today\n");
}

TEST(Wording, NumbersKeepThreeDigits) {
  EXPECT_EQ(three_digits(0.04321), "0.043");
  EXPECT_EQ(three_digits(0.9994), "0.999");
  EXPECT_EQ(three_digits(0.9996), "1.00");
  EXPECT_EQ(three_digits(9.994), "9.99");
  EXPECT_EQ(three_digits(9.996), "10.0");
  EXPECT_EQ(three_digits(99.94), "99.9");
  EXPECT_EQ(three_digits(99.96), "100");
  EXPECT_EQ(three_digits(123456.4), "123456");
}

TEST(Wording, SpreadIsTheWiderSide) {
  EXPECT_EQ(spread_text({100, 99, 103}), "±3.0%");
  EXPECT_EQ(spread_text({100, 88, 103}), "±12%");
  EXPECT_EQ(against_text({2.306, 2.25, 2.31}), "2.31x ±0.06");
  EXPECT_EQ(against_text({23.06, 22.9, 23.5}), "23.1x ±0.4");
}

TEST(Wording, BandwidthStartsAtFourKibibytes) {
  Case what;
  what.bytes = 4095;
  EXPECT_EQ(bandwidth_text(what, 1), "");
  what.bytes = 4096;
  EXPECT_EQ(bandwidth_text(what, 1), "4.10");
}

TEST(Wording, RatesAreThoseOfAllThreads) {
  EXPECT_EQ(flow_text({.call = "stream", .bytes = 8}, 0.5), "2.00 M/s");
  EXPECT_EQ(flow_text({.call = "stream", .bytes = 8, .threads = 4}, 0.5), "8.00 M/s");
  EXPECT_EQ(flow_text({.call = "stream", .bytes = 4096, .threads = 2}, 2), "4.10 GB/s");
  EXPECT_STREQ(rate_title({.call = "pingpong", .bytes = 8}), "GB/s");
  EXPECT_STREQ(rate_title({.call = "pingpong", .bytes = 8, .threads = 1}), "rate");
  EXPECT_STREQ(rate_title({.call = "allreduce", .bytes = 8, .threads = 1}), "GB/s");
}

TEST(Wording, ChecksSayWhatIsWrong) {
  EXPECT_EQ(check_text({}), "-");
  EXPECT_EQ(check_text({true, 0, true, true}), "ok");
  EXPECT_EQ(check_text({true, 0, true, false}), "ok~");
  EXPECT_EQ(check_text({true, 17, false, true}), "17 WRONG≠");
}

}  // namespace
}  // namespace foldlane::bench
