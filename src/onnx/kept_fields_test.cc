// SPDX-License-Identifier: Apache-2.0
// What an edited copy keeps of the file that it comes from.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "onnx/reader.h"
#include "onnx/testing.h"
#include "onnx/writer.h"

namespace ridge::onnx {
namespace {

using testing::wire;

/// Fields in the order of the writer, with kept ones at their places.
constexpr char kText[] = R"(
  ir_version: 10
  producer_name: "test"
  graph {
    node {
      input: "x" input: "w" output: "h" name: "first" op_type: "Mul"
      attribute { name: "a" f: 0.5f type: 1 13: "doc of an attribute" }
      6: "doc of a node" 10: "devices" 99: 7
    }
    node { input: "h" output: "y" name: "second" op_type: "Relu" 6: "doc of another" }
    name: "main"
    initializer { dims: 1 data_type: 1 name: "w" 12: "doc of a weight" 16 { 1: "k" 2: "v" }
                  raw_data: "1234" }
    input { name: "x" type { tensor_type { elem_type: 1 } 6: "denotation" } 3: "doc of an input" }
    output { name: "y" type { tensor_type { elem_type: 1 } } 4 { 1: "k" 2: "v" } }
    10: "doc of a graph"
    16 { 1: "k" 2: "v" }
    14 { 1: "h" 2 { 1: "SCALE_TENSOR" 2: "w" } }
  }
  opset_import { domain: "" version: 17 }
  4: "org.example"
  5: 3
  6: "doc of a model"
  20 { 3 { 1: "k" 2: "v" } }
)";

class KeptFieldsTest : public ::testing::Test {
 protected:
  KeptFieldsTest() {
    const Result<void> written = write_file_of(wire(kText));
    if (!written.ok()) throw std::runtime_error(written.error().text());
    Result<Document> read = read_file(path_);
    if (!read.ok()) throw std::runtime_error(read.error().text());
    original_ = std::move(*read);
  }
  ~KeptFieldsTest() override { std::filesystem::remove(path_); }

  std::string written(const Document& edited) {
    Result<std::string> bytes = write_bytes(edited, {.original = &original_});
    return bytes.ok() ? *bytes : bytes.error().text();
  }

  /// Returns the same model with another graph.
  Document edited(const Graph& graph) const {
    Document out;
    out.file = original_.file;
    out.path = original_.path;
    out.model = original_.model;
    out.model.graph = graph;
    return out;
  }

  Result<void> write_file_of(const std::string& bytes) const {
    return ridge::write_file(path_, bytes);
  }

  std::string path_ = ::testing::TempDir() + "ridge-kept.onnx";
  Document original_;
};

TEST_F(KeptFieldsTest, ACopyWithoutAnEditIsTheFile) { EXPECT_EQ(written(original_), wire(kText)); }

TEST_F(KeptFieldsTest, WhatAnEditRemovedOrAddedHasNothing) {
  Graph graph = original_.model.graph;
  Node added = graph.nodes[1];
  Arena arena;
  const std::string_view inputs[] = {"x"};
  const std::span<Text> names = arena.array<Text>(1);
  names[0] = Text(inputs[0]);
  added.inputs = names;
  added.name = Text("ridge.Relu.0");
  const std::span<Node> nodes = arena.array<Node>(1);
  nodes[0] = added;
  graph.nodes = nodes;
  graph.initializers = {};
  const std::string bytes = written(edited(graph));
  for (const std::string gone :
       {"doc of a node", "doc of another", "doc of a weight", "SCALE_TENSOR"})
    EXPECT_EQ(bytes.find(gone), bytes.npos) << gone;
  for (const std::string kept :
       {"doc of a graph", "doc of an input", "denotation", "org.example", "doc of a model"})
    EXPECT_NE(bytes.find(kept), bytes.npos) << kept;
}

TEST_F(KeptFieldsTest, AFileThatChangedIsNoticed) {
  ASSERT_TRUE(
      write_file_of(wire("ir_version: 10 graph { name: \"main\" } "
                         "opset_import { version: 17 }")));
  Result<Document> other = read_file(path_);
  ASSERT_TRUE(other.ok());
  Document mixed = edited(original_.model.graph);
  mixed.file = other->file;
  const Result<std::string> bytes = write_bytes(mixed, {.original = &mixed});
  ASSERT_FALSE(bytes.ok());
  EXPECT_EQ(bytes.error().code(), "RIDGE-ONNX-0412");
}

}  // namespace
}  // namespace ridge::onnx
