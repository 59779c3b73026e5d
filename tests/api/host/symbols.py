#!/usr/bin/env python3
"""What the stub needs and gives: symbols.py NM READELF STUB ACCELERATED_TSV."""

import re
import subprocess
import sys


def lines(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


def main(nm, readelf, stub, table):
    undefined = [line.split()[-1] for line in lines(nm, "-D", "--undefined-only", stub)]
    defined = {line.split()[-1] for line in lines(nm, "-D", "--defined-only", stub)}
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", "\n".join(lines(readelf, "-d", stub)))
    with open(table, encoding="utf-8") as rows:
        calls = rows.read().split()[1:] + ["MPI_Init", "MPI_Init_thread"]
    wrong = [f"it needs {name}, which only an MPI has" for name in undefined if re.match("P?MPI_|ompi_|MPIR", name)]
    wrong += [f"it needs the library {name}" for name in needed if name != "libc.so.6"]
    expected = {prefix + call for call in calls for prefix in ("", "P")}
    wrong += [f"it defines {name}" for name in sorted(defined - expected)]
    wrong += [f"it does not define {name}" for name in sorted(expected - defined)]
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
