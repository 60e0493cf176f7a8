// SPDX-License-Identifier: Apache-2.0
// Messages over a real socket pair: whole, in pieces, from a peer that is gone or speaks nonsense.
#include "ipc/channel.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string_view>
#include <thread>

#include "base/clock.h"

namespace ridge::ipc {
namespace {

using Outcome = Received::Outcome;

Nanos soon() { return steady_clock().now() + Nanos{30'000'000}; }
Nanos later() { return steady_clock().now() + Nanos{10'000'000'000}; }

class ChannelTest : public testing::Test {
 protected:
  ChannelTest() {
    int ends[2] = {};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    here_ = Channel(Descriptor(ends[0]));
    there_ = Channel(Descriptor(ends[1]));
  }
  void write_raw(std::string_view bytes) const {
    ASSERT_EQ(::write(here_.descriptor(), bytes.data(), bytes.size()), std::ssize(bytes));
  }
  /// The bytes that a message takes on the way.
  std::string bytes_of(std::uint32_t kind, const std::string& payload) {
    EXPECT_TRUE(there_.send(kind, payload).ok());
    std::string bytes(16 + payload.size(), '\0');
    EXPECT_EQ(::recv(here_.descriptor(), bytes.data(), bytes.size(), MSG_WAITALL),
              std::ssize(bytes));
    return bytes;
  }
  Channel here_, there_;
};

TEST_F(ChannelTest, KeepsMessagesApartAndInOrder) {
  const std::string binary("\0\xFFrdge", 6);
  for (std::uint32_t kind = 1; kind <= 3; ++kind)
    ASSERT_TRUE(here_.send(kind, kind == 2 ? "" : binary).ok());
  for (std::uint32_t kind = 1; kind <= 3; ++kind) {
    const Received received = there_.receive(later());
    ASSERT_EQ(received.outcome, Outcome::kMessage);
    EXPECT_EQ(received.message.kind, kind);
    EXPECT_EQ(received.message.payload, kind == 2 ? "" : binary);
    EXPECT_TRUE(received.message.files.empty());
  }
}

TEST_F(ChannelTest, CarriesLongMessagesAndManyFiles) {
  const std::string payload(std::size_t{5} << 20, 'p');
  const SharedMemory memory = SharedMemory::make(8).value();
  memory.bytes()[0] = std::byte{42};
  const std::vector<int> files(450, memory.descriptor.get());
  std::jthread sender([&] { EXPECT_TRUE(here_.send(7, payload, files).ok()); });
  const Received received = there_.receive(later());
  ASSERT_EQ(received.outcome, Outcome::kMessage);
  EXPECT_EQ(received.message.kind, 7U);
  EXPECT_EQ(received.message.payload, payload);
  ASSERT_EQ(received.message.files.size(), 450U);
  const int last = received.message.files[449].get();
  const Mapping mapping = Mapping::map(last, 8, Mapping::Access::kRead).value();
  EXPECT_EQ(mapping.bytes()[0], std::byte{42});
  EXPECT_NE(::fcntl(last, F_GETFD) & FD_CLOEXEC, 0) << "children must not inherit it";
}

TEST_F(ChannelTest, FilesBelongToTheMessageBehindThem) {
  const SharedMemory memory = SharedMemory::make(8).value();
  ASSERT_TRUE(here_.send(1, "a", {memory.descriptor.get()}).ok());
  ASSERT_TRUE(here_.send(2, "b").ok());
  EXPECT_EQ(there_.receive(later()).message.files.size(), 1U);
  EXPECT_TRUE(there_.receive(later()).message.files.empty());
}

TEST_F(ChannelTest, PutsAMessageTogetherFromSingleBytes) {
  const std::string bytes = bytes_of(5, "payload");
  std::jthread sender([&] {
    for (const char byte : bytes) write_raw({&byte, 1});
  });
  const Received received = there_.receive(later());
  ASSERT_EQ(received.outcome, Outcome::kMessage);
  EXPECT_EQ(received.message.kind, 5U);
  EXPECT_EQ(received.message.payload, "payload");
}

TEST_F(ChannelTest, TimesOutAtEveryPieceOfAMessage) {
  for (const std::size_t size : {0, 1, 15, 16, 20}) {
    int ends[2] = {};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    const Descriptor writer(ends[0]);
    Channel reader{Descriptor(ends[1])};
    const std::string bytes = bytes_of(5, "payload").substr(0, size);
    ASSERT_EQ(::write(writer.get(), bytes.data(), bytes.size()), std::ssize(bytes));
    EXPECT_EQ(reader.receive(soon()).outcome, Outcome::kTimeout) << size;
  }
}

TEST_F(ChannelTest, APeerThatGoesInTheMiddleIsGone) {
  const std::string bytes = bytes_of(5, "payload");
  write_raw(bytes);
  write_raw(std::string_view(bytes).substr(0, bytes.size() - 1));
  here_.close();
  EXPECT_EQ(there_.receive(later()).outcome, Outcome::kMessage) << "what it sent before counts";
  EXPECT_EQ(there_.receive(later()).outcome, Outcome::kClosed);
  const Result<void> sent = there_.send(1, "x");
  ASSERT_FALSE(sent.ok());
  EXPECT_EQ(sent.error().text(), "error: the other process is gone\n  [RIDGE-RT-0031]\n");
}

TEST_F(ChannelTest, IsReadableOnceThereAreBytesOrAnEnd) {
  EXPECT_FALSE(there_.readable(soon()));
  write_raw("x");
  EXPECT_TRUE(there_.readable(soon()));
  char byte = 0;
  ASSERT_EQ(::read(there_.descriptor(), &byte, 1), 1);
  here_.close();
  EXPECT_TRUE(there_.readable(soon()));
}

TEST_F(ChannelTest, BytesOfAnotherProtocolAreGarbage) {
  write_raw("once upon a time there was a runtime");
  EXPECT_EQ(there_.receive(later()).outcome, Outcome::kGarbage);
}

TEST_F(ChannelTest, AMessageTooLongIsNotWaitedFor) {
  std::string header = bytes_of(5, "");
  const std::uint64_t size = Channel::kLimit + 1;
  header.replace(8, 8, reinterpret_cast<const char*>(&size), 8);
  write_raw(header);
  EXPECT_EQ(there_.receive(later()).outcome, Outcome::kGarbage);
}

// The stated length is the sender's word: memory grows with what arrives.
TEST_F(ChannelTest, AStatedLengthTakesNoMemory) {
  std::string header = bytes_of(5, "");
  header.replace(8, 8, reinterpret_cast<const char*>(&Channel::kLimit), 8);
  write_raw(header);
  write_raw("few");
  const Received received = there_.receive(soon());
  EXPECT_EQ(received.outcome, Outcome::kTimeout);
  EXPECT_LE(received.message.payload.capacity(), std::size_t{16} << 20);
}

}  // namespace
}  // namespace ridge::ipc
