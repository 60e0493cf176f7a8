// SPDX-License-Identifier: Apache-2.0
#include "pipeline/decode.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "pipeline/testing.h"
#include "pipeline/testing/files.h"

namespace ridge::pipeline {
namespace {

void expect_equal(const Result<Image>& ours, const Image& theirs, const std::string& name,
                  Differences& differences) {
  ASSERT_TRUE(ours.ok()) << name << "\n" << ours.error().text();
  ASSERT_EQ(ours->size(), theirs.size()) << name;
  ASSERT_EQ(ours->data.size(), theirs.data.size()) << name;
  const std::int64_t before = differences.differing;
  differences.add(*ours, theirs);
  EXPECT_EQ(differences.differing, before) << name;
}

TEST(DecodeSlow, EqualsPillowAndOpencv) {
  const OracleCases oracle = oracle_cases("decode 1 " + photos());
  if (!oracle.missing.empty()) GTEST_SKIP() << oracle.missing;
  ASSERT_EQ(oracle.failure, "");
  Differences pillow, opencv;
  for (const OracleCase& c : oracle.cases) {
    const std::string& name = c.words[0];
    const auto file = bytes_of(c.blobs[0]);
    const int width = c.number(1), height = c.number(2);
    const int upright_width = c.number(3), upright_height = c.number(4);
    if (name != "png-gray-16" && name != "png-interlaced-16-0") {  // Pillow clamps at 255
      expect_equal(decode(file, {}), c.image(1, width, height, 3), name, pillow);
      expect_equal(decode(file, {.turn = Turn::kExif}),
                   c.image(2, upright_width, upright_height, 3), name, pillow);
      expect_equal(decode(file, {.color = Color::kGray}), c.image(3, width, height, 1), name,
                   pillow);
    }
    expect_equal(
        decode(file, {.color = Color::kGray, .turn = Turn::kExif, .gray = GrayBy::kOpencv}),
        c.image(5, upright_width, upright_height, 1), name, opencv);
    if (name == "jpeg-cmyk") continue;  // OpenCV rounds the product differently
    expect_equal(decode(file, {.color = Color::kBgr, .turn = Turn::kExif}),
                 c.image(4, upright_width, upright_height, 3), name, opencv);
  }
  record("pillow", pillow);
  record("opencv", opencv);
}

// Values of cv2.imread(file, cv2.IMREAD_GRAYSCALE), opencv-python-headless 5.0.0, and of Pillow's
// convert("L").
TEST(Decode, GrayIsThatOfTheLibraryNamed) {
  const Image image{8, 1, 3, {255, 0,  0,  0, 255, 0, 0,   0,   255, 10,  200, 30,
                              77,  77, 77, 1, 2,   3, 200, 100, 50,  254, 255, 255}};
  const auto file = testing::png_file(image);
  const auto gray = [&](GrayBy by) {
    return decode(bytes_of(file), {.color = Color::kGray, .gray = by})->data;
  };
  EXPECT_EQ(gray(GrayBy::kOpencv), (std::vector<std::uint8_t>{76, 149, 29, 123, 77, 1, 124, 254}));
  EXPECT_EQ(gray(GrayBy::kPillow), (std::vector<std::uint8_t>{76, 150, 29, 124, 77, 2, 124, 255}));
}

TEST(Decode, GrayOfAJpegIsTheLumaThatItStores) {
  const auto file = testing::jpeg_file(testing::waves(40, 24, 3));
  const Image rgb = decode(bytes_of(file), {}).value();
  const Image luma =
      decode(bytes_of(file), {.color = Color::kGray, .gray = GrayBy::kOpencv}).value();
  const Image pillow = decode(bytes_of(file), {.color = Color::kGray}).value();
  ASSERT_EQ(luma.data.size(), 40U * 24);
  EXPECT_NE(luma.data, pillow.data);
  for (std::size_t i = 0; i < luma.data.size(); ++i) {
    const std::uint8_t* p = &rgb.data[3 * i];
    if (std::min({p[0], p[1], p[2]}) == 0 || std::max({p[0], p[1], p[2]}) == 255) continue;
    EXPECT_NEAR(luma.data[i], 0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2], 1.5) << i;
  }
}

}  // namespace
}  // namespace ridge::pipeline
