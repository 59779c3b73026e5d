#include "accelerate/elf_file.hpp"

#include <elf.h>

#include <cstring>
#include <fstream>

namespace foldlane::tools {
namespace {

template <class Value>
bool read_at(std::ifstream& file, std::uint64_t offset, Value& value) {
  file.seekg(static_cast<std::streamoff>(offset));
  return static_cast<bool>(file.read(reinterpret_cast<char*>(&value), sizeof value));
}

}  // namespace

bool is_static_program(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header;
  if (!read_at(file, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64) {
    return false;
  }
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!read_at(file, header.e_phoff + i * header.e_phentsize, segment) || segment.p_type == PT_INTERP)
      return false;
  }
  return true;
}

}  // namespace foldlane::tools
