#include "support/fake_tree.hpp"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace foldlane::bench {

FakeTree::FakeTree() {
  std::string name = (std::filesystem::temp_directory_path() / "foldlane-machine-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp " + name);
  root_ = name;
}

FakeTree::~FakeTree() { std::filesystem::remove_all(root_); }

void FakeTree::write(const std::filesystem::path& file, const std::string& content) const {
  std::filesystem::create_directories((root_ / file).parent_path());
  std::ofstream(root_ / file) << content;
}

}  // namespace foldlane::bench
