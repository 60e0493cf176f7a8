// SPDX-License-Identifier: Apache-2.0
#include "onnx/annotate.h"

#include <gtest/gtest.h>

#include "onnx/reader.h"
#include "onnx/testing.h"

namespace ridge::onnx {
namespace {

using testing::wire;

/// Returns the annotated copy of the model's bytes, or the error.
Result<std::string> annotated(const std::string& bytes, const Notes& notes) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.make("m.onnx", bytes);
  const Document document = TRY(read_file(path));
  StringSink sink;
  TRY(annotate(document, notes, sink));
  return sink.text();
}

const char* const kAnnotatedModel = R"(
  99: "unknown"
  ir_version: 8
  graph {
    node { op_type: "Relu" input: "x" output: "y" }
    node { op_type: "Abs" input: "y" output: "z" 98: 5
           metadata_props { key: "theirs" value: "1" }
           metadata_props { key: "ridge.old" value: "2" } }
    name: "main"
    input { name: "x" }
    doc_string: "kept"
    output { name: "z" }
  }
  opset_import { version: 17 }
  97: 7)";

TEST(Annotate, PutsNotesIntoNodesAndLeavesAllElseAsItWas) {
  const auto copy =
      annotated(wire(kAnnotatedModel), {{{"ridge.time_ns", "5"}}, {{"ridge.layer", "0"}}});
  ASSERT_TRUE(copy.ok()) << copy.error().text();
  EXPECT_EQ(*copy, wire(R"(
    99: "unknown"
    ir_version: 10
    graph {
      node { op_type: "Relu" input: "x" output: "y"
             metadata_props { key: "ridge.time_ns" value: "5" } }
      node { op_type: "Abs" input: "y" output: "z" 98: 5
             metadata_props { key: "theirs" value: "1" }
             metadata_props { key: "ridge.layer" value: "0" } }
      name: "main"
      input { name: "x" }
      doc_string: "kept"
      output { name: "z" }
    }
    opset_import { version: 17 }
    97: 7)"));
}

TEST(Annotate, NoNotesGiveTheSameFileOfANewerVersion) {
  std::string model = kAnnotatedModel;
  model.replace(model.find("ir_version: 8"), 13, "ir_version: 11");
  const auto copy = annotated(wire(model), {});
  ASSERT_TRUE(copy.ok()) << copy.error().text();
  EXPECT_EQ(*copy, wire(model));
}

TEST(Annotate, LengthsThatGrowPastAByteAreWrittenAnew) {
  const std::string text(300, 'n');
  const auto copy = annotated(wire(kAnnotatedModel), {{{"ridge.bound", text}}});
  ASSERT_TRUE(copy.ok()) << copy.error().text();
  const auto again = read_bytes(*copy, "copy");
  ASSERT_TRUE(again.ok()) << again.error().text();
  ASSERT_EQ(again->model.graph.nodes[0].metadata().size(), 1U);
  EXPECT_EQ(again->model.graph.nodes[0].metadata()[0].value, text);
}

TEST(Annotate, AModelThatImportsItsOperatorsBySilenceSaysThemAfterwards) {
  const char* const old = R"(
    ir_version: 1
    graph { node { op_type: "Relu" input: "x" output: "y" } name: "g" input { name: "x" } })";
  const auto copy = annotated(wire(old), {{{"ridge.layer", "0"}}});
  ASSERT_TRUE(copy.ok()) << copy.error().text();
  const auto again = read_bytes(*copy, "copy");
  ASSERT_TRUE(again.ok()) << again.error().text();
  ASSERT_EQ(again->model.opsets.size(), 1U);
  EXPECT_EQ(again->model.opsets[0].version, 1);
}

TEST(Annotate, FindsExternalDataInGraphsInsideGraphsToo) {
  const std::string tensor = R"({ dims: 2 data_type: 1 name: "w" data_location: 1
    external_data { key: "location" value: "w.bin" } })";
  const auto document =
      read_bytes(wire(R"(ir_version: 8 graph { name: "g" node { op_type: "If" output: "y"
        attribute { name: "then_branch" type: 5 g { name: "b" initializer )" +
                      tensor + "} } } } opset_import { version: 17 }"),
                 "m");
  ASSERT_TRUE(document.ok()) << document.error().text();
  EXPECT_EQ(external_locations(document->model), std::vector<std::string_view>{"w.bin"});
}

}  // namespace
}  // namespace ridge::onnx
