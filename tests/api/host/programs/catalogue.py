"""Programs of Debian's archive: where they are, how a job of so many ranks is started, and what in their output says
that it is right. None is changed; input is their own, or small."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

HERE = Path(__file__).resolve().parent
SCALAPACK_DATA = Path("/usr/share/scalapack")


@dataclass
class Program:
    package: str
    path: str  # {host}: the MPI that it is built for
    arguments: list
    prepare: Callable  # (folder, ranks): writes its input there
    says: list  # regular expressions that its output has
    never: list
    same: str  # lines that are the same with and without us
    hosts: tuple = ("openmpi",)

    def file(self, host):
        return self.path.format(host=host)


def scalapack(name, data):
    """It checks residuals itself; on grids of fewer processes than there are only some would work."""
    def prepare(folder, ranks):
        pairs = [(rows, ranks // rows) for rows in range(1, ranks + 1) if ranks % rows == 0]
        grids = [str(len(pairs)), " ".join(str(rows) for rows, _ in pairs), " ".join(str(columns) for _, columns in pairs)]
        lines = (SCALAPACK_DATA / data).read_text(encoding="ascii").splitlines()
        at = next(i for i, line in enumerate(lines) if "number of process grids" in line)
        lines[at:at + 3] = grids
        (folder / data).write_text("\n".join(lines) + "\n", encoding="ascii")
    return Program("scalapack-mpi-test", f"/usr/lib/x86_64-linux-gnu/scalapack/{{host}}-tests/{name}", [], prepare,
                   [r"[1-9][0-9]* tests completed and passed residual checks", " 0 tests completed and failed residual"],
                   ["FAILED"], r"tests completed|Finished +[0-9]+ tests", ("openmpi", "mpich"))


def lammps(folder, _):
    shutil.copy(HERE / "melt.lammps", folder)


def mpi4py(folder, _):
    shutil.copy(HERE / "arrays.py", folder)


def hpcc(folder, ranks):
    text = Path("/usr/share/doc/hpcc/examples/_hpccinf.txt").read_text(encoding="ascii")
    for number, name in ((200, "Ns"), (1, "Ps"), (ranks, "Qs")):
        text = re.sub(rf"(?m)^[0-9]+( +{name})$", rf"{number}\1", text)
    (folder / "hpccinf.txt").write_text(text, encoding="ascii")


def scotch(folder, _):
    """A cube of so many points, each the neighbour of those beside it."""
    side = 20
    steps = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    points = [(x, y, z) for x in range(side) for y in range(side) for z in range(side)]
    number = {point: i for i, point in enumerate(points)}
    neighbours = [[number[other] for dx, dy, dz in steps if (other := (x + dx, y + dy, z + dz)) in number]
                  for x, y, z in points]
    lines = [" ".join(map(str, [len(of_point), *of_point])) for of_point in neighbours]
    head = f"0\n{len(points)} {sum(map(len, neighbours))}\n0 000\n"
    (folder / "cube.src").write_text(head + "\n".join(lines) + "\n", encoding="ascii")


PROGRAMS = {
    "xdlu": scalapack("xdlu", "LU.dat"),
    "xzqr": scalapack("xzqr", "QR.dat"),
    "xdnep": scalapack("xdnep", "NEP.dat"),
    "xdinv": scalapack("xdinv", "INV.dat"),
    "lammps": Program("lammps", "/usr/bin/lmp", ["-in", "melt.lammps", "-log", "none"], lammps, ["Loop time"], ["ERROR"],
                      r"^ +[0-9]+ +[-+.0-9e]+ +[-+.0-9e]+ +[-+.0-9e]+ +[-+.0-9e]+"),
    "mpi4py": Program("python3-mpi4py", "/usr/lib/python3/dist-packages/mpi4py", ["/usr/bin/python3", "arrays.py"], mpi4py,
                      ["result: of objects"], ["Traceback"], "^result:"),
    "hpcc": Program("hpcc", "/usr/bin/hpcc", [], hpcc, ["Success=1"], ["FAILED"], "locations|residual checks"),
    "dgord": Program("ptscotch", "/usr/bin/dgord", ["-Cd", "cube.src", "order_outf.txt"], scotch, ["^8000$"], ["ERROR"], "^[0-9]+\t[0-9]+$"),
}
