#!/bin/bash
# mpi4py runs on Foldlane: carries out the two lines of README.md as they are printed, then runs the programs beside
# this one. Where Debian's sources or numpy are not there it says so and is skipped.
#
# usage: recipe.sh BUILD_DIR README WORK_DIR
set -euo pipefail
build=$1
readme=$2
work=$3
here=$(cd -- "${0%/*}" && pwd)
# Debian's Python goes before others, because it is the one with numpy.
export PATH=$build/bin:/usr/bin:$PATH

# tools/test lists what says so in these words; 77 tells CTest.
skip() {
  echo "[  SKIPPED ] mpi4py.recipe ($1)"
  exit 77
}

download=$(sed -n 's/^    \(apt-get source .*\)/\1/p' "$readme")
compile=$(sed -n 's/^    \(mpicc .*MPI\.so\)$/\1/p' "$readme")
if [ -z "$download" ] || [ -z "$compile" ]; then
  echo "README.md has lost a line of the recipe"
  exit 1
fi

python3 -c 'import numpy' 2>/dev/null || skip "python3 has no numpy"
python3-config --includes >/dev/null 2>&1 || skip "python3-dev is not installed"
mkdir -p "$work"
cd "$work"
[ -e src/MPI.c ] || eval "$download" || skip "apt-get source gives no paraview; are there deb-src lines?"
eval "$compile"

export PYTHONPATH=$work/src
for ranks in 1 2 3 4; do
  for heap in "" --shared-heap; do
    for program in collectives messages objects; do
      # shellcheck disable=SC2086 # none or one word
      mpiexec $heap -n $ranks python3 "$here/$program.py"
    done
  done
done

# What mpi4py calls and the library refuses.
comm -12 <(nm -D --undefined-only src/mpi4py/MPI.so | sed -n 's/.* U \(MPI_[A-Z][a-z].*\)/\1/p' | sort) \
  <(foldlane info --calls | awk '$2 != "supported" { print $1 }' | sort) >refused.txt
echo "refused are $(wc -l <refused.txt) of $(nm -D --undefined-only src/mpi4py/MPI.so | grep -c ' U MPI_[A-Z][a-z]') calls:"
fmt -w 120 refused.txt

# Where arrays lie: numpy's memory is malloc's, so the statistics have copies of private memory, or none.
sums='import numpy; from mpi4py import MPI; MPI.COMM_WORLD.Allreduce(numpy.ones(1 << 17), numpy.zeros(1 << 17))'
copies() {
  mpiexec "$@" --stats -n 2 python3 -c "$sums" 2>&1 | grep -c '^    private' || true
}
if [ "$(copies)" != 1 ] || [ "$(copies --shared-heap)" != 0 ]; then
  echo "arrays are to be copied without --shared-heap, and only then"
  exit 1
fi
