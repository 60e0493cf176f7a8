// SPDX-License-Identifier: Apache-2.0
#include "report/kit/picture.h"

#include <gtest/gtest.h>

namespace ridge::report {
namespace {

/// RFC 4648, section 10.
TEST(Base64, EncodesTheVectorsOfItsStandard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe"), "//4=");
}

TEST(Picture, EscapesWhatItShows) {
  EXPECT_EQ(png_picture("foo", "a\"><b>"),
            "<img class=\"sample\" alt=\"a&quot;&gt;&lt;b&gt;\" "
            "src=\"data:image/png;base64,Zm9v\">");
}

}  // namespace
}  // namespace ridge::report
