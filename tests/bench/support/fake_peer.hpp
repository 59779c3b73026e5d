// A directory that looks like an installed MPI: bin/mpicc and bin/mpiexec are scripts of the test's own.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "support/fake_tree.hpp"

namespace foldlane::bench {

class FakePeer {
 public:
  /// `version` is what mpiexec does with --version, `launch` what it does otherwise.
  FakePeer(const std::string& version, const std::string& compile, const std::string& launch = "exit 1") {
    write("mpiexec", "if [ \"$1\" = --version ]; then " + version + "; exit; fi\n" + launch);
    write("mpicc", compile);
  }
  std::string path() const { return tree_.root(); }

 private:
  void write(const std::string& name, const std::string& script) const {
    tree_.write("bin/" + name, "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(tree_.root() / "bin" / name, std::filesystem::perms::owner_all);
  }

  FakeTree tree_;
};

/// While it lives, programs are looked for in an empty directory.
class EmptyPath {
 public:
  EmptyPath() { ::setenv("PATH", tree_.root().c_str(), 1); }
  EmptyPath(const EmptyPath&) = delete;
  EmptyPath& operator=(const EmptyPath&) = delete;
  ~EmptyPath() { ::setenv("PATH", previous_.c_str(), 1); }

 private:
  FakeTree tree_;
  std::string previous_ = ::getenv("PATH");
};

}  // namespace foldlane::bench
