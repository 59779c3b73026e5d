"""perf/arms on a build. usage: arms_test.py BUILD PERF_ARMS"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMS = sys.argv.pop()
BUILD = sys.argv.pop()


def run(build, *arguments):
    return subprocess.run([ARMS, build, *arguments], capture_output=True, text=True, check=False)


class Arms(unittest.TestCase):
    def test_measure_each_arm_of_a_decision(self):
        done = run(BUILD, "message-copy", "--seconds", "0.01")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertIn("| case | chosen, us | together, us | all | near | far | alone, us | all | near | far |", done.stdout)
        rows = [line.split("|")[1:-1] for line in done.stdout.splitlines() if "MiB hot" in line and "|" in line]
        self.assertEqual(len(rows), 6, done.stdout)  # two sizes of three calls
        for row in rows:
            self.assertEqual(len(row), 10, row)
            for time in (row[1], row[2], row[6]):
                self.assertGreater(float(time), 0)
        self.assertRegex(done.stdout, r"12 cases; the better arm is faster by more than 5 % in \d+")

    def test_know_the_decisions_of_the_build(self):
        done = run(BUILD, "luck")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no decision 'luck'; known are slot-stores, ", done.stderr)

    def test_measure_nothing_where_the_build_decides_something_else(self):
        with tempfile.TemporaryDirectory() as build:
            foldlane = Path(build) / "bin/foldlane"
            foldlane.parent.mkdir()
            facts = json.dumps({"decisions": [{"name": "luck", "arms": ["good", "bad"]}]})
            foldlane.write_text(f"#!/bin/sh\necho '{facts}'\n")
            os.chmod(foldlane, 0o755)
            done = run(build, "message-copy")
            self.assertEqual(done.returncode, 1)
            self.assertIn("decides luck, but here are calls for slot-stores, ", done.stderr)


if __name__ == "__main__":
    unittest.main()
