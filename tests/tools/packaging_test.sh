#!/bin/bash
# The wrappers, pkg-config, find_package and make, as users meet them: from the build tree, from an install prefix,
# and from a prefix that was moved to a path with a space.
#
# usage: packaging_test.sh BUILD_DIR PROJECT_DIR
set -euo pipefail
build=$1
project=$2
work=$(mktemp -d /tmp/foldlane-packaging-XXXXXX)
trap 'rm -rf "$work"' EXIT
unset MPICC MPICH_FC OMPI_FC FOLDLANE_FC MPICH_CC OMPI_CC FOLDLANE_CC MPICH_CXX OMPI_CXX FOLDLANE_CXX LD_LIBRARY_PATH MPI_HOME
clean_path=$PATH
fortran=
[ ! -e "$build/bin/mpifort" ] || fortran=ON
modules=$(cd "$build/include" && echo foldlane/gfortran-*)

fail() {
  echo "FAILED ($prefix): $*" >&2
  exit 1
}

# expect NAME EXPECTED ACTUAL
expect() {
  [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"
}

runs() {
  expect "running $1" "sum 3 of 2" "$(mpiexec -n 2 "$1")"
}

check_questions() {
  local I="-I$include" L="-L$lib -Wl,-rpath,$lib -Wl,--enable-new-dtags -lmpi_abi"
  for dash in - --; do
    expect ${dash}showme:compile "$I" "$(mpicc ${dash}showme:compile)"
    expect ${dash}showme:link "$L" "$(mpicc ${dash}showme:link)"
    expect ${dash}showme:incdirs "$include" "$(mpicc ${dash}showme:incdirs)"
    expect ${dash}showme:libdirs "$lib" "$(mpicc ${dash}showme:libdirs)"
    expect ${dash}showme:libs mpi_abi "$(mpicc ${dash}showme:libs)"
    expect ${dash}showme:command cc "$(mpicc ${dash}showme:command)"
    expect ${dash}showme "cc a.c -o a $I $L" "$(mpicc ${dash}showme a.c -o a)"
    [[ $(mpicc ${dash}showme:version) == "mpicc: Foldlane "*" (MPI 5.0 standard ABI)" ]] || fail "${dash}showme:version"
    ! mpicc ${dash}showme:nonsense 2>/dev/null || fail "${dash}showme:nonsense is accepted"
  done
  expect -show "cc -c a.c $I" "$(mpicc -show -c a.c)"
  expect -compile-info "cc $I" "$(mpicc -compile-info)"
  expect -link-info "cc $L" "$(mpicc -link-info)"
  expect "CXX command" c++ "$(mpicxx -showme:command)"
  for link in mpic++ mpiCC mpicxx_abi; do expect $link c++ "$($link -showme:command)"; done
  expect mpicc_abi cc "$(mpicc_abi -showme:command)"
  [[ $(mpicc -v 2>&1) == *version* ]] || fail "-v"
}

check_compiler_choice() {
  expect FOLDLANE_CC one "$(FOLDLANE_CC=one MPICH_CC=two OMPI_CC=three mpicc -showme:command)"
  expect MPICH_CC two "$(MPICH_CC=two OMPI_CC=three mpicc -showme:command)"
  expect OMPI_CC three "$(OMPI_CC=three mpicc -showme:command)"
  expect OMPI_CXX four "$(OMPI_CXX=four mpicxx -showme:command)"
  expect -cc= "five -I$include" "$(mpicc -cc=five -compile-info)"
  FOLDLANE_CC="env cc" mpicc "$project/hello.c" -o "$work/two words" || fail "a compiler of two words"
}

check_compiling() {
  mpicc -O1 "$project/hello.c" -o "$work/hello in c"
  runs "$work/hello in c"
  cp "$project/hello.c" "$work/hello.cc"
  mpicxx -DUNUSED='"a b"' "$work/hello.cc" -o "$work/hello_cxx"
  runs "$work/hello_cxx"
  ln -sf "$prefix/bin/mpicc" "$work/linked-mpicc"
  "$work/linked-mpicc" -c "$project/hello.c" -o "$work/hello.o" || fail "through a symbolic link"
  ! mpicc "$work/no-such-file.c" 2>/dev/null || fail "a missing file compiles"
  ! mpicc "$project/hello.c" -c -nonsense-flag -o "$work/x.o" 2>/dev/null || fail "a wrong flag is accepted"
}

# With Fortran, where that was built.
check_fortran() {
  [ -n "$fortran" ] || return 0
  local I="-I$include/$modules -I$include" L="-L$lib -Wl,-rpath,$lib -Wl,--enable-new-dtags -lmpifort_abi -lmpi_abi"
  for name in mpifort mpif90 mpif77 mpifort_abi; do
    expect "$name -show" "gfortran a.f90 $I $L" "$($name -show a.f90)"
    expect "$name -showme:compile" "$I" "$($name -showme:compile)"
    expect "$name -showme:link" "$L" "$($name -showme:link)"
    expect "$name -showme:incdirs" "$include/$modules $include" "$($name -showme:incdirs)"
    expect "$name -showme:libs" "mpifort_abi mpi_abi" "$($name -showme:libs)"
  done
  expect FOLDLANE_FC one "$(FOLDLANE_FC=one MPICH_FC=two mpifort -showme:command)"
}

compile_fortran() {
  [ -n "$fortran" ] || return 0
  mpifort "$project/hello.f90" -o "$work/hello in fortran"
  runs "$work/hello in fortran"
}

check_make() {
  rm -rf "$work/make" && cp -r "$project" "$work/make"
  make -s -C "$work/make" hello
  runs "$work/make/hello"
}

# check_cmake OPTIONS...
check_cmake() {
  rm -rf "$work/cmake"
  cmake -S "$project" -B "$work/cmake" -DWITH_FORTRAN="${fortran:-OFF}" "$@" > "$work/log" 2>&1 || { cat "$work/log"; fail "configuring with $*"; }
  { cmake --build "$work/cmake" && ctest --test-dir "$work/cmake"; } > "$work/log" 2>&1 ||
    { cat "$work/log"; fail "building and running with $*"; }
}

check_pkg_config() {
  export PKG_CONFIG_PATH=$lib/pkgconfig
  expect "pkg-config version" 5.0 "$(pkg-config --modversion mpi_abi)"
  for name in mpi_abi foldlane; do
    eval cc "\"$project/hello.c\"" -o "\"$work/pc\"" "$(pkg-config --cflags --libs $name)"
    runs "$work/pc"
  done
  [ -n "$fortran" ] || return 0
  eval gfortran "\"$project/hello.f90\"" -o "\"$work/pc\"" "$(pkg-config --cflags --libs mpifort_abi)"
  runs "$work/pc"
}

check_prefix() {
  prefix=$1 include=$1/include lib=$1/lib
  export PATH=$prefix/bin:$clean_path
  check_compiling
  compile_fortran
  check_make
  check_cmake
  grep -q "$include" "$work/cmake/CMakeCache.txt" || fail "find_package(MPI) has found another MPI"
  PATH=$clean_path check_cmake -DMPI_HOME="$prefix"
}

check_prefix "$build"
check_pkg_config
check_cmake -DTHROUGH_CONFIG=ON -DCMAKE_PREFIX_PATH="$prefix"
check_questions
check_fortran
check_compiler_choice

cmake --install "$build" --prefix "$work/installed" > /dev/null
check_prefix "$work/installed"
check_questions
check_fortran
for page in foldlane foldlane-bench mpiexec mpirun mpicc mpicxx; do
  [ -s "$prefix/share/man/man1/$page.1" ] || fail "there is no manual page of $page"
done
check_pkg_config
check_cmake -DTHROUGH_CONFIG=ON -DCMAKE_PREFIX_PATH="$prefix"

mv "$work/installed" "$work/moved away"
check_prefix "$work/moved away"
check_pkg_config
check_cmake -DTHROUGH_CONFIG=ON -DCMAKE_PREFIX_PATH="$prefix"
foldlane bench allreduce -b 8 -e 8 --seconds 0.01 -q > "$work/log" 2>&1 || { cat "$work/log"; fail "foldlane bench"; }
[[ $("$prefix/bin/foldlane" info) == *"library: $prefix/lib/libmpi_abi.so.1"* ]] || fail "foldlane info misses its library"
echo "all well"
