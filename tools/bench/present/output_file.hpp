// A file that is there when it is complete, and not before: a run that is interrupted leaves what was there.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace foldlane::bench {

class OutputFile {
 public:
  /// Makes a temporary file beside it, but for devices and pipes, which are written as they are. Throws
  /// std::runtime_error that names the file.
  explicit OutputFile(const std::string& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  /// Without `complete` nothing is left.
  ~OutputFile();

  /// Throws likewise.
  void complete(const std::string& text);

 private:
  std::filesystem::path path_;
  std::filesystem::path part_;
  std::ofstream file_;
};

}  // namespace foldlane::bench
