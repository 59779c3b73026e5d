"""Every option that --help names is in the manual page, and no page is empty. usage: manual_test.py PREFIX"""

import re
import subprocess
import sys
from pathlib import Path

PAGES = {
    "foldlane.1": ["foldlane run", "foldlane info", "foldlane explain"],
    "foldlane-bench.1": ["foldlane bench"],
    "mpiexec.1": ["mpiexec"],
    "mpicc.1": ["mpicc"],
    "mpicxx.1": ["mpicxx"],
}
FORTRAN_PAGES = {"mpifort.1": ["mpifort"]}  # where it was built


def options_of(help_text):
    """The options at the beginnings of lines: "-b,--bytes", "-cc=COMPILER"."""
    found = set()
    for line in help_text.splitlines():
        if match := re.match(r"\s+(-[^\s,]+(?:, ?-[^\s,]+)*)", line):
            found.update(re.findall(r"(?:^|[ ,])(--?[A-Za-z][\w-]*)", match[1]))
    return found


def entries_of(page):
    """The words of the lines that name an option."""
    heads = re.findall(r"^\.B (.*)$", page, re.M)
    return {word for head in heads for word in re.findall(r"(?:^|[ ,])(--?[A-Za-z][\w-]*)", head.replace("\\-", "-"))}


def missing_in(prefix, name, command):
    tool, *rest = command.split()
    result = subprocess.run([prefix / "bin" / tool, *rest, "--help"], check=True, text=True, capture_output=True)
    page = (prefix / "share/man/man1" / name).read_text()
    options = options_of(result.stdout)
    if not page.startswith(".TH ") or len(options) < 3:
        return [f"{name}: no page, or {command} --help names no options"]
    return [f"{name}: {option} of {command} --help is missing" for option in sorted(options - entries_of(page))]


def main(prefix):
    pages = PAGES | (FORTRAN_PAGES if (prefix / "bin/mpifort").exists() else {})
    missing = [line for name, commands in pages.items() for command in commands
               for line in missing_in(prefix, name, command)]
    print(*missing, sep="\n")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
