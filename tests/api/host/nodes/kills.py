#!/usr/bin/env python3
"""Kills something of a job of another MPI at a random instant, again and again: a rank, the launcher, or an agent of it.
Nothing of the job may be left 3 s later.

kills.py [--seed N] [--victims NAME,NAME...] ROUNDS RANKS[,RANKS...] COMMAND...

COMMAND starts a job that says "waiting" once it makes calls, and does not end. It runs on nodes of nodes.py, so that what
its MPI leaves in /dev/shm ends with them. Ranks that have our memory must end, unless the launcher itself goes on: that a
rank has died is its to notice, and Open MPI's now and then does not end the job, without us neither. That, and what else
the other MPI leaves, is counted apart, and killed.
"""

import argparse
import collections
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

import nodes as of_nodes
from accelerated import has_segment, processes_left_by, processes_of

BEGINNING_S = 1.0  # in which a job comes to its first calls, on a machine with nothing else to do
CALLS_S = 0.05  # some thousands of calls


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--victims", type=lambda text: text.split(","), required=True)
    parser.add_argument("rounds", type=int)
    parser.add_argument("ranks", type=lambda text: [int(number) for number in text.split(",")])
    parser.add_argument("command", nargs=argparse.REMAINDER)
    return parser.parse_args()


def name_of(pid):
    try:
        return pathlib.Path("/proc", pid, "comm").read_text().strip()
    except OSError:
        return ""


def kill(pids):
    for pid in pids:
        try:
            os.kill(int(pid), signal.SIGKILL)
        except ProcessLookupError:
            pass


def victim_of(mark, names, chance):
    """Each name is as likely as another, however many processes have it; none if the job has none of them yet."""
    found = collections.defaultdict(list)
    for pid in processes_of(mark):
        if (name := name_of(pid)) in names:
            found[name].append(pid)
    if not found:
        return "nobody", None
    name = chance.choice(sorted(found))
    return name, chance.choice(found[name])


def name_of_job(number):
    return f"kill {number} of {os.getpid()}"


def mark_of_job(number):
    return f"FOLDLANE_TEST_JOB={name_of_job(number)}"


class Job:
    def __init__(self, on, wanted, number):
        self.mark = mark_of_job(number)
        environment = dict(of_nodes.environment_on(on, name_of_job(number)), OMPI_ALLOW_RUN_AS_ROOT="1",
                           OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        self.process = subprocess.Popen(of_nodes.command_on(on, wanted), env=environment, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def await_random_instant(self, chance):
        """As likely in its beginning as in its calls. What that is called."""
        if chance.random() < 0.5:
            time.sleep(chance.uniform(0, BEGINNING_S))
            return "beginning"
        while (line := self.process.stdout.readline()) != "waiting\n":
            if not line:
                sys.exit("the job ends before it waits")
        time.sleep(chance.uniform(0, CALLS_S))
        return "calls"

    def end(self):
        kill(processes_of(self.mark))
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def kill_once(on, wanted, number, chance):
    """What was killed, who of the ranks with our memory is left without their launcher, and the names of all that is."""
    job = Job(on, wanted, number)
    stage = job.await_random_instant(chance)
    name, pid = victim_of(job.mark, wanted.victims, chance)
    left = []
    if pid is not None:
        kill([pid])
        left = processes_left_by(job.mark)
    names = [name_of(each) for each in left]
    launcher_goes_on = any(each.startswith("mpirun.") for each in names)
    ours = [] if launcher_goes_on else list(filter(has_segment, left))
    job.end()
    return f"{name} ({stage})", ours, names


def main(wanted):
    chance = random.Random(wanted.seed)
    kills, of_host, wrong = collections.Counter(), 0, 0
    with of_nodes.nodes_in_use(len(wanted.ranks)) as on:
        for number in range(wanted.rounds):
            what, ours, left = kill_once(on, wanted, number, chance)
            kills[what] += 1
            wrong += bool(ours)
            of_host += bool(left) and not ours
            if left:
                print(f"{number}: {what}: {left} are left; ranks with our memory and no launcher: {len(ours)}", flush=True)
    for number in range(wanted.rounds):  # in execve() a process has no environment to be known by
        kill(processes_of(mark_of_job(number)))
    for what, count in sorted(kills.items()):
        print(f"killed {what}: {count}")
    print(f"{wanted.rounds} jobs: of {wrong} a rank with our memory outlived its launcher, of {of_host} something else was left")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(arguments()))
