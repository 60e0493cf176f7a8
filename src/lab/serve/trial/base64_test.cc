// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/trial/base64.h"

#include <gtest/gtest.h>

#include "report/kit/picture.h"

namespace ridge::lab::serve {
namespace {

TEST(Base64, ReadsTheVectorsOfRfc4648) {
  EXPECT_EQ(decode_base64(""), "");
  EXPECT_EQ(decode_base64("Zg=="), "f");
  EXPECT_EQ(decode_base64("Zm8="), "fo");
  EXPECT_EQ(decode_base64("Zm9v"), "foo");
  EXPECT_EQ(decode_base64("Zm9vYg=="), "foob");
  EXPECT_EQ(decode_base64("Zm9vYmE="), "fooba");
  EXPECT_EQ(decode_base64("Zm9vYmFy"), "foobar");
}

TEST(Base64, ReadsEveryByte) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  EXPECT_EQ(decode_base64(report::base64(bytes)), bytes);
}

TEST(Base64, RefusesWhatIsNoBase64) {
  for (const char* text : {"Z", "Zg", "Zg=", "Zg===", "=", "==", "===", "====", "Z===", "Zh==",
                           "Zm9=", "Zm9v\n", "Zm 9v", "Zm-_", "Zg==Zg==", "data:;base64,Zg=="})
    EXPECT_EQ(decode_base64(text), std::nullopt) << text;
}

}  // namespace
}  // namespace ridge::lab::serve
