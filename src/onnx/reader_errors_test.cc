// SPDX-License-Identifier: Apache-2.0
// Errors of the reader, with their exact messages.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "onnx/reader.h"
#include "onnx/testing.h"

namespace ridge::onnx {
namespace {

using testing::field;
using testing::varint;
using testing::wire;

std::string message(std::string_view bytes, const Limits& limits = {}) {
  const auto document = read_bytes(bytes, "m.onnx", limits);
  return document ? "no error\n" : document.error().text();
}

struct BadFile {
  const char* behavior;
  const char* model;
  const char* text;  ///< message without "error: m.onnx: "
};

void expect_refused(std::span<const BadFile> cases) {
  for (const BadFile& c : cases) {
    EXPECT_EQ(message(wire(c.model)), std::string("error: m.onnx: ") + c.text) << c.behavior;
  }
}

TEST(ReaderErrors, DamagedWire) {
  expect_refused(std::array{
      BadFile{"a varint of 11 bytes", "<08 ff ff ff ff ff ff ff ff ff ff 01>",
              "a varint of more than 10 bytes\n"
              "  at byte 0x1 of the file (ModelProto)\n"
              "  hint: the file is damaged or not an ONNX model; export or download it again\n"
              "  [RIDGE-ONNX-0103]\n"},
      BadFile{"a length beyond the file", "ir_version: 8 <3a ff ff ff ff ff 1f> 1: 1",
              "the file is truncated: 1099511627775 bytes expected, 2 available\n"
              "  at byte 0x2 of the file (ModelProto field 7)\n"
              "  hint: export or download it again\n"
              "  [RIDGE-ONNX-0101]\n"},
      BadFile{"a length of 2^63", "<3a ff ff ff ff ff ff ff ff ff 01>",
              "the file is truncated: 18446744073709551615 bytes expected, 0 available\n"
              "  at byte 0x0 of the file (ModelProto field 7)\n"
              "  hint: export or download it again\n"
              "  [RIDGE-ONNX-0101]\n"},
      BadFile{"a length beyond the message", "graph { name: \"main\" node { <0a 05> } }",
              "graph 'main' > node #0: a length of 5 bytes exceeds the remaining 0 bytes of the "
              "NodeProto\n"
              "  at byte 0xa of the file (NodeProto field 1)\n"
              "  hint: the file is damaged or not an ONNX model; export or download it again\n"
              "  [RIDGE-ONNX-0102]\n"},
      BadFile{"a number that its message cuts", "graph { node { <08 80> } }",
              "graph > node #0: the NodeProto ends inside a number\n"
              "  at byte 0x5 of the file (NodeProto)\n"
              "  hint: the file is damaged or not an ONNX model; export or download it again\n"
              "  [RIDGE-ONNX-0102]\n"},
      BadFile{"four bytes that are not there", "ir_version: 8 <15 00 00>",
              "the file is truncated: it ends inside a number\n"
              "  at byte 0x3 of the file (ModelProto)\n"
              "  hint: export or download it again\n"
              "  [RIDGE-ONNX-0101]\n"},
      BadFile{"a group", "ir_version: 8 <0b 0c>",
              "wire type 3 is not used by ONNX\n"
              "  at byte 0x2 of the file (ModelProto field 1)\n"
              "  hint: the file is damaged or not an ONNX model; export or download it again\n"
              "  [RIDGE-ONNX-0105]\n"},
      BadFile{"wire type 7", "ir_version: 8 <0f>",
              "wire type 7 is not used by ONNX\n"
              "  at byte 0x2 of the file (ModelProto field 1)\n"
              "  hint: the file is damaged or not an ONNX model; export or download it again\n"
              "  [RIDGE-ONNX-0105]\n"},
      BadFile{"field number 0", "<00 00 00 00>",
              "invalid protobuf field number 0\n"
              "  at byte 0x0 of the file (ModelProto)\n"
              "  hint: the file is damaged or not an ONNX model; export or download it again\n"
              "  [RIDGE-ONNX-0104]\n"},
      BadFile{"field number 2^29", "<80 80 80 80 10 00>",
              "invalid protobuf field number 536870912\n"
              "  at byte 0x0 of the file (ModelProto)\n"
              "  hint: the file is damaged or not an ONNX model; export or download it again\n"
              "  [RIDGE-ONNX-0104]\n"},
  });
}

TEST(ReaderErrors, IncompleteModels) {
  expect_refused(std::array{
      BadFile{
          "no graph", "ir_version: 8 opset_import { version: 17 }",
          "the model has no graph\n"
          "  hint: the file is truncated, or not an ONNX model (a .pb file of test data holds a "
          "tensor)\n"
          "  [RIDGE-ONNX-0201]\n"},
      BadFile{"no IR version", "graph { } opset_import { version: 17 }",
              "ir_version is missing\n"
              "  hint: the file is truncated, or not an ONNX model\n"
              "  [RIDGE-ONNX-0202]\n"},
      BadFile{"a nonsensical IR version", "ir_version: -7 graph { }",
              "invalid IR version -7\n"
              "  hint: the file is truncated, or not an ONNX model\n"
              "  [RIDGE-ONNX-0202]\n"},
      BadFile{"no operator set", "ir_version: 8 graph { }",
              "opset_import is missing, so the operator versions are unknown\n"
              "  hint: the file is truncated, or was written by a tool that left it out; export it "
              "again\n"
              "  [RIDGE-ONNX-0203]\n"},
      BadFile{"operator set 0", "ir_version: 8 graph { } opset_import { domain: \"x\" }",
              "opset_import #0 'x': invalid operator set version 0\n"
              "  hint: the file is damaged; export it again\n"
              "  [RIDGE-ONNX-0204]\n"},
      BadFile{"operator set 2^62",
              "ir_version: 8 graph { } opset_import { version: 4611686018427387904 }",
              "opset_import #0: invalid operator set version 4611686018427387904\n"
              "  hint: the file is damaged; export it again\n"
              "  [RIDGE-ONNX-0204]\n"},
      BadFile{
          "two versions of one domain",
          "ir_version: 8 graph { } opset_import { version: 17 } opset_import { domain: \"ai.onnx\" "
          "version: 18 }",
          "opset_import has domain '' with versions 17 and 18\n"
          "  hint: export the model again, with one version per domain\n"
          "  [RIDGE-ONNX-0205]\n"},
      BadFile{"a function without a name", "graph { } functions { node { op_type: \"A\" } }",
              "function #0: the function has no name\n"
              "  hint: export the model again\n"
              "  [RIDGE-ONNX-0206]\n"},
      BadFile{"a node without an operator",
              "graph { name: \"g\" node { op_type: \"A\" } node { name: \"n\" } }",
              "graph 'g' > node #1 'n': the node has no op_type\n"
              "  at byte 0xc of the file (NodeProto)\n"
              "  hint: the file is damaged; export it again\n"
              "  [RIDGE-ONNX-0207]\n"},
      BadFile{"an input without a name", "graph { input { } }",
              "graph > input #0: the value has no name\n"
              "  at byte 0x4 of the file (ValueInfoProto)\n"
              "  hint: the file is damaged; export it again\n"
              "  [RIDGE-ONNX-0208]\n"},
      BadFile{"an unknown element type",
              "graph { input { name: \"x\" type { tensor_type { elem_type: 999 } } } }",
              "graph > input #0 'x': invalid element type 999\n"
              "  at byte 0xb of the file (data type)\n"
              "  hint: ONNX defines 1 (float32) to 28 (float6_e3m2)\n"
              "  [RIDGE-ONNX-0230]\n"},
  });
}

TEST(ReaderErrors, Attributes) {
  expect_refused(std::array{
      BadFile{"no name", "graph { node { op_type: \"A\" name: \"n\" attribute { i: 1 type: 2 } } }",
              "graph > node #0 'n' > attribute #0: the attribute has no name\n"
              "  at byte 0xc of the file (AttributeProto)\n"
              "  hint: the file is damaged; export it again\n"
              "  [RIDGE-ONNX-0210]\n"},
      BadFile{"an unknown type",
              "graph { node { op_type: \"A\" attribute { name: \"a\" type: 15 } } }",
              "graph > node #0 > attribute #0 'a': invalid attribute type 15\n"
              "  at byte 0x9 of the file (AttributeProto.type)\n"
              "  hint: ONNX defines 1 (float) to 14 (type_protos)\n"
              "  [RIDGE-ONNX-0211]\n"},
      BadFile{
          "a tensor that is not there",
          "graph { node { op_type: \"A\" attribute { name: \"a\" i: 3 type: 4 } } }",
          "graph > node #0 > attribute #0 'a': the attribute has type tensor but no such value\n"
          "  at byte 0x9 of the file (AttributeProto)\n"
          "  hint: the file is damaged; export it again\n"
          "  [RIDGE-ONNX-0212]\n"},
  });
}

TEST(ReaderErrors, HostileNamesAreEscaped) {
  EXPECT_EQ(message(wire("graph { name: \"\\x1b[31m\\x0a\" node { } }")),
            "error: m.onnx: graph '\\x1b[31m\\x0a' > node #0: the node has no op_type\n"
            "  at byte 0xc of the file (NodeProto)\n"
            "  hint: the file is damaged; export it again\n"
            "  [RIDGE-ONNX-0207]\n");
}

std::string nested_graphs(int depth) {
  std::string graph = field(2, "leaf");
  for (int i = 0; i < depth; ++i) {
    const std::string attribute =
        field(1, "then_branch") + field(6, graph) + varint(20 << 3) + varint(5);
    graph = field(1, field(4, "If") + field(5, attribute)) + field(2, "g");
  }
  return wire("ir_version: 8") + field(7, graph) + wire("opset_import { version: 17 }");
}

TEST(ReaderErrors, DeepNesting) {
  EXPECT_EQ(message(nested_graphs(32)), "no error\n");
  const std::string deep = nested_graphs(33);
  EXPECT_EQ(
      message(deep),
      fmt::format(
          "error: m.onnx: graph 'g' > node #0 > attribute #0 'then_branch' > node #0 > "
          "attribute #0 'then_branch' > node #0 > attribute #0 'then_branch': graphs are nested "
          "more than 32 deep\n"
          "  at byte {:#x} of the file (graphs)\n"
          "  hint: no exporter makes such a model; the file may be damaged or hostile\n"
          "  [RIDGE-ONNX-0106]\n",
          deep.find(field(2, "leaf"))));
  EXPECT_NE(message(nested_graphs(500)).find("RIDGE-ONNX-0106"), std::string::npos);

  std::string type = wire("tensor_type { elem_type: 1 }", "type");
  for (int i = 0; i < 100; ++i) type = field(4, field(1, type));
  const std::string graph = field(11, field(1, "x") + field(2, type));
  EXPECT_NE(message(field(7, graph)).find("types are nested more than 32 deep"), std::string::npos);
}

// Each level contains its graph twice: naive merging would parse 2^depth messages.
TEST(ReaderErrors, MergingStaysLinear) {
  std::string graph = field(2, "leaf");
  for (int i = 0; i < 30; ++i) {
    const std::string attribute =
        field(1, "b") + field(6, graph) + field(6, "") + varint(20 << 3) + varint(5);
    graph = field(1, field(4, "If") + field(5, attribute));
  }
  EXPECT_EQ(message(wire("ir_version: 8") + field(7, graph) + field(7, "") +
                    wire("opset_import { version: 17 }")),
            "no error\n");
}

TEST(ReaderErrors, MemoryBudget) {
  std::string nodes;
  for (int i = 0; i < 1000; ++i) nodes += field(1, field(4, "A"));
  EXPECT_EQ(message(wire("ir_version: 8") + field(7, nodes), {.memory = 10'000}),
            "error: m.onnx: graph: the model's structure needs more than 10000 bytes of memory\n"
            "  at byte 0x5 of the file (80000 bytes requested)\n"
            "  hint: the file may be damaged or hostile\n"
            "  [RIDGE-ONNX-0107]\n");
}

TEST(ReaderErrors, AnyMemoryBudgetIsAnErrorOrTheModel) {
  const std::string bytes = wire(R"(
    ir_version: 8
    graph {
      node { input: "x" op_type: "X" attribute { name: "a" type: 7 ints: [1 2 3] } }
      node { op_type: "Y" attribute { name: "t" type: 4
        t { dims: 2 data_type: 7 int64_data: [1 2] } } }
      input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_param: "N" } } } } }
      initializer { dims: 1 data_type: 8 string_data: "text" }
    }
    graph { node { op_type: "Z" } }
    opset_import { version: 17 })");
  const auto used =
      static_cast<std::int64_t>(read_bytes(bytes, "m.onnx").value().arena.bytes_used());
  bool fits = false;
  for (std::int64_t memory = 0; memory <= used; ++memory) {
    const auto document = read_bytes(bytes, "m.onnx", {.memory = memory});
    EXPECT_TRUE(document.ok() || (!fits && document.error().code() == "RIDGE-ONNX-0107")) << memory;
    // Elements are not charged up to their size in the file, here two bytes.
    EXPECT_EQ(document.ok(), memory >= used - 2) << memory;
    fits = document.ok();
  }
  EXPECT_TRUE(fits);
}

