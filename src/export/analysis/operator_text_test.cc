// SPDX-License-Identifier: Apache-2.0
#include "export/analysis/operator_text.h"

#include <gtest/gtest.h>

#include "ops/describe.h"

namespace ridge::exports {
namespace {

std::string shown(std::string_view domain, std::string_view name) {
  StringSink sink;
  write_text(operator_facts(ops::versions(domain, name)), sink);
  return sink.text();
}

// 128 * 28 * 28 outputs of 64 * 3 * 3 products each.
TEST(OperatorText, SaysWhatIsCountedWithAnExample) {
  EXPECT_EQ(shown("", "Conv"),
            "Conv of ai.onnx, counted\n"
            "  since      opset 1\n"
            "  work       N*Cout*prod(out)*Cin/group*prod(kernel) MACs, padded positions included; "
            "1 FLOP per output element for the bias\n"
            "  reads      each distinct input once, as stored\n"
            "  writes     each output once\n"
            "  shape      [N, Cout, out...]; out = floor((in + pads - dilation*(kernel - 1) - 1) / "
            "stride) + 1, or as auto_pad says\n"
            "  folded     no: values of outputs are not computed\n"
            "  example    float32 [1, 64, 56, 56]\n"
            "             float32 [128, 64, 3, 3], a weight\n"
            "             float32 [128], a weight\n"
            "             -> float32 [1, 128, 28, 28]\n"
            "             57.8 M MACs, 100 k flops, 1.10 M bytes read, 401 k bytes written\n");
}

TEST(OperatorText, EveryExampleResolves) {
  for (const ops::Operator* row : ops::all()) {
    if (ops::example(*row).empty()) continue;
    const std::string text = shown(row->domain, row->name);
    EXPECT_NE(text.find("  example "), std::string::npos) << row->name;
    EXPECT_EQ(text.find('?'), std::string::npos) << text;
    EXPECT_EQ(text.find("unknown"), std::string::npos) << text;
  }
}

TEST(OperatorText, ThePageHasARowPerOperator) {
  const std::string page = operators_page();
  for (const ops::Operator* row : ops::all())
    EXPECT_NE(page.find("\n| " + std::string(row->name) + " | "), std::string::npos) << row->name;
}

}  // namespace
}  // namespace ridge::exports
