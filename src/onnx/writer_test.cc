// SPDX-License-Identifier: Apache-2.0
#include "onnx/writer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "onnx/reader.h"
#include "onnx/testing.h"
#include "onnx/weights.h"

namespace ridge::onnx {
namespace {

using testing::wire;

Document read_again(const std::string& bytes) {
  auto document = read_bytes(bytes, "m.onnx");
  if (!document) throw std::runtime_error(document.error().text());
  return std::move(document).value();
}

std::string write(const Document& document, const WriteOptions& options = {}) {
  auto bytes = write_bytes(document, options);
  if (!bytes) throw std::runtime_error(bytes.error().text());
  return std::move(bytes).value();
}

/// Fields in the order of the writer.
const char* const kWrittenModel = R"(
  ir_version: 8
  producer_name: "test"
  graph {
    node {
      input: "x" input: "" output: "y" name: "n" op_type: "Conv"
      attribute { name: "alpha" f: 0.5f type: 1 }
      attribute { name: "group" i: 0 type: 2 }
      attribute { name: "mode" s: "" type: 3 }
      attribute { name: "value" t { dims: 2 data_type: 1 name: "t" raw_data: "12345678" } type: 4 }
      attribute { name: "body" g { node { output: "z" op_type: "Abs" } name: "inner" } type: 5 }
      attribute { name: "scales" floats: 1.5f floats: 2.5f type: 6 }
      attribute { name: "pads" ints: 1 ints: -2 type: 7 }
      attribute { name: "keys" strings: "a" strings: "" type: 8 }
      attribute { name: "many" tensors { data_type: 9 raw_data: "1" } type: 9 }
      attribute { name: "tp" tp { sequence_type {
        elem_type { tensor_type { elem_type: 1 } } } } type: 13 }
      attribute { name: "sparse" sparse_tensor {
        values { dims: 1 data_type: 1 raw_data: "1234" }
        indices { dims: 1 data_type: 7 raw_data: "\x01\x00\x00\x00\x00\x00\x00\x00" }
        dims: 9 } type: 11 }
      attribute { name: "outer" type: 1 ref_attr_name: "alpha" }
      domain: "custom" overload: "o"
      metadata_props { key: "k" value: "v" }
    }
    name: "main"
    initializer { dims: 1 data_type: 8 string_data: "text" name: "s" }
    initializer { dims: 4 data_type: 1 name: "stripped" }
    initializer { dims: 0 data_type: 1 name: "empty" }
    input { name: "x" type { tensor_type { elem_type: 1 shape {
      dim { dim_param: "N" } dim { dim_value: 0 } dim { } } } } }
    input { name: "m" type { map_type {
      key_type: 8 value_type { tensor_type { elem_type: 7 } } } } }
    input { name: "o" type { optional_type {
      elem_type { tensor_type { elem_type: 7 shape { } } } } } }
    output { name: "y" }
    value_info { name: "v" type { sparse_tensor_type { elem_type: 1 } } }
    sparse_initializer {
      values { dims: 1 data_type: 1 name: "w" raw_data: "1234" }
      indices { dims: 1 data_type: 7 raw_data: "\x02\x00\x00\x00\x00\x00\x00\x00" }
      dims: 9 }
  }
  opset_import { domain: "" version: 17 }
  metadata_props { key: "k" value: "" }
  functions {
    name: "f" input: "a" output: "b" attribute: "alpha"
    node { input: "a" output: "b" op_type: "Elu" attribute {
      name: "alpha" type: 1 ref_attr_name: "alpha" } }
    opset_import { domain: "" version: 17 }
    domain: "custom"
    attribute_proto { name: "beta" f: 2.0f type: 1 }
    value_info { name: "b" }
    overload: "o"
  })";

TEST(Writer, GivesBackTheBytesThatWereRead) {
  std::string bytes = wire(kWrittenModel);
  EXPECT_EQ(write(read_again(bytes)), bytes);
}

TEST(Writer, TypedDataBecomesRawData) {
  const std::string around = "ir_version: 8 graph { name: \"\" initializer { dims: 1 data_type: 7 ";
  const std::string end = " } } opset_import { domain: \"\" version: 17 }";
  EXPECT_EQ(write(read_again(wire(around + "int64_data: [258]" + end))),
            wire(around + "raw_data: \"\\x02\\x01\\x00\\x00\\x00\\x00\\x00\\x00\"" + end));
}

std::string initializers(const std::string& text) {
  return wire("ir_version: 8 graph { " + text + " } opset_import { version: 17 }");
}

const Tensor& initializer(const Document& d, std::size_t i) {
  return d.model.graph.initializers[i];
}

std::string written_elements(const Document& d, std::size_t i) {
  const auto loaded = load(d, initializer(d, i), 1 << 30);
  if (!loaded) return loaded.error().text();
  return {reinterpret_cast<const char*>(loaded->data()), loaded->size()};
}

/// In-memory document with a seeded, a small and a large inline tensor.
Document built() {
  Document d;
  d.path = "zoo:test";
  const std::string small = "12345678", large(8000, 'l');
  const std::int64_t dims[3] = {1'000'000, 2, 2000};
  const auto tensors = d.arena.array<Tensor>(3);
  for (std::size_t i = 0; i < 3; ++i) {
    tensors[i].name = d.arena.copy(std::string_view("w0w1w2").substr(2 * i, 2));
    tensors[i].type = DataType::kFloat;
    tensors[i].dims = d.arena.copy(std::span<const std::int64_t>(&dims[i], 1));
    tensors[i].elements = dims[i];
    tensors[i].storage = i == 0 ? Storage::kSeeded : Storage::kInline;
  }
  tensors[0].recipe = {.seed = 5, .mean = 0, .scale = 1};
  tensors[1].bytes = std::as_bytes(std::span(d.arena.copy(std::string_view(small))));
  tensors[2].bytes = std::as_bytes(std::span(d.arena.copy(std::string_view(large))));
  d.model.ir_version = 8;
  d.model.graph.name = "g";
  d.model.graph.initializers = tensors;
  const auto opsets = d.arena.array<OperatorSet>(1);
  opsets[0].version = 17;
  d.model.opsets = opsets;
  return d;
}

TEST(Writer, WeightsInsideTheFile) {
  const testing::TemporaryFolder folder;
  const Document d = built();
  ASSERT_TRUE(write_file(d, folder.path("m.onnx")).ok());
  const Document back = read_file(folder.path("m.onnx")).value();
  EXPECT_EQ(initializer(back, 0).storage, Storage::kFile);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_TRUE(written_elements(back, i) == written_elements(d, i)) << i;
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path("")), {}), 1);
}

