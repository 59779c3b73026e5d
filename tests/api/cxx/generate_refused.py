#!/usr/bin/env python3
"""Writes refused.inc: a call of every method of the C++ bindings whose C call the library refuses, with arguments made
up from their types, and the names of all calls that it refuses.

usage: generate_refused.py API_DIR OUTPUT
"""

import importlib.util
import sys
from pathlib import Path

sys.dont_write_bytecode = True

VALUES = {"int": "1", "bool": "true", "Aint": "0", "Offset": "0", "const Datatype&": "INT", "const Op&": "SUM",
          "const Info&": "INFO_NULL", "const Group&": "GROUP_EMPTY", "const Intracomm&": "COMM_SELF",
          "const void*": "bytes", "void*": "bytes", "const char*": "text", "char*": "text"}


def bindings(api):
    """api/cxx/generate.py, which shares its name with the generator that it imports."""
    spec = importlib.util.spec_from_file_location("cxx_generate", Path(api, "cxx", "generate.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def argument(parameter):
    """Of the others there is an object each, named after the type: Status -> a_status, int[] -> some_ints."""
    kind, _, suffix = parameter
    kind = kind.strip()
    if suffix:
        return f"some_{kind.split()[-1].lower()}s"
    return VALUES.get(kind) or f"a_{kind.rstrip('&').lower()}"


def call(method):
    owner = method.row.owner
    head = (f"{owner}::" if method.is_static else f"of_{owner.lower()}.") if owner else "MPI::"
    arguments = ", ".join(argument(p) for p in method.parameters)
    return f'refused("{method.row.function.name}", [&] {{ {head}{method.row.method}({arguments}); }});\n'


def main(api, output):
    generator = bindings(api)
    found = generator.methods(generator.read_methods(Path(api, "table")))
    names = " ".join(f.name for f in generator.read_functions(Path(api, "table", "functions.tsv")) if not f.supported)
    Path(output).write_text(f'#define REFUSED_CALLS " {names} "\n' +
                            "".join(call(m) for m in found if not m.row.function.supported), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
