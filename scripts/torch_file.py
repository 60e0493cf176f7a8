# SPDX-License-Identifier: Apache-2.0
"""Reads the tensors of a file that torch.save wrote in its old form (before torch 1.6: not a zip archive), without torch.

    tensors = torch_file.read("model.pth")           # a table of weights: {name: Tensor}
    tensors["_fc.bias"].dims, tensors["_fc.bias"].content()

The file is five pickles (a magic number, the version, the sizes of C types, the objects, the keys of the storages), then for each key the number of
elements as int64 and the elements. A pickle is a program that may call any function of Python. This reader executes none: it interprets the
instructions that a table of weights consists of, knows the few names that stand in it, and refuses everything else with a TorchFileError, also
what would need more memory than the file has bytes. Tensors may have any strides; elements are little-endian.
"""
import array
import collections
import io
import itertools
import pickletools
import struct

MAGIC = 0x1950A86A20F9469CFC6C
VERSION = 1001
MOST_INSTRUCTIONS = 1_000_000
MOST_AXES = 16

# Storage type: ONNX's name of the type of its elements, bytes of one, typecode of an array of words of that size.
STORAGES = {
    "FloatStorage": ("float32", 4, "I"), "DoubleStorage": ("float64", 8, "Q"), "HalfStorage": ("float16", 2, "H"),
    "LongStorage": ("int64", 8, "Q"), "IntStorage": ("int32", 4, "I"), "ShortStorage": ("int16", 2, "H"),
    "CharStorage": ("int8", 1, "B"), "ByteStorage": ("uint8", 1, "B"), "BoolStorage": ("bool", 1, "B"),
}
ORDERED_DICT, REBUILD_TENSOR = "collections.OrderedDict", "torch._utils._rebuild_tensor_v2"
NAMES = {ORDERED_DICT, REBUILD_TENSOR, *(f"torch.{storage}" for storage in STORAGES)}


class TorchFileError(ValueError):
    """The file is not a table of weights in torch's old form, or is damaged."""


Name = collections.namedtuple("Name", "text")  # a global that a pickle names; never called


class Storage:
    """Elements that tensors share; `content` follows behind the pickles."""

    def __init__(self, kind, elements):
        self.type, self.size, self.word = STORAGES[kind]
        self.elements = elements
        self.content = None


class Tensor:
    """A view of a storage: element (i, j, ...) is at offset + i * strides[0] + j * strides[1] + ..."""

    def __init__(self, storage, offset, dims, strides):
        self.storage, self.offset, self.dims, self.strides = storage, offset, dims, strides
        self.type = storage.type

    def content(self):
        """The elements in row-major order, as bytes."""
        words = array.array(self.storage.word, self.storage.content)
        assert words.itemsize == self.storage.size
        axes = [(n, step) for n, step in zip(self.dims, self.strides) if n != 1]
        if 0 in self.dims:
            return b""
        *outer, (length, step) = axes or [(1, 1)]
        rows = []
        for place in itertools.product(*(range(n) for n, _ in outer)):
            at = self.offset + sum(i * s for i, (_, s) in zip(place, outer))
            rows.append(words[at:at + 1] * length if step == 0 else words[at:at + (length - 1) * step + 1:step])
        return b"".join(row.tobytes() for row in rows)


def count(value, what):
    if type(value) is not int or not 0 <= value < 2**63:
        raise TorchFileError(f"{what} is {value if type(value) is int else 'a ' + type(value).__name__}, not a count")
    return value


def counts(value, what):
    if type(value) is not tuple or len(value) > MOST_AXES:
        raise TorchFileError(f"{what} are no tuple of at most {MOST_AXES}")
    return tuple(count(v, f"one of {what}") for v in value)


