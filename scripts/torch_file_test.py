#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of torch_file.py: files in torch's old form, made here with Python's own pickle, and hostile ones.

    scripts/torch_file_test.py
"""
import array
import collections
import io
import os
import pathlib
import pickle
import struct
import subprocess
import sys
import tempfile
import types
import unittest

import torch_file

PROGRAM = pathlib.Path(__file__).with_name("efficientnet_lite0.py")


class FakeTorch:
    """Stand-ins whose pickles name what torch's would: an independent writer of the format."""

    def __init__(self):
        modules = {name: types.ModuleType(name) for name in ("torch", "torch._utils")}
        self.float = type("FloatStorage", (), {"__module__": "torch"})
        self.long = type("LongStorage", (), {"__module__": "torch"})
        modules["torch"].FloatStorage, modules["torch"].LongStorage = self.float, self.long

        def rebuild(*arguments):
            raise AssertionError("called")
        rebuild.__module__, rebuild.__qualname__, rebuild.__name__ = "torch._utils", "_rebuild_tensor_v2", "_rebuild_tensor_v2"
        modules["torch._utils"]._rebuild_tensor_v2 = self.rebuild = rebuild
        self.modules = modules


class Stored:
    """A storage whose reference a pickle gives out as a persistent name."""

    def __init__(self, kind, key, values, claimed=None, view=None):
        self.kind, self.key, self.view = kind, key, view
        self.values = values
        self.claimed = len(values) if claimed is None else claimed


class Viewed:
    def __init__(self, torch, *arguments):
        self.torch, self.arguments = torch, arguments

    def __reduce__(self):
        return self.torch.rebuild, self.arguments


class Pickler(pickle.Pickler):
    def persistent_id(self, value):
        if isinstance(value, Stored):
            return "storage", value.kind, value.key, "cpu", value.claimed, value.view
        return None


def pickled(value):
    import io
    out = io.BytesIO()
    Pickler(out, 2, fix_imports=False).dump(value)
    return out.getvalue()


class Files(unittest.TestCase):
    def setUp(self):
        self.torch = FakeTorch()
        sys.modules.update(self.torch.modules)
        self.addCleanup(lambda: [sys.modules.pop(name) for name in self.torch.modules])

    def tensor(self, stored, offset, dims, strides, hooks=None):
        return Viewed(self.torch, stored, offset, dims, strides, False, collections.OrderedDict() if hooks is None else hooks)

    def file(self, table, stored=(), keys=None, system=None, magic=torch_file.MAGIC, version=1001):
        head = [magic, version, {"protocol_version": version, "little_endian": True} if system is None else system]
        content = b"".join(map(pickled, [*head, table, sorted(s.key for s in stored) if keys is None else keys]))
        for s in sorted(stored, key=lambda s: s.key):
            content += struct.pack("<q", len(s.values)) + array.array("f" if s.kind is self.torch.float else "q", s.values).tobytes()
        return content

    def refused(self, content, text):
        with self.assertRaises(torch_file.TorchFileError) as caught:
            torch_file.read_bytes(content)
        self.assertEqual(str(caught.exception), text)

    def floats(self, n, key="7", **more):
        return Stored(self.torch.float, key, [float(i) for i in range(n)], **more)


