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

bool is_elf(const Elf64_Ehdr& header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64;
}

/// What tells a program that runs at any address from a library.
bool is_marked_as_program(std::ifstream& file, const Elf64_Phdr& dynamic) {
  Elf64_Dyn entry;
  for (std::uint64_t at = 0; at < dynamic.p_filesz; at += sizeof entry) {
    if (!read_at(file, dynamic.p_offset + at, entry)) return false;
    if (entry.d_tag == DT_FLAGS_1) return (entry.d_un.d_val & DF_1_PIE) != 0;
  }
  return false;
}

}  // namespace

FileKind kind_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header;
  if (!read_at(file, 0, header) || !is_elf(header)) return FileKind::program;
  bool is_program = header.e_type == ET_EXEC;
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!read_at(file, header.e_phoff + i * header.e_phentsize, segment) || segment.p_type == PT_INTERP)
      return FileKind::program;
    if (segment.p_type == PT_DYNAMIC) is_program = is_program || is_marked_as_program(file, segment);
  }
  return is_program ? FileKind::static_program : FileKind::library;
}

}  // namespace foldlane::tools
