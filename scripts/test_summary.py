#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the test cases of one CTest run from the result files that the test programs left, lists what was left out and why, and prints the closing line.

    scripts/test_summary.py BUILD_FOLDER LABEL_REGEX NAME_REGEX

A program that left no result (it crashed or hung) counts as one failure. Exit status 1 if anything failed or nothing ran; with RIDGE_REQUIRE_ALL=1 also
if a case was skipped for lack of what the scripts install or fetch. What the machine lacks, or a sanitizer forbids, is listed and fails nothing.
"""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

# Reasons that no script can help with: parts of GTEST_SKIP's message. Any other reason is one that RIDGE_REQUIRE_ALL does not accept.
MACHINE = [
    r"^sanitizers ",                                        # what a sanitizer forbids
    r"^needs (two|\d+) processors$",
    r"^no file system may be mounted here$",
    r"^no (instructions|GPU|hardware counters)\b",
    r"^the temporary folder is for its owner alone$",
    r"^the loader found an installed one$",
    r"^the reference networks are not here$",                # ../shared
    r"^the networks or an ONNX Runtime are not here$",
    r"^the public catalogue is not here$",                   # RIDGE_CATALOGUE; it has no license
    r"^\w+ is not there$",
    r"\.\./shared\b",
]


def expected_programs(folder, label, name):
    """The entries of CTest."""
    listing = subprocess.run(
        ["ctest", "--test-dir", folder, "-L", label, "-R", name, "--show-only=json-v1"],
        check=True, capture_output=True, text=True).stdout
    return [test["name"] for test in json.loads(listing)["tests"]]


def reason_of(skipped):
    """GoogleTest puts FILE:LINE on a line of its own before the message."""
    lines = [line for line in skipped.get("message", "").splitlines() if line and not re.match(r"\S+:\d+$", line)]
    return lines[0] if lines else "without a reason"


def count(path):
    """Passed, the reasons of skipped cases, and the names of failed cases of one program."""
    passed, reasons, failed = 0, [], []
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        skipped = case.find("skipped")
        if case.find("failure") is not None:
            failed.append(f'{case.get("classname")}.{case.get("name")}')
        elif skipped is not None:
            reasons.append(reason_of(skipped))
        elif case.get("result") == "completed":
            passed += 1
    return passed, reasons, failed


def required(reason):
    return not any(re.search(pattern, reason) for pattern in MACHINE)


def main(folder, label, name):
    passed, reasons, failed = 0, collections.Counter(), []
    for program in expected_programs(folder, label, name):
        path = pathlib.Path(folder, "test-results", program + ".xml")
        if not path.exists():
            failed.append(f"{program} (ended without a result)")
            continue
        more_passed, more_reasons, more_failed = count(path)
        passed += more_passed
        reasons.update(more_reasons)
        failed += more_failed
    for case in failed:
        print("failed:", case)
    missing = os.environ.get("RIDGE_REQUIRE_ALL") == "1" and any(map(required, reasons))
    for reason, cases in sorted(reasons.items()):
        note = "; the scripts install or fetch it" if required(reason) else ""
        print(f"left out: {cases} case{'s' if cases > 1 else ''} of {folder}: {reason}{note}")
    print(f"{folder}: {passed} passed, {len(failed)} failed, {sum(reasons.values())} skipped")
    return 1 if failed or passed == 0 or missing else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
