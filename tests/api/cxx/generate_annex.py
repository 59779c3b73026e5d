#!/usr/bin/env python3
"""Writes annex.inc: for each declaration of annex.txt, a line that takes the address of the function with exactly that
type. So it compiles and links only if the header has all of them as the standard does. A method of the table that the
annex does not have fails here.

usage: generate_annex.py ANNEX TABLE OUTPUT
"""

import re
import sys
from pathlib import Path

DECLARATION = re.compile(r"(?P<static>static )?(?P<returns>[^(]*[ &*])(?:(?P<owner>\w+)::)?(?P<method>\w+)"
                         r"\((?P<parameters>.*)\)(?P<const> const)?")


def declarations(path):
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield re.fullmatch(DECLARATION, line)


def check(match):
    owner = match["owner"] + "::" if match["owner"] else ""
    kind = "*" if match["static"] or not owner else owner + "*"
    pointer = f"{match['returns']}({kind})({match['parameters']}){match['const'] or ''}"
    return f"linked(static_cast<{pointer}>(&{owner or 'MPI::'}{match['method']}));\n"


def main(annex, table, output):
    found = list(declarations(Path(annex)))
    names = {(m["owner"] or "", m["method"]) for m in found}
    rows = [line.split("\t") for line in Path(table).read_text(encoding="utf-8").splitlines()[1:]]
    strangers = [f"{row[1]}::{row[2]}" for row in rows if (row[1], row[2]) not in names]
    if strangers:
        sys.exit(f"not in {annex}: {', '.join(strangers)}")
    Path(output).write_text("".join(map(check, found)) + f"constexpr int in_annex = {len(found)};\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
