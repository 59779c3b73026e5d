#!/usr/bin/env python3
"""Writes four programs that make every call once, with arguments that are valid where one rank can have such, and
print what came of it: in C, with mpif.h, with `use mpi` and with `use mpi_f08`. compare_calls.py compares the texts.
Two more name their arguments, in another order, and leave the optional ones out.

usage: generate_calls.py API_DIR OUTPUT_DIR
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(sys.argv[1], "fortran")))
from bindings import HANDLES, read_calls  # noqa: E402

from call_meetings import meeting  # noqa: E402
from call_templates import c_template, fortran_template  # noqa: E402
from call_values import (CALLBACKS, FRESH, FRESH_STARTABLE, INPUT_ARRAYS, INPUTS, TEXTS, TOPOLOGIES, HANDLE_INPUTS)  # noqa: E402

# These end the library, or the program.
LEFT_OUT = {"MPI_Finalize", "MPI_Abort"}
INTEGERS = {"int": "int", "MPI_Aint": "aint", "MPI_Count": "count", "MPI_Offset": "offset"}
ENDED = {"REQUEST": "end_request", "SESSION": "end_session"}  # after the call that has made them


class Language:
    """How the values of call_values.py are written, and what surrounds a call."""

    def __init__(self, name):
        self.has_keywords = name.endswith("_keywords")
        self.name = name.removesuffix("_keywords")
        self.is_c = name == "c"

    def number(self, base, value):
        if self.is_c:
            return str(value)
        kind = {"int": "", "MPI_Aint": "_MPI_ADDRESS_KIND", "MPI_Count": "_MPI_COUNT_KIND",
                "MPI_Offset": "_MPI_OFFSET_KIND"}[base]
        return f"{value}{kind}" if str(value).isdigit() else f"int({value}, {kind[1:]})" if kind else str(value)

    def text(self, value):
        return f'"{value}"' if self.is_c else f'"{value}  "'  # blanks at the end do not count

    def logical(self):
        return "1" if self.is_c else ".true."

    def address(self, variable):
        return f"&{variable}" if self.is_c else variable

    def element(self, array, place):
        return f"{array}[{place}]" if self.is_c else f"{array}({place + 1})"

    def statement(self, text):
        return f"  {text};" if self.is_c else f"    {text}"

    def call(self, name, arguments):
        if self.is_c:
            return f"  code = {name}({', '.join(arguments)});"
        if not self.has_keywords:
            arguments = arguments + ["ierror"]
        elif self.name == "mpi":
            arguments = ["ierror=ierror"] + arguments
        lines, line = [], f"    call {name}("
        for i, argument in enumerate(arguments):
            if len(line) + len(argument) > 100:
                lines.append(line + " &")
                line = "      & "
            line += argument + ("" if i + 1 == len(arguments) else ", ")
        return "\n".join(lines + [line + ")"])


class Made:
    """One call: what comes before it, its arguments, what it prints, what comes after it."""

    def __init__(self, language, call):
        self.language, self.call = language, call
        self.before, self.arguments, self.after = [], [], []
        self.meeting = meeting(call)
        self.numbers, self.texts = [], []
        self.used = {}
        for a in call.arguments:
            if a.name == "ierror" or not (a.in_fortran or language.is_c) or a.kind == "VARARGS":
                continue
            made = self.argument(a)
            # The last comes first, where the compiler goes by the names.
            self.arguments.insert(0 if language.has_keywords else len(self.arguments),
                                  f"{a.name}={made}" if language.has_keywords else made)

    def variable(self, kind):
        """The next variable of a kind: int1, int2, …"""
        self.used[kind] = self.used.get(kind, 0) + 1
        return f"{kind}{self.used[kind]}"

    def argument(self, a):
        if not a.in_fortran:
            return "0" if a.by_value else "NULL"
        for kinds, method in ((HANDLES, self.handle), (("LOGICAL",), self.logical), (("STATUS",), self.status),
                              (("BUFFER", "C_BUFFER", "C_BUFFER2", "LOGICAL_VOID"), self.buffer),
                              (("STRING", "STRING_ARRAY", "STRING_2DARRAY"), self.string),
                              (("FUNCTION", "POLYFUNCTION"), self.callback),
                              (("ATTRIBUTE_VAL", "ATTRIBUTE_VAL_10", "EXTRA_STATE", "EXTRA_STATE2"), self.attribute)):
            if a.kind in kinds:
                return method(a)
        return self.number(a)

    def make_fresh(self, kind, variable):
        startable = self.call.name in ("MPI_Start", "MPI_Startall", "MPI_Request_free")
        recipe = (FRESH_STARTABLE if kind == "REQUEST" and startable else FRESH[kind])
        self.before.append(recipe[0 if self.language.is_c else 1].format(variable))

    def handle(self, a):
        language, name = self.language, a.kind.lower()
        if a.is_array:
            if a.kind != "REQUEST":
                return {"DATATYPE": "types", "INFO": "infos"}[a.kind]
            for i in (0, 1):
                self.make_fresh(a.kind, language.element("requests", i))
            self.after.append("end_requests" + ("()" if language.is_c else ""))
            return "requests"
        if a.kind == "REQUEST" and a.direction == "in" or not a.by_value and a.direction != "out":
            variable = self.variable(name)
            if not self.meeting.makes_request:
                self.make_fresh(a.kind, variable)
            if a.kind == "REQUEST":
                self.after.append("end_request" + ("(&" if language.is_c else "(") + variable + ")")
            return variable if a.by_value else language.address(variable)
        if a.by_value:
            if a.kind == "INFO" and self.call.name.startswith("MPI_Info_"):
                return "some_info"
            recipe = next((r for names, r in TOPOLOGIES.items() if self.call.name.startswith(names)), None)
            if a.kind == "COMMUNICATOR" and recipe:
                self.before.append(recipe[0 if language.is_c else 1])
                return "topology"
            return HANDLE_INPUTS[a.kind]
        variable = self.variable(name)
        self.numbers.append(f"is_null_{name}({variable})")
        if a.kind in ENDED:
            self.after.append(ENDED[a.kind] + ("(&" if language.is_c else "(") + variable + ")")
        return language.address(variable)

    def logical(self, a):
        if a.direction == "in":
            return "trues" if a.is_array else self.language.logical()
        if a.is_array:
            return "trues"
        variable = self.variable("flag")
        self.numbers.append(variable if self.language.is_c else f"truth({variable})")
        return self.language.address(variable)

    def status(self, a):
        if a.name == "array_of_statuses":
            return "statuses"
        if a.direction == "out":
            self.numbers += {"c": ["status.MPI_SOURCE", "status.MPI_TAG"], "f08": [
                "status%MPI_SOURCE", "status%MPI_TAG"]}.get(self.language.name, ["status(1)", "status(2)"])
        return self.language.address("status")

    def buffer(self, a):
        if a.kind in ("C_BUFFER", "C_BUFFER2"):
            return {"c": "&pointer", "f08": "pointer"}.get(
                self.language.name, "address" if a.kind == "C_BUFFER" else "received")
        if a.kind == "LOGICAL_VOID":
            return self.language.address("yes" if "true" in a.name else "no")
        if self.call.name == "MPI_Free_mem":
            self.before.append("allocate_memory" + ("()" if self.language.is_c else ""))
            return "memory"
        if "constant" in a.flags:
            return "sent"
        self.numbers += [self.language.element("received", 0), self.language.element("received", 1)]
        return "received"

    def string(self, a):
        if a.kind == "STRING_ARRAY":
            return "MPI_ARGV_NULL" if a.name == "argv" else "commands"
        if a.kind == "STRING_2DARRAY":
            return "MPI_ARGVS_NULL"
        if a.direction == "in":
            return self.language.text(TEXTS.get(a.name, "key"))
        self.texts.append("text")
        return "text"

    def callback(self, a):
        name = CALLBACKS[a.callback]
        large = "_C" if name.isupper() else "_c"
        return name + (large if self.call.is_large and a.kind == "POLYFUNCTION" else "")

    def attribute(self, a):
        if a.kind.startswith("EXTRA_STATE"):
            return "NULL" if self.language.is_c else \
                "0" if self.call.name == "MPI_Keyval_create" else self.language.number("MPI_Aint", 0)
        if a.direction == "in":
            return "&five" if self.language.is_c else "int5" if a.kind == "ATTRIBUTE_VAL_10" else "aint5"
        self.numbers.append("value_at(pointer)" if self.language.is_c else
                            "int1" if a.kind == "ATTRIBUTE_VAL_10" else "address")
        return "&pointer" if self.language.is_c else "int1" if a.kind == "ATTRIBUTE_VAL_10" else "address"

    def number(self, a):
        if a.is_array or a.kind == "ERROR_CODE" and a.c_suffix:
            return self.number_array(a)
        base = a.base_type
        value = INPUTS.get((self.call.name, a.name), INPUTS.get(a.name, INPUTS.get(a.kind, 1)))
        if self.call.has("REQUEST") and a.name in ("count", "incount") and not self.call.has("BUFFER"):
            value = 2
        if a.by_value:
            return self.language.number(base, value)
        variable = self.variable(INTEGERS[base])
        if a.direction == "inout":
            self.before.append(f"{variable} = {0 if a.name == 'position' else value}")
        if a.kind == "INDEX" and self.call.has("REQUEST") and self.language.is_c:
            self.numbers.append(f"from_one({variable})")
        elif self.call.name != "MPI_Get_address" and a.kind != "KEYVAL":
            self.numbers.append(variable)
        return self.language.address(variable)

    def number_array(self, a):
        base = INTEGERS[a.base_type]
        if a.c_suffix == "[][3]":
            return "ranges"
        if a.direction != "in":
            name = self.variable(f"{base}s_out")
            first = self.language.element(name, 0)
            self.numbers.append(f"from_one({first})" if a.kind == "INDEX" and self.call.has("REQUEST") and
                                self.language.is_c else first)
            return name
        return f"{base}s_{INPUT_ARRAYS.get(a.name, INPUT_ARRAYS.get(a.kind, 'one'))}"

    def lines(self):
        language, name = self.language, self.call.name
        before = [language.statement(s if language.is_c or " = " in s or not s else f"call {s}") for s in self.before]
        after = [language.statement(s if language.is_c else f"call {s}") for s in self.after]
        before += self.procedures(self.meeting.before)
        after = self.procedures(self.meeting.after) + after
        over = self.procedures(self.meeting.over)
        if self.meeting.receives:
            self.numbers.append(language.element("other", 0))
        if language.is_c:
            report = [f'  report("{name}", code);'] + over + [f"  number({n});" for n in self.numbers] + [
                f"  text_out({t});" for t in self.texts] + ["  end_line();"]
        else:
            report = [f'    call report("{name}", ierror)'] + over + [
                f"    call number(int({n}, 8))" for n in self.numbers] + [
                    f"    call text_out({t})" for t in self.texts] + ["    call end_line()"]
        return before + [self.call_line()] + report + after

    def procedures(self, names):
        return [self.language.statement(f"{name}()" if self.language.is_c else f"call {name}()") for name in names]

    def call_line(self):
        name = self.call.name
        if not self.language.is_c and self.call.is_large and not self.call.own_name:
            name = name[:-2]
        if self.call.returns in ("double", "MPI_Aint"):
            return self.function_line()
        if name == "MPI_Pcontrol" and not self.language.is_c:
            return f"    call MPI_Pcontrol({self.arguments[0]}); ierror = 0"
        return self.language.call(name, self.arguments)

    def function_line(self):
        value = f"{self.call.name}({', '.join(self.arguments)})"
        if self.call.returns == "double":  # a clock: only its sign is known
            return f"  code = {value} > 0 ? 0 : 1;" if self.language.is_c else f"    ierror = merge(0, 1, {value} > 0)"
        self.numbers.append("aint1")
        return f"  aint1 = {value}; code = 0;" if self.language.is_c else f"    aint1 = {value}; ierror = 0"


def program(language, calls, template):
    parts, names = [], [f"call_{call.name[4:].lower()}" for call in calls]
    for call, name in zip(calls, names):
        lines = "\n".join(Made(language, call).lines())
        if language.is_c:
            parts.append(f"static void {name}(void) {{\n  begin();\n{lines}\n}}\n")
        else:
            parts.append(f"  subroutine {name}()\n    call begin()\n{lines}\n  end subroutine\n")
    made = "".join(f"  {n}();\n" if language.is_c else f"  call {n}()\n" for n in names)
    return template.replace("@CALLS@", made).replace("@PROCEDURES@", "".join(parts))


def main(api_dir, output_dir):
    calls = [c for c in read_calls(Path(api_dir, "table"))[0] if c.name not in LEFT_OUT]
    f90, f08 = [c for c in calls if c.in_f90], [c for c in calls if c.in_f08]
    chosen = {"c": calls, "mpif": f90, "mpi": f90, "mpi_keywords": f90, "f08": f08, "f08_keywords": f08}
    for name, some in chosen.items():
        template = c_template() if name == "c" else fortran_template(name.removesuffix("_keywords"))
        suffix = "c" if name == "c" else "f90"
        Path(output_dir, f"calls_{name}.{suffix}").write_text(program(Language(name), some, template), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
