// Reports as JSON, the form in which they are kept and compared.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "bench/report/report.hpp"

namespace foldlane::bench {

/// The layout of the document. Readers refuse a later one.
inline constexpr int kReportSchema = 1;

nlohmann::json to_json(const Report& report);
nlohmann::json to_json(const Estimate& estimate);

/// Throws std::runtime_error that says what is missing or of the wrong kind, and where.
Report report_from_json(const nlohmann::json& document);

}  // namespace foldlane::bench