def rebuilt_tensor(arguments):
    """What torch._utils._rebuild_tensor_v2 returns for (storage, offset, dims, strides, requires_grad, backward_hooks)."""
    if len(arguments) != 6 or type(arguments[0]) is not Storage:
        raise TorchFileError("a tensor is not made of a storage, its place there, sizes and strides")
    storage, offset, dims, strides, _, hooks = arguments
    if type(hooks) is not collections.OrderedDict or hooks:
        raise TorchFileError("a tensor has hooks, which are code")
    dims, strides = counts(dims, "a tensor's sizes"), counts(strides, "a tensor's strides")
    if len(dims) != len(strides):
        raise TorchFileError(f"a tensor has {len(dims)} sizes and {len(strides)} strides")
    elements = 1
    for n in dims:
        elements *= n
    last = count(offset, "a tensor's offset") + sum((n - 1) * s for n, s in zip(dims, strides))
    if elements and last >= storage.elements:
        raise TorchFileError(f"a tensor reaches to element {last} of a storage of {storage.elements}")
    if elements > storage.elements:
        raise TorchFileError(f"a tensor repeats elements: {elements} of a storage of {storage.elements}")
    return Tensor(storage, offset, dims, strides)


class Interpreter:
    """The stack machine of one pickle. `storages`: those that its persistent names made, by key."""

    def __init__(self, storages):
        self.storages = storages
        self.stack, self.marks, self.memo = [], [], {}

    def pop(self, n=1):
        if n > len(self.stack) - (self.marks[-1] if self.marks else 0):
            raise TorchFileError("the pickle takes more from the stack than lies there")
        taken = self.stack[len(self.stack) - n:]
        del self.stack[len(self.stack) - n:]
        return taken

    def pop_to_mark(self):
        if not self.marks:
            raise TorchFileError("the pickle takes up to a mark that was not set")
        mark = self.marks.pop()
        taken = self.stack[mark:]
        del self.stack[mark:]
        return taken

    def top(self, *kinds):
        if not self.stack or type(self.stack[-1]) not in kinds:
            raise TorchFileError(f"the pickle changes what is no {' or '.join(k.__name__ for k in kinds)}")
        return self.stack[-1]

    def set_items(self, items):
        table = self.top(dict, collections.OrderedDict)
        if len(items) % 2 or not all(type(key) is str for key in items[::2]):
            raise TorchFileError("the keys of a table are not texts")
        table.update(zip(items[::2], items[1::2]))

    def name(self, argument):
        text = argument.replace(" ", ".")
        if text not in NAMES:
            raise TorchFileError(f"the pickle names {text[:80]!r}, which no table of weights needs")
        return Name(text)

    def call(self):
        function, arguments = self.pop(2)
        if type(arguments) is not tuple or type(function) is not Name:
            raise TorchFileError("the pickle calls what is no function")
        if function.text == ORDERED_DICT and not arguments:
            return collections.OrderedDict()
        if function.text == REBUILD_TENSOR:
            return rebuilt_tensor(arguments)
        raise TorchFileError(f"the pickle calls {function.text!r} with {len(arguments)} arguments")

    def storage(self):
        """What a persistent name stands for: ("storage", type, key, device, elements, view)."""
        parts, = self.pop()
        if type(parts) is not tuple or len(parts) != 6 or parts[0] != "storage" or type(parts[2]) is not str:
            raise TorchFileError("a persistent name is not that of a storage")
        _, kind, key, _, elements, view = parts
        if type(kind) is not Name or not kind.text.startswith("torch.") or kind.text[6:] not in STORAGES:
            raise TorchFileError("a storage has an unknown type")
        if view is not None:
            raise TorchFileError("a storage is a view of another; save the file with a newer torch")
        made = self.storages.setdefault(key, Storage(kind.text[6:], count(elements, "a storage's size")))
        if (made.type, made.elements) != (STORAGES[kind.text[6:]][0], elements):
            raise TorchFileError(f"two storages have the key {key[:40]!r}")
        return made

    def step(self, instruction, argument):
        push = self.stack.append
        if instruction in ("BINUNICODE", "BININT", "BININT1", "BININT2", "LONG1"):
            push(argument)
        elif instruction in CONSTANTS:
            push(CONSTANTS[instruction]())
        elif instruction == "MARK":
            self.marks.append(len(self.stack))
        elif instruction == "TUPLE":
            push(tuple(self.pop_to_mark()))
        elif instruction in ("TUPLE1", "TUPLE2", "TUPLE3"):
            push(tuple(self.pop(int(instruction[-1]))))
        elif instruction in ("BINPUT", "LONG_BINPUT"):
            self.memo[argument] = self.pop()[0]
            push(self.memo[argument])
        elif instruction in ("BINGET", "LONG_BINGET"):
            if argument not in self.memo:
                raise TorchFileError(f"the pickle reads memo {argument}, which was not written")
            push(self.memo[argument])
        elif instruction == "SETITEMS":
            self.set_items(self.pop_to_mark())
        elif instruction == "SETITEM":
            self.set_items(self.pop(2))
        elif instruction == "APPENDS":
            items = self.pop_to_mark()
            self.top(list).extend(items)
        elif instruction == "APPEND":
            item, = self.pop()
            self.top(list).append(item)
        elif instruction == "GLOBAL":
            push(self.name(argument))
        elif instruction == "REDUCE":
            push(self.call())
        elif instruction == "BINPERSID":
            push(self.storage())
        elif instruction == "BUILD":  # the attribute _metadata of a state dict, which has no weights
            self.pop()
            self.top(collections.OrderedDict)
        elif instruction != "PROTO":
            raise TorchFileError(f"the pickle has the instruction {instruction}, which no table of weights needs")


