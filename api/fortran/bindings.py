"""What the tables say about the Fortran face of each call: every C prototype with the standard's facts about its
parameters beside it. Everything that is generated for Fortran is made from this."""

import sys
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from generate import TableError, read_functions, read_rows  # noqa: E402

HANDLES = {"COMMUNICATOR": "MPI_Comm", "DATATYPE": "MPI_Datatype", "ERRHANDLER": "MPI_Errhandler", "FILE": "MPI_File",
           "GROUP": "MPI_Group", "INFO": "MPI_Info", "MESSAGE": "MPI_Message", "OPERATION": "MPI_Op",
           "REQUEST": "MPI_Request", "SESSION": "MPI_Session", "WINDOW": "MPI_Win"}
COLUMNS = ["function", "name_f90", "function_flags", "position", "parameter", "kind", "direction", "length", "pointer",
           "function_type", "suppressed_in", "flags"]


class Argument(NamedTuple):
    name: str
    kind: str           # the standard's word: COMMUNICATOR, BUFFER, …
    direction: str      # in, out, inout
    length: str         # of an array, if the standard names it: a parameter, or "*"
    callback: str       # the type of a callback function
    flags: frozenset    # asynchronous, constant, …
    hidden: frozenset   # where it does not stand: f90_parameter, c_parameter, f08_intent, …
    c_type: str         # "const int *", without the name; "" where C has no such parameter
    c_suffix: str       # "[]"

    @property
    def in_fortran(self):
        return "f90_parameter" not in self.hidden and self.kind != "VARARGS"

    @property
    def is_array(self):
        return bool(self.c_suffix) or (self.length not in ("",) and self.kind not in ("STRING",))

    @property
    def by_value(self):
        return "*" not in self.c_type and not self.c_suffix

    @property
    def base_type(self):
        """The C type without const and stars: int, MPI_Count, MPI_Comm."""
        return self.c_type.replace("const", "").replace("*", "").strip()


class Call(NamedTuple):
    name: str        # of the C function, MPI_Allreduce_c
    returns: str     # int, double, MPI_Aint; "" where there is no C function
    arguments: list
    in_f90: bool
    in_f08: bool
    own_name: bool   # the form with large counts is no specific of the generic, since Fortran could not tell it apart
    flags: frozenset

    @property
    def lower(self):
        return self.name.lower()

    @property
    def is_large(self):
        return self.name.endswith("_c")

    @property
    def fortran_arguments(self):
        return [a for a in self.arguments if a.in_fortran]

    def has(self, *kinds):
        return any(a.kind in kinds for a in self.fortran_arguments)


class Row(NamedTuple):
    cells: dict

    @property
    def flags(self):
        return frozenset(self.cells["flags"].split(","))

    @property
    def hidden(self):
        return frozenset(self.cells["suppressed_in"].split())

    def argument(self, c_parameter):
        c = self.cells
        prefix, suffix = (c_parameter.prefix.strip(), c_parameter.suffix) if c_parameter else ("", "")
        return Argument(c["parameter"], c["kind"], c["direction"], c["length"], c["function_type"], self.flags,
                        self.hidden, prefix, suffix)


def read_procedures(path):
    """name -> (flags, rows): every call, callback and predefined function."""
    procedures = {}
    for values in read_rows(path, COLUMNS):
        cells = dict(zip(COLUMNS, values))
        flags, rows = procedures.setdefault(cells["function"], (set(), []))
        flags.update(f.split("=")[0] for f in cells["function_flags"].split(",") if f)
        if cells["kind"]:
            rows.append(Row(cells))
    return procedures


def paired(name, rows, parameters):
    """The standard's rows with the parameters of the C prototype, which has them in the same order."""
    arguments, left = [], list(parameters)
    for row in rows:
        if "c_parameter" in row.hidden:
            arguments.append(row.argument(None))
            continue
        if not left:
            raise TableError(f"{name}: C has no parameter {row.cells['parameter']}")
        arguments.append(row.argument(left.pop(0)))
    if left:
        raise TableError(f"{name}: the C parameter {left[0].name} is unknown to the standard")
    return arguments


def call_of(function, flags, rows):
    large = function.name.endswith("_c")
    rows = [r for r in rows if large or "large_only" not in r.flags]
    return Call(function.name, function.returns, paired(function.name, rows, function.parameters),
                "f90_expressible" in flags and not large, "f08_expressible" in flags,
                large and "f08_abstract_interface" not in flags, frozenset(flags))


def read_calls(table_dir):
    """The calls that have C and Fortran bindings, in the order of the C table, and those that have Fortran only."""
    procedures = read_procedures(Path(table_dir, "fortran_parameters.tsv"))
    functions = read_functions(Path(table_dir, "functions.tsv"))
    calls = []
    for function in functions:
        flags, rows = procedures.get(function.name.removesuffix("_c"), (set(), []))
        if "f90_expressible" in flags or "f08_expressible" in flags:
            calls.append(call_of(function, flags, rows))
    names = {f.name for f in functions}
    only = [Call(name, "", [r.argument(None) for r in rows], True, True, False, frozenset(flags))
            for name, (flags, rows) in procedures.items()
            if name not in names and not flags & {"callback", "predefined_function"} and "f90_expressible" in flags]
    return calls, only


def read_callbacks(table_dir):
    """Two lists: types of callback functions, predefined callback functions."""
    procedures = read_procedures(Path(table_dir, "fortran_parameters.tsv"))

    def those_with(flag):
        return [Call(name, "", [r.argument(None) for r in rows if r.cells["kind"] != "VARARGS"],
                     "f90_expressible" in flags, "f08_expressible" in flags, False, frozenset(flags))
                for name, (flags, rows) in procedures.items() if flag in flags and "f90_expressible" in flags]
    return those_with("callback"), those_with("predefined_function")
