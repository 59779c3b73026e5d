// A value in a JSON document that knows its place in it, so that a complaint can say where.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace foldlane::bench {

/// Whatever is missing or of the wrong kind becomes a std::runtime_error such as
/// "cases[3].figures[0].time.low: a number was expected". The document has to outlive its nodes.
class JsonNode {
 public:
  explicit JsonNode(const nlohmann::json& document) : JsonNode(document, "") {}

  JsonNode member(std::string_view name) const;
  std::optional<JsonNode> find(std::string_view name) const;
  std::vector<JsonNode> elements() const;

  std::string text() const;
  double number() const;
  std::uint64_t count() const;
  int integer() const;
  bool flag() const;

  [[noreturn]] void fail(const std::string& problem) const;

 private:
  JsonNode(const nlohmann::json& value, std::string path) : value_(&value), path_(std::move(path)) {}
  std::string path_to(std::string_view name) const;

  const nlohmann::json* value_;
  std::string path_;
};

}  // namespace foldlane::bench
