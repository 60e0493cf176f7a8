#include "pipeline/decode.h"

#include <gtest/gtest.h>

#include "pipeline/testing.h"

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
    if (name == "jpeg-cmyk") continue;  // OpenCV rounds the product differently
    expect_equal(decode(file, {.color = Color::kBgr, .turn = Turn::kExif}),
                 c.image(4, upright_width, upright_height, 3), name, opencv);
  }
  record("pillow", pillow);
  record("opencv", opencv);
}

}  // namespace
}  // namespace ridge::pipeline
