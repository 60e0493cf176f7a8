// SPDX-License-Identifier: Apache-2.0
// Elements of tensors, in each of the fields that may contain them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "onnx/reader.h"
#include "onnx/testing.h"

namespace ridge::onnx {
namespace {

using testing::wire;

Result<Document> with_tensor(const std::string& tensor) {
  return read_bytes(wire("ir_version: 8 graph { initializer { name: \"w\" " + tensor +
                         " } } opset_import { version: 17 }"),
                    "m.onnx");
}

/// The elements as hexadecimal bytes, or the error message.
std::string parsed_elements(const std::string& tensor) {
  const auto document = with_tensor(tensor);
  if (!document) return document.error().message();
  const Tensor& t = document->model.graph.initializers[0];
  if (t.storage == Storage::kNone) return "none";
  if (t.storage == Storage::kStrings) return fmt::format("{}", fmt::join(t.strings, "|"));
  std::string hex;
  for (const std::byte b : t.bytes) hex += fmt::format("{:02x}", static_cast<unsigned>(b));
  return hex;
}

struct ElementsCase {
  const char* tensor;
  const char* elements;
};

void expect_elements(std::span<const ElementsCase> cases) {
  for (const ElementsCase& c : cases) EXPECT_EQ(parsed_elements(c.tensor), c.elements) << c.tensor;
}

// Types: 1 float32, 2 uint8, 3 int8, 4 uint16, 6 int32, 7 int64, 8 string, 9 bool, 10 float16, 11
// float64, 12 uint32, 13 uint64, 14 complex64, 21 uint4, 25 uint2, 27 float6_e2m3.
TEST(Elements, TypedFieldsBecomeLittleEndianBytes) {
  expect_elements(std::array{
      ElementsCase{"dims: 2 data_type: 1 float_data: 1.0f float_data: -2.0f", "0000803f000000c0"},
      ElementsCase{"data_type: 11 double_data: 1.5", "000000000000f83f"},
      ElementsCase{"dims: 3 data_type: 7 int64_data: [1 -1] int64_data: 300",
                   "0100000000000000ffffffffffffffff2c01000000000000"},
      ElementsCase{"dims: 2 data_type: 6 int32_data: [-2 7]", "feffffff07000000"},
      ElementsCase{"dims: 3 data_type: 3 int32_data: [-1 127 -128]", "ff7f80"},
      ElementsCase{"dims: 2 data_type: 4 int32_data: [65535 1]", "ffff0100"},
      ElementsCase{"dims: 2 data_type: 10 int32_data: [15360 48128]", "003c00bc"},
      ElementsCase{"dims: 2 data_type: 9 int32_data: [1 0]", "0100"},
      ElementsCase{"dims: 1 data_type: 12 uint64_data: [4294967295]", "ffffffff"},
      ElementsCase{"dims: 1 data_type: 13 uint64_data: [-1]", "ffffffffffffffff"},
      ElementsCase{"dims: 1 data_type: 14 float_data: 1.0f float_data: 2.0f", "0000803f00000040"},
      ElementsCase{"dims: 3 data_type: 21 int32_data: [33 3]", "2103"},
      ElementsCase{"dims: 5 data_type: 25 int32_data: [228 1]", "e401"},
      ElementsCase{"dims: 5 data_type: 27 int32_data: [1 2 3 63 5]", "8130fc05"},
      ElementsCase{"dims: 2 data_type: 8 string_data: \"ab\" string_data: \"\"", "ab|"},
      ElementsCase{"dims: 2 data_type: 1 4: \"\" raw_data: \"12345678\"", "3132333435363738"},
  });
}

TEST(Elements, ShapesWithoutElements) {
  expect_elements(std::array{
      ElementsCase{"dims: 0 data_type: 1", "none"},
      ElementsCase{"dims: 4611686018427387904 dims: 0 dims: 8 data_type: 1", "none"},
      ElementsCase{"dims: 0 data_type: 1 raw_data: \"\"", "none"},
      ElementsCase{"dims: 0 data_type: 1 data_location: 1 "
                   "external_data { key: \"location\" value: \"w\" }",
                   "none"},
      ElementsCase{"dims: 4 data_type: 1", "none"},  // stripped weights: the shape is known
      ElementsCase{"data_type: 2 raw_data: \"7\"", "37"},
  });
}

TEST(Elements, SizesThatDoNotMatch) {
  expect_elements(std::array{
      ElementsCase{"dims: 4 data_type: 1 raw_data: \"1234567\"",
                   "raw_data has 7 bytes, but shape [4] float32 requires 16"},
      ElementsCase{"dims: 1 data_type: 1 raw_data: \"12345678\"",
                   "raw_data has 8 bytes, but shape [1] float32 requires 4"},
      ElementsCase{"dims: 0 data_type: 1 raw_data: \"1234\"",
                   "raw_data has 4 bytes, but shape [0] float32 requires 0"},
      ElementsCase{"dims: 3 data_type: 21 raw_data: \"1\"",
                   "raw_data has 1 bytes, but shape [3] uint4 requires 2"},
      ElementsCase{"dims: 2 dims: 2 data_type: 1 float_data: 1.0f",
                   "float_data has 4 bytes, but shape [2, 2] float32 requires 16"},
      ElementsCase{"dims: 4 data_type: 7 int64_data: [1 2 3]",
                   "int64_data has 3 values, but shape [4] int64 requires 4"},
      ElementsCase{"dims: 1152921504606846975 data_type: 7 int64_data: [1]",
                   "int64_data has 1 values, but shape [1152921504606846975] int64 requires "
                   "1152921504606846975"},
      ElementsCase{"dims: 1 data_type: 7 int64_data: [1 2 3]",
                   "int64_data has 3 values, but shape [1] int64 requires 1"},
      ElementsCase{"dims: 2 data_type: 8 string_data: \"a\"",
                   "string_data has 1 strings, but shape [2] string requires 2"},
  });
}

TEST(Elements, ShapesThatCannotBe) {
  expect_elements(std::array{
      ElementsCase{"dims: -1 data_type: 1 raw_data: \"1234\"",
                   "shape [-1] has a negative dimension"},
      ElementsCase{"dims: 4611686018427387904 dims: 4 data_type: 1 raw_data: \"1234\"",
                   "shape [4611686018427387904, 4] float32 is larger than any memory"},
      ElementsCase{"dims: 4294967296 dims: 4294967296 data_type: 2",
                   "shape [4294967296, 4294967296] uint8 is larger than any memory"},
      ElementsCase{"dims: 4611686018427387903 data_type: 11",
                   "shape [4611686018427387903] float64 is larger than any memory"},
  });
  std::string ones;
  for (int i = 0; i < 10'000; ++i) ones += "dims: 1 ";
  EXPECT_EQ(parsed_elements(ones + "data_type: 1"),
            "a tensor has 10000 dimensions, the limit is 256");
}

TEST(Elements, AmbiguousOrMisplacedData) {
  expect_elements(std::array{
      ElementsCase{"dims: 1 data_type: 1 raw_data: \"1234\" float_data: 1.0f",
                   "it has both raw_data and float_data"},
      ElementsCase{"dims: 1 data_type: 6 int64_data: 1 int32_data: 1",
                   "it has both int32_data and int64_data"},
      ElementsCase{"dims: 1 data_type: 1 int64_data: 1",
                   "the elements are in int64_data, but float32 requires float_data"},
      ElementsCase{"dims: 1 data_type: 8 raw_data: \"1234\"", "raw_data cannot contain strings"},
      ElementsCase{"dims: 1 raw_data: \"1234\"", "the tensor has no element type"},
      ElementsCase{"dims: 1 data_type: 999 raw_data: \"1234\"", "invalid element type 999"},
  });
}

TEST(Elements, AMessageNamesPlaceEvidenceAndNextStep) {
  EXPECT_EQ(with_tensor("dims: 4 data_type: 1 raw_data: \"1234567\"").error().text(),
            "error: m.onnx: graph > initializer #0 'w': raw_data has 7 bytes, but shape [4] "
            "float32 requires 16\n"
            "  at byte 0xd of the file (TensorProto.raw_data)\n"
            "  hint: the file may be truncated; export it again\n"
            "  [RIDGE-ONNX-0231]\n");
}

void replace(std::string& text, std::string_view word, std::string_view by) {
  const std::size_t at = text.find(word);
  if (at != std::string::npos) text.replace(at, word.size(), by);
}

std::string external_tensor(const std::string& entries) {
  std::string text = "dims: 8 data_type: 1 data_location: 1 ";
  return parsed_elements(text + entries);
}

TEST(Elements, ExternalReferencesAreCheckedWhenTheModelIsOpened) {
  const auto document = with_tensor(
      R"(dims: 8 data_type: 1 data_location: 1
         external_data { key: "location" value: "weights/w.bin" }
         external_data { key: "offset" value: "4096" }
         external_data { key: "length" value: "32" }
         external_data { key: "checksum" value: "?" }
          external_data { key: "__class__" value: "x" })");
  ASSERT_TRUE(document.ok()) << document.error().text();
  const Tensor& t = document->model.graph.initializers[0];
  EXPECT_EQ(t.storage, Storage::kFile);
  EXPECT_TRUE(t.external);
  EXPECT_EQ(t.location, "weights/w.bin");
  EXPECT_EQ(t.offset, 4096);
  EXPECT_EQ(t.length, 32);

  const std::string location = "external_data { key: \"location\" value: \"w\" } ";
  const auto entry = [&](const char* key, const char* value) {
    return external_tensor(location + "external_data { key: \"" + key + "\" value: \"" + value +
                           "\" }");
  };
  EXPECT_EQ(entry("offset", "-1"), "external data offset '-1' is not a number of bytes");
  EXPECT_EQ(entry("offset", "0x10"), "external data offset '0x10' is not a number of bytes");
  EXPECT_EQ(entry("offset", "99999999999999999999"),
            "external data offset '99999999999999999999' is not a number of bytes");
  EXPECT_EQ(entry("offset", "9223372036854775807"),
            "offset 9223372036854775807 exceeds any file size");
  EXPECT_EQ(entry("length", "-1"), "external data length '-1' is not a number of bytes");
  EXPECT_EQ(entry("length", "31"), "external data has 31 bytes, but shape [8] float32 requires 32");
  EXPECT_EQ(external_tensor(""), "external data location '' is empty");
  EXPECT_EQ(external_tensor(location + "raw_data: \"1234\""),
            "it has both inline elements and a reference to external data");
  EXPECT_EQ(parsed_elements("dims: 1 data_type: 8 data_location: 1 " + location),
            "strings cannot be external data");
}

TEST(Elements, ExternalReferencesAreCheckedWhereverATensorIs) {
  // OUT is replaced by a tensor with a location outside the folder, OK by a valid one.
  for (const char* model : {
           "graph { initializer { OUT } }",
           "graph { sparse_initializer { dims: 4 values { OUT } indices { OK } } }",
           "graph { sparse_initializer { dims: 4 indices { OUT } values { OK } } }",
           "graph { ATTRIBUTE type: 4 t { OUT } } } }",
           "graph { ATTRIBUTE type: 9 tensors { OUT } } } }",
           "graph { ATTRIBUTE type: 11 sparse_tensor { dims: 4 values { OUT } indices { OK } } } } "
           "}",
           "graph { ATTRIBUTE type: 12 sparse_tensors { dims: 4 values { OUT } indices { OK } } } "
           "} }",
           "graph { ATTRIBUTE type: 5 g { initializer { OUT } } } } }",
           "graph { ATTRIBUTE type: 10 graphs { initializer { OUT } } } } }",
           "functions { name: \"f\" attribute_proto { name: \"a\" type: 4 t { OUT } } }",
       }) {
    std::string text = model;
    replace(text, "OUT",
            "dims: 1 data_type: 1 data_location: 1 "
            "external_data { key: \"location\" value: \"../x\" }");
    replace(text, "OK", "dims: 1 data_type: 7 int64_data: 0");
    replace(text, "ATTRIBUTE", "node { op_type: \"Constant\" attribute { name: \"value\"");
    const auto document = read_bytes(wire(text), "m.onnx");
    ASSERT_FALSE(document.ok()) << text;
    EXPECT_EQ(document.error().code(), "RIDGE-ONNX-0301") << text << document.error().text();
  }
}

TEST(Elements, SparseTensorsThatCannotBe) {
  const auto sparse = [](const std::string& text) {
    const auto document =
        read_bytes(wire("ir_version: 8 opset_import { version: 17 } graph { sparse_initializer { " +
                        text + " } }"),
                   "m.onnx");
    return document ? std::string("fine") : document.error().message();
  };
  const std::string two = "values { dims: 2 data_type: 1 raw_data: \"12345678\" } ";
  const auto indices = [](const std::string& dims, const std::string& at) {
    return "indices { " + dims + " data_type: 7 int64_data: [" + at + "] } ";
  };
  EXPECT_EQ(sparse(two + indices("dims: 2", "0 11") + "dims: 3 dims: 4"), "fine");
  EXPECT_EQ(sparse(two + indices("dims: 2", "0 12") + "dims: 3 dims: 4"),
            "index 12 lies outside shape [3, 4]");
  EXPECT_EQ(sparse(two + indices("dims: 2", "0 -1") + "dims: 3 dims: 4"),
            "index -1 lies outside shape [3, 4]");
  EXPECT_EQ(sparse(two + indices("dims: 2 dims: 2", "0 0 2 4") + "dims: 3 dims: 4"),
            "index 4 lies outside shape [3, 4]");
  EXPECT_EQ(sparse(two + indices("dims: 3", "0 1 2") + "dims: 3 dims: 4"),
            "values [2] and indices [3] int64 do not form a sparse tensor of shape [3, 4]");
  EXPECT_EQ(sparse(two + indices("dims: 2 dims: 0", "") + "dims: 0"),
            "values [2] and indices [2, 0] int64 do not form a sparse tensor of shape [0]");
  // ONNX Runtime saves indices in the narrowest integers that hold them.
  const auto narrow = [](int type, const std::string& bytes) {
    return "indices { dims: 2 data_type: " + std::to_string(type) + " raw_data: \"" + bytes +
           "\" } dims: 3 dims: 4";
  };
  EXPECT_EQ(sparse(two + narrow(3, "\\x00\\x0b")), "fine");
  EXPECT_EQ(sparse(two + narrow(5, "\\x00\\x00\\x0b\\x00")), "fine");
  EXPECT_EQ(sparse(two + narrow(6, "\\x00\\x00\\x00\\x00\\x0b\\x00\\x00\\x00")), "fine");
  EXPECT_EQ(sparse(two + narrow(3, "\\x00\\x0c")), "index 12 lies outside shape [3, 4]");
  EXPECT_EQ(sparse(two + narrow(3, "\\x00\\xff")), "index -1 lies outside shape [3, 4]");
  EXPECT_EQ(sparse(two + narrow(5, "\\x00\\x00\\x00\\x01")), "index 256 lies outside shape [3, 4]");
  EXPECT_EQ(sparse(two + narrow(2, "\\x00\\x0b")),
            "values [2] and indices [2] uint8 do not form a sparse tensor of shape [3, 4]");
  EXPECT_EQ(sparse(two + "dims: 3"), "the sparse tensor has no indices");
  EXPECT_EQ(sparse("dims: 3"), "the sparse tensor has no values");
  EXPECT_EQ(sparse(two + indices("dims: 2", "0 1") + "dims: -3"),
            "shape [-3] has a negative dimension");
}

}  // namespace
}  // namespace ridge::onnx
