"""Subjects of commits: the room as prefix, 72 characters. Counted since the rule began, the last 50 commits at most."""

import re
import subprocess

BEGAN = "be18763"
LONGEST = 72
PREFIX = re.compile(r"^[^\s:][^:]*: \S")


def new_commits(tree):
    try:
        tree.git("rev-parse", "--quiet", "--verify", f"{BEGAN}^{{commit}}")
        since = [f"^{BEGAN}"]
    except subprocess.CalledProcessError:
        since = []  # a shallow clone, or a tree of its own
    return tree.git("log", "-50", "--no-merges", "--format=%h %s", "HEAD", *since).splitlines()


def judge(line):
    name, subject = line.split(" ", 1)
    if len(subject) > LONGEST:
        return [f"{name}: {len(subject)} characters, at most {LONGEST}: {subject}"]
    return [] if PREFIX.match(subject) else [f"{name}: begins with no room (as in \"engine/team: …\"): {subject}"]


def check(tree):
    lines = new_commits(tree)
    return [finding for line in lines for finding in judge(line)], f"{len(lines)} new commits"
