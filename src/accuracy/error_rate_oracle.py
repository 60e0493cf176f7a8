#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Word and character error rate of jiwer, and str.lower, str.isspace and \\w of this Python, for the tests of error_rate and characters.

    error_rate_oracle.py IN OUT      # IN: one case a line as JSON; OUT: one line a case
"""
import json
import re
import sys

import jiwer


def answer(case):
    if "references" in case:
        return [jiwer.wer(case["references"], case["hypotheses"]), jiwer.cer(case["references"], case["hypotheses"])]
    first, last = case["codes"]
    codes = [c for c in range(first, last) if not 0xD800 <= c < 0xE000]
    return [hash_of([[int(chr(c).isspace()), int(bool(re.match(r"\w", chr(c)))), *map(ord, chr(c).lower())]]) for c in codes]


def hash_of(rows):
    """Checksum of rows of numbers (FNV-1a, 64 bits, a number a step)."""
    value = 0xCBF29CE484222325
    for row in rows:
        for number in row:
            value = (value ^ number) * 0x100000001B3 % 2**64
    return value


with open(sys.argv[1], encoding="utf-8") as cases, open(sys.argv[2], "w") as out:
    for line in cases:
        print(*map(repr, map(lambda x: x if isinstance(x, int) else float(x), answer(json.loads(line)))), file=out)
