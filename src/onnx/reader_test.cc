// SPDX-License-Identifier: Apache-2.0
#include "onnx/reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>

#include "onnx/testing.h"

namespace ridge::onnx {
namespace {

using testing::field;
using testing::varint;
using testing::wire;

Document read_text(const std::string& text) {
  auto document = read_bytes(wire(text), "test.onnx");
  if (!document) throw std::runtime_error(document.error().text());
  return std::move(document).value();
}

/// Model text around the content of a graph.
std::string in_graph(const std::string& text) {
  return "ir_version: 8 graph { name: \"main\" " + text + " } opset_import { version: 17 }";
}

template <typename Names>
std::string names(const Names& items) {
  const std::vector<std::string_view> views(items.begin(), items.end());
  return fmt::format("{}", fmt::join(views, ","));
}

TEST(Reader, ReadsWhatAModelSaysAboutItself) {
  const Document d = read_text(R"(
    ir_version: 8
    producer_name: "pytorch"
    graph { name: "main" }
    opset_import { domain: "ai.onnx" version: 17 }
    opset_import { domain: "com.microsoft" version: 1 }
    metadata_props { key: "k" value: "v" })");
  EXPECT_EQ(d.model.ir_version, 8);
  EXPECT_EQ(d.model.producer_name, "pytorch");
  EXPECT_EQ(d.model.graph.name, "main");
  ASSERT_EQ(d.model.opsets.size(), 2U);
  EXPECT_EQ(d.model.opsets[0].domain, "");  // "ai.onnx" is normalized to ""
  EXPECT_EQ(d.model.opsets[0].version, 17);
  EXPECT_EQ(d.model.opsets[1].domain, "com.microsoft");
  ASSERT_EQ(d.model.metadata.size(), 1U);
  EXPECT_EQ(d.model.metadata[0].value, "v");
  EXPECT_EQ(d.path, "test.onnx");
}

TEST(Reader, ReadsNodesWithEveryKindOfAttribute) {
  const Document d = read_text(in_graph(R"(
    node {
      input: "x" input: "" input: "w"
      output: "y"
      name: "/layer1/conv" op_type: "Conv" domain: "ai.onnx"
      attribute { name: "alpha" f: 0.5f type: 1 }
      attribute { name: "group" i: -3 type: 2 }
      attribute { name: "mode" s: "edge" type: 3 }
      attribute { name: "value" t { dims: 2 data_type: 7 int64_data: [5 6] } type: 4 }
      attribute { name: "body" g { name: "inner" node { op_type: "Abs" } } type: 5 }
      attribute { name: "scales" floats: 1.5f floats: 2.5f type: 6 }
      attribute { name: "pads" ints: 1 ints: [2 3] ints: 4 type: 7 }
      attribute { name: "keys" strings: "a" strings: "" type: 8 }
      attribute { name: "alpha2" ref_attr_name: "outer" type: 1 }
      metadata_props { key: "pkg.torch.onnx.name_scopes" value: "['layer1']" }
    })"));
  ASSERT_EQ(d.model.graph.nodes.size(), 1U);
  const Node& n = d.model.graph.nodes[0];
  EXPECT_EQ(names(n.inputs), "x,,w");
  EXPECT_EQ(names(n.outputs), "y");
  EXPECT_EQ(n.name, "/layer1/conv");
  EXPECT_EQ(n.op_type, "Conv");
  EXPECT_EQ(n.domain, "");
  ASSERT_EQ(n.attributes.size(), 9U);
  EXPECT_EQ(n.attributes[0].f, 0.5F);
  EXPECT_EQ(n.attributes[1].i, -3);
  EXPECT_EQ(n.attributes[2].s, "edge");
  EXPECT_EQ(n.attributes[3].t->elements, 2);
  EXPECT_EQ(n.attributes[4].g->nodes[0].op_type, "Abs");
  EXPECT_EQ(fmt::format("{}", fmt::join(n.attributes[5].floats, " ")), "1.5 2.5");
  EXPECT_EQ(fmt::format("{}", fmt::join(n.attributes[6].ints, " ")), "1 2 3 4");
  EXPECT_EQ(names(n.attributes[7].strings), "a,");
  EXPECT_EQ(n.attributes[8].ref_attr_name, "outer");
  EXPECT_EQ(n.metadata()[0].key, "pkg.torch.onnx.name_scopes");
}

TEST(Reader, InfersTheTypeThatOldModelsLeaveOut) {
  const Document d = read_text(in_graph(R"(
    node {
      op_type: "X"
      attribute { name: "a" i: 0 }
      attribute { name: "b" f: 0.0f }
      attribute { name: "c" s: "" }
      attribute { name: "d" ints: 1 }
      attribute { name: "e" floats: 1.0f }
      attribute { name: "f" strings: "" }
      attribute { name: "g" g { } }
      attribute { name: "h" t { data_type: 1 float_data: 1.0f } }
      attribute { name: "i" }
    })"));
  std::string types;
  for (const Attribute& a : d.model.graph.nodes[0].attributes) {
    types += fmt::format("{}{} ", a.name, static_cast<int>(a.type));
  }
  EXPECT_EQ(types, "a2 b1 c3 d7 e6 f8 g5 h4 i0 ");
}

TEST(Reader, ReadsDeclaredTypes) {
  const Document d = read_text(in_graph(R"(
    input { name: "image" type { tensor_type { elem_type: 1 shape {
      dim { dim_param: "N" } dim { dim_value: 3 } dim { } dim { dim_value: -1 }
      dim { dim_value: 5 dim_param: "last wins" } } } } }
    input { name: "scalar" type { tensor_type { elem_type: 7 shape { } } } }
    input { name: "any" type { tensor_type { elem_type: 1 } } }
    input { name: "list" type { sequence_type { elem_type { tensor_type { elem_type: 9 } } } } }
    input { name: "dict" type { map_type {
       key_type: 8 value_type { tensor_type { elem_type: 1 } } } } }
    input { name: "maybe" type { optional_type { elem_type { tensor_type { elem_type: 6 } } } } }
    output { name: "bare" })"));
  std::string text;
  for (const ValueInfo& v : d.model.graph.inputs) {
    text += fmt::format("{} {} {}", v.name, static_cast<int>(v.type.kind), name(v.type.elem_type));
    if (v.type.element != nullptr) text += fmt::format(" of {}", name(v.type.element->elem_type));
    for (const Dimension& dim : v.type.shape) text += fmt::format(" {}'{}'", dim.value, dim.param);
    text += v.type.has_shape ? " shaped\n" : "\n";
  }
  EXPECT_EQ(text,
            "image 1 float32 -1'N' 3'' -1'' -1'' -1'last wins' shaped\n"
            "scalar 1 int64 shaped\n"
            "any 1 float32\n"
            "list 3 undefined of bool\n"
            "dict 4 string of float32\n"
            "maybe 5 undefined of int32\n");
  EXPECT_EQ(d.model.graph.outputs[0].type.kind, TypeKind::kNone);
}

TEST(Reader, ReadsFunctions) {
  const Document d = read_text(R"(
    ir_version: 8 graph { } opset_import { version: 17 }
    functions {
      name: "Gelu" domain: "custom" overload: "fast" input: "x" output: "y" attribute: "approximate"
      attribute_proto { name: "beta" f: 1.0f type: 1 }
      node { op_type: "Erf" input: "x" output: "y" }
      opset_import { version: 16 }
      value_info { name: "y" }
    })");
  ASSERT_EQ(d.model.functions.size(), 1U);
  const Function& f = d.model.functions[0];
  EXPECT_EQ(fmt::format("{} {} {} {} {} {}", f.name, f.domain, f.overload, names(f.inputs),
                        names(f.outputs), names(f.attributes)),
            "Gelu custom fast x y approximate");
  EXPECT_EQ(f.default_attributes[0].f, 1.0F);
  EXPECT_EQ(f.nodes[0].op_type, "Erf");
  EXPECT_EQ(f.opsets[0].version, 16);
  EXPECT_EQ(f.value_info[0].name, "y");
}

TEST(Reader, ReadsSparseTensors) {
  const Document d = read_text(in_graph(R"(
    sparse_initializer {
      values { name: "w" dims: 2 data_type: 1 float_data: 1.0f float_data: 2.0f }
      indices { dims: 2 dims: 2 data_type: 7 int64_data: [0 1 2 3] }
      dims: 3 dims: 4
    })"));
  ASSERT_EQ(d.model.graph.sparse_initializers.size(), 1U);
  const SparseTensor& sparse = d.model.graph.sparse_initializers[0];
  EXPECT_EQ(sparse.values->name, "w");
  EXPECT_EQ(sparse.values->elements, 2);
  EXPECT_EQ(sparse.indices->dims.size(), 2U);
  EXPECT_EQ(sparse.dims[1], 4);
}

TEST(Reader, SkipsUnknownFieldsEverywhere) {
  const Document d = read_text(R"(
    ir_version: 8 1000: 5 1001: "x" 1002: 1.5f 1003: 2.5
    graph {
      777: "unknown"
      node { op_type: "Relu" 50: 1 attribute { name: "a" i: 1 type: 2 99: "x" } }
      initializer { dims: 1 data_type: 1 raw_data: "1234" 60: 1 }
      input { name: "x" type { 30: 1 tensor_type {
         elem_type: 1 40: 2 shape { 9: 9 dim { 8: 1 } } } } }
    }
    opset_import { version: 17 20: 1 })");
  EXPECT_EQ(d.model.graph.nodes[0].attributes[0].i, 1);
  EXPECT_EQ(d.model.graph.initializers[0].bytes.size(), 4U);
  EXPECT_EQ(d.model.graph.inputs[0].type.shape.size(), 1U);
}

TEST(Reader, AKnownNumberOfAnotherWireTypeIsAnUnknownField) {
  const Document d = read_text(
      "ir_version: 8 ir_version: \"x\" graph: 3 graph { name: 4 name: \"g\" } "
      "opset_import { version: 17 version: 1.5f }");
  EXPECT_EQ(d.model.ir_version, 8);
  EXPECT_EQ(d.model.graph.name, "g");
  EXPECT_EQ(d.model.opsets[0].version, 17);
}

TEST(Reader, OfARepeatedSingularFieldTheLastCounts) {
  const Document d = read_text(
      "ir_version: 7 ir_version: 8 graph { name: \"a\" name: \"b\" } "
      "opset_import { version: 1 version: 17 }");
  EXPECT_EQ(d.model.ir_version, 8);
  EXPECT_EQ(d.model.graph.name, "b");
  EXPECT_EQ(d.model.opsets[0].version, 17);
}

TEST(Reader, MergesASingularMessageGivenInParts) {
  const Document d = read_text(R"(
    ir_version: 8
    graph { name: "first" node { op_type: "A" } }
    graph { node { op_type: "B" attribute {
      name: "value" type: 4
      t { dims: 1 data_type: 1 }
      t { dims: 2 raw_data: "12345678" }
    } } }
    opset_import { version: 17 }
    graph { name: "last" input { name: "x"
      type { tensor_type { elem_type: 1 } }
      type { tensor_type { shape { dim { dim_value: 4 } } } }
      type { tensor_type { shape { dim { dim_value: 5 } } } }
    } })");
  const Graph& g = d.model.graph;
  EXPECT_EQ(g.name, "last");
  ASSERT_EQ(g.nodes.size(), 2U);
  EXPECT_EQ(g.nodes[1].op_type, "B");
  const Tensor& t = *g.nodes[1].attributes[0].t;
  ASSERT_EQ(t.dims.size(), 2U);
  EXPECT_EQ(t.elements, 2);
  EXPECT_EQ(t.bytes.size(), 8U);
  const TypeInfo& type = g.inputs[0].type;
  EXPECT_EQ(type.elem_type, DataType::kFloat);
  ASSERT_EQ(type.shape.size(), 2U);
  EXPECT_EQ(type.shape[1].value, 5);
}

TEST(Reader, KeepsHostileNamesAsTheyAre) {
  const Document d = read_text(in_graph(R"(
    node { op_type: "Relu" name: "\x00\x1b[31m</script>=cmd()\xff'; drop table" })"));
  EXPECT_EQ(d.model.graph.nodes[0].name,
            std::string_view("\0\x1b[31m</script>=cmd()\xff'; drop table", 35));
}

TEST(Reader, LegalOddities) {
  EXPECT_EQ(
      read_text("ir_version: 8 graph { } opset_import { version: 17 }").model.graph.nodes.size(),
      0U);
  // opset_import did not exist before IR version 3.
  EXPECT_EQ(read_text("ir_version: 2 graph { }").model.opsets.size(), 0U);
  // A duplicate import, with versions far in the future.
  EXPECT_EQ(read_text("ir_version: 90 graph { } opset_import { version: 900 } "
                      "opset_import { domain: \"ai.onnx\" version: 900 }")
                .model.opsets.size(),
            2U);
}

TEST(Reader, LeavesLargeDataInTheFile) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.make(
      "m.onnx", wire(in_graph("initializer { dims: 512 data_type: 1 name: \"big\" raw_data: \"" +
                              std::string(2048, 'x') +
                              "\" } "
                              "initializer { dims: 256 data_type: 1 name: \"small\" raw_data: \"" +
                              std::string(1024, 'y') + "\" }")));
  const Document d = read_file(path).value();
  const Tensor& big = d.model.graph.initializers[0];
  EXPECT_EQ(big.storage, Storage::kFile);
  EXPECT_FALSE(big.external);
  EXPECT_EQ(big.length, 2048);
  std::string there(2048, '\0');
  ASSERT_TRUE(d.file->read_at(big.offset, std::as_writable_bytes(std::span(there))).ok());
  EXPECT_EQ(there, std::string(2048, 'x'));
  EXPECT_EQ(d.model.graph.initializers[1].storage, Storage::kInline);
  // Without a file all elements are copied.
  const Document copy =
      read_bytes(wire(in_graph("initializer { dims: 512 data_type: 1 raw_data: \"" +
                               std::string(2048, 'x') + "\" }")),
                 "m")
          .value();
  EXPECT_EQ(copy.model.graph.initializers[0].storage, Storage::kInline);
}

TEST(Reader, LeavesSmallerWeightsThereToo) {
  const testing::TemporaryFolder folder;
  const auto initializer = [](int type, int elements, std::size_t bytes) {
    return fmt::format("initializer {{ dims: {} data_type: {} raw_data: \"{}\" }} ", elements, type,
                       std::string(bytes, 'x'));
  };
  const std::string path =
      folder.make("m.onnx", wire(in_graph(initializer(1, 9, 36) + initializer(1, 8, 32) +
                                          initializer(3, 9, 9) + initializer(7, 9, 72))));
  std::string kept;  // weights of 9 and 8 elements, then int8 and int64 of 9 elements
  const Document d = read_file(path, {.inline_weights = 8}).value();
  for (const Tensor& t : d.model.graph.initializers)
    kept += t.storage == Storage::kInline ? "inline " : "file ";
  EXPECT_EQ(kept, "file inline file inline ");
}

TEST(Reader, LeavesOnePackedRunOfFloatsInTheFile) {
  const testing::TemporaryFolder folder;
  const std::string run = field(4, std::string(4096, 'f'));
  const std::string head = wire("dims: 1024 data_type: 1 name: \"w\"", "tensor");
  const std::string path =
      folder.make("m.onnx", varint(8) + varint(8) + field(7, field(5, head + run)) +
                                wire("opset_import { version: 17 }"));
  const Document d = read_file(path).value();
  EXPECT_EQ(d.model.graph.initializers[0].storage, Storage::kFile);
  EXPECT_EQ(d.model.graph.initializers[0].length, 4096);
}

// Windows ending at every length and position.
TEST(Reader, ReadsTheSameThroughWindowsOfAFile) {
  const testing::TemporaryFolder folder;
  std::string nodes;
  for (int i = 0; i < 6000; ++i) {
    nodes += fmt::format(
        "node {{ input: \"v{}\" output: \"v{}\" op_type: \"Relu\" name: \"{}\" attribute {{ name: "
        "\"axes\" type: 7 ints: [{} {}] }} }} ",
        i, i + 1, std::string(static_cast<std::size_t>(i % 97), 'n'), i, i * 1000);
    if (i % 1000 == 0) {
      nodes +=
          fmt::format("initializer {{ name: \"w{}\" dims: {} data_type: 2 raw_data: \"{}\" }} ", i,
                      70'000 + i, std::string(static_cast<std::size_t>(70'000 + i), 'w'));
    }
  }
  const std::string bytes = wire(in_graph(nodes));
  const Document memory = read_bytes(bytes, "m").value();
  const Document file = read_file(folder.make("m.onnx", bytes)).value();
  const Graph &a = memory.model.graph, &b = file.model.graph;
  ASSERT_EQ(a.nodes.size(), 6000U);
  ASSERT_EQ(b.nodes.size(), 6000U);
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    ASSERT_EQ(a.nodes[i].name, b.nodes[i].name);
    ASSERT_EQ(a.nodes[i].inputs[0], b.nodes[i].inputs[0]);
    ASSERT_EQ(b.nodes[i].attributes[0].ints[1], static_cast<std::int64_t>(i) * 1000);
  }
  ASSERT_EQ(b.initializers.size(), 6U);
  EXPECT_EQ(b.initializers[5].name, "w5000");
  EXPECT_EQ(b.initializers[5].storage, Storage::kFile);
}

}  // namespace
}  // namespace ridge::onnx
