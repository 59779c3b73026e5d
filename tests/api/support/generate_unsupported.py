#!/usr/bin/env python3
"""Writes one call of every unsupported function, for unsupported_test.cpp: with zeros as arguments, but for pointers
to the handles of which the test wants to know what becomes.

usage: generate_unsupported.py API_DIR OUTPUT
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from generate import read_functions  # noqa: E402

HANDLES = ("MPI_Comm*", "MPI_File*", "MPI_Request*", "MPI_Win*")


def argument(parameter):
    kind = parameter.prefix.strip()
    return f"handle<{kind[:-1]}>()" if kind in HANDLES and not parameter.suffix else "{}"


functions = [f for f in read_functions(Path(sys.argv[1], "table", "functions.tsv")) if not f.supported]
rows = [f'{{"{f.name}", [] {{ return {f.name}({", ".join(argument(p) for p in f.parameters)}); }}}},' for f in functions]
Path(sys.argv[2]).write_text("\n".join(rows) + "\n", encoding="utf-8")
