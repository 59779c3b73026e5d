#!/usr/bin/env python3
"""Writes what the host layer enumerates: the calls that the stub intercepts (accelerated.tsv), and the constants of
each host by which the engine library knows them (hosts.tsv, constants.tsv, datatypes.tsv). Run by CMake.

usage: generate.py TABLE_DIR OUTPUT_DIR
"""

import sys
from pathlib import Path

API = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(API))
from generate import BANNER, TableError, read_constants, read_functions, read_rows  # noqa: E402


def accelerated(table_dir):
    by_name = {f.name: f for f in read_functions(Path(table_dir, "functions.tsv"))}
    names = [cells[0] for cells in read_rows(Path(table_dir, "accelerated.tsv"), ["name"])]
    if unknown := [name for name in names if name not in by_name]:
        raise TableError(f"accelerated.tsv: {unknown[0]} is no call of MPI")
    return [by_name[name] for name in names]


def short(function):
    return function.name[len("MPI_"):]


def numbers(functions):
    rows = "".join(f"  FOLDLANE_{short(f)},\n" for f in functions)
    return (BANNER + "// The calls that are intercepted, by their places in the stub's table.\n#pragma once\n\n"
            f"enum foldlane_call {{\n{rows}  FOLDLANE_CALLS\n}};\n")


def intercepted(function):
    """Handles, pointers and integers all are words in a register or on the stack: the stub passes on what it gets."""
    count = len(function.parameters)
    parameters = ", ".join(f"word a{i}" for i in range(count))
    arguments = ", ".join(f"a{i}" for i in range(count))
    go_on = f"return ((int (*)({', '.join(['word'] * count)}))foldlane_calls[FOLDLANE_{short(function)}])({arguments});"
    return (f"static int first_{short(function)}({parameters}) {{\n  foldlane_find_host();\n  {go_on}\n}}\n"
            f"FOLDLANE_EXPORT int MPI_{short(function)}({parameters}) {{ {go_on} }}\n"
            f"FOLDLANE_EXPORT int PMPI_{short(function)}({parameters}) {{ {go_on} }}\n")


def stub(functions):
    firsts = "".join(f"    (foldlane_function)first_{short(f)},\n" for f in functions)
    names = "".join(f'    "P{f.name}",\n' for f in functions)
    return (BANNER + '#include "stub.h"\n\n#include <stdint.h>\n\ntypedef uintptr_t word;\n\n'
            + "\n".join(intercepted(f) for f in functions)
            + f"\nfoldlane_function foldlane_calls[FOLDLANE_CALLS] = {{\n{firsts}}};\n"
            + f"\nconst char* const foldlane_call_names[FOLDLANE_CALLS] = {{\n{names}}};\n")


def host_rows(table_dir):
    """name, then its value in the standard ABI, MPICH and Open MPI."""
    standard = {c.name: c for c in read_constants(Path(table_dir, "constants.tsv"))}

    def value(name):
        constant = standard.get(name)
        if constant is None:
            raise TableError(f"hosts.tsv: {name} is no constant of the ABI")
        return value(constant.value) if constant.type == "alias" else constant.value

    rows = [(name, value(name), mpich, openmpi) for name, mpich, openmpi in
            read_rows(Path(table_dir, "hosts.tsv"), ["name", "mpich", "openmpi"])]
    return BANNER + "".join("{" + ", ".join(f'"{cell}"' for cell in row) + "},\n" for row in rows)


def names(functions):
    return BANNER + "".join(f'"{f.name}",\n' for f in functions)


def datatype_rows(table_dir):
    return BANNER + "".join(f'{{"{name}", Elem::{element}, ElementClass::{kind}}},\n' for name, element, kind in
                            read_rows(Path(table_dir, "datatypes.tsv"), ["name", "element", "class"]))


def main(table_dir, output_dir):
    functions = accelerated(table_dir)
    outputs = {
        "accelerated_calls.h": numbers(functions),
        "accelerated_names.inc": names(functions),
        "stub_calls.c": stub(functions),
        "host_constants.inc": host_rows(table_dir),
        "host_datatypes.inc": datatype_rows(table_dir),
    }
    Path(output_dir).mkdir(parents=True, exist_ok=True)
    for name, text in outputs.items():
        Path(output_dir, name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except TableError as error:
        sys.exit(f"generate.py: {error}")
