#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Exact match and F1 by the rules that SQuAD v1.1 publishes, written with Python's own regular expressions and multisets.

    answer_score_oracle.py IN OUT      # IN: one question a line as JSON; OUT: exact match and F1 of each
"""
import collections
import json
import re
import string
import sys


def normalized(answer):
    kept = "".join(c for c in answer.lower() if c not in string.punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", kept).split()


def f1(predicted, accepted):
    shared = sum((collections.Counter(predicted) & collections.Counter(accepted)).values())
    if shared == 0:
        return 0.0
    precision, recall = shared / len(predicted), shared / len(accepted)
    return 2 * precision * recall / (precision + recall)


with open(sys.argv[1], encoding="utf-8") as questions, open(sys.argv[2], "w") as out:
    for line in questions:
        question = json.loads(line)
        predicted = normalized(question["prediction"])
        accepted = [normalized(a) for a in question["accepted"]]
        # The published program compares the joined texts.
        exact = max(" ".join(a) == " ".join(predicted) for a in accepted)
        print(int(exact), repr(max(f1(predicted, a) for a in accepted)), file=out)
