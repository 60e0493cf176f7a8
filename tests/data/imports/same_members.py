#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the members of layers in two profiles of one recording, which uses nothing of ridge.

    same_members.py NAMED.json EXACT.json

A node counts where its layer in NAMED has a kernel of its layer in EXACT (whose layers may gather several kernels).
"""
import json
import sys


def kernels_of(path):
    """By node: the names of the kernels of the layer that executes or absorbs it."""
    out = {}
    with open(path) as file:
        document = json.load(file)
    for layer in document["layers"]:
        names = {kernel["name"] for kernel in layer["kernels"]}
        for member in layer["members"]:
            if member["role"] != "part":
                out[member["node"]] = names
    return out


named, exact = (kernels_of(path) for path in sys.argv[1:3])
same = sum(bool(named.get(node, set()) & names) for node, names in exact.items())
print(f"{same} of {len(exact)} nodes are in the layer of the optimised model")
