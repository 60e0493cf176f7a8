// SPDX-License-Identifier: Apache-2.0
// Tests of texts that are hashed as they are read.
#include "base/hash/hashed_text.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/hash/sha256.h"
#include "base/temporary_folder.h"

namespace ridge {
namespace {

TEST(HashedText, TheMarkIsHashedAndNotPartOfTheText) {
  const auto folder = TemporaryFolder::make(::testing::TempDir());
  const std::string path = folder->path() + "/marked.txt";
  ASSERT_TRUE(write_file(path,
                         "\xef\xbb\xbf"
                         "a\n")
                  .ok());
  const auto read = read_hashed_text(path, 10);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->text, "a\n");
  EXPECT_EQ(read->sha256, sha256_of("\xef\xbb\xbf"
                                    "a\n"));
}

TEST(HashedText, ErrorsAreThoseOfTheFileAndOfItsEncoding) {
  const auto folder = TemporaryFolder::make(::testing::TempDir());
  const std::string path = folder->path() + "/utf16.txt";
  ASSERT_TRUE(write_file(path,
                         "\xff\xfe"
                         "a")
                  .ok());
  EXPECT_EQ(read_hashed_text(path, 10).error().code(), "RIDGE-IO-0012");
  EXPECT_EQ(read_hashed_text(path, 2).error().code(), "RIDGE-IO-0007");
  EXPECT_EQ(read_hashed_text(path + ".no", 2).error().code(), "RIDGE-IO-0001");
}

}  // namespace
}  // namespace ridge
