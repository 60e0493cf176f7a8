// SPDX-License-Identifier: Apache-2.0
#include "sharing/run/line.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "base/clock.h"

namespace ridge::sharing {
namespace {

struct TwoLines {
  Line a, b;
};

TwoLines two_lines(LineLimits limits = {.most_payload = 1 << 20, .most_files = 8}) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()), 0);
  return {Line(ipc::Descriptor(ends[0]), limits), Line(ipc::Descriptor(ends[1]), limits)};
}

std::optional<LineFrame> get(Line& line) {
  return receive_frame(line, steady_clock().now() + Nanos{10'000'000'000});
}

ipc::Descriptor file_with(std::string_view text) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  EXPECT_EQ(::write(ends[1], text.data(), text.size()), std::ssize(text));
  ::close(ends[1]);
  return ipc::Descriptor(ends[0]);
}

std::string text_in(const ipc::Descriptor& file) {
  std::array<char, 100> out;
  const ssize_t got = ::read(file.get(), out.data(), out.size());
  return std::string(out.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
}

TEST(Line, FramesComeInTheirOrder) {
  TwoLines lines = two_lines();
  lines.a.send(3, "first");
  lines.a.send(4, "");
  lines.a.write();
  const auto first = get(lines.b), second = get(lines.b);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->kind, 3);
  EXPECT_EQ(first->payload, "first");
  EXPECT_EQ(second->kind, 4);
  EXPECT_EQ(second->payload, "");
}

TEST(Line, FilesComeWithTheirFrame) {
  TwoLines lines = two_lines();
  for (const char* text : {"one", "two"}) {
    std::vector<ipc::Descriptor> files;
    files.push_back(file_with(text));
    lines.a.send(1, "with a file", std::move(files));
    lines.a.send(2, "without");
  }
  lines.a.write();
  for (const char* text : {"one", "two"}) {
    const auto with = get(lines.b), without = get(lines.b);
    ASSERT_TRUE(with && without);
    ASSERT_EQ(with->files.size(), 1U);
    EXPECT_EQ(text_in(with->files[0]), text);
    EXPECT_TRUE(without->files.empty());
  }
}

TEST(Line, ALongFrameIsSentAsItIsRead) {
  TwoLines lines = two_lines();
  const std::string text(1 << 20, 'x');
  lines.a.send(1, text);
  EXPECT_EQ(lines.a.write(), Line::State::kOpen);
  EXPECT_TRUE(lines.a.has_queued());
  while (lines.a.has_queued()) {
    lines.b.read();
    lines.a.write();
  }
  const auto frame = get(lines.b);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->payload, text);
}

TEST(Line, WhatIsNoFrameIsGarbage) {
  TwoLines lines = two_lines();
  ASSERT_EQ(::send(lines.a.descriptor(), "GET / HTTP/1.1\r\n", 16, 0), 16);
  EXPECT_FALSE(get(lines.b));
  EXPECT_EQ(lines.b.state(), Line::State::kGarbage);
}

TEST(Line, MoreThanIsAllowedIsGarbage) {
  TwoLines lines = two_lines({.most_payload = 10, .most_files = 0});
  lines.a.send(1, "0123456789");
  lines.a.send(1, "0123456789x");
  lines.a.write();
  EXPECT_TRUE(get(lines.b));
  EXPECT_FALSE(get(lines.b));
  EXPECT_EQ(lines.b.state(), Line::State::kGarbage);
}

TEST(Line, FramesBeforeTheEndAreGivenOut) {
  TwoLines lines = two_lines();
  lines.a.send(1, "last");
  lines.a.write();
  lines.a = Line();
  const auto frame = get(lines.b);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->payload, "last");
  EXPECT_FALSE(get(lines.b));
  EXPECT_EQ(lines.b.state(), Line::State::kClosed);
}

TEST(Line, WhatWasSaidBeforeTheEndIsReadAlsoAfterAFailureToWrite) {
  TwoLines lines = two_lines();
  lines.a.send(1, "a reason");
  lines.a.write();
  lines.a = Line();
  lines.b.send(1, "too late");
  EXPECT_EQ(lines.b.write(), Line::State::kOpen);
  const auto frame = get(lines.b);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->payload, "a reason");
}

TEST(Line, OneThatIsNotReadClosesOnceItsQueueIsFull) {
  TwoLines lines = two_lines();
  const std::string text(1 << 20, 'x');
  for (int i = 0; i < 10; ++i) {
    lines.a.send(1, text);
    lines.a.write();
  }
  EXPECT_EQ(lines.a.state(), Line::State::kClosed);
}

}  // namespace
}  // namespace ridge::sharing
