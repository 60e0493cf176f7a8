#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""onnx_operators.py: every operator and version that the onnx package defines, for registry_test.

Writes onnx_operators.txt beside this script: `domain operator version version ...`, the domain ai.onnx
for the default one (onnx 1.23.2).
"""
import collections
import os

import onnx.defs

found = collections.defaultdict(set)
for schema in onnx.defs.get_all_schemas_with_history():
    if not schema.deprecated:
        found[schema.domain or "ai.onnx", schema.name].add(schema.since_version)
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "onnx_operators.txt"), "w") as f:
    f.write(f"# Every operator of onnx {onnx.__version__} with its versions; see onnx_operators.py.\n")
    for (domain, name), versions in sorted(found.items()):
        f.write(" ".join([domain, name, *map(str, sorted(versions))]) + "\n")
