// SPDX-License-Identifier: Apache-2.0
#include "pipeline/png.h"

#include <gtest/gtest.h>

#include <set>

#include "pipeline/testing.h"
#include "pipeline/testing/files.h"

namespace ridge::pipeline {
namespace {

using testing::chunk;
using testing::png_file;
using testing::waves;

std::string png_error(const std::string& file) {
  const auto photo = decode_png(bytes_of(file));
  return photo.ok() ? "" : photo.error().text();
}

TEST(Png, ReadsWhatWasWritten) {
  for (const int channels : {1, 3}) {
    const Image image = waves(21, 13, channels);
    const auto photo = decode_png(bytes_of(png_file(image)));
    ASSERT_TRUE(photo.ok());
    EXPECT_TRUE(photo->image == image);
    EXPECT_EQ(photo->orientation, 1);
  }
}

TEST(Png, ATruncatedFileIsRefused) {
  const std::string file = png_file(waves(40, 30, 3));
  for (std::size_t length = 0; length < file.size(); ++length)
    EXPECT_FALSE(decode_png(bytes_of(file.substr(0, length))).ok()) << length;
  EXPECT_EQ(png_error(file.substr(0, file.size() / 2)),
            "error: the PNG file ends before its image does\n"
            "  hint: fetch or export the file again\n"
            "  [RIDGE-PIPE-0003]\n");
}

TEST(Png, RefusesSizesBeforeItAllocates) {
  EXPECT_EQ(png_error(png_file(waves(3, 3, 3), {60'000, 60'000})),
            "error: an image of 60000 x 60000 pixels\n"
            "  sides of 1 to 1048576 and 89478485 pixels in all are possible\n"
            "  hint: make the image smaller with an image editor\n"
            "  [RIDGE-PIPE-0001]\n");
  const std::string file = png_file(waves(3, 3, 3), {9000, 9000});
  EXPECT_LT(file.size(), 110U);
  EXPECT_EQ(png_error(file), fmt::format("error: the PNG file ends before its image does\n"
                                         "  {} bytes cannot hold 9000 x 9000 pixels\n"
                                         "  hint: fetch or export the file again\n"
                                         "  [RIDGE-PIPE-0003]\n",
                                         file.size()));
}

TEST(Png, TheBoundOfDeflateAllowsThePlainestImage) {
  const Image black{4000, 3000, 3, std::vector<std::uint8_t>(std::size_t{36} * 1'000'000)};
  const std::string file = png_file(black);
  EXPECT_LT(file.size(), 40'000U);
  EXPECT_EQ(png_error(file), "");
}

TEST(Png, PassesTheLibrarysMessageOn) {
  std::string file = png_file(waves(9, 9, 3));
  file[file.find("IEND") - 6] ^= 1;
  EXPECT_EQ(png_error(file),
            "error: the file is no valid PNG image\n"
            "  libpng: IDAT: CRC error\n"
            "  [RIDGE-PIPE-0006]\n");
  EXPECT_EQ(png_error(png_file(waves(9, 9, 3), {0, 9})),
            "error: the file is no valid PNG image\n"
            "  libpng: Invalid IHDR data\n"
            "  [RIDGE-PIPE-0006]\n");
}

// A text chunk that inflates to 64 MiB costs nothing, since it is skipped.
TEST(Png, SkipsChunksThatNoPixelDependsOn) {
  const std::string text(std::size_t{64} << 20, 'a');
  uLongf size = compressBound(static_cast<uLong>(text.size()));
  std::string packed(size, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &size,
           reinterpret_cast<const Bytef*>(text.data()), static_cast<uLong>(text.size()));
  packed.resize(size);
  std::string file = png_file(waves(5, 4, 1));
  const std::string bomb = chunk(std::string("zTXtkey\0\0", 9) + packed);
  for (int i = 0; i < 3; ++i) file.insert(file.find("IDAT") - 4, bomb);
  const auto photo = decode_png(bytes_of(file));
  ASSERT_TRUE(photo.ok()) << photo.error().text();
  EXPECT_TRUE(photo->image == waves(5, 4, 1));
}

}  // namespace
}  // namespace ridge::pipeline
