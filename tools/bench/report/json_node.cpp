#include "bench/report/json_node.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace foldlane::bench {

using nlohmann::json;

void JsonNode::fail(const std::string& problem) const {
  throw std::runtime_error(fmt::format("{}: {}", path_.empty() ? "the document" : path_, problem));
}

std::string JsonNode::path_to(std::string_view name) const {
  return path_.empty() ? std::string(name) : fmt::format("{}.{}", path_, name);
}

std::optional<JsonNode> JsonNode::find(std::string_view name) const {
  if (!value_->is_object()) fail("an object was expected");
  const auto found = value_->find(name);
  if (found == value_->end()) return std::nullopt;
  return JsonNode(*found, path_to(name));
}

JsonNode JsonNode::member(std::string_view name) const {
  if (const auto found = find(name)) return *found;
  throw std::runtime_error(path_to(name) + ": is missing");
}

std::vector<JsonNode> JsonNode::elements() const {
  if (!value_->is_array()) fail("a list was expected");
  std::vector<JsonNode> result;
  for (const json& element : *value_) {
    result.push_back(JsonNode(element, fmt::format("{}[{}]", path_, result.size())));
  }
  return result;
}

std::string JsonNode::text() const {
  if (!value_->is_string()) fail("a text was expected");
  return value_->get<std::string>();
}

double JsonNode::number() const {
  if (!value_->is_number()) fail("a number was expected");
  return value_->get<double>();
}

std::uint64_t JsonNode::count() const {
  const bool negative = !value_->is_number_unsigned() && value_->is_number_integer() && *value_ < 0;
  if (!value_->is_number_integer() || negative) fail("a whole number, at least 0, was expected");
  return value_->get<std::uint64_t>();
}

int JsonNode::integer() const {
  if (!value_->is_number_integer()) fail("a whole number was expected");
  const bool fits = value_->is_number_unsigned() ? std::in_range<int>(value_->get<std::uint64_t>())
                                                 : std::in_range<int>(value_->get<std::int64_t>());
  if (!fits) fail("this number is out of range");
  return value_->get<int>();
}

bool JsonNode::flag() const {
  if (!value_->is_boolean()) fail("true or false was expected");
  return value_->get<bool>();
}

}  // namespace foldlane::bench
