// SPDX-License-Identifier: Apache-2.0
// Copies of `ridge advise --apply` against their models in ONNX Runtime's Python package: by
// bench/apply_is_equal.py for a sample of its models, and of a model whose weights exceed what one
// file of protobuf can have.
#include <gtest/gtest.h>

#include <string>

#include "analysis/testing/packaged.h"
#include "workplace.h"

namespace ridge::tests {
namespace {

class ApplySlow : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
    if (!std::filesystem::exists(python_))
      GTEST_SKIP() << "scripts/fetch_oracles.sh has not been able to run";
  }

  const std::filesystem::path python_ =
      analysis::testing::cache_folder() / "oracles/current/bin/python";
  const Workplace place_;
};

TEST_F(ApplySlow, CopiesOfLosslessFindingsAreEqualInPython) {
  const Outcome o = place_.run("'" + python_.string() + "' '" +
                               (source_tree() / "bench/apply_is_equal.py").string() +
                               "' --ridge ridge --count 9 --budget 1s");
  ASSERT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_NE(o.err.find(": lossless; equal"), o.err.npos) << o.err;
}

// A table of 2.2 GB of which two rows are read, and two casts that undo each other.
constexpr std::string_view kMakeLarge = R"py(
import numpy, onnx
from onnx import TensorProto as T, helper as h
rows, width = 8_600_000, 64
row = numpy.arange(width, dtype="float32")
with open("table.bin", "wb") as file:
    for first in range(0, rows, 100_000):
        file.write((numpy.arange(first, first + 100_000, dtype="float32")[:, None] + row).tobytes())
table = onnx.TensorProto(name="table", data_type=T.FLOAT, dims=[rows, width], data_location=T.EXTERNAL)
table.external_data.add(key="location", value="table.bin")
graph = h.make_graph([h.make_node("Gather", ["table", "i"], ["a"]), h.make_node("Cast", ["a"], ["b"], to=T.DOUBLE),
                      h.make_node("Cast", ["b"], ["c"], to=T.FLOAT), h.make_node("Neg", ["c"], ["y"])],
                     "g", [h.make_tensor_value_info("i", T.INT64, [2])], [h.make_tensor_value_info("y", T.FLOAT, [2, width])], [table])
onnx.save(h.make_model(graph, opset_imports=[h.make_opsetid("", 17)], ir_version=8), "large.onnx")
)py";
constexpr std::string_view kRunLarge = R"py(
import numpy, onnx, onnxruntime, os
assert os.path.getsize("better.onnx") < 10_000 and os.path.getsize("better.onnx.data") > 1 << 31
print([node.op_type for node in onnx.load("better.onnx", load_external_data=False).graph.node])
i = numpy.array([8_599_999, 7])
y = [onnxruntime.InferenceSession(name).run(None, {"i": i})[0] for name in ("large.onnx", "better.onnx")]
print(y[0].tobytes() == y[1].tobytes(), y[1][1, 3])
)py";

TEST_F(ApplySlow, WritesWeightsOfMoreThan2GiBBesideTheCopy) {
  write_text(place_.folder() / "there/make.py", kMakeLarge);
  write_text(place_.folder() / "there/run.py", kRunLarge);
  const std::string python = "'" + python_.string() + "' ";
  const Outcome made = place_.run(python + "make.py");
  ASSERT_EQ(made.status, 0) << made.err;
  const Outcome applied =
      place_.run("ridge advise large.onnx --apply casts --output better.onnx --budget 2s");
  ASSERT_EQ(applied.status, 0) << applied.out << applied.err;
  const Outcome o = place_.run(python + "run.py");
  EXPECT_EQ(o.out, "['Gather', 'Neg']\nTrue -10.0\n") << o.err;
}

}  // namespace
}  // namespace ridge::tests
