"""Constants in Fortran: numbers, handles, and variables whose addresses stand for constants."""

from pathlib import Path
from typing import NamedTuple

from bindings import HANDLES
from generate import read_rows

KINDS = {"c_intptr_t": 8, "c_int64_t": 8}

# Common blocks of sentinels.hpp: name -> (old interfaces, mpi_f08).
INTEGER_ARRAY = ("INTEGER {}(1)", "integer, bind(C, name=\"{}\") :: {}(1)")
SENTINELS = {
    "MPI_BOTTOM": ("INTEGER {}", "integer, bind(C, name=\"{}\") :: {}"),
    "MPI_IN_PLACE": ("INTEGER {}", "integer, bind(C, name=\"{}\") :: {}"),
    "MPI_BUFFER_AUTOMATIC": ("INTEGER {}", "integer, bind(C, name=\"{}\") :: {}"),
    "MPI_STATUS_IGNORE": ("INTEGER {}(8)", "type(MPI_Status), bind(C, name=\"{}\") :: {}"),
    "MPI_STATUSES_IGNORE": ("INTEGER {}(8,1)", "type(MPI_Status), bind(C, name=\"{}\") :: {}(1)"),
    "MPI_ERRCODES_IGNORE": INTEGER_ARRAY,
    "MPI_UNWEIGHTED": INTEGER_ARRAY,
    "MPI_WEIGHTS_EMPTY": INTEGER_ARRAY,
    "MPI_ARGV_NULL": ("CHARACTER*1 {}(1)", "character, bind(C, name=\"{}\") :: {}(1)"),
    "MPI_ARGVS_NULL": ("CHARACTER*1 {}(1,1)", "character, bind(C, name=\"{}\") :: {}(1,1)"),
}
# These have other types in the two modules, where the others are one variable. That of the module mpi is a common
# block, because gfortran refuses two variables of one name for the linker.
STATUSES = ("MPI_STATUS_IGNORE", "MPI_STATUSES_IGNORE")
PLAIN_SENTINELS = tuple(name for name in SENTINELS if name not in STATUSES)
# Not in the table: the kind of the ABI's INTEGER, which the standard names MPI_INTEGER_KIND.
INTEGER_KIND = ("MPI_INTEGER_KIND", "4", "")


class Constant(NamedTuple):
    name: str
    value: str
    handle: str   # the type of the handle; "": a number


def read_constants(table_dir):
    """Numbers and handles. What else stands in the table are the sentinels, functions, and names of C."""
    rows = read_rows(Path(table_dir, "fortran_constants.tsv"),
                     ["name", "category", "abi_value", "c_type", "f90_type", "f08_type"])
    constants = [Constant(*INTEGER_KIND)]
    for name, category, value, c_type, f90_type, _ in rows:
        value = str(KINDS.get(value, value))
        if f90_type == "INTEGER" and name not in SENTINELS and "SUPPORT_METHOD" not in category:
            constants.append(Constant(name, value, c_type if c_type in HANDLES.values() else ""))
    return constants


def common_block(name):
    return "FOLDLANE_" + name.removeprefix("MPI_")


def old_numbers(constants):
    """For mpif.h and the module mpi, without continuation, so that fixed and free form read them."""
    lines = []
    for c in constants:
        lines += [f"INTEGER {c.name}", f"PARAMETER ({c.name}={c.value})"]
    for name in ("MPI_SUBARRAYS_SUPPORTED", "MPI_ASYNC_PROTECTS_NONBLOCKING"):
        lines += [f"LOGICAL {name}", f"PARAMETER ({name}=.FALSE.)"]
    return lines


def common_blocks(names=SENTINELS):
    """Programs bring these themselves; the linker makes one of them all."""
    return [line for name in names
            for line in (SENTINELS[name][0].format(name), f"COMMON /{common_block(name)}/ {name}")]


def library_variables(names):
    """Also programs of several plugins, which do not see each other, agree on these."""
    return [SENTINELS[name][1].format(common_block(name).lower() + "_", name) for name in names]


def f08_declarations(constants):
    lines = []
    for c in constants:
        if c.handle:
            lines.append(f"type({c.handle}), parameter :: {c.name} = {c.handle}({c.value})")
        else:
            lines.append(f"integer, parameter :: {c.name} = {c.value}")
    lines += ["logical, parameter :: MPI_SUBARRAYS_SUPPORTED = .true.",
              "logical, parameter :: MPI_ASYNC_PROTECTS_NONBLOCKING = .true."]
    return lines
