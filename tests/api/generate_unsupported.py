#!/usr/bin/env python3
"""Writes one call of every unsupported function, with zeros as arguments, for unsupported_test.cpp.

usage: generate_unsupported.py API_DIR OUTPUT
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from generate import read_functions  # noqa: E402

functions = [f for f in read_functions(Path(sys.argv[1], "table", "functions.tsv")) if not f.supported]
rows = [f'{{"{f.name}", [] {{ return {f.name}({", ".join("{}" for _ in f.parameters)}); }}}},' for f in functions]
Path(sys.argv[2]).write_text("\n".join(rows) + "\n", encoding="utf-8")
