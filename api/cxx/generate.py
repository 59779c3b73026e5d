#!/usr/bin/env python3
"""Writes the C++ bindings of MPI-2.2 from the table of the C calls and from cxx.tsv, which says of each call that they
have: its class (none for the functions of the namespace), its name there, the parameter of C that it returns (and as
what class), and how it differs otherwise. That is a list of

    static    two objects of the class are compared or combined; neither is the method's own
    mutable   the method is not const. Otherwise it is, unless C wants the address of the object's handle
    const     the method is const nevertheless
    x=const   the parameter x points to const, as it does not in C
    x=Class   the parameter x is of that class instead of the one that C's type says

usage: generate.py TABLE_DIR TEMPLATE OUTPUT
"""

import re
import sys
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from generate import (BANNER, Function, Parameter, TableError, read_constants,  # noqa: E402
                      read_functions, read_rows, wrapped)

# The classes that handles of C are by themselves. Those derived from Comm and Request stand in the table.
CLASSES = {"MPI_" + name: name for name in
           ("Comm", "Datatype", "Errhandler", "File", "Group", "Info", "Op", "Request", "Status", "Win")}
BASES = {"Intracomm": "Comm", "Intercomm": "Comm", "Cartcomm": "Comm", "Graphcomm": "Comm", "Distgraphcomm": "Comm",
         "Prequest": "Request", "Grequest": "Request"}
LOGICAL = ("commute", "flag", "high", "reorder")
ADDRESSES = ("MPI_Aint", "MPI_Offset")
COLUMNS = ["name", "class", "method", "returns", "how"]

# Where C++ has another name for a datatype than C: MPI::COMPLEX is C++'s type, MPI::F_COMPLEX is Fortran's.
RENAMED = {"COMPLEX": "F_COMPLEX", "DOUBLE_COMPLEX": "F_DOUBLE_COMPLEX", "CXX_BOOL": "BOOL",
           "CXX_FLOAT_COMPLEX": "COMPLEX", "CXX_DOUBLE_COMPLEX": "DOUBLE_COMPLEX",
           "CXX_LONG_DOUBLE_COMPLEX": "LONG_DOUBLE_COMPLEX", "2INT": "TWOINT", "2REAL": "TWOREAL",
           "2DOUBLE_PRECISION": "TWODOUBLE_PRECISION", "2INTEGER": "TWOINTEGER"}
# Not C++'s (the versions are macros there too), or defined by hand.
NOT_CONSTANTS = re.compile(r"MPI_(T_|F_|ABI_|SEEK_|VERSION$|SUBVERSION$)|MPIX_")


class Row(NamedTuple):
    function: Function
    owner: str      # the class, or ""
    method: str
    returned: str   # the parameter, or ""
    result: str     # its class, or "" if C's type says it
    words: set
    changes: dict   # parameter -> "const" or a class


class Method(NamedTuple):
    row: Row
    returns: str
    parameters: list  # (type with its space, name, suffix)
    is_const: bool
    is_static: bool
    statements: list


def parse_row(cells, functions):
    name, owner, method, returns, how = cells
    if name not in functions:
        raise TableError(f"{name}: no such function")
    returned, _, result = returns.partition(":")
    words = set(filter(None, how.split(",")))
    changes = dict(word.split("=") for word in words if "=" in word)
    function = functions[name]
    for parameter in set(changes) | ({returned} if returned else set()):
        if parameter not in [p.name for p in function.parameters]:
            raise TableError(f"{name}: no parameter {parameter}")
    return Row(function, owner, method, returned, result, words - {f"{k}={v}" for k, v in changes.items()}, changes)


def base_type(parameter):
    return parameter.prefix.replace("const ", "").replace("*", "").strip()


def is_pointer(parameter):
    return "*" in parameter.prefix


def self_of(row):
    """The parameter that is the object itself: the first of its type."""
    if not row.owner or "static" in row.words:
        return None
    c_type = "MPI_" + BASES.get(row.owner, row.owner)
    return next((p for p in row.function.parameters if base_type(p) == c_type and not p.suffix
                 and p.name != row.returned and "array" not in p.name), None)


def is_status(parameter, row):
    return base_type(parameter) == "MPI_Status" and row.owner != "Status"


def class_of(parameter, row):
    change = row.changes.get(parameter.name, "const")
    return CLASSES.get(base_type(parameter)) if change == "const" else change


def converted(parameter, row):
    """(type, name, suffix) in C++, and the argument for C."""
    name, prefix, suffix, base = parameter.name, parameter.prefix, parameter.suffix, base_type(parameter)
    wrapping = class_of(parameter, row)
    if is_status(parameter, row):
        return ((("Status ", name, "[]"), f"detail::c_array({name})") if name.startswith("array")
                else (("Status& ", name, ""), f"{name}.c_address()"))
    if wrapping and suffix:
        return ("const " * ("const" in prefix) + wrapping + " ", name, suffix), f"detail::c_array({name})"
    if wrapping:
        return (((wrapping + "& ", name, ""), f"{name}.c_address()") if is_pointer(parameter)
                else (("const " + wrapping + "& ", name, ""), name))
    if name in row.changes:
        c_type = base + (" (*)" + suffix[2:] if suffix else "*")
        return ("const " + prefix, name, suffix), f"const_cast<{c_type}>({name})"
    if name in LOGICAL and base == "int":
        return ("bool ", name, ""), name
    prefix = prefix.replace("MPI_", "") if base in ADDRESSES else prefix
    if is_pointer(parameter) and base in ("int",) + ADDRESSES:
        return (prefix.replace("*", "&"), name, suffix), "&" + name
    return (prefix, name, suffix), name


