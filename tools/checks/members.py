"""Counts the public members of the classes of a C++ file: functions and data, without types, friends and usings."""

import re

NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.*?)\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.S)
PREPROCESSOR = re.compile(r"^\s*#(?:[^\n]*\\\n)*[^\n]*", re.M)
OPENING = re.compile(r"\b(class|struct)\s+(?:\[\[[^\]]*\]\]\s*)?(?:alignas\([^)]*\)\s*)?(\w+)(?:<[^;{}]*>)?"
                     r"(?:\s+final)?\s*(?::[^:;{}][^;{}]*)?\{")
ACCESS = re.compile(r"\b(public|protected|private)\s*:(?!:)")
NO_MEMBER = re.compile(r"^(?:template\s*<.*?>\s*)?(?:using|friend|typedef|static_assert|enum|class|struct|union)\b", re.S)


def matching(text, start):
    """Behind the brace that closes the one at `start`."""
    depth = 0
    for at in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    return len(text)


def without_bodies(body):
    """The declarations of a class with "{}" for what stands between braces."""
    out, at = [], 0
    while at < len(body):
        if body[at] != "{":
            out.append(body[at])
            at += 1
            continue
        at = matching(body, at)
        # A body ends its function; the braces of an initializer or a type are followed by ; or , or a name.
        out.append("{}" if re.match(r"\s*(?:[;,]|\w+\s*;)", body[at:]) else "{};")
    return "".join(out)


def count_public(kind, body):
    public, count = kind == "struct", 0
    for declaration in without_bodies(body).split(";"):
        pieces = ACCESS.split(declaration)
        if len(pieces) > 1:
            public = pieces[-2] == "public"
        declaration = pieces[-1].strip()
        if public and declaration not in ("", "{}") and not NO_MEMBER.match(declaration):
            count += 1
    return count


def public_members(text):
    """Class -> number of public members; of several classes of one name the largest."""
    text = PREPROCESSOR.sub("", NOISE.sub("", text))
    counts = {}
    for match in OPENING.finditer(text):
        body = text[match.end():matching(text, match.end() - 1) - 1]
        counts[match[2]] = max(counts.get(match[2], 0), count_public(match[1], body))
    return counts
