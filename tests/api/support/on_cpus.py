#!/usr/bin/env python3
"""Runs a command on so many of the CPUs that this process may use, or on all of them if they are fewer.

usage: on_cpus.py COUNT COMMAND...
"""

import os
import sys

count, command = int(sys.argv[1]), sys.argv[2:]
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:count])
os.execv(command[0], command)
