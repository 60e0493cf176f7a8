// SPDX-License-Identifier: Apache-2.0
// Oracle: `sha1sum` of the file written out below.
#include "onnx/external_checksum.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "onnx/reader.h"
#include "onnx/testing.h"

namespace ridge::onnx {
namespace {

using testing::wire;

constexpr std::string_view kGood = "7c222fb2927d828af22f592134e8932480637c0d";
constexpr std::string_view kOther = "0000000000000000000000000000000000000000";

std::string tensor(std::string_view name, std::string_view location, std::string_view checksum) {
  std::string out = fmt::format(
      "initializer {{ name: \"{}\" dims: 2 data_type: 1 data_location: 1 external_data {{ key: "
      "\"location\" value: \"{}\" }} ",
      name, location);
  if (!checksum.empty())
    out += fmt::format("external_data {{ key: \"checksum\" value: \"{}\" }} ", checksum);
  return out + "} ";
}

class ExternalChecksum : public ::testing::Test {
 protected:
  std::string verified(const std::string& tensors) const {
    const Document d = read_file(folder_.make("m.onnx", wire("ir_version: 8 graph { " + tensors +
                                                             " } opset_import { version: 17 }")))
                           .value();
    const Result<void> result = verify_checksums(d);
    if (result.ok()) return "";
    return result.error().where() + ": " + result.error().message() + " | " +
           result.error().evidence();
  }

  testing::TemporaryFolder folder_;
};

TEST_F(ExternalChecksum, IsComparedWithTheWholeFile) {
  folder_.make("w.bin", "12345678");
  EXPECT_EQ(verified(tensor("a", "w.bin", kGood)), "");
  EXPECT_EQ(verified(tensor("a", "w.bin", "7C222FB2927D828AF22F592134E8932480637C0D")), "");
  EXPECT_EQ(verified(tensor("a", "w.bin", "")), "");
  EXPECT_EQ(verified(tensor("a", "absent.bin", "")), "");  // nothing is opened
  EXPECT_EQ(verified(tensor("a", "w.bin", "") + tensor("b", "w.bin", kOther)),
            fmt::format("external data 'w.bin': its content has another checksum than the model "
                        "states | SHA-1 {}, the model states {}",
                        kGood, kOther));
}

TEST_F(ExternalChecksum, WhatIsNoneIsRefused) {
  folder_.make("w.bin", "12345678");
  EXPECT_EQ(verified(tensor("a", "w.bin", "?")),
            "external data 'w.bin': the checksum '?' is no "
            "SHA-1 | ");
  EXPECT_EQ(verified(tensor("a", "w.bin", kGood) + tensor("b", "w.bin", kOther)),
            fmt::format("external data 'w.bin': the model states two checksums of it | {} and {}",
                        kGood, kOther));
  EXPECT_NE(verified(tensor("a", "absent.bin", kGood)), "");
}

}  // namespace
}  // namespace ridge::onnx
