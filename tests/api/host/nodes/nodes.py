#!/usr/bin/env python3
"""Runs a job of Open MPI or MPICH on several nodes that are namespaces of this machine: each has a network, a host name,
a /dev/shm and System V IPC of its own, and what one node gives another goes through TCP. Nothing of that has a name
outside, and all of it ends with this program.

nodes.py [--kill NAME] RANKS,RANKS[,...] [WORD]... mpirun.openmpi|mpirun.mpich ARGUMENT...

So many ranks on each node, in blocks. With --kill a process of this name is killed once the job says "waiting", and
then all ranks must end. Exit code 77: not allowed here.
"""

import argparse
import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from accelerated import processes_left_by, ranks_left_by_killing  # noqa: E402

AGENT = str(HERE / "on_node.sh")
NOT_ALLOWED = 77
NEW_NAMESPACES = ["unshare", "--net", "--uts", "--ipc", "--mount", "--propagation", "private"]
# UCX, which MPICH takes, looks for network devices in /sys.
ENTER = ('hostname "$0" && mount --bind "$1" /etc/hosts && mount -t tmpfs tmpfs /dev/shm && mount -t sysfs sysfs /sys && '
         'echo up && exec cat')


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kill")
    parser.add_argument("ranks", type=lambda text: [int(number) for number in text.split(",")])
    parser.add_argument("command", nargs=argparse.REMAINDER)
    return parser.parse_args()


def not_allowed(why):
    print(f"no namespaces for nodes here: {why}")
    sys.exit(NOT_ALLOWED)


class Node:
    """A process that holds the namespaces, as long as this program does not end."""

    def __init__(self, number, hosts):
        self.name = f"node{number}"
        self.address = f"10.99.0.{number + 1}"
        self.holder = subprocess.Popen([*NEW_NAMESPACES, "sh", "-c", ENTER, self.name, hosts], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if self.holder.stdout.readline() != "up\n":
            not_allowed(self.holder.stderr.read().strip())

    def pid(self):
        return str(self.holder.pid)

    def ip(self, *words):
        subprocess.run(["nsenter", "--net", "--target", self.pid(), "ip", *words], check=True)

    def end(self):
        self.holder.stdin.close()
        self.holder.wait()


def connect(nodes):
    """A switch on the first node, which all are plugged into."""
    first = nodes[0]
    first.ip("link", "add", "switch", "type", "bridge")
    for number, node in enumerate(nodes):
        first.ip("link", "add", f"port{number}", "type", "veth", "peer", "name", "net0", "netns", node.pid())
        first.ip("link", "set", f"port{number}", "master", "switch", "up")
        node.ip("address", "add", f"{node.address}/24", "dev", "net0")
        for link in ("lo", "net0"):
            node.ip("link", "set", link, "up")
    first.ip("link", "set", "switch", "up")


def what_launcher_needs(launcher, hosts, ranks):
    if "mpich" in launcher:
        return ["-launcher", "rsh", "-launcher-exec", AGENT, "-iface", "net0", "-hosts", hosts, "-n", str(ranks)]
    return ["--host", hosts, "-n", str(ranks), "--mca", "plm_rsh_agent", AGENT, "--mca", "btl_tcp_if_include", "net0",
            "--mca", "oob_tcp_if_include", "net0", "-x", "FOLDLANE_TEST_FORMS"]


def command_on(nodes, wanted):
    """With what the launcher must know of the nodes behind its name."""
    at = next(i for i, word in enumerate(wanted.command) if word.startswith("mpirun"))
    hosts = ",".join(f"{node.name}:{ranks}" for node, ranks in zip(nodes, wanted.ranks))
    more = what_launcher_needs(wanted.command[at], hosts, sum(wanted.ranks))
    return [AGENT, "--keep-environment", nodes[0].name, *wanted.command[:at + 1], *more, *wanted.command[at + 1:]]


def complain_of(pids):
    for pid in pids:
        print(f"process {pid} is left")
    return 1 if pids else 0


def environment_on(nodes, job):
    """What on_node.sh needs of it, and the mark of the job's processes."""
    return dict(os.environ, TMPDIR="/dev/shm", FOLDLANE_TEST_JOB=job,
                FOLDLANE_TEST_NODES=" ".join(f"{node.name}={node.pid()}" for node in nodes))


def run(nodes, wanted):
    name = f"nodes of {os.getpid()}"
    mark = f"FOLDLANE_TEST_JOB={name}"
    job = subprocess.Popen(command_on(nodes, wanted), env=environment_on(nodes, name), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True)
    signal.signal(signal.SIGTERM, lambda *_: job.terminate())
    left = 0
    for line in job.stdout:
        print(line, end="", flush=True)
        if wanted.kill and line == "waiting\n":
            left = complain_of(ranks_left_by_killing(wanted.kill, mark))
    return abs(job.wait()) or left or complain_of(processes_left_by(mark))


@contextlib.contextmanager
def nodes_in_use(count):
    if os.geteuid() != 0:
        not_allowed("only root can make them")
    with tempfile.NamedTemporaryFile("w") as hosts:
        lines = [f"10.99.0.{number + 1} node{number}\n" for number in range(count)]
        hosts.write("".join(["127.0.0.1 localhost\n", *lines]))
        hosts.flush()
        nodes = [Node(number, hosts.name) for number in range(count)]
        connect(nodes)
        try:
            yield nodes
        finally:
            for node in nodes:
                node.end()


def main(wanted):
    with nodes_in_use(len(wanted.ranks)) as nodes:
        return run(nodes, wanted)


if __name__ == "__main__":
    sys.exit(main(arguments()))
