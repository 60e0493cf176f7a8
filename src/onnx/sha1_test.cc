// SPDX-License-Identifier: Apache-2.0
// Oracle: `sha1sum` of coreutils.
#include "onnx/sha1.h"

#include <gtest/gtest.h>

#include <string>

namespace ridge::onnx {
namespace {

std::string sha1_of(const std::string& text, std::size_t piece) {
  Sha1 hash;
  for (std::size_t at = 0; at < text.size(); at += piece)
    hash.add(std::as_bytes(std::span(text)).subspan(at, std::min(piece, text.size() - at)));
  return hash.hex();
}

TEST(Sha1, IsThatOfSha1sum) {
  for (const std::size_t piece : {1U, 7U, 64U, 1000U}) {
    EXPECT_EQ(sha1_of("", piece), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    EXPECT_EQ(sha1_of("abc", piece), "a9993e364706816aba3e25717850c26c9cd0d89d");
    EXPECT_EQ(sha1_of(std::string(55, 'a'), piece), "c1c8bbdc22796e28c0e15163d20899b65621d65a");
    EXPECT_EQ(sha1_of(std::string(56, 'a'), piece), "c2db330f6083854c99d4b5bfb6e8f29f201be699");
    EXPECT_EQ(sha1_of(std::string(64, 'a'), piece), "0098ba824b5c16427bd7a1122a5a442a25ec644d");
    EXPECT_EQ(sha1_of(std::string(1000, 'a'), piece), "291e9a6c66994949b57ba5e650361e98fc36b1ba");
  }
}

}  // namespace
}  // namespace ridge::onnx
