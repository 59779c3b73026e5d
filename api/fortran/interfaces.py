"""Interface blocks of the modules mpi and mpi_f08."""

from bindings import HANDLES

WIDTH = 100
KINDS = {"MPI_Aint": "integer(kind=MPI_ADDRESS_KIND)", "MPI_Count": "integer(kind=MPI_COUNT_KIND)",
         "MPI_Offset": "integer(kind=MPI_OFFSET_KIND)", "int": "integer"}
# Kinds in callbacks, which have no C prototype in the table.
CALLBACK_KINDS = {"EXTRA_STATE": "MPI_Aint", "ATTRIBUTE_VAL": "MPI_Aint", "OFFSET": "MPI_Offset",
                  "DISPOFFSET_SMALL": "MPI_Aint"}
NO_INTENT = ("BUFFER", "STATUS", "FUNCTION", "POLYFUNCTION", "WEIGHT")


def folded(head, names, tail):
    lines, line = [], head
    for i, name in enumerate(names):
        piece = name + ("" if i + 1 == len(names) else ", ")
        if len(line) + len(piece) > WIDTH:
            lines.append(line + "&")
            line = "  & "
        line += piece
    if len(line) + len(tail) > WIDTH:
        lines.append(line + " &")
        line = "  & "
    return "\n".join(lines + [line + tail])


def intent(argument):
    a = argument
    is_read_status = a.kind == "STATUS" and a.direction == "in"
    if (a.kind in NO_INTENT and not is_read_status) or "f08_intent" in a.hidden or not a.direction:
        return ""
    return f", intent({a.direction})"


def unchecked_directives(names):
    """For gfortran and for flang, which take each other's for comments."""
    return [f"!GCC$ ATTRIBUTES NO_ARG_CHECK :: {names}", f"!DIR$ IGNORE_TKR {names}"]


def unchecked(argument):
    """Anything: its address, without a descriptor. Of an array of assumed size: flang 19 would not copy the elements of
    a section together for a scalar."""
    return f"type(*) :: {argument.name}(*)\n" + "\n".join(unchecked_directives(argument.name))


def shape(argument):
    if argument.kind == "STRING_2DARRAY":
        return "(count,*)"
    if argument.c_suffix == "[][3]":
        return "(3,*)"
    if argument.kind == "STRING":
        return ""
    if argument.is_array or argument.kind == "STRING_ARRAY" or argument.name == "array_of_statuses":
        return "(*)"
    return ""


# ---- mpi_f08

def f08_choice(a):
    read_only = ", intent(in)" if "constant" in a.flags else ""
    asynchronous = ", asynchronous" if "asynchronous" in a.flags else ""
    return f"type(*), dimension(..){read_only}{asynchronous} :: {a.name}"


def f08_type(call, a):
    if a.kind in HANDLES:
        return f"type({HANDLES[a.kind]})"
    if a.kind in ("STATUS", "F08_STATUS"):
        return "type(MPI_Status)"
    if a.kind == "F90_STATUS":
        return "integer"
    if a.kind == "LOGICAL":
        return "logical"
    if a.kind.startswith("STRING") and a.kind != "STRING_LENGTH":
        return "character(len=*)"
    if a.kind in ("C_BUFFER", "C_BUFFER2"):
        return "type(c_ptr)"
    if a.kind in ("FUNCTION", "POLYFUNCTION"):
        return f"procedure({a.callback}{'_c' if call.is_large and a.kind == 'POLYFUNCTION' else ''})"
    if a.kind in ("EXTRA_STATE", "ATTRIBUTE_VAL"):
        return KINDS["MPI_Aint"]
    return KINDS[a.base_type or "int"]


def f08_declaration(call, a, choice=True):
    if a.kind == "BUFFER" and choice:
        return f08_choice(a)
    if a.kind in ("BUFFER", "LOGICAL_VOID"):  # that is a LOGICAL of any kind
        return unchecked(a)
    dimension = "(8)" if a.kind == "F90_STATUS" else shape(a)
    optional = ", optional" if "optional" in a.flags else ""
    return f"{f08_type(call, a)}{optional}{intent(a)} :: {a.name}{dimension}"


def signature(call):
    """What Fortran tells specifics of a generic apart by: types, not names."""
    return [f08_declaration(call, a).replace(a.name, "").replace("COUNT_KIND", "ADDRESS_KIND").replace(
        "OFFSET_KIND", "ADDRESS_KIND") for a in call.fortran_arguments]


def f08_linkage(call, prefix, choice):
    """(specific name, binding): with descriptors by an interoperable interface, else by gfortran's own names."""
    name = prefix + call.name
    if choice:
        return f"{name}_f08ts", f' bind(C, name="{name.lower()}_f08ts_")'
    return f"{name}_f08", ""


