// SPDX-License-Identifier: Apache-2.0
// Protocol between ridge and its child: messages arrive unchanged, and invalid ones are rejected.
#include "runtime/protocol.h"

#include <gtest/gtest.h>

#include "runtime/messages.h"
#include "runtime/testing/expect.h"

namespace ridge::runtime {
namespace {

BatchReply example() {
  BatchReply reply;
  reply.rounds_done = 3;
  reply.part.samples = {{Mode::kProfiled, 2, Nanos{5}, Nanos{7}, Nanos{9}, 0.5, -1}};
  reply.part.kernels = {{"conv\0x", "Conv", "CPU", "[{}]"}};
  reply.part.profiled = {{0, 77, {{0, kNone, 1, 2, 3, 4, -5}, {0, 0, 1, 2, 3, 4, 5}}}};
  reply.part.threads = {{77, "worker"}};
  reply.part.counters = {{"page-faults", "", "perf software", ""}};
  reply.part.deep = {{0, 1, 1, {{0, 5, -1, 2}}, {{0, 9, 3, 4}}}};
  reply.part.failure =
      input_error("RIDGE-X-0001", "broken").in("node 3").in_file("m.onnx").hint("h");
  return reply;
}

TEST(Protocol, WhatIsReadIsWhatWasWritten) {
  const BatchReply reply = expect_ok(decode<BatchReply>(encode(example())));
  EXPECT_EQ(reply.rounds_done, 3U);
  EXPECT_EQ(reply.part.samples[0].wall, Nanos{7});
  EXPECT_EQ(reply.part.profiled[0].events[0].exclusive_ns, -5);
  EXPECT_EQ(reply.part.profiled[0].events[0].parent, kNone);
  EXPECT_EQ(reply.part.threads[0].name, "worker");
  EXPECT_EQ(reply.part.counters[0].origin, "perf software");
  EXPECT_EQ(reply.part.deep[0].threads[0].wait_ns, -1);
  EXPECT_EQ(reply.part.deep[0].counters[0].running_ns, 4);
  ASSERT_TRUE(reply.part.failure.has_value());
  EXPECT_EQ(reply.part.failure->text(),
            "error: m.onnx: node 3: broken\n  hint: h\n  [RIDGE-X-0001]\n");
}

TEST(Protocol, EveryCutMessageIsRefused) {
  const std::string good = encode(example());
  for (std::size_t length = 0; length < good.size(); ++length) {
    EXPECT_FALSE(decode<BatchReply>(std::string_view(good).substr(0, length)).ok());
  }
  EXPECT_FALSE(decode<BatchReply>(good + "x").ok());
}

TEST(Protocol, NoChangedMessageDoesHarm) {
  const std::string good = encode(example());
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const char byte : {'\xFF', '\x7F', '\x01', '\0'}) {
      std::string changed = good;
      changed[at] = byte;
      Result<BatchReply> reply = decode<BatchReply>(changed);
      if (!reply) continue;
      Measurement total;
      append(total, std::move(reply->part));  // checks positions
    }
  }
}

TEST(Protocol, ValuesThatAnEnumerationDoesNotHaveAreRefused) {
  SentError error{.error_class = ErrorClass::kBug, .code = "RIDGE-X-0001"};
  EXPECT_TRUE(decode<SentError>(encode(error)).ok());
  error.error_class = ErrorClass{99};
  EXPECT_EQ(decode<SentError>(encode(error)).error().code(), "RIDGE-RT-0014");
  error.error_class = ErrorClass{-1};
  EXPECT_FALSE(decode<SentError>(encode(error)).ok());
  EXPECT_TRUE(decode<Sample>(encode(Sample{.mode = Mode::kDeepest})).ok());
  EXPECT_FALSE(decode<Sample>(encode(Sample{.mode = Mode{10}})).ok());
}

TEST(Protocol, SequencesKeepTheirTensors) {
  const InputTensor input{
      .name = "x",
      .kind = RIDGE_SEQUENCE,
      .members = {{.name = "y", .dims = {2}, .offset = 64, .bytes = 8}, {.name = "z"}}};
  const InputTensor read = expect_ok(decode<InputTensor>(encode(input)));
  EXPECT_EQ(read.kind, RIDGE_SEQUENCE);
  ASSERT_EQ(read.members.size(), 2U);
  EXPECT_EQ(read.members[0].dims, (std::vector<std::int64_t>{2}));
  EXPECT_EQ(read.members[0].offset, 64);
  EXPECT_EQ(read.members[1].name, "z");
}

TEST(Protocol, PositionsThatPointNowhereAreRefused) {
  const auto with = [](auto change) {
    Measurement part = example().part;
    change(part);
    Measurement total;
    return append(total, std::move(part));
  };
  EXPECT_TRUE(with([](Measurement&) {}));
  EXPECT_FALSE(with([](Measurement& m) { m.profiled[0].sample = 1; }));
  EXPECT_FALSE(with([](Measurement& m) { m.profiled[0].events[0].kernel = 1; }));
  EXPECT_FALSE(with([](Measurement& m) { m.profiled[0].events[0].parent = 2; }));
  EXPECT_FALSE(with([](Measurement& m) { m.deep[0].sample = 1; }));
  EXPECT_FALSE(with([](Measurement& m) { m.deep[0].threads[0].thread = 1; }));
  EXPECT_FALSE(with([](Measurement& m) { m.deep[0].counters[0].counter = 1; }));
}

}  // namespace
}  // namespace ridge::runtime
