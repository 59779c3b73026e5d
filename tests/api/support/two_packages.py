#!/usr/bin/env python3
"""Runs a command that takes two of the CPUs for a machine of two packages with a core each; tells CTest to skip it (77)
where there is one.

usage: two_packages.py COMMAND…
"""

import os
import sys

cpus = sorted(os.sched_getaffinity(0))[:2]
if len(cpus) < 2:
    sys.exit(77)
os.environ["HWLOC_SYNTHETIC"] = f"package:2 core:1 pu:1(indexes={cpus[0]},{cpus[1]})"
os.environ["HWLOC_THISSYSTEM"] = "1"
os.execvp(sys.argv[1], sys.argv[1:])
