#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes character_tables.cc: letters and digits, and lower-case letters, as the unicodedata module of this Python has them.

    src/accuracy/character_tables.py >src/accuracy/character_tables.cc
"""
import sys
import unicodedata

HEAD = """// Ranges of code points, of Unicode {version}; written by character_tables.py.
#include "accuracy/character_tables.h"

namespace ridge::accuracy {{
namespace {{

// clang-format off
"""

TAIL = """}  // namespace

std::span<const CodeRange> word_ranges() { return kWordRanges; }
std::span<const LowerRun> lower_runs() { return kLowerRuns; }

}  // namespace ridge::accuracy"""


def word_ranges():
    first = None
    for code in range(0x80, sys.maxunicode + 2):
        inside = code <= sys.maxunicode and chr(code).isalnum()
        if inside and first is None:
            first = code
        elif not inside and first is not None:
            yield first, code - 1
            first = None


def lower_runs():
    """Runs of upper-case letters, one or two apart, whose lower-case letters are equally far away: first, last, distance, step."""
    run = None
    for code in range(0x80, sys.maxunicode + 1):
        lower = chr(code).lower()
        if len(lower) != 1 or lower == chr(code):
            continue
        by = ord(lower) - code
        if run and run[2] == by and (code - run[1] == run[3] or run[0] == run[1] and code - run[1] <= 2):
            run = [run[0], code, by, code - run[1]]
            continue
        if run:
            yield tuple(run)
        run = [code, code, by, 1]
    yield tuple(run)


def rows(items):
    line = ""
    for item in items:
        text = "{" + ", ".join(item) + "},"
        if len(line) + len(text) + 1 > 100:
            yield line
            line = ""
        line += (" " if line else "    ") + text
    yield line


def main():
    print(HEAD.format(version=unicodedata.unidata_version))
    print("constexpr CodeRange kWordRanges[] = {")
    print("\n".join(rows((f"0x{a:x}", f"0x{b:x}") for a, b in word_ranges())))
    print("};\n")
    print("constexpr LowerRun kLowerRuns[] = {")
    print("\n".join(rows((f"0x{a:x}", f"0x{b:x}", str(by), str(step)) for a, b, by, step in lower_runs())))
    print("};\n// clang-format on\n")
    print(TAIL)


main()
