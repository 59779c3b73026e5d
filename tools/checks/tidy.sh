#!/usr/bin/env bash
# clang-tidy: tidy.sh BASE [FILE…]. Without FILEs, over the sources changed since BASE; an empty BASE is where this
# branch left origin/main, or the commit before.
set -euo pipefail
# shellcheck source=tools/setup.sh
source tools/setup.sh

changed_sources() {
  local from=$1
  [[ -n $from ]] || from=$(git merge-base HEAD origin/main 2>/dev/null) || from=HEAD~1
  [[ -n $1 || $(git rev-parse "$from") != $(git rev-parse HEAD) ]] || from=HEAD~1
  git diff --name-only --diff-filter=d "$from" -- {engine,shm,kernels,api,tools}/'*.cpp'
}

base=$1
shift
files=("$@")
if ((${#files[@]} == 0)); then mapfile -t files < <(changed_sources "$base"); fi
if ((${#files[@]} > 0)); then
  # A file is read with the flags it is compiled with, and needs the generated header. Clang cannot read the headers
  # that GCC has precompiled.
  quietly configure-release cmake --preset release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DFOLDLANE_QUICK_BUILD=OFF
  quietly build-header cmake --build --preset release --target foldlane_mpi_header
  printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy --quiet -p build/release
fi
echo "${#files[@]} files"
