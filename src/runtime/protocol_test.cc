// Protocol between ridge and its child: messages arrive unchanged, and invalid ones are rejected.
#include "runtime/protocol.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "base/clock.h"
#include "ipc/channel.h"
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

class ChannelTest : public testing::Test {
 protected:
  ChannelTest() {
    int ends[2] = {};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    here_ = ipc::Channel(ipc::Descriptor(ends[0]));
    there_ = ipc::Channel(ipc::Descriptor(ends[1]));
  }
  static Nanos soon() { return steady_clock().now() + Nanos{50'000'000}; }
  static Nanos later() { return steady_clock().now() + Nanos{10'000'000'000}; }
  ipc::Channel here_, there_;
};

TEST_F(ChannelTest, CarriesLongMessagesAndManyFiles) {
  const std::string payload(std::size_t{9} << 20, 'p');
  const ipc::SharedMemory memory = expect_ok(ipc::SharedMemory::make(8));
  memory.bytes()[0] = std::byte{42};
  const std::vector<int> files(450, memory.descriptor.get());
  std::jthread sender([&] { expect_ok(here_.send(Kind::kLoad, payload, files)); });
  const ipc::Received received = there_.receive(later());
  ASSERT_EQ(received.outcome, ipc::Received::Outcome::kMessage);
  EXPECT_EQ(received.message.kind, Kind::kLoad);
  EXPECT_EQ(received.message.payload, payload);
  ASSERT_EQ(received.message.files.size(), 450U);
  const ipc::Mapping mapping = expect_ok(
      ipc::Mapping::map(received.message.files[449].get(), 8, ipc::Mapping::Access::kRead));
  EXPECT_EQ(mapping.bytes()[0], std::byte{42});
}

TEST_F(ChannelTest, TellsSilenceFromAnEndFromNonsense) {
  EXPECT_EQ(there_.receive(soon()).outcome, ipc::Received::Outcome::kTimeout);
  const std::string essay = "once upon a time there was a runtime";
  ASSERT_GT(::write(here_.descriptor(), essay.data(), essay.size()), 0);
  EXPECT_EQ(there_.receive(later()).outcome, ipc::Received::Outcome::kGarbage);
  here_.close();
  EXPECT_EQ(ipc::Channel(std::move(there_)).receive(later()).outcome,
            ipc::Received::Outcome::kGarbage);
}

TEST_F(ChannelTest, AnEndInTheMiddleIsAnEnd) {
  expect_ok(here_.send(Kind::kReply, "0123456789"));
  char header[20];
  ASSERT_EQ(::read(there_.descriptor(), header, sizeof(header)), 20);  // 6 bytes remain
  ASSERT_EQ(::write(there_.descriptor(), header, 20), 20);
  there_.close();
  EXPECT_EQ(here_.receive(later()).outcome, ipc::Received::Outcome::kClosed);
  EXPECT_FALSE(here_.send(Kind::kReply, "x").ok());
}

TEST_F(ChannelTest, AMessageTooLongIsNotWaitedFor) {
  const std::uint32_t start[] = {0x65676472, 100};
  const std::uint64_t size = ipc::Channel::kLimit + 1;
  ASSERT_EQ(::write(here_.descriptor(), start, 8), 8);
  ASSERT_EQ(::write(here_.descriptor(), &size, 8), 8);
  EXPECT_EQ(there_.receive(later()).outcome, ipc::Received::Outcome::kGarbage);
}

}  // namespace
}  // namespace ridge::runtime
