"""The tracked files of a working tree, and what the rules ask about them."""

import subprocess
from pathlib import Path

LAYERS = ("kernels", "shm", "engine", "api", "tools")
C_SUFFIXES = (".cpp", ".hpp", ".h", ".c")
SCRIPT_SUFFIXES = (".py", ".sh")


class Tree:
    def __init__(self, root):
        self.root = Path(root)
        listed = self.git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
        self.files = sorted(name for name in set(listed.split("\0")) if name and (self.root / name).is_file())

    def git(self, *arguments):
        return subprocess.run(["git", "-C", self.root, *arguments], check=True, text=True,
                              stdout=subprocess.PIPE).stdout

    def text(self, name):
        return (self.root / name).read_text(encoding="utf-8", errors="replace")

    def lines(self, name):
        return self.text(name).splitlines()

    def sources(self, layers=LAYERS, suffixes=C_SUFFIXES):
        return [name for name in self.files if name.split("/")[0] in layers and name.endswith(suffixes)]


def table_lines(tree, name):
    """The lines of a table without comments and empty ones."""
    stripped = (line.split("#")[0].strip() for line in tree.lines(name))
    return [line for line in stripped if line]
