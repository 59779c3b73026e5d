#!/usr/bin/env python3
"""Runs a job of another MPI with the stub preloaded: its exit code and its output are what the options say, and
nothing of it is left.

accelerated.py [--fails] [--says REGEX]... [--never REGEX]... STUB COMMAND...
"""

import argparse
import os
import re
import subprocess
import sys

LIMIT_S = 250  # of a hang


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fails", action="store_true")
    parser.add_argument("--says", action="append", default=[])
    parser.add_argument("--never", action="append", default=[])
    parser.add_argument("stub")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    return parser.parse_args()


def processes_of(program):
    """Those that still run it."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{pid}/exe") == program:
                found.append(pid)
        except OSError:
            continue
    return found


def main(wanted):
    program = os.path.realpath(next(word for word in wanted.command if "/" in word and os.path.isfile(word)))
    environment = dict(os.environ, LD_PRELOAD=wanted.stub, FOLDLANE_ACCEL_EXPLAIN="1", FOLDLANE_TEST_FORMS="blocking",
                       OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    run = subprocess.run(wanted.command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                         timeout=LIMIT_S, check=False)
    wrong = [f"exit code {run.returncode}"] if (run.returncode != 0) != wanted.fails else []
    wrong += [f"it does not say '{text}'" for text in wanted.says if not re.search(text, run.stdout)]
    wrong += [f"it says '{text}'" for text in wanted.never if re.search(text, run.stdout)]
    wrong += [f"process {pid} is left" for pid in processes_of(program)]
    if wrong:
        print(run.stdout, *wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(arguments()))
