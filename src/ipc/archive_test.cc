// A Decoder reads the bytes of an Encoder back, and refuses bytes that no Encoder wrote.
#include "ipc/archive.h"

#include <gtest/gtest.h>

#include <limits>

namespace ridge::ipc {
namespace {

enum class Color : std::uint8_t { kRed, kBlue };

struct Inner {
  std::string name;
  std::vector<double> values;

  bool operator==(const Inner&) const = default;
};

template <typename Archive>
void fields(Archive& archive, Inner& i) {
  archive(i.name, i.values);
}

struct Outer {
  std::int64_t number = 0;
  Color color = Color::kRed;
  bool flag = false;
  Nanos time;
  std::pair<std::string, std::int32_t> pair;
  std::optional<std::string> text;
  std::optional<Inner> none;
  std::vector<Inner> inners;
  std::optional<Error> error;
};

template <typename Archive>
void fields(Archive& archive, Outer& o) {
  archive(o.number, o.color, o.flag, o.time, o.pair, o.text, o.none, o.inners, o.error);
  archive.check(o.number < 0);
}

Outer example() {
  Outer o{.number = std::numeric_limits<std::int64_t>::min(),
          .color = Color::kBlue,
          .flag = true,
          .time = Nanos{7},
          .pair = {"left", -2},
          .text = std::string("a\0b", 3),
          .none = std::nullopt,
          .inners = {{"", {}}, {"two", {0.5, -1}}},
          .error = std::nullopt};
  o.error = input_error("RIDGE-X-0001", "broken")
                .in("node 3")
                .in_file("m.onnx")
                .evidence("saw 4")
                .hint("use 5");
  return o;
}

std::string bytes_of(const Outer& o) {
  Encoder out;
  out(o);
  return out.take();
}

/// True if the bytes are those of one value of type T.
template <typename T>
bool read(std::string_view bytes, T& value) {
  Decoder in(bytes);
  in(value);
  return in.complete();
}

TEST(Archive, WhatIsReadIsWhatWasWritten) {
  Outer o;
  ASSERT_TRUE(read(bytes_of(example()), o));
  EXPECT_EQ(o.number, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(o.color, Color::kBlue);
  EXPECT_TRUE(o.flag);
  EXPECT_EQ(o.time, Nanos{7});
  EXPECT_EQ(o.pair, (std::pair<std::string, std::int32_t>("left", -2)));
  EXPECT_EQ(o.text, std::string("a\0b", 3));
  EXPECT_FALSE(o.none);
  EXPECT_EQ(o.inners, example().inners);
  ASSERT_TRUE(o.error);
  EXPECT_EQ(o.error->text(), example().error->text());
}

TEST(Archive, ReplacesWhatTheTargetHad) {
  Outer o = example();
  o.none = Inner{"old", {1}};
  Outer plain;
  plain.number = -1;
  ASSERT_TRUE(read(bytes_of(plain), o));
  EXPECT_FALSE(o.text || o.none || o.error || o.flag);
  EXPECT_TRUE(o.inners.empty());
}

TEST(Archive, CutAndPaddedBytesAreNoValue) {
  const std::string good = bytes_of(example());
  Outer o;
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(read(std::string_view(good).substr(0, size), o)) << size;
  EXPECT_FALSE(read(good + '\0', o));
}

TEST(Archive, NoChangedByteDoesHarm) {
  const std::string good = bytes_of(example());
  for (std::size_t at = 0; at < good.size(); ++at)
    for (const char byte : {'\xFF', '\x80', '\x7F', '\x01', '\0'}) {
      std::string changed = good;
      changed[at] = byte;
      Outer o;
      if (read(changed, o)) {
        EXPECT_LE(o.inners.size(), good.size());
      }
    }
}

TEST(Archive, ACountAboveTheBytesThatAreLeftIsRefused) {
  for (const std::uint64_t count : {std::uint64_t{2}, std::uint64_t{1} << 60, ~std::uint64_t{0}}) {
    Encoder out;
    out(count, 'x');
    const std::string bytes = out.take();
    std::string text = "old";
    std::vector<Inner> inners(3);
    EXPECT_FALSE(read(bytes, text));
    EXPECT_EQ(text, "");
    EXPECT_FALSE(read(bytes, inners));
    EXPECT_LE(inners.size(), 1U);
  }
}

TEST(Archive, AfterAFailureTheRestIsZero) {
  Encoder out;
  out(std::uint64_t{99}, std::int64_t{5});
  const std::string bytes = out.take();
  Decoder in(bytes);
  std::string text;
  std::int64_t number = 7;
  in(text, number);
  EXPECT_EQ(number, 0);
  EXPECT_FALSE(in.complete());
}

TEST(Archive, OnlyZeroAndOneAreABool) {
  bool value = false;
  EXPECT_TRUE(read(std::string_view("\1", 1), value));
  EXPECT_TRUE(value);
  EXPECT_FALSE(read(std::string_view("\2", 1), value));
}

TEST(Archive, AValueThatBreaksItsConstraintIsRefused) {
  Outer o = example();
  o.number = 0;
  EXPECT_FALSE(read(bytes_of(o), o));
}

TEST(Archive, AnErrorOfNoClassIsRefused) {
  Encoder out;
  out(true, ErrorClass{99});
  for (int i = 0; i < 6; ++i) out(std::string("x"));
  std::optional<Error> error;
  EXPECT_FALSE(read(out.take(), error));
}

}  // namespace
}  // namespace ridge::ipc
