# SPDX-License-Identifier: Apache-2.0
"""Writes columns files by hand, so that their reader is tested without ridge.

    write("x.columns", {"schema": "ridge.machine/1"}, {"ceilings": (2, [
        {"name": "value", "type": "float64", "data": [1.5, 2.5], "valid": [True, False]}])})
"""
import json
import struct

FORMATS = {"int64": "q", "uint64": "Q", "float64": "d", "bool": "?", "word": "i"}


def bitmap(truths):
    out = bytearray((len(truths) + 7) // 8)
    for row, truth in enumerate(truths):
        out[row // 8] |= truth << row % 8
    return bytes(out)


class Buffers:
    def __init__(self):
        self.bytes = b"RIDGECOL"

    def add(self, data):
        self.bytes += b"\0" * (-len(self.bytes) % 64)
        place = [len(self.bytes), len(data)]
        self.bytes += data
        return place


def column(c, buffers):
    out = {"name": c["name"], "type": c["type"]}
    if "words" in c:
        out["words"] = c["words"]
    if "valid" in c:
        out["valid"] = buffers.add(bitmap(c["valid"]))
    if c["type"] in ("text", "json"):
        parts = [text.encode() for text in c["data"]]
        ends = [0]
        for part in parts:
            ends.append(ends[-1] + len(part))
        out["offsets"] = buffers.add(struct.pack(f"<{len(ends)}q", *ends))
        out["data"] = buffers.add(b"".join(parts))
    else:
        out["data"] = buffers.add(struct.pack(f"<{len(c['data'])}{FORMATS[c['type']]}", *c["data"]))
    return out


def write(path, document, tables):
    buffers = Buffers()
    described = {
        name: {"rows": rows, "columns": [column(c, buffers) for c in columns]}
        for name, (rows, columns) in tables.items()
    }
    footer = json.dumps(
        {"schema": "ridge.columns/1", "document": document, "tables": described}
    ).encode()
    with open(path, "wb") as file:
        file.write(buffers.bytes + footer + struct.pack("<Q", len(footer)) + b"RIDGECOL")
