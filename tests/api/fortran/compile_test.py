#!/usr/bin/env python3
"""What compiles, and what does not and why: the interfaces as compilers and the wrapper see them.

usage: compile_test.py BIN_DIR
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

F08 = """program p
use mpi_f08
integer :: n, code
real :: x(4)
type(MPI_Comm) :: comm
{}
end program
"""
MPI = F08.replace("mpi_f08", "mpi").replace("type(MPI_Comm)", "integer")
MPIF = """      program p
      include 'mpif.h'
      integer n, code
      real x(4)
      double precision y(4)
{}
      end
"""

# (source, lines, options, what the compiler must say; "": it compiles)
CASES = [
    (F08, "call MPI_Comm_rank(MPI_COMM_WORLD, n)", [], ""),
    (F08, "call MPI_Comm_rank(rank=n, comm=MPI_COMM_WORLD, ierror=code)", [], ""),
    (F08, "call MPI_Bcast(x, 4_MPI_COUNT_KIND, MPI_REAL, 0, MPI_COMM_WORLD)", [], ""),
    (F08, "call MPI_Comm_rank(257, n)", [], "Type mismatch|no specific"),
    (F08, "call MPI_Comm_rank(MPI_SUM, n)", [], "Type mismatch|no specific"),
    (F08, "call MPI_Bcast(x, 4, MPI_REAL, 0)", [], "no specific"),
    (F08, "MPI_COMM_WORLD = comm", [], "[Nn]amed constant"),
    (F08, "print *, comm == MPI_COMM_SELF, comm == MPI_INTEGER", [], "Operands of comparison"),
    (F08, "call MPI_Op_create(p, .true., comm)", [], "not appropriate|no specific|Type mismatch"),
    (F08, "print *, MPI_Wtime() + MPI_Wtick(), MPI_Aint_add(1_MPI_ADDRESS_KIND, 2_MPI_ADDRESS_KIND)", [], ""),
    (F08, "call MPI_Sizeof(x, n)", [], ""),
    (F08, "call MPI_Sizeof(x(2:3), n, code)", [], ""),
    (MPI, "call MPI_Comm_rank(comm=MPI_COMM_WORLD, rank=n, ierror=code)", [], ""),
    (MPI, "call MPI_Comm_rank(MPI_COMM_WORLD, n)", [], "Missing actual argument"),
    (MPI, "call MPI_Comm_rank(MPI_COMM_WORLD, x, code)", [], "Type mismatch"),
    (MPI, "call MPI_Allreduce(x, n, 1, MPI_REAL, MPI_SUM, MPI_COMM_WORLD, code)", [], ""),
    (MPI, "call MPI_Sizeof(x, n, code)", [], ""),
    (MPIF, "      call mpi_bcast(x, 4, MPI_REAL, 0, MPI_COMM_WORLD, code)\n"
           "      call mpi_bcast(y, 4, MPI_REAL, 0, MPI_COMM_WORLD, code)", ["-ffixed-form"], ""),
    (MPIF, "      call mpi_bcast(x, 4, MPI_REAL, 0, MPI_COMM_WORLD)", ["-ffixed-form"], "Missing actual argument"),
    (MPIF, "      call mpi_sizeof(y(1), n, code)", ["-ffixed-form", "-ffixed-line-length-132"], ""),
    (MPIF, "      call mpi_sizeof(y, n, code)", ["-ffree-form", "-Wall", "-Wno-unused", "-Werror"], ""),
    (MPIF, "", ["-ffixed-form", "-fdefault-integer-8"], "not supported: an INTEGER of MPI has 4 bytes"),
]


def compile_with(command, source, options, directory):
    path = Path(directory, "p.f90")
    path.write_text(source, encoding="utf-8")
    run = subprocess.run([*command, "-fsyntax-only", *options, str(path)], text=True, capture_output=True,
                         env=os.environ | {"LC_ALL": "C"}, cwd=directory)
    return run.returncode, run.stdout + run.stderr


def check_cases(wrapper, directory):

    for source, lines, options, message in CASES:
        code, output = compile_with([wrapper], source.format(lines), options, directory)
        if (code == 0) != (message == "") or not re.search(message, output):
            yield f"{lines.strip()} {options}: code {code}, expected '{message}':\n{output}"


def check_standards(wrapper, directory):
    """No interface needs a newer standard than the program is written in."""
    for standard in ("f95", "f2003", "f2008", "f2018", "gnu", "legacy"):
        for source, lines in ((F08, "call MPI_Comm_rank(MPI_COMM_WORLD, n)"),
                              (MPI, "call MPI_Comm_rank(MPI_COMM_WORLD, n, code)"),
                              (MPIF, "      call mpi_comm_rank(MPI_COMM_WORLD, n, code)")):
            options = ["-ffixed-form"] if source is MPIF else []
            code, output = compile_with([wrapper], source.format(lines), options + [f"-std={standard}"], directory)
            if code != 0:
                yield f"-std={standard}:\n{output}"


def check_plain_compiler(wrapper, directory):
    """Without the wrapper mpif.h itself refuses larger integers."""
    command = subprocess.run([wrapper, "-show", "-c"], text=True, capture_output=True, check=True).stdout.split()
    code, output = compile_with([c for c in command if c != "-c"], MPIF.format(""),
                                ["-ffixed-form", "-fdefault-integer-8"], directory)
    if code == 0 or "mpif.h" not in output:
        yield f"gfortran -fdefault-integer-8: code {code}:\n{output}"


def check_other_version(wrapper, directory):
    """A compiler that says it is version 99, and one that is another's: the message says what to do."""
    for answer, message in (
            ("GNU Fortran (Other) 99.1.0", "no modules for {0}, version 99.1.0.* -fc={0} -make-modules\n"),
            ("nagfor", "{0} is neither gfortran nor flang"), ("", "cannot run {0}")):
        other = Path(directory, "other-fortran")
        other.write_text(f"#!/bin/sh\n[ $1 = -dumpversion ] && echo 99.1.0 || echo '{answer}'\n", encoding="utf-8")
        other.chmod(0o755)
        for option in ("p.f90", "-show", "-showme:compile", "-showme:link", "-showme:incdirs"):
            run = subprocess.run([wrapper, f"-fc={other}", option], text=True, capture_output=True)
            if run.returncode == 0 or run.stdout or not re.search(message.format(other), run.stderr):
                yield f"{option} with another compiler: code {run.returncode}: {run.stdout}{run.stderr}"


def main(bin_dir):
    wrapper = str(Path(bin_dir, "mpifort"))
    with tempfile.TemporaryDirectory() as directory:
        problems = [p for check in (check_cases, check_standards, check_plain_compiler, check_other_version)
                    for p in check(wrapper, directory)]
    print(f"{len(CASES) + 20} cases")
    return "\n".join(problems) or 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
