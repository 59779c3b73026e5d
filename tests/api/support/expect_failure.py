#!/usr/bin/env python3
"""Runs a command that must fail and print (to either stream) exactly one line that matches an expression.

usage: expect_failure.py REGEX COMMAND...
"""

import re
import subprocess
import sys

expression, command = sys.argv[1], sys.argv[2:]
run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
matches = [line for line in run.stdout.splitlines() if re.search(expression, line)]
if run.returncode == 0 or len(matches) != 1:
    sys.exit(f"exit code {run.returncode}, {len(matches)} lines match; the output was:\n{run.stdout}")