TEST(Writer, WeightsBesideTheFile) {
  const testing::TemporaryFolder folder;
  const Document d = built();
  const WriteOptions options{.weights = Weights::kExternal, .location = "m.data"};
  ASSERT_TRUE(write_file(d, folder.path("m.onnx"), options).ok());
  EXPECT_LT(std::filesystem::file_size(folder.path("m.onnx")), 400U);
  EXPECT_EQ(std::filesystem::file_size(folder.path("m.data")), 4'001'792U + 8000U);
  const Document back = read_file(folder.path("m.onnx")).value();
  EXPECT_EQ(initializer(back, 0).location, "m.data");
  EXPECT_EQ(initializer(back, 1).storage, Storage::kInline);
  EXPECT_EQ(initializer(back, 2).offset, 4'001'792);  // the next page
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_TRUE(written_elements(back, i) == written_elements(d, i)) << i;

  // From external data back into the file, in place.
  ASSERT_TRUE(write_file(back, folder.path("m.onnx")).ok());
  const Document inside = read_file(folder.path("m.onnx")).value();
  EXPECT_FALSE(initializer(inside, 0).external);
  EXPECT_TRUE(written_elements(inside, 0) == written_elements(d, 0));
}

TEST(Writer, WeightsDetached) {
  const Document d = built();
  const std::string bytes = write(d, {.weights = Weights::kDetached});
  const Document back = read_again(bytes);
  EXPECT_EQ(initializer(back, 0).location, "ridge");
  EXPECT_EQ(initializer(back, 0).offset, 0);
  EXPECT_EQ(initializer(back, 0).length, 4'000'000);
  EXPECT_EQ(initializer(back, 1).storage, Storage::kInline);
  EXPECT_EQ(initializer(back, 2).storage, Storage::kInline);
  EXPECT_LT(bytes.size(), 9000U);
}

TEST(Writer, WeightsReferencedWhereTheyLie) {
  Document d = read_again(write(built(), {.weights = Weights::kDetached}));
  const auto tensors = d.arena.copy(d.model.graph.initializers);
  tensors[0].location = "tmp/w";
  tensors[0].offset = 64;
  d.model.graph.initializers = tensors;
  const std::string bytes = write(d, {.weights = Weights::kReferenced});
  const Document back = read_again(bytes);
  EXPECT_EQ(initializer(back, 0).location, "tmp/w");
  EXPECT_EQ(initializer(back, 0).offset, 64);
  EXPECT_EQ(initializer(back, 0).length, 4'000'000);
  EXPECT_EQ(initializer(back, 1).storage, Storage::kInline);
  EXPECT_TRUE(initializer(back, 1).bytes.size() == initializer(d, 1).bytes.size());
}

