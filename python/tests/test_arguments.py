# SPDX-License-Identifier: Apache-2.0
"""Models and arrays as arguments: what ridge gets, read again by NumPy and by ridge."""
import mmap
import re
import tracemalloc
import unittest

import numpy
import onnx
import ridgeline
from google.protobuf.message import EncodeError
from ridgeline.files import Folder
from support import Case, relu
from onnx import TensorProto


class Arrays(Case):
    def read(self, array):
        with Folder() as folder:
            return numpy.load(folder.array(array, "x"))

    def test_any_order_of_bytes_and_of_axes_becomes_little_and_c(self):
        for array in (
            numpy.arange(6, dtype=">i4").reshape(2, 3),
            numpy.asfortranarray(numpy.arange(6.0).reshape(2, 3)),
            numpy.arange(24, dtype="f2").reshape(2, 3, 4)[:, ::2, ::-1],
            numpy.array(5, "i8"),
            numpy.array([[True, False]]),
            numpy.zeros((0, 3), "f4"),
            numpy.array([1 + 2j], "c8"),
        ):
            read = self.read(array)
            self.assertTrue(read.flags.c_contiguous)
            self.assertIn(read.dtype.byteorder, "=|")
            self.assertEqual(read.dtype, array.dtype.newbyteorder("="))
            self.assertEqual(read.shape, array.shape)
            self.assertTrue((read == array).all())

    def test_what_converts_to_an_array_is_one(self):
        class Tensor:
            def __array__(self, dtype=None, copy=None):
                return numpy.array([1, 2], "i8")

        self.assertEqual(self.read(Tensor()).tolist(), [1, 2])

    def test_arrays_without_numbers_are_refused(self):
        for array, name in (
            (numpy.array(["a"]), "<U1"),
            (numpy.array([object()]), "object"),
            (numpy.array(["2026-11-01"], "M8[D]"), "datetime64[D]"),
            (numpy.array([b"a"]), "|S1"),
            (numpy.zeros(1, [("a", "i4")]), "[('a', '<i4')]"),
        ):
            with self.assertRaises(ridgeline.InputError) as caught:
                self.read(array)
            self.assertEqual(
                str(caught.exception),
                f"input 'x': an array of {name} has no numbers to hand over\n"
                "  hint: convert it: array.astype('float32'), or the type that the model takes\n"
                "  [RIDGE-PY-0009]",
            )
        with self.assertRaisesRegex(ridgeline.InputError, "float128 has more bits than any type"):
            self.read(numpy.zeros(1, numpy.longdouble))

    def test_ridge_reads_the_shape_and_the_values_of_an_array(self):
        for array in (numpy.zeros((5, 3), "f4"), numpy.zeros((3, 5), ">f4").T):
            result = ridgeline.analyze(relu(), input={"x": array})
            self.assertEqual(result.bindings["n"].value, 5)
            self.assertEqual(result.totals.flops, 15)

    def test_an_array_of_another_type_is_refused_by_ridge(self):
        with self.assertRaises(ridgeline.InputError) as caught:
            ridgeline.analyze(relu(), input={"x": numpy.zeros((5, 3), "i8")})
        said = re.sub(r'"[^"]*\.npy"', '"FILE"', str(caught.exception))
        self.assertEqual(
            re.sub(r"^\S*\.npy", "FILE", said),
            "FILE: input 'x': contains int64 [5, 3], but the input is float32 [5, 3]\n"
            '  hint: convert it: numpy.save("FILE", numpy.load("FILE").astype("float32"))\n'
            "  [RIDGE-RT-0042]",
        )

    def test_numbers_texts_and_lists_are_values(self):
        self.assertEqual(ridgeline.analyze(relu(), bind={"n": numpy.int64(4)}).totals.flops, 12)
        self.assertEqual(ridgeline.analyze(relu(), bind="n=4").totals.flops, 12)
        self.assertEqual(ridgeline.analyze(relu(), shape={"x": (4, 3)}).totals.flops, 12)
        data = {"x": [[1, 2, 3], [4, 5, 6]]}
        self.assertEqual(ridgeline.analyze(relu(), input=data).totals.flops, 6)


