"""What surrounds the generated calls in each of the programs of generate_calls.py."""

from pathlib import Path

from bindings import HANDLES

NULLS = {"COMMUNICATOR": "COMM", "OPERATION": "OP", "WINDOW": "WIN"}


def null_tests(is_f08):
    return "\n".join(
        f"  integer function is_null_{kind.lower()}(handle) result(is_null)\n"
        f"    {f'type({name})' if is_f08 else 'integer'} :: handle\n"
        f"    is_null = merge(1, 0, handle == MPI_{NULLS.get(kind, kind)}_NULL)\n  end function"
        for kind, name in HANDLES.items())


def text_of(name):
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def c_template():
    return text_of("calls.c.in")


def fortran_template(name):
    is_f08 = name == "f08"
    procedures = text_of(f"calls_{'f08' if is_f08 else 'old'}_procedures.inc")
    template = text_of("calls.f90.in")
    replacements = {"INTERFACE": text_of(f"calls_{name}.inc"),
                    "HANDLES": null_tests(is_f08) + "\n\n" + procedures,
                    "DETACHED": "pointer" if is_f08 else "address",
                    "STATUS": "type(MPI_Status) :: result" if is_f08 else "integer :: result(MPI_STATUS_SIZE)"}
    for kind in ("Comm", "Datatype", "Request", "Session"):
        replacements[kind.upper()] = f"type(MPI_{kind})" if is_f08 else "integer"
    for word, text in replacements.items():
        template = template.replace(f"@{word}@", text)
    return template
