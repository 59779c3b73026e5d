#!/usr/bin/env python3
"""Programs of several compilers over one library: mpifort names the command that makes a compiler's modules, the command
makes them, and the programs run.

usage: other_compilers.py BUILD_DIR COMPILER…  (a few of the programs)
       other_compilers.py BUILD_DIR            (every other gfortran and flang that is installed; 77 if there is none)
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
SKIPPED = 77
OLDEST_FLANG = 19
FEW = [["cg.f"], ["check.f90", "sections.f90"]]
PROGRAMS = FEW + [["check.f90", "messages.f90"], ["oracle.F90", "oracle.c"],
                  ["check.f90", "old_sections_mpif.f90", "old_sections.f90"], ["check.f90", "callbacks.f90"],
                  ["check.f90", "old_callbacks.f90"], ["check.f90", "facts.f90"],
                  ["check.f90", "mixed.f90", "mixed.c", "mixed.cpp"]]

OTHERS = {".c": "mpicc", ".cpp": "mpicxx"}


class Problem(Exception):
    pass


def run(*command, directory, fails=False):
    done = subprocess.run([str(c) for c in command], text=True, cwd=directory, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env=os.environ | {"LC_ALL": "C"})
    if (done.returncode != 0) != fails:
        raise Problem(f"{' '.join(map(str, command))}: code {done.returncode}\n{done.stdout}")
    return done.stdout


def installed(build):
    """Others than the one that the library was built with."""
    own = {p.name for p in Path(build, "include/foldlane").glob("gfortran-*")}
    names = {p.name for d in os.environ["PATH"].split(":") for p in Path(d).glob("*") if re.fullmatch(
        r"(gfortran|flang(-new)?)-\d+", p.name)}
    found = {}
    for name in sorted(names):
        family, version = name.removesuffix("-new").split("-")[0], int(name.rsplit("-", 1)[1])
        if f"{family}-{version}" not in own and (family == "gfortran" or version >= OLDEST_FLANG):
            found[family, version] = name
    return list(found.values())


def make_prefix(build, prefix):
    """The build tree without modules."""
    for folder in ("bin", "include"):
        shutil.copytree(Path(build, folder), Path(prefix, folder), symlinks=True)
    for folder in ("lib", "libexec"):
        Path(prefix, folder).symlink_to(Path(build, folder))
    for modules in Path(prefix, "include/foldlane").glob("*-*"):
        shutil.rmtree(modules)


def make_modules(wrapper, compiler, directory):
    """By the command that the wrapper names, once more over what is there, and with nothing left beside it."""
    told = run(wrapper, f"-fc={compiler}", "-c", HERE / "check.f90", directory=directory, fails=True)
    command = told.rstrip("\n").partition("to make them: mpifort ")[2].split()
    if not command:
        raise Problem(f"mpifort names no command: {told}")
    for _ in range(2):
        run(wrapper, *command, directory=directory)
    beside = list(wrapper.parent.parent.glob("include/foldlane/.*"))
    if beside:
        raise Problem(f"left behind: {beside}")


def has_real_16(wrapper, compiler, directory):
    Path(directory, "kind.f90").write_text("real(16) :: x\nx = 1\nend\n", encoding="utf-8")
    return subprocess.run([wrapper, f"-fc={compiler}", "-c", "kind.f90"], cwd=directory, check=False,
                          stderr=subprocess.DEVNULL).returncode == 0


def check_compiler(prefix, compiler, programs, directory):
    wrapper = prefix / "bin/mpifort"
    make_modules(wrapper, compiler, directory)
    options = [] if has_real_16(wrapper, compiler, directory) else ["-DORACLE_WIDEST=8"]
    # Not by -l: an older gfortran looks for that of its own version only.
    cxx_library = run(prefix / "bin/mpicxx", "-print-file-name=libstdc++.so", directory=directory).strip()
    for sources in programs:
        objects = []
        for source in sources:
            how = [prefix / "bin" / OTHERS[Path(source).suffix]] if Path(source).suffix in OTHERS else \
                [wrapper, f"-fc={compiler}", *options]
            run(*how, "-O1", f"-I{HERE}", "-c", HERE / source, "-o", source + ".o", directory=directory)
            objects.append(source + ".o")
        run(wrapper, f"-fc={compiler}", *objects, "-o", "program", cxx_library, directory=directory)
        run(prefix / "bin/mpiexec", "-n", 2, "./program", directory=directory)


def main(build, *chosen):
    build = Path(build).resolve()
    compilers, programs = (chosen, FEW) if chosen else (installed(build), PROGRAMS)
    problems = 0
    for compiler in compilers:
        with tempfile.TemporaryDirectory() as directory:
            prefix = Path(directory, "prefix")
            make_prefix(build, prefix)
            try:
                check_compiler(prefix, compiler, programs, directory)
                print(f"{compiler}: {len(programs)} programs")
            except Problem as problem:
                print(f"{compiler}: {problem}")
                problems += 1
    return problems if compilers else SKIPPED


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
