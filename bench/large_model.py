#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes an ONNX file of many small residual blocks: what the claims about large graphs are measured on.

    bench/large_model.py FILE [--nodes 200000] [--kind blocks|chain]

A block is Conv, Relu, Conv, Add, Relu with weights of their own and names as PyTorch's exporter gives them (180 bytes a node); a chain is Relu
and Add with short names and no weights (35 bytes a node). Standard library only; the same arguments give the same bytes.
"""
import argparse
import struct

CHANNELS = 4


def varint(n):
    out = bytearray()
    while True:
        out.append((n & 0x7F) | (0x80 if n > 0x7F else 0))
        n >>= 7
        if not n:
            return bytes(out)


def field(number, payload):
    payload = payload.encode() if isinstance(payload, str) else payload
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def number(n, value):
    return varint(n << 3) + varint(value)


def node(op, name, inputs, output):
    return field(1, b"".join(field(1, i) for i in inputs) + field(2, output) + field(3, name) + field(4, op))


def weight(name, seed):
    values = struct.pack(f"<{CHANNELS * CHANNELS}f", *((seed * 16 + i) % 251 / 251 - 0.5 for i in range(CHANNELS * CHANNELS)))
    dims = b"".join(number(1, d) for d in (CHANNELS, CHANNELS, 1, 1))
    return field(5, dims + number(2, 1) + field(8, name) + field(9, values))


def value(name, dims):
    shape = b"".join(field(1, field(2, d) if isinstance(d, str) else number(1, d)) for d in dims)
    return field(1, name) + field(2, field(1, number(1, 1) + field(2, shape)))


def block(i, inside):
    path = f"/layer{i // 100}/layer{i // 100}.{i % 100}"
    conv1, relu1, conv2, add, relu2 = (f"{path}/{n}_output_0" for n in ("conv1/Conv", "relu/Relu", "conv2/Conv", "Add", "relu_1/Relu"))
    w1, w2 = f"layer{i}.conv1.weight", f"layer{i}.conv2.weight"
    nodes = [node("Conv", path + "/conv1/Conv", [inside, w1], conv1), node("Relu", path + "/relu/Relu", [conv1], relu1),
             node("Conv", path + "/conv2/Conv", [relu1, w2], conv2), node("Add", path + "/Add", [conv2, inside], add),
             node("Relu", path + "/relu_1/Relu", [add], relu2)]
    return nodes, [weight(w1, 2 * i), weight(w2, 2 * i + 1)], relu2


def blocks(count):
    nodes, weights, last = [], [], "input"
    for i in range(count // 5):
        added, own, last = block(i, last)
        nodes += added
        weights += own
    return nodes, weights, last


def chain(count):
    nodes = []
    for i in range(count):
        before = f"t{i - 1}" if i else "input"
        two = i > 8 and i % 3 == 0
        nodes.append(node("Add" if two else "Relu", f"n{i}", [before, f"t{i - 8}"] if two else [before], f"t{i}"))
    return nodes, [], f"t{count - 1}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--nodes", type=int, default=200_000)
    parser.add_argument("--kind", choices=["blocks", "chain"], default="blocks")
    a = parser.parse_args()
    nodes, weights, last = (blocks if a.kind == "blocks" else chain)(a.nodes)
    graph = b"".join(nodes) + field(2, "main") + b"".join(weights)
    graph += field(11, value("input", ["batch", CHANNELS, 16, 16])) + field(12, value(last, ["batch", CHANNELS, 16, 16]))
    with open(a.file, "wb") as f:
        f.write(number(1, 8) + field(2, "large_model") + field(7, graph) + field(8, number(2, 17)))


if __name__ == "__main__":
    main()
