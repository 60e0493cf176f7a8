#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Greedy tokens of a decoder without a cache, by ONNX Runtime: each from a run over the whole
sequence.

    generation_oracle.py MODEL ASKED TOKENS

ASKED has a line for each request: the number of tokens, then the ids of its prompt. TOKENS gets a
line of ids for each.
"""
import os
import sys

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # onnxruntime reads it when it is imported

import numpy
import onnxruntime

session = onnxruntime.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
with open(sys.argv[2], encoding="utf-8") as asked, open(sys.argv[3], "w", encoding="utf-8") as out:
    for line in asked:
        count, *ids = map(int, line.split())
        prompt = len(ids)
        for _ in range(count):
            logits = session.run(["logits"], {"input_ids": numpy.array([ids], numpy.int64)})[0]
            ids.append(int(logits[0, -1].argmax()))
        print(*ids[prompt:], file=out)
