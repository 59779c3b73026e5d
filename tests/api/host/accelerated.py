#!/usr/bin/env python3
"""Runs a job of another MPI with the stub preloaded: its exit code and its output are what the options say, and
nothing of it is left.

accelerated.py [--fails] [--says REGEX]... [--never REGEX]... [--limit SECONDS] [--kill NAME] [--may-not-end] STUB COMMAND...

With --kill a process of this name is killed once the job says "waiting", and then all ranks must end. With --may-not-end a
job that has said everything is ended after a while: some hosts do not always come out of their own MPI_Finalize.
"""

import argparse
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

LIMIT_S = 250  # of a hang
SKIPPED = 77  # by the command, which says why
END_S = 3  # in which all of a job has ended
FINALIZE_S = 30  # for a host that may not come out of it


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fails", action="store_true")
    parser.add_argument("--says", action="append", default=[])
    parser.add_argument("--never", action="append", default=[])
    parser.add_argument("--limit", type=float, default=LIMIT_S)
    parser.add_argument("--kill")
    parser.add_argument("--may-not-end", action="store_true")
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


def has_segment(pid):
    try:
        return "/memfd:foldlane" in pathlib.Path("/proc", pid, "maps").read_text()
    except OSError:
        return False


def ranks_left_by_killing(name, mark):
    """Launchers may take a little longer than ranks."""
    for pid in processes_of(mark):
        if pathlib.Path("/proc", pid, "comm").read_text().strip() == name:
            os.kill(int(pid), signal.SIGKILL)
            return processes_left_by(mark, has_segment)
    print(f"no process {name} to kill")
    return []


def says_all(wanted, text):
    return all(re.search(says, text) for says in wanted.says)


class Ending:
    """Of a job that takes too long; launchers then end their ranks."""

    def __init__(self, job, limit):
        self.job = job
        self.host_hangs = False
        self.start(limit, job.terminate)

    def start(self, limit, end):
        self.timer = threading.Timer(limit, end)
        self.timer.start()

    def allow_for_finalize(self):
        self.cancel()
        self.start(FINALIZE_S, self.give_up)

    def give_up(self):
        self.host_hangs = True
        self.job.terminate()

    def cancel(self):
        self.timer.cancel()


def run(wanted, environment, mark):
    """Exit code, output, and the ranks that a kill has left."""
    job = subprocess.Popen(wanted.command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True)
    ending = Ending(job, wanted.limit)
    lines, left = [], []
    for line in job.stdout:
        lines.append(line)
        if wanted.kill and line == "waiting\n":
            left = ranks_left_by_killing(wanted.kill, mark)
        if wanted.may_not_end and says_all(wanted, "".join(lines)):
            ending.allow_for_finalize()
    code = job.wait()
    ending.cancel()
    if ending.host_hangs:
        lines.append("The host does not come out of its MPI_Finalize.\n")
        code = 0
    return code, "".join(lines), left


def lines_with(patterns, text):
    """What a log of tests that passed tells of them: how many calls were compared."""
    return [line for line in text.splitlines() if any(re.search(pattern, line) for pattern in patterns)]


def main(wanted, folder):
    job = str(os.getpid())
    environment = dict(os.environ, TMPDIR=folder, FOLDLANE_TEST_JOB=job, LD_PRELOAD=wanted.stub, FOLDLANE_ACCEL_EXPLAIN="1",
                       FOLDLANE_TEST_FORMS="blocking", OMPI_ALLOW_RUN_AS_ROOT="1",
                       OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    if wanted.kill:
        environment["OMPI_MCA_btl_vader_backing_directory"] = folder  # else it stays in /dev/shm
    mark = f"FOLDLANE_TEST_JOB={job}"
    code, text, left = run(wanted, environment, mark)
    if code == SKIPPED:
        print(text)
        return SKIPPED
    wrong = [f"exit code {code}"] if (code != 0) != wanted.fails else []
    wrong += [f"it does not say '{says}'" for says in wanted.says if not re.search(says, text)]
    wrong += [f"it says '{never}'" for never in wanted.never if re.search(never, text)]
    wrong += [f"process {pid} is left" for pid in left or processes_left_by(mark)]
    shown = [text, *wrong] if wrong else lines_with(wanted.says, text)
    print(*shown, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as what_killed_launchers_leave:
        sys.exit(main(arguments(), what_killed_launchers_leave))
