#!/usr/bin/env python3
"""Writes the calls that timer.c times: those that the stub intercepts.

usage: timed_calls.py API_DIR OUTPUT
"""

import sys
from pathlib import Path


def timed(function):
    count = len(function.parameters)
    parameters = ", ".join(f"word a{i}" for i in range(count))
    arguments = ", ".join(f"a{i}" for i in range(count))
    words = ", ".join(["word"] * count)
    return "".join(f"int {name}({parameters}) {{\n  static int (*function)({words});\n"
                   f'  RETURN_TIMED(function, "P{function.name}", ({arguments}));\n}}\n'
                   for name in (function.name, "P" + function.name))


def main(api, output):
    sys.path.insert(0, api)
    from generate import read_functions, read_rows
    by_name = {function.name: function for function in read_functions(Path(api, "table", "functions.tsv"))}
    names = [cells[0] for cells in read_rows(Path(api, "table", "accelerated.tsv"), ["name"])]
    Path(output).write_text("".join(timed(by_name[name]) for name in names), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
