#!/usr/bin/env python3
"""Jobs of a host that Slurm's srun starts, with Foldlane under them, on the cluster of tests/tools/slurm. Exit code 77:
something of it is missing.

under_slurm.py FOLDLANE PMI PROGRAM...

PMI is what srun is to speak with the host, PROGRAM makes six sums.
"""

import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "slurm"))
from slurm import Cluster, expect, require  # noqa: E402


def main(foldlane, pmi, *program):
    require()
    with tempfile.TemporaryDirectory() as folder, Cluster(pathlib.Path(folder)) as cluster:
        done = cluster.run(foldlane, "accelerate", "--explain", *cluster.job(f"--mpi={pmi}", *program))
        expect(done.returncode == 0, "the job fails", done.stdout)
        expect(len(re.findall(r"MPI_Allreduce +6 here", done.stdout)) == 1, "not one job whose calls ran here", done.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
