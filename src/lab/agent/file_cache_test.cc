// SPDX-License-Identifier: Apache-2.0
#include "lab/agent/file_cache.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "base/temporary_folder.h"

namespace ridge::lab {
namespace {

namespace fs = std::filesystem;

/// Hash of "abc" (FIPS 180-4, appendix B.1 of its examples).
const std::string kAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

struct TestCache {
  TemporaryFolder folder = TemporaryFolder::make().value();
  FileCache cache = FileCache::open(folder.path() + "/a/files").value();
  std::string inside(const std::string& name) const { return folder.path() + "/" + name; }
};

TEST(FileCache, KeepsWhatCameInParts) {
  TestCache p;
  const JobFile file{"nets/a.txt", kAbc, 3};
  EXPECT_FALSE(p.cache.has(file));
  ASSERT_TRUE(p.cache.add(file, {kAbc, "a", false}).ok());
  EXPECT_FALSE(p.cache.has(file));
  ASSERT_TRUE(p.cache.add(file, {kAbc, "bc", true}).ok());
  EXPECT_TRUE(p.cache.has(file));
  ASSERT_TRUE(p.cache.place(file, p.inside("work")).ok());
  EXPECT_EQ(read_file(p.inside("work/nets/a.txt"), 10).value(), "abc");
}

TEST(FileCache, OtherBytesAreRefusedAndLeaveNothing) {
  TestCache p;
  const JobFile file{"a.txt", kAbc, 3};
  const auto other = p.cache.add(file, {kAbc, "abd", true});
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().text(),
            "error: a.txt: a file of the job is refused: its bytes have another SHA-256\n"
            "  [RIDGE-LAB-0104]\n");
  EXPECT_FALSE(p.cache.has(file));
  EXPECT_TRUE(fs::is_empty(p.inside("a/files")));
  EXPECT_EQ(p.cache.add(file, {kAbc, "abcd", false}).error().code(), "RIDGE-LAB-0104");
  EXPECT_TRUE(p.cache.add(file, {kAbc, "abc", true}).ok()) << "after a refusal";
}

TEST(FileCache, PathsThatLeadOutAreRefused) {
  for (const char* path : {"../a", "/etc/passwd", "a/../../b", "", "a//b", "./a"})
    EXPECT_FALSE(check(JobFile{path, kAbc, 3}).ok()) << path;
  EXPECT_FALSE(check(JobFile{"a", "../../x", 3}).ok());
  EXPECT_FALSE(check(JobFile{"a", kAbc, -1}).ok());
  EXPECT_TRUE(check(JobFile{"a/b.onnx", kAbc, 3}).ok());
}

TEST(FileCache, AFolderThatCannotBeMadeIsNamed) {
  const auto cache = FileCache::open("/proc/self/no");
  ASSERT_FALSE(cache.ok());
  EXPECT_EQ(cache.error().code(), "RIDGE-LAB-0105");
  EXPECT_EQ(cache.error().error_class(), ErrorClass::kEnvironment);
}

}  // namespace
}  // namespace ridge::lab
