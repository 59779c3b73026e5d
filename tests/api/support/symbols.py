#!/usr/bin/env python3
"""Fails unless the library exports exactly the functions of the standard ABI: MPI_X weak, PMPI_X strong; and what
our Fortran library needs.

usage: symbols.py NM LIBRARY FUNCTIONS_TSV
"""

import subprocess
import sys
from pathlib import Path

FUNCTION_COUNT = 664
OURS = {"foldlane_accompany_request": "T", "foldlane_is_sound_datatype": "T",
        "foldlane_refuse_section": "T"}
nm, library, table = sys.argv[1:]

names = [line.split("\t")[0] for line in Path(table).read_text(encoding="utf-8").splitlines()[1:]]
expected = {name: "W" for name in names} | {"P" + name: "T" for name in names} | OURS
output = subprocess.run([nm, "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
found = {name.split("@")[0]: kind for _, kind, name in (line.split() for line in output.splitlines())}

problems = [f"the table has {len(set(names))} names, the ABI {FUNCTION_COUNT}"] * (len(set(names)) != FUNCTION_COUNT)
problems += [f"missing: {name}" for name in expected.keys() - found.keys()]
problems += [f"exported, but not part of the ABI: {name}" for name in found.keys() - expected.keys()]
problems += [f"{name}: kind {found[name]}, expected {kind}" for name, kind in expected.items()
             if found.get(name, kind) != kind]
sys.exit("\n".join(sorted(problems)) or 0)
