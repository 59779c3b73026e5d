#!/usr/bin/env python3
"""Fails unless the library has every routine of the table by all names that compilers give it.

usage: names.py NM LIBRARY API_DIR
"""

import subprocess
import sys
from pathlib import Path

nm, library, api = sys.argv[1:]
sys.path.insert(0, str(Path(api, "fortran")))
from bindings import read_calls, read_callbacks  # noqa: E402
from sections import has_choice  # noqa: E402

EXPECTED = (465, 455)  # rows for mpif.h and `use mpi`, for `use mpi_f08`


def names_of(call):
    old = [] if call.is_large else [f"{call.name.lower()}{end}" for end in ("", "_", "__")] + [call.name.upper()]
    new = [f"{call.name.lower()}_f08{'ts' if has_choice(call) else ''}_"] if call.in_f08 else []
    both = old + new
    return both + [("P" if name.isupper() else "p") + name for name in both]


def main():
    calls, only = read_calls(Path(api, "table"))
    callbacks, predefined = read_callbacks(Path(api, "table"))
    rows = [c for c in calls + only + callbacks + predefined if not c.is_large]
    counted = sum(c.in_f90 for c in rows), sum(c.in_f08 for c in rows)
    problems = [] if counted == EXPECTED else [f"the table has {counted} rows, expected {EXPECTED}"]
    expected = [name for call in calls for name in names_of(call)]
    expected += [f"{p.name.lower()}_" for p in predefined] + ["mpi_sizeof_", "pmpi_sizeof_"]
    expected += [f"{prefix}{c.name.lower()}_" for c in only for prefix in ("", "p")]
    output = subprocess.run([nm, "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    found = {line.split()[2] for line in output.splitlines()}
    problems += [f"missing: {name}" for name in expected if name not in found]
    print(f"{counted[0]} rows for mpif.h and `use mpi`, {counted[1]} for `use mpi_f08`, {len(set(expected))} names")
    return "\n".join(problems) or 0


sys.exit(main())
