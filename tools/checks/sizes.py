"""Files, folders and classes stay small. What is larger stands in limits.txt with its size and may only shrink."""

from collections import Counter

import members
from tree import LAYERS, SCRIPT_SUFFIXES, C_SUFFIXES, table_lines

TABLE = "tools/checks/limits.txt"


def read_table(tree, kind):
    """The limit of a kind of size, and what is larger than that."""
    limit, larger = None, {}
    for line in table_lines(tree, TABLE):
        name, number, unit = line.rsplit(maxsplit=2)
        if unit != kind:
            continue
        if name == "limit":
            limit = int(number)
        else:
            larger[name] = int(number)
    return limit, larger


def check(tree, kind, sizes):
    limit, larger = read_table(tree, kind)
    findings = []
    for name, size in sorted(sizes.items()):
        if size > larger.get(name, limit):
            was = f" (it was {larger[name]})" if name in larger else ""
            findings.append(f"{name}: {size} {kind}, at most {limit}{was}; give each responsibility a place of its own")
    for name, size in larger.items():
        if sizes.get(name, 0) <= limit:
            findings.append(f"{TABLE}: {name} is within the limit of {limit} {kind} or gone: remove the line")
    shrunk = [f"{name} {sizes[name]} of {size}" for name, size in larger.items() if sizes.get(name, size) < size]
    note = f"; write the smaller size in {TABLE}: {', '.join(shrunk)}" if shrunk and not findings else ""
    largest = max(sizes, key=sizes.get, default="nothing")
    return findings, (f"{len(sizes)} counted, {len(larger)} with more than {limit} {kind}, "
                      f"largest {largest} ({sizes.get(largest, 0)}){note}")


def is_script(tree, name):
    return name.split("/")[0] in LAYERS and "." not in name.split("/")[-1] and tree.text(name).startswith("#!")


def check_files(tree):
    names = tree.sources(suffixes=C_SUFFIXES + SCRIPT_SUFFIXES) + [n for n in tree.files if is_script(tree, n)]
    return check(tree, "lines", {name: len(tree.lines(name)) for name in names})


def check_folders(tree):
    return check(tree, "files", Counter(name.rsplit("/", 1)[0] for name in tree.sources()))


def check_classes(tree):
    sizes = {}
    for name in tree.sources():
        for owner, count in members.public_members(tree.text(name)).items():
            sizes[f"{name}:{owner}"] = count
    return check(tree, "members", sizes)
