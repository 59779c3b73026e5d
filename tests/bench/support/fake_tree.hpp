// A directory that stands for the root of another machine: only the files a test writes are in it.
#pragma once

#include <filesystem>
#include <string>

namespace foldlane::bench {

class FakeTree {
 public:
  FakeTree();
  ~FakeTree();
  FakeTree(const FakeTree&) = delete;
  FakeTree& operator=(const FakeTree&) = delete;

  /// `file` is relative to the root: "proc/stat".
  void write(const std::filesystem::path& file, const std::string& content) const;
  const std::filesystem::path& root() const { return root_; }

 private:
  std::filesystem::path root_;
};

}  // namespace foldlane::bench
