// SPDX-License-Identifier: Apache-2.0
#include "pipeline/exif.h"

#include <gtest/gtest.h>

#include "pipeline/testing.h"

namespace ridge::pipeline {
namespace {

// Header, a directory of two entries: make (0x010f), orientation (0x0112).
const std::string kBigEndian(
    "MM\0*\0\0\0\x08"
    "\0\x02"
    "\x01\x0f\0\x02\0\0\0\x04"
    "abc\0"
    "\x01\x12\0\x03\0\0\0\x01\0\x06\0\0",
    34);
const std::string kLittleEndian(
    "II*\0\x08\0\0\0"
    "\x02\0"
    "\x0f\x01\x02\0\x04\0\0\0"
    "abc\0"
    "\x12\x01\x03\0\x01\0\0\0\x06\0\0\0",
    34);

TEST(Exif, ReadsBothByteOrders) {
  EXPECT_EQ(exif_orientation(bytes_of(kBigEndian)), 6);
  EXPECT_EQ(exif_orientation(bytes_of(kLittleEndian)), 6);
}

TEST(Exif, InvalidDataLeavesImagesUnturned) {
  for (std::size_t length = 0; length < 32; ++length)
    EXPECT_EQ(exif_orientation(bytes_of(kBigEndian.substr(0, length))), 1) << length;
  for (const auto& [at, value] : std::vector<std::pair<std::size_t, char>>{
           {0, 'I'}, {1, 'X'}, {3, '+'}, {4, '\x7f'}, {7, '\xff'}, {25, '\x04'}, {31, '\x09'}}) {
    std::string changed = kBigEndian;
    changed[at] = value;
    EXPECT_EQ(exif_orientation(bytes_of(changed)), 1) << at;
  }
}

// Exif 2.32, table "Orientation": the place of the first row and the first column of the file.
TEST(Exif, TurnsUpright) {
  const Image image{3,
                    2,
                    1,
                    {1, 2, 3,  //
                     4, 5, 6}};
  const std::vector<std::vector<std::uint8_t>> expected = {
      {1, 2, 3, 4, 5, 6}, {3, 2, 1, 6, 5, 4}, {6, 5, 4, 3, 2, 1}, {4, 5, 6, 1, 2, 3},
      {1, 4, 2, 5, 3, 6}, {4, 1, 5, 2, 6, 3}, {6, 3, 5, 2, 4, 1}, {3, 6, 2, 5, 1, 4}};
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const Image upright = turned(image, orientation);
    EXPECT_EQ(upright.data, expected[static_cast<std::size_t>(orientation - 1)]) << orientation;
    EXPECT_EQ(upright.size(), orientation < 5 ? (Size{3, 2}) : (Size{2, 3})) << orientation;
  }
  EXPECT_TRUE(turned(image, 0) == image);
  EXPECT_TRUE(turned(image, 9) == image);
}

}  // namespace
}  // namespace ridge::pipeline
