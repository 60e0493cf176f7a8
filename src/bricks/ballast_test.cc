// SPDX-License-Identifier: Apache-2.0
// Ballast in both runtimes.
#include "bricks/ballast.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "attribution/testing.h"
#include "bricks/testing/planned.h"
#include "measure/testing/one_run.h"

namespace ridge::bricks {
namespace {

using attribution::testing::must;
using measure::testing::options;

class BallastSlow : public ::testing::TestWithParam<const char*> {};

TEST_P(BallastSlow, ReadsAllOfItsInputAndWritesOneElement) {
  SKIP_WITHOUT(GetParam());
  runtime::Runtime runtime = must(runtime::Runtime::spawn(options(GetParam())));
  for (const std::int64_t bytes : {std::int64_t{1}, std::int64_t{4000}, std::int64_t{1} << 20}) {
    SCOPED_TRACE(bytes);
    const runtime::SessionId session = must(load_ballast(runtime, bytes));
    const std::int64_t rows = std::max<std::int64_t>(1, bytes / 4096);
    const std::int64_t row = std::clamp<std::int64_t>(bytes / 4, 1, 1024);
    const std::vector<runtime::InputSpec> specs = {
        {.name = "x", .type = onnx::DataType::kFloat, .dims = {rows, row}, .seed = 7}};
    const runtime::Inputs inputs = must(runtime::Inputs::make(specs));
    must(runtime.set_inputs(session, inputs));
    std::vector<float> elements(static_cast<std::size_t>(rows * row));
    ASSERT_EQ(inputs.tensors.at(0).bytes, rows * row * 4);
    std::memcpy(elements.data(), inputs.memory.bytes().data() + inputs.tensors[0].offset,
                elements.size() * sizeof(float));
    const runtime::Outputs outputs = must(runtime.outputs(session));
    ASSERT_EQ(outputs.tensors.at(0).bytes.size(), sizeof(float));
    float maximum = 0;
    std::memcpy(&maximum, outputs.tensors[0].bytes.data(), sizeof maximum);
    EXPECT_EQ(maximum, *std::ranges::max_element(elements));
  }
}

INSTANTIATE_TEST_SUITE_P(In, BallastSlow, ::testing::Values("ort", "openvino"),
                         [](const auto& of) { return std::string(of.param); });

}  // namespace
}  // namespace ridge::bricks
