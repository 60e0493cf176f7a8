// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/push/delivery.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "ipc/descriptor.h"

namespace ridge::lab::serve {
namespace {

std::string told_delivery(const Delivery& sent) {
  return fmt::format("{} {} '{}'",
                     sent.accepted  ? "accepted"
                     : sent.stopped ? "stopped"
                                    : "given up",
                     sent.rejected, sent.why);
}

/// Takes the port of a socket that does not listen, so that nobody else has it.
class Unanswered {
 public:
  Unanswered() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    EXPECT_EQ(::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    collector_ = {.host = "127.0.0.1", .port = ntohs(address.sin_port), .path = "/v1/traces"};
  }
  const Collector& collector() const { return collector_; }
  /// From now on connections are taken, and never answered.
  void listen() { EXPECT_EQ(::listen(socket_.get(), 1), 0); }

 private:
  ipc::Descriptor socket_;
  Collector collector_;
};

TEST(Delivery, IsAcceptedByAnAnswerOfOtlp) {
  EXPECT_EQ(told_delivery(read_acceptance("")), "accepted 0 ''");
  EXPECT_EQ(told_delivery(read_acceptance("{}")), "accepted 0 ''");
  EXPECT_EQ(told_delivery(read_acceptance(R"({"partialSuccess":{}})")), "accepted 0 ''");
  EXPECT_EQ(told_delivery(read_acceptance(
                R"({"partialSuccess":{"rejectedSpans":"3","errorMessage":"a\nb"}})")),
            "accepted 3 'a\\x0ab'");
  EXPECT_EQ(told_delivery(read_acceptance(R"({"partialSuccess":{"rejectedSpans":3}})")),
            "accepted 3 ''");
}

TEST(Delivery, IsNotAcceptedByAnotherAnswer) {
  EXPECT_EQ(told_delivery(read_acceptance("<html>")),
            "given up 0 'what it answers is not OTLP: <html>'");
  EXPECT_EQ(told_delivery(read_acceptance("[]")), "given up 0 'what it answers is not OTLP: []'");
  for (const char* count : {"-1", "\"x\"", "1.5", "null", "\"99999999999999999999\""})
    EXPECT_EQ(told_delivery(read_acceptance(
                  fmt::format(R"({{"partialSuccess":{{"rejectedSpans":{}}}}})", count))),
              "given up 0 'the number of rejected spans is none'")
        << count;
}

TEST(Delivery, IsGivenUpWhereNobodyListens) {
  const Unanswered away;
  EXPECT_EQ(told_delivery(deliver(away.collector(), "{}", std::chrono::milliseconds{300},
                                  [] { return false; })),
            "given up 0 'Connection refused'");
}

TEST(Delivery, EndsWithTheServer) {
  Unanswered silent;
  silent.listen();
  int looks = 0;
  EXPECT_EQ(
      told_delivery(deliver(silent.collector(), "{}", kPushPatience, [&] { return ++looks > 2; })),
      "stopped 0 'the server ends'");
}

}  // namespace
}  // namespace ridge::lab::serve
