#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the seeds of the onnx_* fuzz targets again: fuzz/onnx_seeds.py (into fuzz/corpus/).

A handful of tiny models that together hold every field that the reader knows, and external data references.
"""
import pathlib
import struct
import subprocess
import tempfile

ADD = pathlib.Path(__file__).resolve().parent.parent / "scripts/add_to_corpus.sh"


def varint(n):
    n &= (1 << 64) - 1
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    return bytes(out) + bytes([n])


def number(field, value):
    return varint(field << 3) + varint(value)


def text(field, payload):
    return varint(field << 3 | 2) + varint(len(payload)) + payload


def real(field, value):
    return varint(field << 3 | 5) + struct.pack("<f", value)


def packed(field, values):
    return text(field, b"".join(varint(v) for v in values))


def tensor(dims, dtype, data, name=b"w"):
    return b"".join(number(1, d) for d in dims) + number(2, dtype) + text(8, name) + data


def attribute(name, kind, value):
    return text(5, text(1, name) + value + number(20, kind))


def node(op, *parts):
    return text(1, text(1, b"x") + text(2, b"y") + text(4, op) + b"".join(parts))


def value(field, name, type_proto):
    return text(field, text(1, name) + text(2, type_proto))


def model(*graph, more=b""):
    return number(1, 8) + text(7, b"".join(graph) + text(2, b"g")) + text(8, number(2, 17)) + more


def typed_tensors():
    raw = text(9, b"12345678")
    yield tensor([2], 1, raw)
    yield tensor([2], 1, text(4, struct.pack("<2f", 1, 2)))
    yield tensor([2], 1, real(4, 1) + real(4, 2))
    yield tensor([2], 11, text(10, struct.pack("<2d", 1, 2)))
    yield tensor([2], 7, packed(7, [1, -1]))
    yield tensor([2], 7, number(7, 1) + number(7, 2))
    yield tensor([3], 2, packed(5, [1, 2, 255]))
    yield tensor([2], 13, packed(11, [1, 2]))
    yield tensor([3], 21, packed(5, [33, 3]))
    yield tensor([4], 27, packed(5, [1, 2, 3, 4]))
    yield tensor([2], 8, text(6, b"a") + text(6, b""))
    yield tensor([2], 14, text(4, struct.pack("<4f", 1, 2, 3, 4)))
    yield tensor([0], 1, b"")
    yield tensor([300], 1, text(9, bytes(1200)))


def models():
    one = tensor([2], 1, text(9, b"12345678"))
    where = tensor([2], 7, packed(7, [0, 5]))
    sparse = text(1, one) + text(2, where) + number(3, 9)
    leaf = text(1, tensor_type := number(1, 1) + text(2, text(1, number(1, 3)) + text(1, text(2, b"N"))))
    yield "small", model(node(b"Relu"))
    yield "attributes", model(node(
        b"X", text(3, b"n"), text(7, b"d"), text(8, b"o"), text(9, text(1, b"k") + text(2, b"v")),
        attribute(b"f", 1, real(2, 1)), attribute(b"i", 2, number(3, -1)), attribute(b"s", 3, text(4, b"z")),
        attribute(b"t", 4, text(5, one)), attribute(b"g", 5, text(6, node(b"Abs"))),
        attribute(b"fs", 6, real(7, 1) + text(7, struct.pack("<2f", 1, 2))),
        attribute(b"is", 7, number(8, 1) + packed(8, [2, 3])), attribute(b"ss", 8, text(9, b"a")),
        attribute(b"ts", 9, text(10, one)), attribute(b"gs", 10, text(11, node(b"Abs"))),
        attribute(b"st", 11, text(22, sparse)), attribute(b"tp", 13, text(14, leaf)),
        attribute(b"r", 1, text(21, b"outer"))))
    yield "tensors", model(*(text(5, t) for t in typed_tensors()))
    yield "sparse", model(text(15, sparse))
    yield "types", model(value(11, b"x", leaf), value(12, b"y", text(4, text(1, leaf))),
                         value(13, b"v", text(5, number(1, 8) + text(2, leaf))),
                         value(13, b"u", text(9, text(1, text(8, tensor_type)))))
    yield "function", model(node(b"F"), more=text(25, text(1, b"F") + text(4, b"x") + text(5, b"y") + text(6, b"a") +
                            text(7, text(4, b"Elu")) + text(9, number(2, 17)) + text(10, b"d") +
                            text(11, text(1, b"a") + real(2, 1) + number(20, 1)) + text(12, text(1, b"y"))))
    yield "parts", model(node(b"A")) + text(7, node(b"B")) + number(1, 7)
    yield "external", model(text(5, tensor([2], 1, text(13, text(1, b"location") + text(2, b"w.bin")) +
                                           text(13, text(1, b"offset") + text(2, b"8")) + number(14, 1))))
    yield "unknown", model(node(b"Relu", number(99, 1)), more=text(500, b"x") + real(501, 1))


def references():
    yield "inside", b"w.bin\n8\n8"
    yield "below", b"sub/w.bin\n\n"
    yield "link", b"l\n0\n8"
    yield "folder_link", b"d/secret\n0\n8"
    yield "upwards", b"sub/../../outside/secret\n0\n8"
    yield "root", b"r/etc/passwd\n0\n8"
    yield "hard_link", b"h\n0\n8"
    yield "pipe", b"./p\n0\n8"
    yield "huge", b"w.bin\n9223372036854775800\n8"


def main():
    for target, seeds in (("onnx_reader_fuzz", models()), ("onnx_writer_fuzz", models()),
                          ("onnx_external_fuzz", references())):
        with tempfile.TemporaryDirectory() as folder:
            for name, content in seeds:
                pathlib.Path(folder, name).write_bytes(content)
            subprocess.run([ADD, target, *pathlib.Path(folder).iterdir()], check=True)


main()
