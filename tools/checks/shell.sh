#!/usr/bin/env bash
# All tracked shell scripts through shellcheck. mpicc.in is one: what CMake replaces in it are plain words to a shell.
set -euo pipefail

is_script() {
  [[ $1 == *.sh ]] || { [[ -f $1 && $1 != *.* ]] && head -n 1 -- "$1" | grep -qE '^#!.*\b(ba)?sh$'; }
}

files=(tools/compile/mpicc.in)
while IFS= read -r file; do
  if is_script "$file"; then files+=("$file"); fi
done < <(git ls-files . .ci)
shellcheck -x "${files[@]}"
echo "${#files[@]} scripts"
