"""The C++ functions behind mpi_f08's calls with choice buffers. Contiguous buffers go straight to the function without
descriptors; sections are described as datatypes, or packed where a datatype cannot say it (sections.hpp)."""

from calls import raw_parameters
from generate import wrapped

# Elements that calls look at one by one, or an address that is all that counts.
ADDRESS_ONLY = ("MPI_Get_address", "MPI_Free_mem", "MPI_Fetch_and_op", "MPI_Compare_and_swap", "MPI_Win_")
# Memory that the library writes all over.
WITHOUT_GAPS = ("MPI_Buffer_", "MPI_Comm_attach", "MPI_Session_attach")


def has_choice(call):
    return call.in_f08 and call.has("BUFFER")


def is_divided(call, argument):
    """The buffer is a block per member: its datatype says nothing of where the blocks lie."""
    name = call.name.lower()
    return ("alltoall" in name or ("gather" in name and argument.name == "recvbuf") or
            ("scatter" in name and argument.name == "sendbuf"))


def is_partitioned(call):
    return any(a.name == "partitions" for a in call.arguments)


def own_count_and_type(call, argument):
    """The names of the count and the datatype that belong to this buffer alone, or None."""
    arguments = call.fortran_arguments
    place = arguments.index(argument)
    after = [a for a in arguments[place + 1:] if a.name != "partitions"][:2]
    if [("NUM_ELEM" in a.kind, a.kind == "DATATYPE", a.by_value) for a in after] != [
            (True, False, True), (False, True, True)]:
        return None
    shared = place > 0 and arguments[place - 1].kind == "BUFFER"
    return None if shared or is_divided(call, argument) else (after[0].name, after[1].name)


def section(call, argument):
    use = "partitions" if is_partitioned(call) else "Use::read" if "constant" in argument.flags else "Use::write"
    pair = own_count_and_type(call, argument)
    given = f"{argument.name}, {use}" + (f", {pair[0]}, {pair[1]}" if pair else "")
    return f"  Section {argument.name}_section({given});\n"


def forwarded(call, sections):
    """The arguments of the function without descriptors. `sections`: by name, what replaces an argument."""
    arguments = call.fortran_arguments
    values = []
    for a in arguments:
        if a.kind in ("BUFFER", "STRING"):
            values.append(sections.get(a.name, f"{a.name}->base_addr" if a.kind == "BUFFER" else
                                       f"static_cast<const char*>({a.name}->base_addr)"))
        else:
            values.append(sections.get(a.name, a.name))
    return values + [f"{a.name}->elem_len" for a in arguments if a.kind == "STRING"]


def replaced(call, buffers):
    replacements = {}
    for a in buffers:
        replacements[a.name] = f"{a.name}_section.address()"
        pair = own_count_and_type(call, a)
        if pair:
            count_type = "MPI_Count" if call.is_large else "int"
            replacements[pair[0]] = f"{a.name}_section.count<{count_type}>()"
            replacements[pair[1]] = f"{a.name}_section.datatype()"
    return replacements


def body_of_sections(call, name, buffers):
    told = f'"{call.name}", {"comm" if call.has("COMMUNICATOR") else "nullptr"}, ierror'
    if call.name.startswith(WITHOUT_GAPS):
        return f"  refuse_section({told});\n"
    text = "".join(section(call, a) for a in buffers)
    pointers = ", ".join(f"&{a.name}_section" for a in buffers)
    if is_partitioned(call):
        text += "  *request = integer(MPI_REQUEST_NULL);\n"
    if is_partitioned(call) or call.has("WINDOW") and not call.has("REQUEST"):
        text += f"  if (!describe({{{pointers}}}, {told})) return;\n"
    text += f"  {name}_({', '.join(forwarded(call, replaced(call, buffers)))});\n"
    if call.has("REQUEST"):
        return text + f"  accompany({{{pointers}}}, request);\n"
    return text + f"  finish_sections({{{pointers}}});\n"


def function_text(call, prefix):
    """What sections take stands in a function of its own, or its registers would be saved for every call."""
    name = f"{prefix}{call.name}".lower()
    buffers = [a for a in call.fortran_arguments if a.kind == "BUFFER"]
    parameters = raw_parameters(call, with_descriptors=True)
    entry = wrapped(f"void {name}_f08ts_(", parameters, ")")
    plain = f"{name}_({', '.join(forwarded(call, {}))});"
    if call.name.startswith(ADDRESS_ONLY) or not buffers or call.name.endswith(("_end", "_end_c")):
        return f"{entry} {{\n  {plain}\n}}\n"
    contiguous = " && ".join(f"is_contiguous({a.name})" for a in buffers)
    slow = f"{name}_of_sections"
    if call.name.startswith(WITHOUT_GAPS):
        parameters = [f"[[maybe_unused]] {p}" for p in parameters]
    names = ", ".join(a.name for a in call.fortran_arguments)
    return (wrapped(f"[[gnu::noinline]] static void {slow}(", parameters, ")") +
            f" {{\n{body_of_sections(call, name, buffers)}}}\n"
            f"{entry} {{\n  if ({contiguous}) [[likely]]\n    return {plain}\n  {slow}({names});\n}}\n")


def sections_text(calls, prefix):
    return "".join(function_text(call, prefix) for call in calls if has_choice(call))
