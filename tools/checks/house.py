"""The house rules that a program can see: house.py RULE [ROOT]. Prints what breaks it, then a line of summary."""

import sys
from pathlib import Path

import arrows
import links
import sizes
import subjects
import words
from tree import Tree

RULES = {
    "arrows": arrows.check,
    "files": sizes.check_files,
    "folders": sizes.check_folders,
    "classes": sizes.check_classes,
    "mpi-words": words.check_mpi,
    "atomics": words.check_atomics,
    "marks": words.check_marks,
    "links": links.check,
    "subjects": subjects.check,
}


def main(arguments):
    if len(arguments) not in (1, 2) or arguments[0] not in RULES:
        print(f"usage: house.py RULE [ROOT]; the rules are {', '.join(RULES)}", file=sys.stderr)
        return 2
    root = Path(arguments[1]) if len(arguments) == 2 else Path(__file__).resolve().parents[2]
    findings, summary = RULES[arguments[0]](Tree(root))
    print(*findings, summary, sep="\n")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
