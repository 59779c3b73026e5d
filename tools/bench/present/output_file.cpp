#include "bench/present/output_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <stdexcept>

namespace foldlane::bench {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path) {
  throw std::runtime_error(fmt::format("cannot write {}", path.string()));
}

/// A device must not be replaced by a file.
bool is_replaceable(const fs::path& path) {
  std::error_code ignored;
  return !fs::exists(path, ignored) || fs::is_regular_file(path, ignored);
}

/// The file itself, where the path is a link to it.
fs::path behind_links(const fs::path& path) {
  std::error_code ignored;
  const fs::path real = fs::canonical(path, ignored);
  return real.empty() ? path : real;
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(behind_links(path)), part_(path_) {
  if (is_replaceable(path_)) part_ += fmt::format(".{}.part", ::getpid());
  file_.open(part_, std::ios::binary);
  if (!file_) fail(path_);
}

OutputFile::~OutputFile() {
  std::error_code ignored;
  if (part_ != path_) fs::remove(part_, ignored);
}

void OutputFile::complete(const std::string& text) {
  file_ << text;
  if (!file_.flush()) fail(path_);
  if (part_ == path_) return;
  std::error_code error;
  fs::rename(part_, path_, error);
  if (error) fail(path_);
}

}  // namespace foldlane::bench