TEST(ReaderErrors, ManyOperatorSetsAreNotComparedWithEachOther) {
  std::string bytes = wire("ir_version: 8 graph { }");
  for (int i = 0; i < 300'000; ++i) bytes += std::string_view("\x42\x02\x10\x11", 4);
  EXPECT_EQ(message(bytes), "no error\n");
}

TEST(ReaderErrors, ManyEmptyMessagesCostNothing) {
  std::string graph;
  graph.reserve(20'000'000);
  for (int i = 0; i < 10'000'000; ++i) graph += std::string_view("\x0a\0", 2);
  // The list of nodes is allocated at once, but not touched before its first node.
  EXPECT_EQ(message(wire("ir_version: 8") + field(7, graph), {.memory = std::int64_t{4} << 30}),
            "error: m.onnx: graph > node #0: the node has no op_type\n"
            "  at byte 0x9 of the file (NodeProto)\n"
            "  hint: the file is damaged; export it again\n"
            "  [RIDGE-ONNX-0207]\n");
}

TEST(ReaderErrors, LongNames) {
  EXPECT_EQ(message(wire("graph { name: \"" + std::string(70'000, 'n') + "\" }")),
            "error: m.onnx: graph '" + std::string(120, 'n') +
                "': a name has 70000 bytes, the limit is 65536\n"
                "  at byte 0x4 of the file (name)\n"
                "  hint: no exporter writes such names; the file may be damaged or hostile\n"
                "  [RIDGE-ONNX-0108]\n");
}

TEST(ReaderErrors, TruncationAnywhereIsAnErrorOrAWholeModel) {
  const std::string bytes = wire(R"(
    ir_version: 8
    opset_import { version: 17 }
    graph {
      name: "main"
      node { input: "x" output: "y" op_type: "Conv" attribute { name: "pads" ints: [1 1] type: 7 } }
      initializer { dims: 1 data_type: 1 name: "w" raw_data: "1234" }
      input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 3 } } } } }
    }
    producer_name: "test"
    metadata_props { key: "k" value: "v" })");
  ASSERT_EQ(message(bytes), "no error\n");
  const testing::TemporaryFolder folder;
  const std::size_t graph_end = bytes.size() - field(2, "test").size() -
                                wire("metadata_props { key: \"k\" value: \"v\" }").size();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::string part = bytes.substr(0, size);
    const std::string text = message(part);
    // Only after the graph can truncation leave a complete model.
    EXPECT_TRUE(size >= graph_end || text != "no error\n") << size;
    const auto file = read_file(folder.make("m.onnx", part));
    EXPECT_EQ(file.ok(), text == "no error\n") << size;
  }
}

