// SPDX-License-Identifier: Apache-2.0
#include "runtime/inputs/npy.h"

#include <gtest/gtest.h>

#include <cstring>

#include "runtime/inputs/inputs.h"
#include "runtime/testing/expect.h"

namespace ridge::runtime {
namespace {

using onnx::DataType;

std::string npy(std::string dictionary, const std::string& data, char version = 1) {
  dictionary += '\n';
  std::string file = "\x93NUMPY";
  file += version;
  file += '\0';
  file += static_cast<char>(dictionary.size() & 0xFF);
  file += static_cast<char>(dictionary.size() >> 8);
  if (version > 1) file += std::string(2, '\0');
  return file + dictionary + data;
}

std::string saved(const std::string& content) {
  std::string path = ::testing::TempDir() + "ridge-npy-test.npy";
  expect_ok(write_file(path, content));
  return path;
}

/// First line of the error from opening such a file.
std::string npy_refusal(const std::string& content) {
  const std::string path = saved(content);
  Result<Npy> array = Npy::open(path);
  if (array.ok()) return "accepted";
  EXPECT_EQ(array.error().file(), path);
  EXPECT_EQ(array.error().error_class(), ErrorClass::kInput);
  return array.error().message();
}

TEST(Npy, ReadsWhatNumpySaves) {
  const std::string data(24, 'd');
  const Npy array = expect_ok(
      Npy::open(saved(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", data))));
  EXPECT_EQ(array.header.type, DataType::kFloat);
  EXPECT_EQ(array.header.dims, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(array.bytes, 24);
  std::string read(24, '\0');
  expect_ok(array.file.read_at(array.offset, std::as_writable_bytes(std::span(read))));
  EXPECT_EQ(read, data);
}

TEST(Npy, KnowsScalarsVectorsEmptyArraysAndLongHeaders) {
  EXPECT_EQ(npy_refusal(npy("{'descr': '|b1', 'fortran_order': False, 'shape': (), }", "x")),
            "accepted");
  EXPECT_EQ(
      npy_refusal(npy("{'descr': '<i8', 'fortran_order': False, 'shape': (1,), }", "12345678")),
      "accepted");
  EXPECT_EQ(
      npy_refusal(npy("{\"shape\": (0, 4), \"fortran_order\": False, \"descr\": \"<f8\"}", "")),
      "accepted");
  EXPECT_EQ(npy_refusal(npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }", "ab", 2)),
            "accepted");
}

TEST(Npy, RefusesWhatItCannotUse) {
  const std::string kWhat = "not a usable .npy file: ";
  const auto with = [&](const std::string& dictionary) {
    return npy_refusal(npy(dictionary, "1234"));
  };
  EXPECT_EQ(npy_refusal(""), kWhat + "its magic number is wrong");
  EXPECT_EQ(npy_refusal("PK\x03\x04 an npz"), kWhat + "its magic number is wrong");
  EXPECT_EQ(npy_refusal(npy("{}", "", 9)), kWhat + "its version is 9");
  EXPECT_EQ(npy_refusal(npy("{'descr': '<f4'", "").substr(0, 14)),
            kWhat + "the file ends within its header");
  EXPECT_EQ(with("{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}"),
            kWhat + "type '>f4' is big-endian");
  EXPECT_EQ(with("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}"),
            kWhat + "type '|O' is not a plain number");
  EXPECT_EQ(with("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}"),
            kWhat + "its elements are records, not numbers");
  EXPECT_EQ(with("{'descr': '<f4', 'fortran_order': True, 'shape': (1,)}"),
            kWhat + "it is in Fortran order");
  EXPECT_EQ(with("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}"),
            kWhat + "4 bytes follow its header, its shape needs 8");
  EXPECT_EQ(with("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}"),
            kWhat + "its shape has no usable dimensions");
  EXPECT_EQ(with("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4)}"),
            kWhat + "4 bytes follow its header, its shape needs more than 2^63");
  EXPECT_EQ(with("{'shape': (1,)}"), kWhat + "its header lacks a type or shape");
  EXPECT_EQ(with("{'descr': '<f4', 'more': 1}"), kWhat + "its header has an unknown key 'more'");
}

TEST(Npy, NoCutOrChangedHeaderIsMoreThanAnError) {
  const std::string good =
      npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), }", "1234");
  for (std::size_t length = 0; length < good.size(); ++length) {
    EXPECT_NE(npy_refusal(good.substr(0, length)), "accepted") << length;
  }
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const char byte : {'\0', '\xFF', '(', '\'', '9', '{'}) {
      std::string changed = good;
      changed[at] = byte;
      npy_refusal(changed);
    }
  }
}

TEST(Npy, AnInputMustHaveTheModelsTypeAndShape) {
  const std::string path =
      saved(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", "1234"));
  const InputSpec good{.name = "x", .type = DataType::kFloat, .dims = {1}, .file = path};
  const Inputs inputs = expect_ok(Inputs::make({good}));
  EXPECT_EQ(static_cast<char>(inputs.memory.bytes()[3]), '4');
  InputSpec other = good;
  other.dims = {1, 1};
  EXPECT_EQ(Inputs::make({other}).error().text(),
            "error: " + path +
                ": input 'x': contains float32 [1], but the input is float32 [1, 1]\n" +
                "  hint: reshape the array, or choose the input's sizes with --shape\n"
                "  [RIDGE-RT-0042]\n");
}

TEST(Npy, Float64BecomesTheInputsNarrowerFloatWithANote) {
  const double values[] = {1.5, -2};
  const std::string path =
      saved(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }",
                std::string(reinterpret_cast<const char*>(values), sizeof(values))));
  InputSpec spec{.name = "x", .type = DataType::kFloat, .dims = {2}, .file = path};
  const Inputs inputs = expect_ok(Inputs::make({spec}));
  float read[2] = {};
  std::memcpy(read, inputs.memory.bytes().data(), sizeof(read));
  EXPECT_EQ(read[0], 1.5F);
  EXPECT_EQ(read[1], -2.0F);
  EXPECT_EQ(inputs.notes,
            std::vector<std::string>{"input 'x': float64 of " + path + " converted to float32"});
  spec.type = DataType::kFloat16;
  EXPECT_EQ(static_cast<int>(expect_ok(Inputs::make({spec})).memory.bytes()[1]), 0x3e);
}

TEST(Npy, AnotherTypeIsRefusedWithTheConversionToWrite) {
  const std::string path =
      saved(npy("{'descr': '<i4', 'fortran_order': False, 'shape': (1,), }", "1234"));
  const InputSpec spec{.name = "x", .type = DataType::kInt64, .dims = {1}, .file = path};
  EXPECT_EQ(
      Inputs::make({spec}).error().hint(),
      "convert it: numpy.save(\"" + path + "\", numpy.load(\"" + path + "\").astype(\"int64\"))");
  InputSpec narrow = spec;
  narrow.type = DataType::kBfloat16;
  EXPECT_EQ(Inputs::make({narrow}).error().hint(), "write it as a .pb, a TensorProto of bfloat16");
}

}  // namespace
}  // namespace ridge::runtime
