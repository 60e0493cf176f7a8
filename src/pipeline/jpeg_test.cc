// SPDX-License-Identifier: Apache-2.0
#include "pipeline/jpeg.h"

#include <gtest/gtest.h>

#include <set>

#include "pipeline/testing.h"
#include "pipeline/testing/files.h"

namespace ridge::pipeline {
namespace {

using testing::jpeg_file;
using testing::Scans;
using testing::waves;

std::string jpeg_error(const std::string& file) {
  const auto photo = decode_jpeg(bytes_of(file), {});
  return photo.ok() ? "" : photo.error().text();
}

/// Sets the size that the frame header (SOF0 or SOF2) states.
std::string with_size(std::string file, int width, int height) {
  for (const char* marker : {"\xff\xc0", "\xff\xc2"}) {
    const std::size_t at = file.find(marker);
    if (at == std::string::npos) continue;
    file[at + 5] = static_cast<char>(height >> 8);
    file[at + 6] = static_cast<char>(height);
    file[at + 7] = static_cast<char>(width >> 8);
    file[at + 8] = static_cast<char>(width);
  }
  return file;
}

TEST(Jpeg, GrayFilesHaveOneChannel) {
  const auto photo = decode_jpeg(bytes_of(jpeg_file(waves(19, 11, 1))), {});
  ASSERT_TRUE(photo.ok());
  EXPECT_EQ(photo->image.size(), (Size{19, 11}));
  EXPECT_EQ(photo->image.channels, 1);
}

TEST(Jpeg, ATruncatedFileIsNeverCompleted) {
  for (const Scans scans : {Scans::kOne, Scans::kProgressive}) {
    const std::string file = jpeg_file(waves(40, 30, 3), scans);
    std::set<std::string> codes;
    // Without the marker of its end the image may be complete.
    for (std::size_t length = 0; length + 4 < file.size(); ++length) {
      const auto photo = decode_jpeg(bytes_of(file.substr(0, length)), {});
      ASSERT_FALSE(photo.ok()) << length << " of " << file.size();
      codes.insert(photo.error().code());
    }
    EXPECT_TRUE(codes.contains("RIDGE-PIPE-0003"));
    EXPECT_EQ(jpeg_error(file.substr(0, file.size() / 2)),
              "error: the JPEG file ends before its image does\n"
              "  hint: fetch or export the file again\n"
              "  [RIDGE-PIPE-0003]\n");
  }
}

TEST(Jpeg, RefusesSizesBeforeItAllocates) {
  const std::string file = jpeg_file(waves(16, 16, 3));
  EXPECT_EQ(jpeg_error(with_size(file, 65'500, 65'500)),
            "error: an image of 65500 x 65500 pixels\n"
            "  sides of 1 to 1048576 and 89478485 pixels in all are possible\n"
            "  hint: make the image smaller with an image editor\n"
            "  [RIDGE-PIPE-0001]\n");
  EXPECT_EQ(jpeg_error(with_size(file, 9000, 9000)),
            fmt::format("error: the JPEG file ends before its image does\n"
                        "  {} bytes cannot hold 9000 x 9000 pixels\n"
                        "  hint: fetch or export the file again\n"
                        "  [RIDGE-PIPE-0003]\n",
                        file.size()));
}

TEST(Jpeg, TellsOfDamageThatItDecodes) {
  std::string file = jpeg_file(waves(64, 64, 3));
  EXPECT_EQ(decode_jpeg(bytes_of(file), {})->warning, "");
  // The second half of the scan is gone, and the end of the image stands there: what a download
  // that was cut off and "repaired" looks like.
  const std::size_t scan = file.find("\xff\xda");
  const std::string cut = file.substr(0, scan + (file.size() - scan) / 2) + "\xff\xd9";
  const auto photo = decode_jpeg(bytes_of(cut), {});
  ASSERT_TRUE(photo.ok()) << photo.error().text();
  EXPECT_EQ(photo->warning, "Corrupt JPEG data: premature end of data segment");
}

TEST(Jpeg, RefusesTooManyScans) {
  std::string file = jpeg_file(waves(16, 16, 1), Scans::kProgressive);
  const std::size_t last = file.rfind("\xff\xda"), end = file.size() - 2;
  const std::string scan = file.substr(last, end - last);
  for (int i = 0; i < 200; ++i) file.insert(last, scan);
  EXPECT_EQ(jpeg_error(file),
            "error: the file is no valid JPEG image\n"
            "  it has more than 100 scans\n"
            "  [RIDGE-PIPE-0004]\n");
}

TEST(Jpeg, PassesTheLibrarysMessageOn) {
  EXPECT_EQ(jpeg_error("<html>"),
            "error: the file is no valid JPEG image\n"
            "  libjpeg-turbo: Not a JPEG file: starts with 0x3c 0x68\n"
            "  [RIDGE-PIPE-0004]\n");
  std::string file = jpeg_file(waves(16, 16, 3));
  file[file.find("\xff\xc0") + 4] = 12;  // bits per sample
  EXPECT_EQ(jpeg_error(file),
            "error: the file is no valid JPEG image\n"
            "  libjpeg-turbo: Unsupported JPEG data precision 12\n"
            "  [RIDGE-PIPE-0004]\n");
}

// Chroma of 8 x 8 blocks at half resolution: repeated, both pixels of a pair have the same one.
TEST(Jpeg, BoxUpsamplingRepeatsChroma) {
  const std::string file = jpeg_file(waves(32, 32, 3));
  const auto differing_pairs = [&](Upsampling upsampling) {
    const auto photo = decode_jpeg(bytes_of(file), {.upsampling = upsampling});
    int count = 0;
    for (int y = 0; y < 32; ++y)
      for (int x = 0; x < 32; x += 2) {
        const std::uint8_t* pixel = photo->image.row(y) + x * 3;
        // Blue less red follows from chroma alone, up to rounding and clamping.
        const bool clamped =
            *std::min_element(pixel, pixel + 6) == 0 || *std::max_element(pixel, pixel + 6) == 255;
        if (!clamped && std::abs((pixel[2] - pixel[0]) - (pixel[5] - pixel[3])) > 2) ++count;
      }
    return count;
  };
  EXPECT_EQ(differing_pairs(Upsampling::kBox), 0);
  EXPECT_GT(differing_pairs(Upsampling::kFancy), 100);
}

TEST(Jpeg, TransformsDifferByLittle) {
  const std::string file = jpeg_file(waves(64, 48, 3));
  const auto slow = decode_jpeg(bytes_of(file), {});
  const auto fast = decode_jpeg(bytes_of(file), {.dct = Dct::kIfast});
  Differences differences;
  differences.add(slow->image, fast->image);
  EXPECT_GT(differences.differing, 0);
  EXPECT_LT(differences.largest, 16);
}

}  // namespace
}  // namespace ridge::pipeline
