#!/usr/bin/env python3
"""Runs a command that must fail and print (to either stream) exactly one line that matches an expression."""

import argparse
import re
import subprocess
import sys

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--and-says", metavar="OTHER", help="one or more lines must match this one, too")
parser.add_argument("--times", type=int, metavar="N", help="not one or more lines, but exactly so many")
parser.add_argument("expression")
parser.add_argument("command", nargs=argparse.REMAINDER)
wish = parser.parse_args()


def matches(expression, text):
    return sum(1 for line in text.splitlines() if re.search(expression, line))


run = subprocess.run(wish.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
found = matches(wish.expression, run.stdout)
if run.returncode == 0 or found != 1:
    sys.exit(f"exit code {run.returncode}, {found} lines match; the output was:\n{run.stdout}")
if wish.and_says is not None:
    found = matches(wish.and_says, run.stdout)
    if found == 0 or wish.times not in (None, found):
        sys.exit(f"{found} lines match {wish.and_says}; the output was:\n{run.stdout}")