TEST(ReaderErrors, ForeignFiles) {
  using namespace std::string_literals;
  const std::pair<std::string, const char*> cases[] = {
      {"\x1f\x8b\x08"s, "gzip data"},
      {"PK\x03\x04 model/data.pkl"s, "a PyTorch archive (.pt)"},
      {"PK\x03\x04 other"s, "a zip archive"},
      {"\x80\x02}q\0"s, "a Python pickle (a PyTorch checkpoint?)"},
      {"<!DOCTYPE html><html>"s, "a web page"},
      {"\n <HTML>"s, "a web page"},
      {"version https://git-lfs.github.com/spec/v1\noid sha256:0\n"s, "a Git LFS pointer"},
      {"GGUF\x03\0\0\0"s, "a GGUF model"},
      {"{\"graph\": {}}"s, "JSON text"},
      {"ir_version: 8\ngraph {\n}"s, "a model as protobuf text"},
      {"<ir_version: 8, opset_import: [\"\" : 17]>"s, "a model in ONNX's text syntax"},
      {"<?xml version=\"1.0\"?><net>"s, "an XML file (OpenVINO IR?)"},
      {"\x1c\0\0\0ORTM\0\0\0\0\0\0"s, "an ONNX Runtime .ort model"},
      {"\x1c\0\0\0TFL3\0\0\0\0\0\0"s, "a TensorFlow Lite model"},
      {"\x89HDF\r\n\x1a\n"s, "an HDF5 file (a Keras model?)"},
      {"\x40\0\0\0\0\0\0\0{\"w\":{}}"s, "a safetensors file"},
      {"\x93NUMPY\x01\0"s, "a NumPy array"},
      {"\x28\xb5\x2f\xfd"s, "zstd data"},
      {"\n"s, "text"},
      {"a note about a model\n"s, "text"},
      {"net/" + std::string(96, '\0') + "0000644\0"s + std::string(149, '\0') + "ustar\0"s,
       "a tar archive"},
  };
  for (const auto& [bytes, what] : cases) {
    const auto document = read_bytes(bytes, "m.onnx");
    ASSERT_FALSE(document.ok()) << what;
    EXPECT_EQ(document.error().summary(),
              fmt::format("m.onnx: this is {}, not an ONNX model", what));
    EXPECT_EQ(document.error().code(), "RIDGE-ONNX-0002");
    EXPECT_FALSE(document.error().hint().empty());
  }
  EXPECT_EQ(message(""),
            "error: m.onnx: the file is empty\n"
            "  hint: the export or download failed; try it again\n"
            "  [RIDGE-ONNX-0001]\n");
  // A valid model may contain a format's magic: as its producer's name, or in a name at tar's
  // offset.
  EXPECT_EQ(message(wire("ir_version: 8 producer_name: \"" + std::string(252, '.') +
                         "ustar\" graph { } opset_import { version: 17 }")),
            "no error\n");
  EXPECT_EQ(message(wire("ir_version: 8 producer_name: \"ORTModule\" graph { } "
                         "opset_import { version: 17 }")),
            "no error\n");
}

TEST(ReaderErrors, WhatIsNoFile) {
  const testing::TemporaryFolder folder;
  ASSERT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(read_file(folder.path("pipe")).error().error_class(), ErrorClass::kInput);
  EXPECT_EQ(read_file(folder.path("")).error().error_class(), ErrorClass::kInput);
  EXPECT_EQ(read_file(folder.path("missing")).error().error_class(), ErrorClass::kEnvironment);
  EXPECT_EQ(read_file("/dev/zero").error().error_class(), ErrorClass::kInput);
}

}  // namespace
}  // namespace ridge::onnx
