# SPDX-License-Identifier: Apache-2.0
"""Plants defects into ONNX files without any package: reads and writes protocol buffers as lists of fields.

    model = read(content)
    list_weights(graph(model))
    content = write(model)

A field is [number, wire type, payload]: for wire type 2 the payload is the bytes of a string or message, or the list of fields that a message was
parsed into; for others it is the bytes as they stand. Numbers are those of onnx.proto; what is not touched is written back as it was.
"""
import struct

MODEL_GRAPH = 7
NODE, INITIALIZER, INPUT, OUTPUT = 1, 5, 11, 12  # of GraphProto
READS, WRITES, NODE_NAME, OPERATOR = 1, 2, 3, 4  # of NodeProto
DIMS, DATA_TYPE, TENSOR_NAME, RAW_DATA = 1, 2, 8, 9  # of TensorProto
FLOAT = 1


def varint(n):
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    return bytes(out + bytes([n]))


def read_varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift, at = shift + 7, at + 1
        if not data[at - 1] & 0x80:
            return value, at


def read(data):
    """The fields of a message."""
    fields, at = [], 0
    while at < len(data):
        key, at = read_varint(data, at)
        end = at + {1: 8, 5: 4}.get(key & 7, 0)
        if key & 7 == 0:
            end = read_varint(data, at)[1]
        elif key & 7 == 2:
            size, at = read_varint(data, at)
            end = at + size
        fields.append([key >> 3, key & 7, data[at:end]])
        at = end
    return fields


def write(fields):
    out = []
    for number, wire, payload in fields:
        if isinstance(payload, list):
            payload = write(payload)
        out += [varint(number << 3 | wire), varint(len(payload)) if wire == 2 else b"", payload]
    return b"".join(out)


def message(number, fields):
    return [number, 2, fields if isinstance(fields, list) else fields.encode() if isinstance(fields, str) else fields]


def integer(number, value):
    return [number, 0, varint(value)]


def values(fields, number):
    return [payload for n, _, payload in fields if n == number]


def text(fields, number):
    return values(fields, number)[0].decode()


def graph(model):
    """The fields of the model's graph, which then belong to the model."""
    found = next(f for f in model if f[0] == MODEL_GRAPH)
    found[2] = read(found[2])
    return found[2]


def dims_of(tensor):
    """Of a tensor: one number a field, or all in one."""
    out = []
    for number, wire, payload in tensor:
        at = 0
        while number == DIMS and at < len(payload):
            value, at = read_varint(payload, at)
            out.append(value)
    return out


def value_info(number, name, dims):
    """A float32 input or output; None is a size that is not known."""
    shape = [message(1, [] if d is None else [integer(1, d)]) for d in dims]
    return message(number, [message(1, name), message(2, [message(1, [integer(1, FLOAT), message(2, shape)])])])


def scalar(name, value):
    return message(INITIALIZER, [integer(DATA_TYPE, FLOAT), message(TENSOR_NAME, name), message(RAW_DATA, struct.pack("<f", value))])


def node(operator, inputs, output):
    fields = [message(READS, name) for name in inputs] + [message(WRITES, output)]
    return message(NODE, fields + [message(NODE_NAME, "planted_" + output), message(OPERATOR, operator)])


# The defects. Each changes a graph.


def list_weights(fields):
    """Weights of more than one element become inputs with a default value."""
    for number, _, payload in list(fields):
        if number == INITIALIZER:
            tensor = read(payload)
            dims = dims_of(tensor)
            if values(tensor, DATA_TYPE) == [varint(FLOAT)] and any(d > 1 for d in dims):
                fields.append(value_info(INPUT, text(tensor, TENSOR_NAME), dims))


def keep_convolutions(fields):
    """Results of convolutions of images become outputs."""
    for number, _, payload in list(fields):
        if number == NODE:
            one = read(payload)
            if text(one, OPERATOR) == "Conv":
                fields.append(value_info(OUTPUT, text(one, WRITES), [None] * 4))


def spell_hard_swish(fields):
    """HardSwish(x) becomes x * (Clip(x + 3, 0, 6) / 6)."""
    out = []
    for field in fields:
        one = read(field[2]) if field[0] == NODE else []
        if not one or text(one, OPERATOR) != "HardSwish":
            out.append(field)
            continue
        x, y = text(one, READS), text(one, WRITES)
        out += [node("Add", [x, "planted_3"], y + "_added"), node("Clip", [y + "_added", "planted_0", "planted_6"], y + "_clipped"),
                node("Div", [y + "_clipped", "planted_6"], y + "_divided"), node("Mul", [x, y + "_divided"], y)]
    fields[:] = out + [scalar(f"planted_{value}", value) for value in (0, 3, 6)]
