# SPDX-License-Identifier: Apache-2.0
"""Writes ONNX models with Python's standard library alone.

    weights = [onnx_file.tensor("w", [4, 2], bytes_of_floats)]
    nodes = [onnx_file.node("Gemm", ["x", "w"], ["y"], "/fc/Gemm", transB=1, alpha=1.0)]
    content = onnx_file.model("net", nodes, weights, [onnx_file.value("x", ["batch", 2])], [onnx_file.value("y", ["batch", 4])])

Everything is bytes of protocol buffers; field numbers are those of onnx.proto. Elements are float32. Opset 17, IR version 8.
"""
import struct

FLOAT = 1  # of TensorProto.DataType
KIND_FLOAT, KIND_INT, KIND_INTS = 1, 2, 7  # of AttributeProto.AttributeType


def varint(n):
    n &= 2**64 - 1  # negative numbers: two's complement in ten bytes
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    return bytes(out + bytes([n]))


def integer(number, value):
    return varint(number << 3) + varint(value)


def message(number, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(number << 3 | 2) + varint(len(content)) + content


def attribute(name, value):
    if isinstance(value, float):
        body = varint(2 << 3 | 5) + struct.pack("<f", value) + integer(20, KIND_FLOAT)
    elif isinstance(value, int):
        body = integer(3, value) + integer(20, KIND_INT)
    else:
        body = b"".join(integer(8, v) for v in value) + integer(20, KIND_INTS)
    return message(5, message(1, name) + body)


def node(operator, inputs, outputs, name, **attributes):
    return b"".join([*(message(1, i) for i in inputs), *(message(2, o) for o in outputs), message(3, name), message(4, operator),
                     *(attribute(n, v) for n, v in attributes.items())])


def tensor(name, dims, content):
    assert len(content) == 4 * _elements(dims), name
    return b"".join(integer(1, d) for d in dims) + integer(2, FLOAT) + message(8, name) + message(9, content)


def value(name, dims):
    """An input or output; a size is a number or a name."""
    shape = b"".join(message(1, message(2, d) if isinstance(d, str) else integer(1, d)) for d in dims)
    return message(1, name) + message(2, message(1, integer(1, FLOAT) + message(2, shape)))


def model(name, nodes, tensors, inputs, outputs, doc=""):
    graph = b"".join([*(message(1, n) for n in nodes), message(2, name), *(message(5, t) for t in tensors),
                      *(message(11, i) for i in inputs), *(message(12, o) for o in outputs)])
    return b"".join([integer(1, 8), message(2, "ridge"), message(6, doc) if doc else b"", message(7, graph), message(8, integer(2, 17))])


def _elements(dims):
    product = 1
    for d in dims:
        product *= d
    return product
