// A report as comma-separated values.
#include <fmt/format.h>

#include "bench/present/text_output.hpp"
#include "bench/report/case_name.hpp"
#include "bench/report/groups.hpp"

namespace foldlane::bench {
namespace {

constexpr const char* kHeader =
    "call,type,op,bytes,ranks,root,in_place,unaligned,huge_pages,alloc_mem,threads,buffers,timing,who,time_"
    "us,time_"
    "low_us,"
    "time_high_us,p99_us,skew_us,samples,outliers,cpu_us,against,against_low,against_high,bound,over_bound,"
    "over_bound_low,over_bound_high,checked,wrong_elements,same_on_all_ranks,canonical,"
    "beside,hidden_percent,hidden_low,hidden_high,alone_us,computing_us,note";

/// From "who" to "beside".
constexpr std::size_t kNoFigureCommas = 20;

std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string text = "\"";
  for (const char letter : field) {
    text += letter;
    if (letter == '"') text += '"';
  }
  return text + "\"";
}

std::string fields_of(const Case& what) {
  return fmt::format("{},{},{},{},{},{},{:d},{:d},{:d},{:d},{},{},{}", quoted(what.call), quoted(what.type),
                     quoted(what.op), what.bytes, what.ranks, what.root, what.in_place, what.unaligned,
                     what.huge_pages, what.alloc_mem, what.threads, name_of(what.buffers),
                     word_of(what.timing));
}

std::string fields_of(const std::optional<Estimate>& estimate) {
  return estimate ? fmt::format("{},{},{}", estimate->value, estimate->low, estimate->high) : ",,";
}

/// What was not checked is neither right nor wrong.
std::string fields_of(const Check& check) {
  if (!check.done) return "0,,,";
  return fmt::format("1,{},{:d},{:d}", check.wrong_elements, check.same_on_all_ranks, check.canonical);
}

std::string fields_of(const Figure& figure) {
  return fmt::format("{},{},{},{},{},{},{},{}", quoted(figure.who),
                     fields_of(std::optional<Estimate>(figure.time)), figure.p99, figure.skew, figure.samples,
                     figure.outliers, figure.cpu, fields_of(figure.against));
}

/// The last ones, but for the note.
std::string fields_of(const Case& what, const std::optional<Overlap>& overlap) {
  const char* const beside = word_of(what.beside);
  if (!overlap) return fmt::format("{},,,,,", beside);
  return fmt::format("{},{},{},{}", beside, fields_of(std::optional<Estimate>(overlap->hidden)),
                     overlap->alone, overlap->computing);
}

/// The limit is related to our figure only.
std::string bound_fields(const CaseResult& result, const Figure& figure) {
  if (figure.who != "foldlane") return ",,,";
  return quoted(result.bound) + "," + fields_of(result.over_bound);
}

}  // namespace

std::string csv(const Report& report) {
  std::string text = std::string(kHeader) + "\n";
  for (const CaseResult& result : report.cases) {
    for (const Figure& figure : result.figures) {
      text += fmt::format("{},{},{},{},{},\n", fields_of(result.what), fields_of(figure),
                          bound_fields(result, figure), fields_of(figure.check),
                          fields_of(result.what, figure.overlap));
    }
    for (const std::string& who : result.not_supported_by)
      text += fmt::format("{},{}{}{},{}\n", fields_of(result.what), quoted(who),
                          std::string(kNoFigureCommas, ','), fields_of(result.what, std::nullopt),
                          quoted(support_text(result, who)));
  }
  return text;
}

}  // namespace foldlane::bench