TEST(Writer, DetachedKeepsWhatNoRuntimeTakesFromOutside) {
  const testing::TemporaryFolder folder;
  const std::string tensor =
      " { dims: 2000 data_type: 2 name: \"w\" raw_data: \"" + std::string(2000, 'w') + "\" } ";
  const std::string path = folder.make(
      "m.onnx",
      initializers("initializer" + tensor +
                   "node { op_type: \"X\" attribute { name: \"t\" type: 4 t" + tensor +
                   "} attribute { name: \"g\" type: 5 g { initializer" + tensor + "} } }"));
  const Document d = read_file(path).value();
  const Document back = read_again(write(d, {.weights = Weights::kDetached}));
  EXPECT_TRUE(initializer(back, 0).external);
  const auto attributes = back.model.graph.nodes[0].attributes;
  EXPECT_EQ(attributes[0].t->bytes.size(), 2000U);
  EXPECT_EQ(attributes[1].g->initializers[0].bytes.size(), 2000U);
}

TEST(Writer, IsDeterministic) {
  const Document d = built();
  EXPECT_TRUE(write(d) == write(d));
}

TEST(Writer, RefusesMoreThanProtobufReads) {
  Document d = built();
  const auto tensors = d.arena.array<Tensor>(1);
  tensors[0] = initializer(d, 0);
  tensors[0].elements = 600'000'000;
  d.model.graph.initializers = tensors;
  EXPECT_EQ(write_bytes(d).error().text(),
            "error: the model would take 2400000039 bytes; protobuf readers stop at 2 GiB\n"
            "  hint: write the weights beside it (external data)\n"
            "  [RIDGE-ONNX-0401]\n");
}

TEST(Writer, SizesBeyondTheLargestIntegerAreErrors) {
  const testing::TemporaryFolder folder;
  Document d = built();
  const auto tensors = d.arena.array<Tensor>(2);
  tensors[0] = tensors[1] = initializer(d, 0);
  tensors[0].storage = tensors[1].storage = Storage::kFile;
  tensors[0].elements = tensors[1].elements = std::int64_t{3} << 59;  // of 4 bytes each
  d.model.graph.initializers = tensors;
  EXPECT_EQ(write_bytes(d).error().message(),
            "the model would take 9223372036854775807 bytes; protobuf readers stop at 2 GiB");
  const auto written =
      write_file(d, folder.path("m.onnx"), {.weights = Weights::kExternal, .location = "m.data"});
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code(), "RIDGE-ONNX-0405");
}

TEST(Writer, AFailureLeavesNothingBehind) {
  const testing::TemporaryFolder folder;
  Document d = built();
  const auto tensors = d.arena.array<Tensor>(1);
  tensors[0] = initializer(d, 0);
  tensors[0].type = DataType::kComplex64;
  d.model.graph.initializers = tensors;
  for (const Weights weights : {Weights::kInline, Weights::kExternal}) {
    const auto written =
        write_file(d, folder.path("m.onnx"), {.weights = weights, .location = "m.data"});
    ASSERT_FALSE(written.ok());
    EXPECT_EQ(written.error().code(), "RIDGE-ONNX-0314");
    EXPECT_TRUE(std::filesystem::is_empty(folder.path("")));
  }
}

TEST(Writer, DataFilesLieBesideTheModel) {
  const testing::TemporaryFolder folder;
  const auto refusal = [&](const char* location) {
    const auto written = write_file(built(), folder.path("m.onnx"),
                                    {.weights = Weights::kExternal, .location = location});
    return written ? std::string() : written.error().message();
  };
  EXPECT_EQ(refusal("../m.data"),
            "external data location '../m.data' leads outside the model's folder");
  EXPECT_EQ(refusal(""), "external data location '' is empty");
  EXPECT_EQ(refusal("a/m.data"), "the data file 'a/m.data' must lie beside the model");
}

TEST(Writer, AttributesThatADocumentCannotCarry) {
  const Document d = read_again(
      initializers("node { op_type: \"X\" attribute { name: \"a\" type: 15 15: \"\" type: 12 } }"));
  EXPECT_EQ(write_bytes(d).error().text(),
            "error: attribute 'a' is a list of sparse tensors, which cannot be written\n"
            "  [RIDGE-ONNX-0403]\n");
}

}  // namespace
}  // namespace ridge::onnx
