// The types and operations that are measured, by name: as the probe knows them, and as the kernels do.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/elem.hpp"
#include "kernels/op.hpp"

namespace foldlane::bench {

enum class Numbers : std::uint8_t { whole, floating };

struct ElementType {
  const char* name;
  kernels::Elem elem;
  std::size_t bytes;
  Numbers numbers;
};

struct Operation {
  const char* name;
  kernels::Op op;
};

const std::vector<ElementType>& element_types();
const std::vector<Operation>& operations();

/// Throw std::invalid_argument for a name that is not in the lists.
const ElementType& element_type(const std::string& name);
kernels::Op operation(const std::string& name);

inline std::size_t element_bytes(const std::string& type) { return element_type(type).bytes; }

}  // namespace foldlane::bench
