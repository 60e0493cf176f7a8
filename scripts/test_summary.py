#!/usr/bin/env python3
"""Counts the test cases of one CTest run from the result files that the test programs left, and prints the closing line.

    scripts/test_summary.py BUILD_FOLDER LABEL_REGEX NAME_REGEX

A program that left no result (it crashed or hung) counts as one failure. Exit status 1 if anything failed or nothing ran.
"""
import json
import pathlib
import subprocess
import sys


def expected_programs(folder, label, name):
    listing = subprocess.run(
        ["ctest", "--test-dir", folder, "-L", label, "-R", name, "--show-only=json-v1"],
        check=True, capture_output=True, text=True).stdout
    return [test["name"] for test in json.loads(listing)["tests"]]


def cases(result):
    for suite in result["testsuites"]:
        for case in suite["testsuite"]:
            yield f'{suite["name"]}.{case["name"]}', case


def count(path):
    """Passed, skipped, and the names of failed cases of one program."""
    passed, skipped, failed = 0, 0, []
    for name, case in cases(json.loads(path.read_text())):
        if case.get("failures"):
            failed.append(name)
        elif case["result"] == "SKIPPED":
            skipped += 1
        elif case["result"] == "COMPLETED":
            passed += 1
    return passed, skipped, failed


def main(folder, label, name):
    passed, skipped, failed = 0, 0, []
    for program in expected_programs(folder, label, name):
        path = pathlib.Path(folder, "test-results", program + ".json")
        if not path.exists():
            failed.append(f"{program} (ended without a result)")
            continue
        more_passed, more_skipped, more_failed = count(path)
        passed += more_passed
        skipped += more_skipped
        failed += more_failed
    for case in failed:
        print("failed:", case)
    print(f"{folder}: {passed} passed, {len(failed)} failed, {skipped} skipped")
    return 1 if failed or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