class Reading(Files):
    def test_views_of_shared_storages(self):
        a, b = self.floats(12), Stored(self.torch.long, "8", [5])
        table = collections.OrderedDict([("plain", self.tensor(a, 0, (3, 4), (4, 1))), ("turned", self.tensor(a, 0, (4, 3), (1, 4))),
                                         ("part", self.tensor(a, 5, (1, 2, 2), (99, 4, 1))), ("scalar", self.tensor(b, 0, (), ())),
                                         ("repeated", self.tensor(a, 3, (2, 2), (1, 0))), ("empty", self.tensor(a, 0, (0, 3), (3, 1)))])
        table._metadata = collections.OrderedDict(version=1)  # as torch's state dicts have
        read = torch_file.read_bytes(self.file(table, [a, b]))
        values = {name: (t.type, t.dims, list(array.array("f" if t.type == "float32" else "q", t.content()))) for name, t in read.items()}
        self.assertEqual(values, {
            "plain": ("float32", (3, 4), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
            "turned": ("float32", (4, 3), [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11]),
            "part": ("float32", (1, 2, 2), [5, 6, 9, 10]),
            "scalar": ("int64", (), [5]),
            "repeated": ("float32", (2, 2), [3, 3, 4, 4]),
            "empty": ("float32", (0, 3), []),
        })

    def test_damage(self):
        a = self.floats(4)
        good = self.file({"w": self.tensor(a, 0, (4,), (1,))}, [a])
        self.assertEqual(list(torch_file.read_bytes(good)), ["w"])
        self.refused(good[:-1], "storage '7' needs 24 bytes, the file has 23 more")
        self.refused(good + b"x", "bytes follow its last storage")
        for length in range(len(good)):
            with self.assertRaises(torch_file.TorchFileError):
                torch_file.read_bytes(good[:length])
        for at in range(len(good) - 24):  # a changed byte is refused or changes values and names, but raises nothing else
            for flip in (1, 0x80, 0xFF):
                try:
                    torch_file.read_bytes(good[:at] + bytes([good[at] ^ flip]) + good[at + 1:])
                except torch_file.TorchFileError:
                    pass

    def test_other_files(self):
        self.refused(b"PK\x03\x04....", "a zip archive: torch 1.6 or later wrote it; only the older form is read")
        self.refused(b"", "byte 0: no pickle: pickle exhausted before seeing STOP")
        self.refused(self.file({}, magic=7), "it does not begin with the magic number of torch.save")
        self.refused(self.file({}, version=1002), "its version is not 1001")
        self.refused(self.file({}, system={"little_endian": False}), "it was not written by a little-endian machine")
        self.refused(self.file({"epoch": 3}), "it holds other things than a table of tensors")
        self.refused(self.file([]), "it holds other things than a table of tensors")
        self.refused(self.file({}, keys=["1"]), "its list of storages is not that of its tensors")

    def test_views_beyond_their_storage(self):
        def refused(text, stored, *view, **more):
            content = self.file({"w": self.tensor(stored, *view, **more)}, [stored])
            with self.assertRaises(torch_file.TorchFileError) as caught:
                torch_file.read_bytes(content)
            self.assertEqual(str(caught.exception).split(": ", 1)[1], text)
        refused("a tensor reaches to element 4 of a storage of 4", self.floats(4), 1, (4,), (1,))
        refused("a tensor repeats elements: 1000000000000 of a storage of 4", self.floats(4), 0, (10**6, 10**6), (0, 0))
        refused("a tensor's offset is -1, not a count", self.floats(4), -1, (2,), (1,))
        refused("one of a tensor's sizes is -2, not a count", self.floats(4), 0, (-2,), (1,))
        refused("a tensor's sizes are no tuple of at most 16", self.floats(4), 0, (1,) * 17, (1,) * 17)
        refused("a tensor has 1 sizes and 2 strides", self.floats(4), 0, (1,), (1, 1))
        refused("a storage is a view of another; save the file with a newer torch", self.floats(4, view=("8", 0, 4)), 0, (4,), (1,))
        hooks = collections.OrderedDict(hook="x")
        refused("a tensor has hooks, which are code", self.floats(4), 0, (4,), (1,), hooks=hooks)

    def test_sizes_that_the_file_does_not_have(self):
        huge = self.floats(2, claimed=2**62)
        self.refused(self.file({"w": self.tensor(huge, 0, (2,), (1,))}, [huge]), f"storage '7' needs {2**64 + 8} bytes, the file has 16 more")
        other = self.floats(2, claimed=1)
        self.refused(self.file({"w": self.tensor(other, 0, (1,), (1,))}, [other]), "storage '7' has 2 elements, its tensors say 1")


class Command:
    """Would run a command if its pickle were loaded."""

    def __init__(self, function, *arguments):
        self.function, self.arguments = function, arguments

    def __reduce__(self):
        return self.function, self.arguments


class Hostile(Files):
    def setUp(self):
        super().setUp()
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.mark = pathlib.Path(self.folder.name) / "was-here"

    def test_commands_are_refused_and_not_run(self):
        touch = f"touch '{self.mark}'"
        attacks = {"posix.system": Command(os.system, touch), "subprocess.Popen": Command(subprocess.Popen, ["touch", str(self.mark)]),
                   "builtins.eval": Command(eval, f"open({str(self.mark)!r}, 'w')"), "builtins.getattr": Command(getattr, collections.OrderedDict, "fromkeys")}
        for name, attack in attacks.items():
            for content in (self.file({"w": attack}), pickled(attack), self.file({}, system=attack), self.file({}, keys=attack)):
                with self.assertRaises(torch_file.TorchFileError) as caught:
                    torch_file.read_bytes(content)
                self.assertRegex(str(caught.exception), rf"^byte \d+: the pickle names '{name}', which no table of weights needs$")
                self.assertFalse(self.mark.exists(), name)
        pickle.loads(pickled(attacks["posix.system"]))
        self.assertTrue(self.mark.exists(), "the attack is one: Python's own unpickler runs it")

    def test_harmless_names_do_nothing_else(self):
        self.refused(b"\x80\x02ccollections\nOrderedDict\n(]tR.", "byte 30: the pickle calls 'collections.OrderedDict' with 1 arguments")
        self.refused(b"\x80\x02ctorch\nFloatStorage\n)R.", "byte 23: the pickle calls 'torch.FloatStorage' with 0 arguments")
        self.refused(b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n)R.", "byte 36: a tensor is not made of a storage, its place there, sizes and strides")
        self.refused(b"\x80\x02ctorch FloatStorage\neval\n.", "byte 2: the pickle names 'torch.FloatStorage.eval', which no table of weights needs")
        self.refused(b"\x80\x02K\x01)R.", "byte 5: the pickle calls what is no function")
        self.refused(b"\x80\x02}K\x01b.", "byte 5: the pickle changes what is no OrderedDict")

    def test_instructions_of_no_table_are_refused(self):
        for code, name in ((b"(K\x01l.", "LIST"), (b"ios\nsystem\n.", "INST"), (b"(cos\nsystem\no.", None),
                           (b"\x80\x04\x8c\x02os\x8c\x06system\x93.", "SHORT_BINUNICODE"), (b"\x82\x01.", "EXT1"), (b"Fnan\n.", "FLOAT"),
                           (b"S'x'\n.", "STRING"), (b"P1\n.", "PERSID"), (b"\x96" + struct.pack("<Q", 2) + b"ab.", "BYTEARRAY8")):
            with self.assertRaises(torch_file.TorchFileError) as caught:
                torch_file.read_bytes(code)
            self.assertIn(f"has the instruction {name}, which" if name else "names 'os.system'", str(caught.exception))

    def test_stacks_that_are_not_there(self):
        self.refused(b".", "byte 0: the pickle takes more from the stack than lies there")
        self.refused(b"t.", "byte 0: the pickle takes up to a mark that was not set")
        self.refused(b"K\x01(\x85.", "byte 3: the pickle takes more from the stack than lies there")
        self.refused(b"h\x05.", "byte 0: the pickle reads memo 5, which was not written")
        self.refused(b"\xff.", "byte 0: no pickle: at position 0, opcode b'\\xff' unknown")

    def test_what_would_take_memory_or_time(self):
        self.refused(b"N" * 2_000_000, "byte 1000000: the pickle has more than 1000000 instructions")
        self.refused(b")" + b"\x85" * 900_000 + b".", "it does not begin with the magic number of torch.save")
        nested = b")" + b"\x85" * 900_000  # a tuple of a tuple of ..., as sizes
        head = b"".join(map(pickled, [torch_file.MAGIC, 1001, {"little_endian": True}]))
        view = b"ctorch._utils\n_rebuild_tensor_v2\n((X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x007X\x03\x00\x00\x00cpuK\x04NtQK\x00"
        with self.assertRaisesRegex(torch_file.TorchFileError, "one of a tensor's sizes is a tuple, not a count"):
            torch_file.read_bytes(head + view + nested + b"K\x01\x85\x89ccollections\nOrderedDict\n)RtR.")
        self.refused(b"X\xff\xff\xff\x7fabc.", "byte 0: no pickle: expected 2147483647 bytes in a unicodestring4, but only 4 remain")

    def test_the_program_says_what_it_refuses(self):
        path = pathlib.Path(self.folder.name) / "bad.pth"
        path.write_bytes(self.file({"w": Command(os.system, f"touch '{self.mark}'")}))
        done = subprocess.run([sys.executable, PROGRAM, path, path.with_suffix(".onnx")], capture_output=True, text=True, check=False)
        self.assertRegex(done.stderr, rf"^efficientnet_lite0: {path}: byte \d+: the pickle names 'posix.system', which no table of weights needs\n$")
        self.assertEqual((done.returncode, self.mark.exists(), path.with_suffix(".onnx").exists()), (1, False, False))
        a = self.floats(32)
        path.write_bytes(self.file({"_conv_stem.weight": self.tensor(a, 0, (32,), (1,))}, [a]))
        done = subprocess.run([sys.executable, PROGRAM, path, path.with_suffix(".onnx")], capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, f"efficientnet_lite0: {path}: _conv_stem.weight must be float32 [32, 3, 3, 3], it is float32 [32]\n")


if __name__ == "__main__":
    unittest.main()
