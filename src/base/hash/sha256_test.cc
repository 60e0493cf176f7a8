// SPDX-License-Identifier: Apache-2.0
#include "base/hash/sha256.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <random>
#include <vector>

#include "base/file.h"
#include "base/hash/md5.h"
#include "base/temporary_folder.h"

namespace ridge {
namespace {

// The examples of FIPS 180-4 (NIST, SHA256.pdf), and the empty message.
TEST(Sha256, MatchesPublishedValues) {
  EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_of(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, InstructionsAgreeWithTheFormulas) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    Sha256State a;
    for (std::uint32_t& word : a) word = static_cast<std::uint32_t>(random());
    Sha256State b = a;
    std::vector<unsigned char> bytes(1 + 64 * (random() % 5));
    for (unsigned char& c : bytes) c = static_cast<unsigned char>(random());
    // From an odd address: blocks are not aligned.
    sha256_blocks(a, bytes.data() + 1, bytes.size() / 64);
    fastest_sha256_blocks()(b, bytes.data() + 1, bytes.size() / 64);
    ASSERT_EQ(a, b) << trial;
  }
}

TEST(Sha256, PartsAddUp) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>(i * 7);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    Sha256 hash;
    hash.add(std::string_view(text).substr(0, cut));
    hash.add(std::string_view(text).substr(cut));
    ASSERT_EQ(hash.hex(), sha256_of(text)) << cut;
  }
}

// coreutils' sha256sum is the second implementation, at every length around the blocks.
TEST(Sha256, AgreesWithCoreutils) {
  if (std::system("command -v sha256sum > /dev/null") != 0) GTEST_SKIP() << "no sha256sum";
  const auto folder = TemporaryFolder::make(::testing::TempDir());
  ASSERT_TRUE(folder.ok());
  std::string command = "cd " + folder->path() + " && sha256sum";
  std::string expected;
  for (const int size : {0, 1, 55, 56, 63, 64, 65, 119, 120, 1'048'576, 1'048'577}) {
    const std::string name = std::to_string(size);
    std::string text;
    for (int i = 0; i < size; ++i) text += static_cast<char>(i * 31 + (i >> 8));
    ASSERT_TRUE(write_file(folder->path() + "/" + name, text).ok());
    const auto hash = sha256_of_file(folder->path() + "/" + name);
    ASSERT_TRUE(hash.ok());
    expected += *hash + "  " + name + "\n";
    command += " " + name;
  }
  ASSERT_EQ(std::system((command + " > sums").c_str()), 0);
  const auto sums = read_file(folder->path() + "/sums", 1 << 16);
  ASSERT_TRUE(sums.ok());
  EXPECT_EQ(*sums, expected);
}

// The first gigabyte of zeros alone takes longer than all other tests of this file.
TEST(WholeFile, HolesAreRefusedBeforeTheyAreRead) {
  const auto folder = TemporaryFolder::make(::testing::TempDir());
  ASSERT_TRUE(folder.ok());
  const std::string path = folder->path() + "/terabyte";
  ASSERT_TRUE(write_file(path, "content").ok());
  std::error_code failed;
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40, failed);
  if (failed) GTEST_SKIP() << "no file with holes here: " << failed.message();
  int pieces = 0;
  const auto count = [&](const std::string&, std::int64_t, std::int64_t) {
    return ++pieces < 3;  // ends a tree that begins to read
  };
  const auto hash = sha256_of_file(path, count);
  ASSERT_FALSE(hash.ok());
  EXPECT_EQ(hash.error().code(), "RIDGE-IO-0013");
  EXPECT_EQ(pieces, 0);
  EXPECT_EQ(md5_of_file(path).error().code(), "RIDGE-IO-0013");
}

TEST(WholeFile, IsWatchedAndMayBeStopped) {
  const auto folder = TemporaryFolder::make(::testing::TempDir());
  ASSERT_TRUE(folder.ok());
  const std::string path = folder->path() + "/file";
  ASSERT_TRUE(write_file(path, std::string((std::size_t{3} << 20) + 5, 'x')).ok());
  std::vector<std::int64_t> seen;
  const auto all = [&](const std::string& of, std::int64_t done, std::int64_t total) {
    EXPECT_EQ(of, path);
    EXPECT_EQ(total, (3 << 20) + 5);
    seen.push_back(done);
    return true;
  };
  EXPECT_TRUE(sha256_of_file(path, all).ok());
  EXPECT_EQ(seen, (std::vector<std::int64_t>{1 << 20, 2 << 20, 3 << 20, (3 << 20) + 5}));
  const auto stopped = sha256_of_file(
      path, [](const std::string&, std::int64_t done, std::int64_t) { return done < 2 << 20; });
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().code(), "RIDGE-IO-0014");
}

}  // namespace
}  // namespace ridge
