"""The C++ side: per call one function that Fortran calls, which converts the arguments kind by kind (kinds.hpp) and
calls the C function; for choice buffers with descriptors another one in front of it that looks for sections."""

from bindings import HANDLES
from generate import TableError, wrapped

# These build records for the callbacks of the program: callback_calls.cpp.
BY_HAND = {"MPI_Comm_create_keyval", "MPI_Type_create_keyval", "MPI_Win_create_keyval", "MPI_Keyval_create",
           "MPI_Grequest_start", "MPI_Register_datarep", "MPI_Register_datarep_c"}

# What the standard's data leaves open: how many characters C may write, how many handles C reads.
TEXT_CAPACITY = {"MPI_File_get_view": "MPI_MAX_DATAREP_STRING", "MPI_Info_get": "*valuelen",
                 "MPI_Info_get_nthkey": "MPI_MAX_INFO_KEY"}
LENGTH_WITH_END = {"MPI_Info_get_string": "buflen", "MPI_Session_get_nth_pset": "pset_len"}


def hidden_name(argument):
    return argument.name + "_length"


def raw_parameter(argument, face, with_descriptors):
    """How Fortran passes it: everything by reference."""
    a = argument
    is_written = "*" in a.c_type and "const" not in a.c_type and a.kind in HANDLES  # MPI_Cancel
    constant = "const " if a.direction == "in" and not is_written else ""
    if a.kind in ("BUFFER", "LOGICAL_VOID"):
        return f"CFI_cdesc_t* {a.name}" if with_descriptors else f"void* {a.name}"
    if a.kind in ("C_BUFFER", "C_BUFFER2"):
        return f"void* {a.name}" if a.kind == "C_BUFFER" or face == "f08" else "void*"
    if a.kind in ("STRING", "STRING_ARRAY", "STRING_2DARRAY"):
        if with_descriptors:
            return f"const CFI_cdesc_t* {a.name}"
        return f"{constant}char* {a.name}"
    if a.kind in ("FUNCTION", "POLYFUNCTION"):
        return f"Procedure* {a.name}"
    if a.kind in HANDLES or a.kind in ("STATUS", "LOGICAL"):
        return f"{constant}int* {a.name}"
    if a.kind in ("ATTRIBUTE_VAL", "ATTRIBUTE_VAL_10", "EXTRA_STATE"):
        return f"{constant}{attribute_integer(a)}* {a.name}"
    if a.c_suffix == "[][3]":
        return f"int {a.name}[][3]"
    return f"{constant}{a.base_type or 'int'}* {a.name}"


def attribute_integer(argument):
    return "int" if argument.kind == "ATTRIBUTE_VAL_10" else "MPI_Aint"


def raw_parameters(call, face="f90", with_descriptors=False):
    arguments = call.fortran_arguments
    parameters = [raw_parameter(a, face, with_descriptors) for a in arguments]
    if not with_descriptors:
        parameters += [f"std::size_t {hidden_name(a)}" for a in arguments if a.kind.startswith("STRING")
                       and a.kind != "STRING_LENGTH"]
    return parameters


def array_length(call, argument):
    """How many elements of the array are converted, as a C++ expression."""
    if argument.length not in ("", "*"):
        length = f"*{argument.length}"
    elif argument.kind == "LOGICAL":
        return "dimensions(comm)"
    elif "eighbor" in call.name:
        return f"neighbours(comm, {'true' if argument.name.startswith('send') else 'false'})"
    elif argument.kind == "DATATYPE" and call.has("COMMUNICATOR"):
        return "peers(comm)"
    elif argument.kind in ("STRING_ARRAY", "INFO") and call.has("ARRAY_LENGTH_PI"):
        length = "*count"
    else:
        raise TableError(f"{call.name}: how long is {argument.name}?")
    return f"at_root(comm, root, {length})" if "root_only" in argument.flags else length


def converted_handle(call, a):
    handle = HANDLES[a.kind]
    if a.is_array:
        kind = "Handles" if a.direction == "in" else "HandlesOut"
        return f"{kind}<{handle}>({a.name}, {array_length(call, a)})"
    return f"handle<{handle}>({a.name})" if a.by_value else f"HandleOut<{handle}>({a.name})"


def converted_logical(call, a):
    if a.is_array:
        kind = "Logicals" if a.direction == "in" else "LogicalsOut"
        return f"{kind}({a.name}, {array_length(call, a)})"
    return f"logical({a.name})" if a.by_value else f"LogicalOut({a.name})"