def f08_specific(call, prefix, choice):
    arguments = call.fortran_arguments
    name, binding = f08_linkage(call, prefix, choice)
    if call.returns in ("int", ""):
        lines = [folded(f"subroutine {name}(", [a.name for a in arguments], ")" + binding), "import"]
        end = "end subroutine"
    else:
        result = "double precision" if call.returns == "double" else KINDS[call.returns]
        lines = [folded(f"function {name}(", [a.name for a in arguments], f") result(value){binding}"), "import",
                 f"{result} :: value"]
        end = "end function"
    return lines + [f08_declaration(call, a, choice) for a in arguments] + [end]


def f08_form(call, prefix, choice):
    """gfortran 11 has no descriptors of strings; so it copies sections, as with the older interfaces."""
    form = f08_specific(call, prefix, choice)
    if not choice or not call.has("STRING"):
        return form
    return ["#if defined(__GFORTRAN__) && __GNUC__ < 12", *f08_specific(call, prefix, False), "#else", *form, "#endif"]


def f08_generic(name, specifics):
    lines = [f"interface {name}"]
    for specific in specifics:
        lines += ["  " + line.replace("\n", "\n  ") for line in specific]
    return lines + ["end interface"]


def callback_type(call, a, large):
    if a.kind in ("C_BUFFER3", "C_BUFFER4"):
        return f"type(c_ptr), value :: {a.name}"
    if a.kind == "POLYXFER_NUM_ELEM":
        return f"{KINDS['MPI_Count' if large else 'int']} :: {a.name}"
    if a.kind in HANDLES or a.kind in ("STATUS", "LOGICAL"):
        return f"{f08_type(call, a)} :: {a.name}"
    return f"{KINDS[CALLBACK_KINDS.get(a.kind, 'int')]} :: {a.name}"


def callback_interface(call, large):
    name = call.name + ("_c" if large and call.name[4].isupper() and call.name[5].islower() else "_C" if large else "")
    return [folded(f"subroutine {name}(", [a.name for a in call.arguments], ")"), "  import"] + [
        "  " + callback_type(call, a, large) for a in call.arguments] + ["end subroutine"]


def callback_forms(call):
    return (False, True) if call.has("POLYXFER_NUM_ELEM") else (False,)


# ---- mpi

def f90_type(call, a):
    if a.kind in ("LOGICAL", "C_BUFFER", "ATTRIBUTE_VAL_10", "ATTRIBUTE_VAL") or a.kind.startswith("STRING"):
        if a.kind == "STRING_LENGTH":
            return "integer"
        return {"LOGICAL": "logical", "C_BUFFER": KINDS["MPI_Aint"], "ATTRIBUTE_VAL": KINDS["MPI_Aint"],
                "ATTRIBUTE_VAL_10": "integer"}.get(a.kind, "character(len=*)")
    if a.kind == "EXTRA_STATE":
        return KINDS["MPI_Aint"]
    if a.kind == "EXTRA_STATE2":
        return "integer"
    if a.kind in HANDLES or a.kind == "STATUS":
        return "integer"
    return KINDS[a.base_type or "int"]


def f90_declarations(call, a, pointers):
    if a.kind in ("BUFFER", "LOGICAL_VOID", "C_BUFFER2"):
        return [unchecked(a)]
    if a.kind in ("FUNCTION", "POLYFUNCTION"):
        return [f"external :: {a.name}"]
    if a.kind == "C_BUFFER" and pointers:
        return [f"type(c_ptr) :: {a.name}"]
    if a.kind == "F08_STATUS":
        return [f"type(MPI_Status) :: {a.name}"]
    dimension = shape(a)
    if a.kind in ("STATUS", "F90_STATUS"):
        dimension = "(MPI_STATUS_SIZE,*)" if a.name == "array_of_statuses" else "(MPI_STATUS_SIZE)"
    return [f"{f90_type(call, a)} :: {a.name}{dimension}"]


def f90_specific(call, prefix, pointers=False):
    arguments = call.fortran_arguments
    name = prefix + call.name + ("_cptr" if pointers else "")
    names = [a.name for a in arguments]
    if call.returns in ("int", ""):
        lines, end = [folded(f"subroutine {name}(", names, ")"), "import"], "end subroutine"
    else:
        result = "double precision" if call.returns == "double" else KINDS[call.returns]
        lines, end = [folded(f"function {name}(", names, ")"), "import", f"{result} :: {name}"], "end function"
    for a in arguments:
        lines += f90_declarations(call, a, pointers)
    return lines + [end]
