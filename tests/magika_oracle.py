#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares an evaluation of examples/magika with what the package magika says of the same files.

    magika_oracle.py EVALUATION.json FOLDER CLASSES

Prints each file with the class that both name, or with both classes; and the largest difference of
their scores.
"""
import json
import pathlib
import sys

import magika
import numpy


def main(evaluation, folder, classes):
    document = json.loads(pathlib.Path(evaluation).read_text())
    names = pathlib.Path(classes).read_text().splitlines()
    point = document["points"][0]
    scores = numpy.load(point["outputs"][0]["file"])
    package = magika.Magika()
    largest = 0
    for sample, ours, row in zip(document["data"]["samples"], point["accuracy"]["predicted"], scores):
        theirs = package.identify_path(pathlib.Path(folder) / sample)
        label = str(theirs.dl.label)
        print(sample, label if names[ours] == label else f"{names[ours]}, not {label}")
        largest = max(largest, abs(float(row.max()) - theirs.score))
    print("scores differ by", "less than 0.0001" if largest < 1e-4 else largest)


if __name__ == "__main__":
    main(*sys.argv[1:])
