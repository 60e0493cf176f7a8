#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the table of docs/bricks.md: pieces and unique bricks of the zoo's networks by family.

    bench/bricks_of_zoo.py [--ridge build/ridge] [plan options...]

Plans all networks into a temporary folder, which takes a minute or two. Exits with 1 if the multiply-accumulates of a network without nodes
left over are not those of its pieces.
"""
import argparse
import collections
import csv
import json
import subprocess
import sys
import tempfile


def zoo(ridge):
    """{"zoo:NAME": family}, in the order of the list."""
    text = subprocess.run([ridge, "zoo", "list", "--format", "csv"], check=True, capture_output=True, text=True).stdout
    return {"zoo:" + row["network"]: row["family"] for row in csv.DictReader(text.splitlines())}


def planned(ridge, networks, options):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([ridge, "bricks", "plan", *networks, "--out", folder, "--format", "json", *options],
                              capture_output=True, text=True)
        print(done.stderr.splitlines()[-1], file=sys.stderr)
        if done.returncode != 0:
            sys.exit(done.stderr)
        return json.loads(done.stdout)


def row(name, networks, places, macs):
    unique = {brick["key"]: brick["macs"] for brick in places}
    print(f"| {name} | {networks} | {len(places):,} | {len(unique):,} | {100 * len(unique) / len(places):.1f} % "
          f"| {100 * sum(unique.values()) / macs:.1f} % |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ridge", default="build/ridge")
    arguments, options = parser.parse_known_args()
    family = zoo(arguments.ridge)
    manifest = planned(arguments.ridge, family, options)
    places = collections.defaultdict(list)  # by model: the brick of each of its pieces
    for brick in manifest["bricks"]:
        for occurrence in brick["occurrences"]:
            places[occurrence["model"]].append(brick)
    models = manifest["models"]
    left = {l["model"] for l in manifest["left_over"]}
    wrong = [m["name"] for m in models if m["name"] not in left and sum(b["macs"] for b in places[m["name"]]) != m["macs"]]
    print("| family | networks | pieces | unique bricks | share | MACs |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    for name in dict.fromkeys(family.values()):
        own = [m for m in models if family[m["name"]] == name]
        row(name, len(own), [b for m in own for b in places[m["name"]]], sum(m["macs"] for m in own))
    row("all", len(models), [b for m in models for b in places[m["name"]]], sum(m["macs"] for m in models))
    print(f"nodes left over: {sum(len(l['nodes']) for l in manifest['left_over'])}")
    if wrong:
        sys.exit("multiply-accumulates differ: " + ", ".join(wrong))


if __name__ == "__main__":
    main()
