// SPDX-License-Identifier: Apache-2.0
#include "base/hash/md5.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/file.h"
#include "base/temporary_folder.h"

namespace ridge {
namespace {

// RFC 1321, appendix A.5.
TEST(Md5, GivesTheTestSuiteOfTheRfc) {
  for (const auto& [text, hex] : {
           std::pair{"", "d41d8cd98f00b204e9800998ecf8427e"},
           {"a", "0cc175b9c0f1b6a831c399e269772661"},
           {"abc", "900150983cd24fb0d6963f7d28e17f72"},
           {"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
           {"abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"},
           {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            "d174ab98d277d9f5a5611c2c9f419d9f"},
           {"12345678901234567890123456789012345678901234567890123456789012345678901234567890",
            "57edf4a22be3c955ac49da2e2107b67a"},
       })
    EXPECT_EQ(md5_of(text), hex) << text;
}

TEST(Md5, PartsAndFilesGiveTheSame) {
  const auto folder = TemporaryFolder::make(::testing::TempDir());
  ASSERT_TRUE(folder.ok());
  const std::string bytes((1 << 20) + 77, 'r');
  Md5 hash;
  for (std::size_t at = 0, part = 1; at < bytes.size(); at += part++)
    hash.add(std::string_view(bytes).substr(at, std::min(part, bytes.size() - at)));
  const std::string path = folder->path() + "/file";
  ASSERT_TRUE(write_file(path, bytes).ok());
  const auto of_file = md5_of_file(path);
  ASSERT_TRUE(of_file.ok());
  EXPECT_EQ(*of_file, hash.hex());
  EXPECT_EQ(*of_file, md5_of(bytes));
}

}  // namespace
}  // namespace ridge
