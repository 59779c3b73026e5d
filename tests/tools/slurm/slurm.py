#!/usr/bin/env python3
"""Jobs of our library under Slurm's srun, on a cluster of this machine alone, whose daemons, keys and files end with this
program. It takes root, and Debian's packages slurmctld, slurmd, slurm-client and munge; exit code 77: something is missing.

slurm.py BIN SOURCE MPI_RANK

BIN has mpicc and mpiexec, SOURCE the demonstration's program (tools/demo), MPI_RANK is tests/tools/mpi_rank.c.
"""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "api" / "host"))
from accelerated import processes_left_by  # noqa: E402

NOT_HERE = 77
RANKS = 4
UP_S = 30  # in which a daemon answers
END_S = 3  # in which all of a job has ended
DAEMONS = ["munged", "slurmctld", "slurmd"]
CONFIGURATION = """
ClusterName=foldlane
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=root
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SlurmdParameters=config_overrides
ReturnToService=2
NodeName=here NodeHostname=localhost NodeAddr=127.0.0.1 CPUs={ranks} State=UNKNOWN
PartitionName=all Nodes=here Default=YES State=UP OverSubscribe=FORCE
"""


def skip(why):
    print(why)
    sys.exit(NOT_HERE)


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Cluster:
    def __init__(self, folder):
        self.folder = folder
        self.environment = dict(os.environ, SLURM_CONF=str(folder / "slurm.conf"))
        self.daemons = []
        (folder / "state").mkdir()
        (folder / "spool").mkdir()
        key = folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        (folder / "slurm.conf").write_text(CONFIGURATION.format(folder=folder, ports=free_ports(2), ranks=RANKS))

    def __enter__(self):
        self.start("munged", "--foreground", "--force", f"--key-file={self.folder}/munge.key",
                   f"--socket={self.folder}/munge.socket", f"--pid-file={self.folder}/munged.pid",
                   f"--seed-file={self.folder}/munged.seed", f"--log-file={self.folder}/munged.log")
        self.await_true("munged", lambda: (self.folder / "munge.socket").exists())
        self.start("slurmctld", "-D")
        self.start("slurmd", "-D", "-N", "here")
        self.await_true("slurmd", lambda: "idle" in self.run("sinfo", "--noheader", "--format=%t").stdout)
        return self

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            daemon.wait()

    def start(self, name, *words):
        with open(self.folder / f"{name}.txt", "w", encoding="utf-8") as output:
            self.daemons.append(subprocess.Popen([name, *words], env=self.environment, stdin=subprocess.DEVNULL,
                                                 stdout=output, stderr=output))

    def await_true(self, daemon, is_up):
        deadline = time.monotonic() + UP_S
        while not is_up():
            if time.monotonic() > deadline or self.daemons[-1].poll() is not None:
                print((self.folder / f"{daemon}.txt").read_text())
                raise SystemExit(f"{daemon} does not come up")
            time.sleep(0.05)

    def run(self, *words):
        return subprocess.run(words, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=120, check=False)

    def job(self, *words):
        return ["srun", "--quiet", f"--ntasks={RANKS}", *words]


def expect(holds, what, text=""):
    if not holds:
        print(text)
        raise SystemExit(f"wrong: {what}")


def top_list(text):
    return [line for line in text.splitlines() if line.startswith("top ")]


def compute(cluster, bin_folder, source):
    """As the demonstration does."""
    program = str(cluster.folder / "pagerank")
    names = ["pagerank", "solve", "checks", "graph"]
    subprocess.run([f"{bin_folder}/mpicc", "-std=c11", "-O2", "-o", program,
                    *(f"{source}/{name}.c" for name in names), "-lm"], check=True)
    ours = cluster.run(f"{bin_folder}/mpiexec", "-n", str(RANKS), program)
    theirs = cluster.run(*cluster.job(program))
    expect(theirs.returncode == 0, "the demonstration fails under srun", theirs.stdout)
    expect(top_list(ours.stdout), "the demonstration prints no list", ours.stdout)
    expect(top_list(ours.stdout) == top_list(theirs.stdout), "its list is another one", theirs.stdout)


def fail(cluster, mpi_rank):
    aborted = cluster.run(*cluster.job(mpi_rank, "abort"))
    expect(aborted.returncode == 17, f"exit code {aborted.returncode} of an abort with 17", aborted.stdout)


def is_alive(pid):
    try:
        return pathlib.Path("/proc", str(pid), "stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def parent_of(pid):
    return int(pathlib.Path("/proc", str(pid), "stat").read_text().rpartition(")")[2].split()[1])


def end(job):
    """What is killed keeps its CPUs in the cluster, and srun waits for ever for a slurmstepd that is no more."""
    try:
        job.wait(END_S)
    except subprocess.TimeoutExpired:
        os.killpg(job.pid, signal.SIGKILL)
        job.wait()


def lose(cluster, mpi_rank, victim_of):
    """All ranks end with one of them, or with slurmstepd."""
    job = subprocess.Popen(cluster.job(mpi_rank, "loop"), env=cluster.environment, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
    pids = [int(job.stdout.readline()) for _ in range(RANKS)]
    os.kill(victim_of(pids[1]), signal.SIGKILL)
    deadline = time.monotonic() + END_S
    while (left := list(filter(is_alive, pids))) and time.monotonic() < deadline:
        time.sleep(0.01)
    end(job)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    expect(not left, f"ranks {left} are left")


def require():
    if os.geteuid() != 0:
        skip("only root can start jobs of Slurm's daemons")
    if missing := [name for name in [*DAEMONS, "srun", "sinfo"] if shutil.which(name) is None]:
        skip(f"not installed: {', '.join(missing)}")


def main(bin_folder, source, mpi_rank):
    require()
    with tempfile.TemporaryDirectory() as folder, Cluster(pathlib.Path(folder)) as cluster:
        compute(cluster, bin_folder, source)
        fail(cluster, mpi_rank)
        lose(cluster, mpi_rank, lambda rank: rank)
        lose(cluster, mpi_rank, parent_of)
    for pid in (left := processes_left_by(f"SLURM_CONF={folder}/slurm.conf")):
        print(f"process {pid} is left")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
