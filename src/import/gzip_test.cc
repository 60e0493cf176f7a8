// SPDX-License-Identifier: Apache-2.0
#include "import/gzip.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "import/testing.h"

namespace ridge::imports {
namespace {

std::string packed(std::string_view text) {
  z_stream stream = {};
  EXPECT_EQ(::deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(::deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(::deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  return out;
}

constexpr std::string_view kTrace =
    "[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":"
    "2}\n,{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::add\",\"pid\":1,\"tid\":1,\"ts\":5,"
    "\"dur\":4}]";

TEST(Gzip, IsToldByTheContentAndReadLikeTheText) {
  const profile::Profile plain = imported(kTrace, nullptr),
                         whole = imported(packed(kTrace), nullptr);
  ASSERT_EQ(whole.layers.size(), 2U);
  for (std::size_t l = 0; l < 2; ++l) {
    EXPECT_EQ(whole.layers[l].name, plain.layers[l].name);
    EXPECT_EQ(whole.layers[l].corrected_ns, plain.layers[l].corrected_ns);
  }
  const std::string counters =
      "layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms);\n"
      "a;EXECUTED;Convolution;jit;0.5;0.5;\nTotal;;;;0.5;0.5;\n";
  EXPECT_EQ(imported(packed(counters), nullptr).layers.size(),
            imported(counters, nullptr).layers.size());
}

TEST(Gzip, MembersFollowEachOther) {
  const Result<Unpacked> text = gunzip(packed("one ") + packed("two") + "garbage");
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(text->text, "one two");
}

TEST(Gzip, ACutFileIsReadAsFarAsItGoes) {
  std::string many = "[";
  for (int i = 0; i < 2000; ++i)
    many += "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"op" + std::to_string(i % 7) +
            "\",\"pid\":1,\"tid\":1,\"ts\":" + std::to_string(10 * i) + ",\"dur\":3},\n";
  const std::string whole = packed(many + "]");
  const profile::Profile p = imported(whole.substr(0, whole.size() / 2), nullptr);
  EXPECT_EQ(p.layers.size(), 7U);
  EXPECT_TRUE(says(p, "the gzip file is cut off or damaged"));
}

TEST(Gzip, ASqliteFileIsOpenedByItsPathAndNotUnpacked) {
  const Written file(packed(std::string_view("SQLite format 3\0 and more", 25)));
  EXPECT_EQ(import_file(file.path(), {}).error().code(), "RIDGE-IMP-0004");
}

TEST(Gzip, WhatUnpacksToFarMoreThanItsSizeIsRefused) {
  const std::string bomb = packed(std::string(kUnpackedAtLeast + 1, ' '));
  EXPECT_LT(bomb.size() * kMaxPacked, kUnpackedAtLeast);
  EXPECT_EQ(gunzip(bomb).error().code(), "RIDGE-IMP-0060");
  EXPECT_EQ(gunzip(packed("")).error().code(), "RIDGE-IMP-0061");
}

}  // namespace
}  // namespace ridge::imports
