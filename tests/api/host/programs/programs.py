#!/usr/bin/env python3
"""Runs a program of Debian's archive as it is, under its own MPI, with and without Foldlane under its collectives. Both
times it must find its own results right and print the same lines of them, and with Foldlane calls must have run there.

programs.py [--host openmpi|mpich] [--nodes RANKS,RANKS...] [--ranks N] [--rounds N] FOLDLANE TIMER PROGRAM

With several rounds, which take turns, the times are medians. Several nodes are namespaces (nodes/nodes.py). Exit code 77:
the program is not installed, or namespaces are not allowed.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from catalogue import HERE, PROGRAMS

SKIPPED = 77
LIMIT_S = 900  # of a hang


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default="openmpi")
    parser.add_argument("--nodes")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("foldlane")
    parser.add_argument("timer")
    parser.add_argument("program", choices=PROGRAMS)
    wanted = parser.parse_args()
    if wanted.nodes:
        wanted.ranks = sum(map(int, wanted.nodes.split(",")))
    return wanted


def skip(why):
    print(why)
    sys.exit(SKIPPED)


def command(wanted, program, accelerated):
    launcher = [f"mpirun.{wanted.host}"]
    if wanted.host == "openmpi":
        launcher += ["--oversubscribe"] + ([] if accelerated else ["-x", "LD_PRELOAD"])
    on = [str(HERE.parent / "nodes" / "nodes.py"), wanted.nodes] if wanted.nodes else []
    ours = [wanted.foldlane, "accelerate", "--explain"] if accelerated else []
    count = [] if wanted.nodes else ["-n", str(wanted.ranks)]
    start = program.arguments if program.package == "python3-mpi4py" else [program.file(wanted.host), *program.arguments]
    return [*on, *ours, *launcher, *count, *start]


class Run:
    def __init__(self, wanted, program, accelerated):
        environment = dict(os.environ, LD_PRELOAD=wanted.timer, OMPI_ALLOW_RUN_AS_ROOT="1",
                           OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        with tempfile.TemporaryDirectory() as folder:
            program.prepare(Path(folder), wanted.ranks)
            start = time.monotonic()
            done = subprocess.run(command(wanted, program, accelerated), cwd=folder, env=environment, text=True,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=LIMIT_S, check=False)
            self.whole_s = time.monotonic() - start
            files = [path.read_text(encoding="ascii") for path in Path(folder).glob("*outf.txt")]
        if done.returncode == SKIPPED:
            skip(done.stdout)
        self.text = "\n".join([done.stdout, *files])
        self.wrong = [f"exit code {done.returncode}"] if done.returncode else []
        self.wrong += [f"it does not say '{text}'" for text in program.says if not re.search(text, self.text, re.M)]
        self.wrong += [f"it says '{text}'" for text in program.never if re.search(text, self.text)]
        self.results = [line for line in self.text.splitlines() if re.search(program.same, line)]

    def sum_of(self, pattern):
        return sum(float(number) for number in re.findall(pattern, self.text))

    def inside_s(self):
        return self.sum_of(r"timer: [0-9]+ calls, ([0-9.]+) s")

    def here(self):
        return self.sum_of(r"foldlane:   MPI_\w+ +([0-9]+) here")

    def of_host(self):
        return self.sum_of(r"foldlane:   MPI_\w+ +([0-9]+) host")


def complain(run, why):
    print(run.text, *why, sep="\n")
    sys.exit(1)


def check(plain, ours):
    for run in (plain, ours):
        if run.wrong:
            complain(run, run.wrong)
    if plain.results != ours.results or not ours.results:
        differing = [pair for pair in zip(plain.results, ours.results) if pair[0] != pair[1]]
        complain(ours, ["without us it prints other results", *map(str, differing[:5])])
    if ours.here() == 0:
        complain(ours, ["no call ran here"])


def main(wanted):
    program = PROGRAMS[wanted.program]
    if wanted.host not in program.hosts or not os.path.exists(program.file(wanted.host)):
        skip(f"{wanted.program} for {wanted.host} is not here; Debian's package {program.package} has it")
    rounds = []
    for _ in range(wanted.rounds):
        rounds.append((Run(wanted, program, False), Run(wanted, program, True)))
        check(*rounds[-1])
    inside = [statistics.median(run.inside_s() for run in runs) for runs in zip(*rounds)]
    whole = [statistics.median(run.whole_s for run in runs) for runs in zip(*rounds)]
    ours = rounds[0][1]
    calls = ours.here() + ours.of_host()
    print(f"{wanted.program} {wanted.host} {wanted.nodes or wanted.ranks}: {ours.here():.0f} of {calls:.0f} calls here; "
          f"in them {inside[0]:.3f} s without, {inside[1]:.3f} s with; all {whole[0]:.2f} s, {whole[1]:.2f} s; "
          f"{len(ours.results)} equal lines of results")
    return 0


if __name__ == "__main__":
    sys.exit(main(arguments()))