def converted_text(call, a):
    where = f"{a.name}, {hidden_name(a)}"
    if a.kind == "STRING_2DARRAY":
        return f"ArgumentTable({where}, {array_length(call, a)})"
    if a.kind == "STRING_ARRAY":
        if call.has("ARRAY_LENGTH_PI"):
            return f"TextArray({where}, {array_length(call, a)})"
        return f"Arguments({where}, at_root(comm, root, 1) != 0)"
    if a.direction == "in":
        return f"Text({where}, {'Trim::both' if call.name.startswith('MPI_Info_') else 'Trim::end'})"
    if call.name in LENGTH_WITH_END:
        return f"TextOut({where}, *{LENGTH_WITH_END[call.name]})"
    capacity = TEXT_CAPACITY.get(call.name, a.length)
    if not capacity:
        raise TableError(f"{call.name}: how long may {a.name} become?")
    return f"TextOut({where}, {capacity})"


def is_place(call, a):
    """In an array of requests, which Fortran counts from 1. Other indices are the same in both languages."""
    return a.kind == "INDEX" and a.direction == "out" and call.has("REQUEST")


def converted(call, a, face):
    if not a.in_fortran:
        return "0" if a.by_value else "nullptr"
    if a.kind in HANDLES:
        return converted_handle(call, a)
    if a.kind == "LOGICAL":
        return converted_logical(call, a)
    if a.kind in ("STRING", "STRING_ARRAY", "STRING_2DARRAY"):
        return converted_text(call, a)
    if a.kind == "BUFFER":
        return f"choice({a.name})"
    if a.kind == "C_BUFFER2":
        return a.name if face == "f08" else "Ignored()"
    if a.kind == "STATUS":
        return f"c_statuses({a.name})" if a.name == "array_of_statuses" else f"c_status({a.name})"
    if a.kind in ("FUNCTION", "POLYFUNCTION"):
        return f"reinterpret_cast<{a.c_type}>({a.name})"
    if a.kind.startswith("ATTRIBUTE_VAL"):
        return f"AttributeOut({a.name}, *{keyval_of(call)})" if a.direction == "out" else f"attribute_cell(*{a.name})"
    if a.kind == "WEIGHT":
        return f"c_weights({a.name})"
    if a.kind == "ERROR_CODE" and a.is_array:
        return f"c_error_codes({a.name})"
    if a.name == LENGTH_WITH_END.get(call.name):
        return f"LengthWithEnd({a.name})"
    if is_place(call, a):
        return f"IndicesOut({a.name}, outcount)" if a.is_array else f"IndexOut({a.name})"
    return f"*{a.name}" if a.by_value else a.name


def keyval_of(call):
    return next(a.name for a in call.arguments if a.kind == "KEYVAL")


def c_arguments(call, face):
    return [converted(call, a, face) for a in call.arguments if a.c_type not in ("", "...") or a.c_suffix]


def head(call, prefix, face="f90"):
    """prefix: "" or "P"."""
    name = f"{prefix}{call.name}".lower() + ("_f08_" if face == "f08" else "_")
    returns = "void" if call.returns == "int" else call.returns
    return wrapped(f"{returns} {name}(", raw_parameters(call, face) or ["void"], ")")


def function_text(call, prefix, face="f90"):
    c_call = f"{prefix}{call.name}({', '.join(c_arguments(call, face))})"
    has_code = any(a.name == "ierror" for a in call.arguments)
    statement = f"finish(ierror, {c_call});" if has_code else \
        f"{c_call};" if call.returns == "int" else f"return {c_call};"
    return f"{head(call, prefix, face)} {{\n  {statement}\n}}\n"


def names_text(call, prefix):
    lower, upper = f"{prefix}{call.name}".lower(), f"{prefix}{call.name}".upper()
    macro = "FOLDLANE_LARGE_NAME" if call.is_large else \
        "FOLDLANE_OLD_NAMES" if call.has("C_BUFFER2") else "FOLDLANE_NAMES"
    return f"{macro}({lower}, {upper})\n"


def calls_text(calls, prefix):
    parts = []
    for call in calls:
        if call.name in BY_HAND:
            continue
        has_old_form = not (call.is_large and call.has("C_BUFFER2"))  # that one differs between the interfaces
        if has_old_form:
            parts += [function_text(call, prefix), names_text(call, prefix)]
        if call.has("C_BUFFER2") and call.in_f08:
            parts.append(function_text(call, prefix, "f08"))
    return "".join(parts)
