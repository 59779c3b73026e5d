# shellcheck shell=bash
# Shared by tools/demo, tools/test and tools/check: messages, packages, configure and build. Sourced, not run.

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)

build_packages=(
  build-essential cmake ninja-build pkg-config git python3
  libhwloc-dev libnuma-dev libboost-dev libhwy-dev libfmt-dev libcli11-dev nlohmann-json3-dev
  libmimalloc-dev
  libgtest-dev libgmock-dev libbenchmark-dev
)

say() {
  printf '== %s\n' "$*"
}

complain() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
}

fail() {
  complain "$*"
  exit 1
}

# quietly NAME COMMAND…: the output goes to build/NAME.log and is shown only if the command fails.
quietly() {
  local log=$root/build/$1.log
  shift
  mkdir -p "$root/build"
  "$@" >"$log" 2>&1 </dev/null || {
    cat "$log" >&2
    complain "this failed: $* (its output is above and in $log)"
    return 1
  }
}

# Prints those of the packages that are not installed. "name:arm64" asks for that architecture only; a plain name
# for the native one, because the arm64 library alone would not serve the native build.
missing_packages() {
  local native installed package name arch
  native=$(dpkg --print-architecture)
  # dpkg-query fails when it does not know one of the names; it still prints the others.
  installed=$(dpkg-query -W -f '${Package}:${Architecture} ${db:Status-Status}\n' "$@" 2>/dev/null || true)
  installed=$'\n'$installed$'\n'
  for package; do
    name=${package%:*} arch=$native
    [[ $package != *:* ]] || arch=${package#*:}
    [[ $installed == *$'\n'"$name:$arch installed"$'\n'* || $installed == *$'\n'"$name:all installed"$'\n'* ]] ||
      printf '%s\n' "$package"
  done
}

install_packages() {
  local admin=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      fail "packages are missing, and installing them takes root or sudo. As root: apt-get install --no-install-recommends $*"
    admin=(sudo)
  fi
  say "installing missing packages: $*"
  if [[ "$*" == *:arm64* ]]; then
    quietly apt-architecture "${admin[@]}" dpkg --add-architecture arm64 || exit 1
  fi
  # One broken third-party source fails the update and yet leaves all that is needed here installable.
  quietly apt-update "${admin[@]}" apt-get update || say "apt-get update failed; trying with the lists at hand"
  # Another apt (unattended upgrades) may hold the lock for a while.
  quietly apt-install "${admin[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -o DPkg::Lock::Timeout=120 install -y --no-install-recommends "$@" || exit 1
}

# Prints what the build needs and cannot find, in words that do not depend on a distribution.
missing_tools() {
  local tool module header
  for tool in "${CXX:-c++}" "${CC:-cc}" cmake ninja pkg-config git python3; do
    command -v "$tool" >/dev/null || printf 'command %s\n' "$tool"
  done
  for module in hwloc numa libhwy fmt; do
    pkg-config --exists "$module" 2>/dev/null || printf 'library %s (pkg-config)\n' "$module"
  done
  for header in boost/version.hpp mimalloc.h CLI/CLI.hpp nlohmann/json.hpp gtest/gtest.h gmock/gmock.h \
    benchmark/benchmark.h; do
    printf '#if !__has_include(<%s>)\n#error\n#endif\n' "$header" | "${CXX:-c++}" -E -x c++ - >/dev/null 2>&1 ||
      printf 'header <%s>\n' "$header"
  done
}

require_tools() {
  local missing
  missing=$(missing_tools)
  [[ -n $missing ]] || return 0
  complain "this is not Debian 12 or later, so nothing is installed for you, and the build lacks:"
  printf '  %s\n' "${missing//$'\n'/$'\n  '}" >&2
  fail "install a C++20 compiler, CMake 3.25, Ninja, pkg-config, git, python3, and the libraries hwloc, libnuma," \
    "Boost, Highway, fmt, CLI11, nlohmann-json, mimalloc 2, GoogleTest with gmock and Google Benchmark, with their" \
    "headers." \
    "The packages of Debian 12 are called: ${build_packages[*]}"
}

# Debian 12 or later. Its derivatives have other package names and versions, and some no arm64 on their mirrors.
is_debian_12() {
  local ID='' VERSION_ID=''
  # shellcheck source=/dev/null
  [[ ! -r /etc/os-release ]] || source /etc/os-release
  [[ $ID == debian && ${VERSION_ID:-99} -ge 12 ]]
}

ensure_packages() {
  if ! is_debian_12 || ! command -v apt-get >/dev/null; then
    require_tools
    return
  fi
  local missing
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
}

# configure PRESET [OPTION…]
configure() {
  say "configuring $1"
  cd -- "$root" && quietly "configure-$1" cmake --preset "$@"
}

# build PRESET [TARGET…]
build() {
  say "building ${*}"
  local preset=$1
  shift
  cd -- "$root" && cmake --build --preset "$preset" ${@:+--target "$@"}
}

# builds_fortran PRESET: whether that was configured with Fortran, as it is where gfortran is.
builds_fortran() {
  grep -q '^FOLDLANE_FORTRAN:BOOL=ON$' "$root/build/$1/CMakeCache.txt"
}

# ensure_commands NAME…: for what is called as its package is in Debian.
ensure_commands() {
  if is_debian_12 && command -v apt-get >/dev/null; then
    ensure_packages "$@"
    return
  fi
  local name
  for name; do
    command -v "$name" >/dev/null || fail "the command $name is missing; install it and try again"
  done
}
