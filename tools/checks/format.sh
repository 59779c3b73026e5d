#!/usr/bin/env bash
# Whether the C and C++ files are as clang-format wants them: format.sh CLANG-FORMAT. Names those that are not.
set -euo pipefail

mapfile -t files < <(git ls-files '*.cpp' '*.hpp' '*.h' '*.c')
if report=$("$1" --dry-run --Werror "${files[@]}" 2>&1); then
  echo "${#files[@]} files"
else
  wrong=$(sed -n 's/^\([^ :]*\):[0-9]*:[0-9]*: error: .*/\1/p' <<<"$report" | sort -u)
  printf '%s\nmend them with: %s -i FILE...\n' "${wrong:-$report}" "$1"
  exit 1
fi
