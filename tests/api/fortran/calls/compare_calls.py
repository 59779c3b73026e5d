#!/usr/bin/env python3
"""Fails unless the Fortran programs of generate_calls.py print what the one in C does, for every call they have.

usage: compare_calls.py C_PROGRAM FORTRAN_PROGRAM…
"""

import collections
import subprocess
import sys

# The program in C has no Fortran types described; the length of a string counts the null character in C only.
OTHERWISE = {"MPI_Abi_get_fortran_booleans": ("0: 0", "0: 1"), "MPI_Abi_get_fortran_info": ("0: 1", "0: 0"),
             "MPI_Abi_set_fortran_booleans": ("0:", "62:"),
             "MPI_Session_get_nth_pset": ("0: 12 'mpi://WORLD'", "0: 11 'mpi://WORLD'")}
UNSUPPORTED = "55"


def told(result, has_codes):
    """Without an argument ierror a program learns no codes."""
    return result if has_codes else result.partition(":")[2]


def results(program):
    run = subprocess.run([program], check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return dict(line.split(" ", 1) for line in run.stdout.splitlines())


def main(c_program, *fortran_programs):
    in_c, status = results(c_program), 0
    for program in fortran_programs:
        in_fortran = results(program)
        has_codes = not program.endswith("f08_keywords")
        for name, result in in_fortran.items():
            expected = OTHERWISE.get(name, (in_c[name], in_c[name]))
            if in_c[name] != expected[0] or told(result, has_codes) != told(expected[1], has_codes):
                print(f"{program}: {name}: '{result}', in C '{in_c[name]}'")
                status = 1
        if not has_codes:
            print(f"{program}: {len(in_fortran)} calls as in C, without codes")
            continue
        classes = collections.Counter(result.split(":")[0] for result in in_fortran.values())
        print(f"{program}: {len(in_fortran)} calls as in C: {classes['0']} succeed, {classes[UNSUPPORTED]} are refused "
              f"by name, {len(in_fortran) - classes['0'] - classes[UNSUPPORTED]} have other errors")
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