CONSTANTS = {"NONE": lambda: None, "NEWTRUE": lambda: True, "NEWFALSE": lambda: False, "EMPTY_DICT": dict, "EMPTY_TUPLE": tuple, "EMPTY_LIST": list}


def unpickled(file, storages):
    """The value of the pickle that begins at the file's position; leaves the position behind it."""
    machine, start, position = Interpreter(storages), file.tell(), file.tell()
    try:
        for number, (instruction, argument, position) in enumerate(pickletools.genops(file)):
            if number >= MOST_INSTRUCTIONS:
                raise TorchFileError(f"the pickle has more than {MOST_INSTRUCTIONS} instructions")
            if instruction.name == "STOP":
                return machine.pop()[0]
            machine.step(instruction.name, argument)
    except TorchFileError as error:
        raise TorchFileError(f"byte {position}: {error}") from None
    except (ValueError, OverflowError) as error:
        raise TorchFileError(f"byte {max(start, position)}: no pickle: {str(error)[:80]}") from None
    raise TorchFileError("the pickle has no end")


def read_storage(file, storage, key, rest):
    """Reads the elements of a storage, of which `rest` bytes of the file may be."""
    head, needed = file.read(8), storage.elements * storage.size
    if len(head) != 8 or needed > rest - 8:
        raise TorchFileError(f"storage {key[:40]!r} needs {needed + 8} bytes, the file has {rest} more")
    if struct.unpack("<q", head)[0] != storage.elements:
        raise TorchFileError(f"storage {key[:40]!r} has {struct.unpack('<q', head)[0]} elements, its tensors say {storage.elements}")
    storage.content = file.read(needed)


def read_bytes(content):
    """The tensors of the table that the file is, by name."""
    if content[:4] == b"PK\x03\x04":
        raise TorchFileError("a zip archive: torch 1.6 or later wrote it; only the older form is read")
    file, storages = io.BytesIO(content), {}
    if unpickled(file, {}) != MAGIC:
        raise TorchFileError("it does not begin with the magic number of torch.save")
    if unpickled(file, {}) != VERSION:
        raise TorchFileError(f"its version is not {VERSION}")
    system = unpickled(file, {})
    if type(system) is not dict or system.get("little_endian") is not True:
        raise TorchFileError("it was not written by a little-endian machine")
    table = unpickled(file, storages)
    keys = unpickled(file, {})
    if type(keys) is not list or not all(type(key) is str for key in keys) or sorted(keys) != sorted(storages):
        raise TorchFileError("its list of storages is not that of its tensors")
    for key in keys:
        read_storage(file, storages[key], key, len(content) - file.tell())
    if file.read(1):
        raise TorchFileError("bytes follow its last storage")
    if type(table) not in (dict, collections.OrderedDict) or not all(type(t) is Tensor for t in table.values()):
        raise TorchFileError("it holds other things than a table of tensors")
    return table


def read(path):
    with open(path, "rb") as file:
        return read_bytes(file.read())
