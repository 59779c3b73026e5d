"""Words that must not stand where they stand."""

import re

from tree import LAYERS

MPI = re.compile(r"\bP?MPIX?_[A-Z]")
ATOMICS = re.compile(r"std::atomic|atomic_ref|memory_order|\bvolatile\b|_mm_[lms]fence|__atomic_")
# The probe is C that must compile for every MPI, and the examples are programs of users.
NOT_OURS = ("shm/sync/", "tools/bench/probe/", "tools/examples/")
# Assembly; streaming stores end with a fence where they are made; what a signal handler may write.
NO_ATOMICS = re.compile(r"\basm(__)? volatile|void end_streaming\(\)|volatile sig_atomic_t")
MARKS = re.compile(r"\b(FIXME|XXX|HACK|TODO)\b|\bDISABLED_")
CONFLICT = re.compile(r"^(<{7}|>{7})( |$)")


def matches(tree, names, pattern):
    return [(name, number, line) for name in names for number, line in enumerate(tree.lines(name), 1)
            if pattern.search(line)]


def report(found, why):
    return [f"{name}:{number}: {line.strip()[:80]}: {why}" for name, number, line in found]


def check_mpi(tree):
    names = tree.sources(("engine", "shm", "kernels"))
    return (report(matches(tree, names, MPI), "only api/ and above know MPI"),
            f"{len(names)} files of engine, shm and kernels name no call of MPI")


def check_atomics(tree):
    names = [name for name in tree.sources() if not name.startswith(NOT_OURS)]
    found = [place for place in matches(tree, names, ATOMICS) if not NO_ATOMICS.search(place[2])]
    return report(found, "atomics, fences and volatile live in shm/sync"), f"{len(names)} files without atomics"


def check_marks(tree):
    names = tree.sources(LAYERS + ("tests", "perf"))
    findings = report(matches(tree, names, MARKS), "do it, or file an issue")
    findings += report(matches(tree, tree.files, CONFLICT), "a conflict was not resolved")
    return findings, f"{len(tree.files)} files without left-over marks"
