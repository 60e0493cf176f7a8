#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes data/onnx/operator_defaults.txt: every version of every operator of the onnx package
(scripts/onnx-cases.lock), with the defaults of its attributes. src/ops/defaults_table.h reads it.

    scripts/write_operator_defaults.py      needs the package, which scripts/fetch_onnx_cases.sh installs
"""
import pathlib
import sys

import numpy
import onnx
import onnx.defs

FILE = pathlib.Path(__file__).resolve().parent.parent / "data" / "onnx" / "operator_defaults.txt"

HEAD = f"""# Versions of the operators of onnx {onnx.__version__}, and defaults of their attributes.
# Written by scripts/write_operator_defaults.py. Format: src/ops/defaults_table.h.
"""

# The schema of GRU 1 misspells its default.
CORRECTED = {("", "GRU", 1, "direction"): "forward"}


def real(x):
    """The shortest text that reads as the same float: 1e-05, -0."""
    text = str(numpy.float32(x)).removesuffix(".0")
    if numpy.float32(float(text)).tobytes() != numpy.float32(x).tobytes():
        sys.exit(f"{x!r} does not read as itself: {text}")
    return text


def word(x):
    text = x.decode()
    if not text or any(c in text for c in " ,=\n") or not text.isprintable():
        sys.exit(f"the format has no place for the string {text!r}")
    return text


WRITERS = {
    onnx.AttributeProto.FLOAT: lambda a: "f:" + real(a.f),
    onnx.AttributeProto.INT: lambda a: f"i:{a.i}",
    onnx.AttributeProto.STRING: lambda a: "s:" + word(a.s),
    onnx.AttributeProto.FLOATS: lambda a: "F:" + ",".join(map(real, a.floats)),
    onnx.AttributeProto.INTS: lambda a: "I:" + ",".join(map(str, a.ints)),
    onnx.AttributeProto.STRINGS: lambda a: "S:" + ",".join(map(word, a.strings)),
}


def default_of(schema, name):
    """Returns "alpha=f:1", or None for an attribute without default."""
    value = schema.attributes[name].default_value
    if value.type == onnx.AttributeProto.UNDEFINED:
        return None
    if value.type not in WRITERS:
        sys.exit(f"{schema.name} {schema.since_version} {name}: a default of type {value.type}")
    fixed = CORRECTED.get((schema.domain, schema.name, schema.since_version, name))
    return f"{name}=" + (f"s:{fixed}" if fixed else WRITERS[value.type](value))


def main():
    schemas = onnx.defs.get_all_schemas_with_history()
    lines = []
    for s in sorted(schemas, key=lambda s: (s.domain, s.name, s.since_version)):
        defaults = filter(None, (default_of(s, name) for name in sorted(s.attributes)))
        lines.append(" ".join([s.domain or "ai.onnx", s.name, str(s.since_version), *defaults]))
    FILE.write_text(HEAD + "\n".join(lines) + "\n")


main()