def result_of(row):
    """(return type, its declaration, what is returned); nothing for calls that return nothing."""
    if not row.returned:
        return "void", [], []
    parameter = next(p for p in row.function.parameters if p.name == row.returned)
    if row.returned in LOGICAL or row.returned == "commute":
        return "bool", ["int returned = 0;"], ["return returned != 0;"]
    kind = row.result or class_of(parameter, row) or base_type(parameter).replace("MPI_", "")
    return kind, [f"{kind} returned{'' if kind[0].isupper() and kind not in ('Aint', 'Offset') else ' = 0'};"], \
        ["return returned;"]


def argument_for_result(row):
    parameter = next(p for p in row.function.parameters if p.name == row.returned)
    return "returned.c_address()" if row.result or class_of(parameter, row) else "&returned"


def method_of(row, with_status):
    own = self_of(row)
    parameters, arguments = [], []
    for parameter in row.function.parameters:
        if parameter is own:
            arguments.append(own_argument(own, row))
        elif parameter.name == row.returned:
            arguments.append(argument_for_result(row))
        elif is_status(parameter, row) and not with_status:
            arguments.append("MPI_STATUSES_IGNORE" if parameter.name.startswith("array") else "MPI_STATUS_IGNORE")
        else:
            declared, argument = converted(parameter, row)
            parameters.append(declared)
            arguments.append(argument)
    returns, before, after = result_of(row)
    if row.function.returns != "int":
        return Method(row, row.function.returns, parameters, False, True, [f"return {row.function.name}();"])
    statements = before + ["detail::Call call;", wrapped(f"  call({row.function.name}(", arguments or [""], "));").strip()] + after
    changes_handle = own is not None and is_pointer(own) and "const" not in own.prefix
    is_const = own is not None and "mutable" not in row.words and (not changes_handle or "const" in row.words)
    return Method(row, returns, parameters, is_const, own is None, statements)


def own_argument(own, row):
    if row.owner == "Status":
        return "&status_"
    if "const" in row.words:
        return f"const_cast<{row.owner}*>(this)->c_address()"
    return "c_address()" if is_pointer(own) else "*this"


def methods(rows):
    found = []
    for row in rows:
        if any(is_status(p, row) for p in row.function.parameters):
            found.append(method_of(row, with_status=True))
        found.append(method_of(row, with_status=False))
    return found


def declaration(method):
    indent = "  " if method.row.owner else ""
    static = "static " if method.is_static and method.row.owner else ""
    head = f"{indent}{static}{method.returns} {method.row.method}("
    tail = ")" + " const" * method.is_const + ";"
    return (f"{indent}FOLDLANE_CXX_CALLS({method.row.function.name})\n"
            + wrapped(head, ["".join(p) for p in method.parameters] or [""], tail))


def definition(method):
    owner = method.row.owner + "::" if method.row.owner else ""
    head = f"inline {method.returns} {owner}{method.row.method}("
    text = wrapped(head, ["".join(p) for p in method.parameters] or [""], ")" + " const" * method.is_const + " {")
    return text + "".join(f"\n  {statement}" for statement in method.statements) + "\n}\n"


def constant(entry, values):
    name = entry.name[len("MPI_"):]
    name = RENAMED.get(name, re.sub(r"^COMPLEX(?=\d)", "F_COMPLEX", name))
    kind = values[entry.value].type if entry.type == "alias" else entry.type
    value = values[entry.value].value if entry.type == "alias" else entry.value
    if NOT_CONSTANTS.match(entry.name) or kind in ("MPI_Comm", "MPI_File"):
        return ""
    if kind == "int":
        return f"constexpr int {name} = {entry.name};\n"
    if kind == "MPI_Offset":
        return f"constexpr Offset {name} = {entry.name};\n"
    if kind in CLASSES:
        return f"constexpr {CLASSES[kind]} {name}{{detail::Predefined{{{value}}}}};\n"
    return ""


def header(template, rows, constants):
    made = methods(rows)
    values = {c.name: c for c in constants}
    text = re.sub(r"@CALLS ?(\w*)@\n", lambda match: "".join(
        declaration(m) + "\n" for m in made if m.row.owner == match[1]), template)
    text = text.replace("@CONSTANTS@\n", "".join(constant(c, values) for c in constants))
    text = text.replace("@DEFINITIONS@\n", "\n".join(definition(m) for m in made))
    return re.sub(r"@(MPI_\w+)@", lambda match: values[match[1]].value, text)


def read_methods(table_dir):
    functions = {f.name: f for f in read_functions(Path(table_dir, "functions.tsv"))}
    return [parse_row(cells, functions) for cells in read_rows(Path(table_dir, "cxx.tsv"), COLUMNS)]


def main(table_dir, template, output):
    constants = read_constants(Path(table_dir, "constants.tsv"))
    text = header(Path(template).read_text(encoding="utf-8"), read_methods(table_dir), constants)
    Path(output).parent.mkdir(parents=True, exist_ok=True)
    Path(output).write_text(BANNER.replace("api/generate.py", "api/cxx/generate.py") + text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except TableError as error:
        sys.exit(f"generate.py: {error}")
