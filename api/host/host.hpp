// The MPI that a program runs under, described by values: nothing here is compiled against any of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/host/host_calls.hpp"

namespace foldlane::host {

/// Whose handles and constants a host has.
enum class Abi { standard, mpich, openmpi };

/// What the host layer needs at each call.
struct HostConstants {
  Handle world;
  Handle comm_null;
  Handle byte;
  void* in_place;
  void* status_ignore;
  int any_source;
  int undefined;
  int thread_multiple;
  int err_other;
};

class Host {
 public:
  /// `library` is what dlsym takes. Nothing if it is an MPI that is not known, or lacks something.
  static std::optional<Host> find(void* library);

  /// By its name in the standard. Nothing if this host does not have it.
  std::optional<Handle> value(std::string_view name) const;

  /// The upper half of a word that carries an integer is not defined.
  Handle handle(Handle word) const noexcept { return word & mask_; }

  /// Of an array of the program's.
  Handle handle_at(const void* handles, int i) const noexcept {
    if (abi_ == Abi::mpich) return static_cast<const std::uint32_t*>(handles)[i];
    return static_cast<const Handle*>(handles)[i];
  }

  Abi abi() const noexcept { return abi_; }
  const HostCalls& call() const noexcept { return calls_; }
  const HostConstants& constants() const noexcept { return constants_; }

 private:
  Host(void* library, Abi abi);

  void* library_;
  Abi abi_;
  Handle mask_;
  HostCalls calls_{};
  HostConstants constants_{};
};

}  // namespace foldlane::host
