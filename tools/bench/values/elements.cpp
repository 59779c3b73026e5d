#include "bench/values/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace foldlane::bench {
namespace {

template <class List>
const auto& find(const List& list, const std::string& name, const char* kind) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const auto& entry) { return name == entry.name; });
  if (found != list.end()) return *found;
  std::string known;
  for (const auto& entry : list) known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.name);
  throw std::invalid_argument(fmt::format("there is no {} '{}' here; known are {}", kind, name, known));
}

}  // namespace

const std::vector<ElementType>& element_types() {
  using kernels::Elem;
  static const std::vector<ElementType> all{
      {"double", Elem::f64, 8, Numbers::floating}, {"float", Elem::f32, 4, Numbers::floating},
      {"int8", Elem::i8, 1, Numbers::whole},       {"int16", Elem::i16, 2, Numbers::whole},
      {"int32", Elem::i32, 4, Numbers::whole},     {"int64", Elem::i64, 8, Numbers::whole},
      {"uint8", Elem::u8, 1, Numbers::whole},      {"uint16", Elem::u16, 2, Numbers::whole},
      {"uint32", Elem::u32, 4, Numbers::whole},    {"uint64", Elem::u64, 8, Numbers::whole},
  };
  return all;
}

const std::vector<Operation>& operations() {
  using kernels::Op;
  static const std::vector<Operation> all{{"sum", Op::sum},  {"prod", Op::prod}, {"max", Op::max},
                                          {"min", Op::min},  {"band", Op::band}, {"bor", Op::bor},
                                          {"bxor", Op::bxor}};
  return all;
}

const ElementType& element_type(const std::string& name) { return find(element_types(), name, "type"); }

kernels::Op operation(const std::string& name) { return find(operations(), name, "operation").op; }

}  // namespace foldlane::bench
