// A chart of figures against message size, as SVG.
#pragma once

#include <string>
#include <vector>

namespace foldlane::bench {

/// y with its confidence interval at a size of x bytes.
struct Point {
  double x = 0;
  double y = 0;
  double low = 0;
  double high = 0;
};

struct Series {
  std::string name;
  std::vector<Point> points;  // by rising x; one that has no place on a logarithmic axis is left out
  bool is_limit = false;      // drawn thin and dotted, and cut off where it is far from all that was measured
};

struct Chart {
  std::string title;
  std::string y_label;
  std::vector<Series> series;
};

/// One <svg> element for a page that holds kChartStyle. Both axes are logarithmic. The series "foldlane" is
/// the most prominent; the others have their looks by their order, an empty series keeping its place, so that
/// one implementation looks the same in all charts of a page.
std::string svg(const Chart& chart);

/// The same as a document of its own.
std::string svg_document(const Chart& chart);

}  // namespace foldlane::bench
