"""Includes between the rooms of a layer go down only. The table is arrows.txt."""

import re
from collections import defaultdict

from tree import table_lines

TABLE = "tools/checks/arrows.txt"
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
TO_GO = re.compile(r"^(\S+) -> (\S+) (\d+)$")


def read_table(tree):
    """The floor of each room, and how many includes of each upward arrow are still to go."""
    floors, to_go = {}, {}
    for line in table_lines(tree, TABLE):
        if match := TO_GO.match(line):
            to_go[match[1], match[2]] = int(match[3])
            continue
        layer, rooms = line.split(":")
        for floor, names in enumerate(rooms.split("|")):
            floors.update({f"{layer}/{name}": floor for name in names.split()})
    return floors, to_go


def room_of(path):
    return "/".join(path.split("/")[:2])


def arrows_of(tree, layers):
    """(from, to) -> where the includes stand."""
    found = defaultdict(list)
    for name in tree.sources(layers):
        for number, line in enumerate(tree.lines(name), 1):
            match = INCLUDE.match(line)
            if not match or match[1].split("/")[0] != name.split("/")[0]:
                continue
            if room_of(match[1]) != room_of(name):
                found[room_of(name), room_of(match[1])].append(f"{name}:{number}")
    return found


def judge(arrow, places, floors, to_go):
    source, target = arrow
    for room in arrow:
        if room not in floors:
            return [f"{places[0]}: the room {room} is in no line of {TABLE}; add it to its layer"]
    if floors[target] < floors[source] or len(places) <= to_go.get(arrow, 0):
        return []
    allowed = f" ({to_go[arrow]} such includes are to go, none may come)" if arrow in to_go else ""
    return [f"{place}: {source} includes {target}, which is not below it{allowed}; move what both need down"
            for place in places]


def stale(arrow, count, places):
    if len(places) == count:
        return []
    now = f"{len(places)} of its includes are left: write that" if places else "it is gone: remove the line"
    return [f"{TABLE}: {arrow[0]} -> {arrow[1]} {count}: {now}"] if len(places) < count else []


def check(tree):
    floors, to_go = read_table(tree)
    layers = sorted({room.split("/")[0] for room in floors})
    arrows = arrows_of(tree, layers)
    findings = [line for arrow, places in sorted(arrows.items()) for line in judge(arrow, places, floors, to_go)]
    findings += [line for arrow, count in to_go.items() for line in stale(arrow, count, arrows.get(arrow, []))]
    upward = {arrow for arrow in arrows if floors.get(arrow[1], 0) >= floors.get(arrow[0], 0)}
    counts = (f"{layer} {sum(a[0].startswith(layer + '/') for a in arrows)} "
              f"({sum(a[0].startswith(layer + '/') for a in upward)} upward)" for layer in layers)
    return findings, f"{', '.join(counts)}"
