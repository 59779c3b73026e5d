#!/usr/bin/env python3
"""Runs a job of another MPI with the stub preloaded: its exit code and its output are what the options say, and
nothing of it is left.

accelerated.py [--fails] [--says REGEX]... [--never REGEX]... [--limit SECONDS] STUB COMMAND...
"""

import argparse
import os
import re
import subprocess
import sys
import time

LIMIT_S = 250  # of a hang
SKIPPED = 77  # by the command, which says why
END_S = 3  # in which all of a job has ended


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fails", action="store_true")
    parser.add_argument("--says", action="append", default=[])
    parser.add_argument("--never", action="append", default=[])
    parser.add_argument("--limit", type=float, default=LIMIT_S)
    parser.add_argument("stub")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    return parser.parse_args()


def processes_of(mark):
    """Those that were started with this in their environment."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as environment:
                if mark.encode() in environment.read().split(b"\0"):
                    found.append(pid)
        except OSError:
            continue
    return found


def processes_left_by(mark, counts=lambda _: True):
    """After the time that the end of a job may take: some launchers end before their ranks."""
    deadline = time.monotonic() + END_S
    while (left := list(filter(counts, processes_of(mark)))) and time.monotonic() < deadline:
        time.sleep(0.01)
    return left


def main(wanted):
    job = str(os.getpid())
    environment = dict(os.environ, FOLDLANE_TEST_JOB=job, LD_PRELOAD=wanted.stub, FOLDLANE_ACCEL_EXPLAIN="1",
                       FOLDLANE_TEST_FORMS="blocking", OMPI_ALLOW_RUN_AS_ROOT="1",
                       OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    run = subprocess.run(wanted.command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                         timeout=wanted.limit, check=False)
    if run.returncode == SKIPPED:
        print(run.stdout)
        return SKIPPED
    wrong = [f"exit code {run.returncode}"] if (run.returncode != 0) != wanted.fails else []
    wrong += [f"it does not say '{text}'" for text in wanted.says if not re.search(text, run.stdout)]
    wrong += [f"it says '{text}'" for text in wanted.never if re.search(text, run.stdout)]
    wrong += [f"process {pid} is left" for pid in processes_left_by(f"FOLDLANE_TEST_JOB={job}")]
    if wrong:
        print(run.stdout, *wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(arguments()))