def write_large(path, size):
    """A model with one tensor of `size` bytes, all zero: a file with a hole, of any size, since
    protobuf does not write it. The tensor ends its graph, and the graph the model."""
    def varint(number):
        low = b"" if number < 128 else bytes([number & 127 | 128]) + varint(number >> 7)
        return low or bytes([number])

    def begin(field, *parts, more=0):
        inside = b"".join(parts)
        return varint(field << 3 | 2) + varint(len(inside) + more) + inside

    model = relu()
    model.graph.node.append(onnx.helper.make_node("Add", ["w", "w"], ["v"]))
    model.graph.output.append(onnx.helper.make_tensor_value_info("v", TensorProto.FLOAT, [size // 4]))
    graph, weights = model.graph.SerializeToString(), TensorProto(
        dims=[size // 4], data_type=TensorProto.FLOAT, name="w").SerializeToString()
    model.ClearField("graph")
    tensor = begin(5, weights, begin(9, more=size), more=size)
    with open(path, "wb") as file:
        file.write(model.SerializeToString() + begin(7, graph, tensor, more=size))
        file.truncate(file.tell() + size)


class Models(Case):
    def test_a_path_bytes_and_a_proto_are_the_same_model(self):
        path = self.model()
        hashes = {
            ridgeline.analyze(model).model.graph_hash
            for model in (path, self.folder / "model.onnx", relu().SerializeToString(), relu(),
                          bytearray(relu().SerializeToString()))
        }
        self.assertEqual(len(hashes), 1)

    def test_paths_with_blanks_and_letters_of_any_language(self):
        path = self.folder / "größe ß 模型 -x.onnx"
        onnx.save(relu(), path)
        self.assertEqual(ridgeline.analyze(path).model.path, str(path))

    def test_what_is_no_model_is_refused(self):
        with self.assertRaises(ridgeline.UsageError) as caught:
            ridgeline.analyze(object())
        self.assertEqual(caught.exception.message, "'model' takes no object")
        with self.assertRaises(ridgeline.InputError):
            ridgeline.analyze(b"no model")

    def test_a_proto_beyond_the_limit_of_protobuf_names_the_way_out(self):
        class Huge:  # 2 GiB of weights would not fit the machines that run tests
            graph = None

            def SerializeToString(self):
                raise EncodeError("Failed to serialize proto")  # as protobuf 7 does

        with self.assertRaises(ridgeline.InputError) as caught:
            ridgeline.analyze(Huge())
        self.assertEqual(
            str(caught.exception),
            "protobuf does not write the model: Failed to serialize proto\n"
            "  hint: it ends at 2147483647 bytes; save a larger one with external data and hand "
            "over its path: onnx.save(model, 'model.onnx', save_as_external_data=True)\n"
            "  [RIDGE-PY-0010]",
        )

    def test_bytes_are_written_and_read_without_another_copy(self):
        size = 48 << 20
        write_large(self.path("large.onnx"), size)
        with open(self.path("large.onnx"), "rb") as file:
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data, memoryview(data) as view:
                tracemalloc.start()
                self.addCleanup(tracemalloc.stop)
                result = ridgeline.analyze(view, bind={"n": 1})
        _, peak = tracemalloc.get_traced_memory()
        self.assertEqual(result.totals.params, size // 4)
        self.assertLess(peak, size // 4)

    def test_a_file_above_the_limit_of_protobuf_is_read(self):
        size = (1 << 31) + (1 << 20)
        write_large(self.path("large.onnx"), size)
        self.assertEqual(ridgeline.analyze(self.path("large.onnx"), bind={"n": 1}).totals.params, size // 4)

    def test_the_folder_is_private_and_goes(self):
        with Folder() as folder:
            import os
            import stat

            path = folder.model(relu())
            self.assertEqual(stat.S_IMODE(os.stat(folder.path).st_mode), 0o700)
            self.assertTrue(os.path.exists(path))
        self.assertFalse(os.path.exists(folder.path))


class Settings(Case):
    def test_a_wrong_argument_names_the_near_one(self):
        with self.assertRaises(ridgeline.InputError) as caught:
            ridgeline.analyze(relu(), bnd={"n": 4})
        self.assertEqual(
            str(caught.exception),
            "ridge analyze has no flag or argument 'bnd'\n  hint: did you mean 'bind'?\n"
            "  [RIDGE-CLI-0008]",
        )

    def test_what_a_result_does_is_no_argument(self):
        for name in ("format", "output", "report", "request"):
            with self.assertRaises(ridgeline.UsageError) as caught:
                ridgeline.analyze(relu(), **{name: "x.json"})
            self.assertEqual(caught.exception.code, "RIDGE-PY-0012")

    def test_too_many_arguments_without_names(self):
        with self.assertRaisesRegex(TypeError, "analyze.. takes 1 arguments without a name, not 2"):
            ridgeline.analyze(relu(), "more")

    def test_values_that_are_none_of_ridge(self):
        with self.assertRaisesRegex(ridgeline.UsageError, "'fuse' takes no set"):
            ridgeline.analyze(relu(), fuse={"none"})

    def test_an_argument_of_the_command_line_reaches_it(self):
        with self.assertRaises(ridgeline.HostError) as caught:
            ridgeline.profile(relu(), runtime_library=self.path("none.so"))
        self.assertIn("none.so", caught.exception.message)


if __name__ == "__main__":
    unittest.main()
