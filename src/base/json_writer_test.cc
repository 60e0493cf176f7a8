// SPDX-License-Identifier: Apache-2.0
#include "base/json_writer.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <random>

namespace ridge {
namespace {

template <typename F>
std::string written(F&& write) {
  StringSink sink;
  {
    JsonWriter json(sink);
    write(json);
  }
  return sink.text();
}

TEST(JsonWriter, PlacesCommasAndBrackets) {
  EXPECT_EQ(written([](JsonWriter& json) {
              json.begin_object().key("a").begin_array().value(1).null().value("x").end_array();
              json.key("b").begin_object().end_object().key("c").value(true).end_object();
            }),
            R"({"a":[1,null,"x"],"b":{},"c":true})");
}

TEST(JsonWriter, PutsARowOnALineOfItsOwn) {
  EXPECT_EQ(written([](JsonWriter& json) {
              json.begin_array().line().value(1).line().value(2).line().end_array();
            }),
            "[\n1,\n2\n]");
}

TEST(JsonWriter, EscapesWhatJsonReserves) {
  EXPECT_EQ(
      written([](JsonWriter& json) { json.value(std::string_view("a\"\\\n\t\x01\x7f\0b", 9)); }),
      R"("a\"\\\n\t\u0001\u007f\u0000b")");
}

TEST(JsonWriter, EveryShortByteStringReadsBackAsValidText) {
  // Oracle: nlohmann's parser rejects invalid UTF-8, and its replacement policy defines the
  // expected text.
  for (unsigned a = 0; a < 256; ++a) {
    for (unsigned b = 0; b < 256; ++b) {
      const std::string text = {static_cast<char>(a), static_cast<char>(b), 'z'};
      const std::string out = written(
          [&](JsonWriter& json) { json.begin_object().name(text).value(text).end_object(); });
      const auto parsed = nlohmann::json::parse(out, nullptr, false);
      ASSERT_FALSE(parsed.is_discarded()) << a << " " << b;
      const std::string expected =
          nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
      ASSERT_EQ(parsed.begin().value(), nlohmann::json::parse(expected)) << a << " " << b;
      ASSERT_EQ(parsed.begin().key(), parsed.begin().value());
    }
  }
}

TEST(JsonWriter, LongSequencesFollowUnicode) {
  const auto text = [](std::string_view in) {
    return nlohmann::json::parse(written([&](JsonWriter& json) { json.value(in); }))
        .get<std::string>();
  };
  EXPECT_EQ(text("\xf0\x9f\x98\x80 \xe2\x82\xac"), "\xf0\x9f\x98\x80 \xe2\x82\xac");
  EXPECT_EQ(text("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");  // a surrogate
  EXPECT_EQ(text("\xf4\x90\x80\x80").substr(0, 3), "\xef\xbf\xbd");         // past U+10FFFF
  EXPECT_EQ(text("\xe2\x82"), "\xef\xbf\xbd");                              // cut off
}

TEST(JsonWriter, NumbersReadBackExactly) {
  EXPECT_EQ(written([](JsonWriter& json) { json.value(std::numeric_limits<std::int64_t>::min()); }),
            "-9223372036854775808");
  EXPECT_EQ(written([](JsonWriter& json) { json.value(0.1); }), "0.1");
  EXPECT_EQ(written([](JsonWriter& json) { json.value(std::numeric_limits<double>::quiet_NaN()); }),
            "null");
  EXPECT_EQ(written([](JsonWriter& json) { json.value(std::numeric_limits<double>::infinity()); }),
            "null");
}

TEST(JsonWriter, LargeDocumentsLeaveInPieces) {
  struct Counting final : Sink {
    int writes = 0;
    std::size_t largest = 0;
    void write(std::string_view text) override {
      ++writes, largest = std::max(largest, text.size());
    }
  } sink;
  {
    JsonWriter json(sink);
    json.begin_array();
    for (int i = 0; i < 100'000; ++i) json.value(i);
    json.end_array();
  }
  EXPECT_GT(sink.writes, 5);
  EXPECT_LT(sink.largest, std::size_t{128} << 10);
}

TEST(JsonWriter, ADocumentThatWasNotFinishedIsDropped) {
  EXPECT_EQ(written([](JsonWriter& json) { json.begin_object().key("a").value(1); }), "");
}

TEST(JsonWriter, ItemsOfAnyLengthCrossTheEdgeOfTheBuffer) {
  // Lengths around the buffer's 64 KiB; nlohmann's parser must read back the values written.
  std::mt19937 random(3);
  for (const std::size_t length : {1u, 255u, 65'535u, 65'536u, 65'537u, 200'000u}) {
    nlohmann::json expected = nlohmann::json::array();
    const std::string text = written([&](JsonWriter& json) {
      json.begin_array();
      for (int i = 0; i < 8; ++i) {
        const std::string long_text(length + random() % 5000, i % 2 == 0 ? 'x' : '\n');
        const auto number = static_cast<std::int64_t>(random());
        json.value(long_text).line().value(number).begin_object().name(long_text).raw("[1,2]");
        json.end_object();
        expected.insert(expected.end(), {long_text, number, {{long_text, {1, 2}}}});
      }
      json.end_array();
    });
    EXPECT_EQ(nlohmann::json::parse(text), expected) << length;
  }
}

}  // namespace
}  // namespace ridge
