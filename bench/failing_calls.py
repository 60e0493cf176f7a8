#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does every verb that keeps something end cleanly where the i-th allocation, read or write fails? The first 200 calls of each kind, then every k-th.

    bench/failing_calls.py build            # at most 60 s a verb, in random order: some 14 minutes
    bench/failing_calls.py build --seconds 600 --seed 2 --verbs Eval*

Runs the cases of tests/failure/verbs_test.cc, of which the test suite takes a seeded sample. Exit status 1: one failed.
"""
import argparse
import os
import pathlib
import subprocess
import sys

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("build", type=pathlib.Path)
parser.add_argument("--seconds", type=int, default=60)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--verbs", default="*")
options = parser.parse_args()
build = options.build.resolve()
environment = dict(os.environ, RIDGE_FAILING_SECONDS=str(options.seconds), RIDGE_FAILING_SEED=str(options.seed), RIDGE_PROGRAM=str(build / "ridge"),
                   RIDGE_SOURCE=str(pathlib.Path(__file__).resolve().parent.parent))
command = [build / "tests/failure_tests", "--gtest_brief=1", f"--gtest_filter=Verbs/FailingCallsSlow.*/{options.verbs}"]
sys.exit(1 if subprocess.run(command, env=environment).returncode else 0)
