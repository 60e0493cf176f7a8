// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/push/http_answer.h"

#include <gtest/gtest.h>

namespace ridge::lab::serve {
namespace {

std::string told_answer(const ParsedAnswer& parsed) {
  switch (parsed.state) {
    case AnswerState::kWhole:
      return std::to_string(parsed.answer.status) + " '" + parsed.answer.body + "'";
    case AnswerState::kPartial:
      return "partial";
    case AnswerState::kCut:
      return "cut";
    case AnswerState::kBad:
      break;
  }
  return "bad: " + parsed.why;
}

std::string parsed_open(std::string_view text) { return told_answer(parse_answer(text, false)); }
std::string parsed_ended(std::string_view text) { return told_answer(parse_answer(text, true)); }

TEST(HttpAnswer, HasABodyOfAStatedLength) {
  EXPECT_EQ(parsed_open("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"), "200 '{}'");
  EXPECT_EQ(parsed_open("HTTP/1.0 404\r\ncontent-length:0\r\n\r\n"), "404 ''");
  EXPECT_EQ(parsed_open("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1"), "200 '{}'");
  EXPECT_EQ(parsed_open("HTTP/1.1 204 No Content\r\n\r\n"), "204 ''");
}

TEST(HttpAnswer, HasABodyInChunks) {
  const std::string header = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(parsed_open(header + "1\r\n{\r\n1;name=x\r\n}\r\n0\r\n\r\n"), "200 '{}'");
  EXPECT_EQ(parsed_open(header + "A\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n"), "200 '0123456789'");
  EXPECT_EQ(parsed_open(header + "2\r\n{}\r\n0\r\n"), "partial");
  EXPECT_EQ(parsed_open(header + "2\r\n{}xx0\r\n\r\n"), "bad: a chunk of its body has no end");
  for (const char* size : {"\r\n", "x\r\n", "-1\r\n", "0x2\r\n", "fffffffffffffffff\r\n"})
    EXPECT_EQ(parsed_open(header + size), "bad: a chunk of its body has no length") << size;
  EXPECT_EQ(parsed_open(header + "ffffffff\r\n"), "bad: it is larger than 65536 bytes");
}

TEST(HttpAnswer, HasABodyUntilTheConnectionEnds) {
  EXPECT_EQ(parsed_open("HTTP/1.1 200 OK\r\n\r\n{}"), "partial");
  EXPECT_EQ(parsed_ended("HTTP/1.1 200 OK\r\n\r\n{}"), "200 '{}'");
}

TEST(HttpAnswer, ComesAfterInterimOnes) {
  EXPECT_EQ(parsed_open("HTTP/1.1 100 Continue\r\n\r\n"), "partial");
  EXPECT_EQ(
      parsed_open("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
      "200 ''");
}

TEST(HttpAnswer, SaysWhenToAskAgain) {
  const auto wait = [](std::string_view value) {
    return parse_answer("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nRetry-After: " +
                            std::string(value) + "\r\n\r\n",
                        false)
        .answer.retry_after_s;
  };
  EXPECT_EQ(wait("7"), 7);
  EXPECT_EQ(wait("Fri, 31 Dec 1999 23:59:59 GMT"), std::nullopt);
}

/// Every beginning of an answer is partial, and cut where the connection ends there.
TEST(HttpAnswer, IsNeverWholeBeforeItsEnd) {
  for (const std::string& whole :
       {std::string("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"),
        std::string(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")}) {
    for (std::size_t n = 0; n < whole.size(); ++n) {
      EXPECT_EQ(parsed_open(whole.substr(0, n)), "partial") << n;
      EXPECT_EQ(parsed_ended(whole.substr(0, n)), "cut") << n;
    }
    EXPECT_EQ(parsed_open(whole), "200 'hello'");
  }
}

TEST(HttpAnswer, IsRefusedWhereItIsNone) {
  for (const char* line : {"SSH-2.0-OpenSSH_9.2", "HTTP/2 200", "HTTP/1.1 20", "HTTP/1.1 2000",
                           "HTTP/1.1 099 OK", "HTTP/1.1 600 OK", "HTTP/1.1 -20 OK", "http/1.1 200"})
    EXPECT_EQ(parsed_open(std::string(line) + "\r\n\r\n"),
              "bad: it does not begin as HTTP/1.1 does")
        << line;
  const std::string start = "HTTP/1.1 200 OK\r\n";
  for (const char* line : {"no field", ": x", "a b: c", " folded: x"})
    EXPECT_EQ(parsed_open(start + line + "\r\n\r\n"), "bad: a line of its header is not one")
        << line;
  for (const char* length : {"", "-1", "1x", "99999999999999999999", "1\r\nContent-Length: 1"})
    EXPECT_EQ(parsed_open(start + "Content-Length: " + length + "\r\n\r\n"),
              "bad: not one length of its body")
        << length;
  EXPECT_EQ(parsed_open(start + "Content-Length: 65537\r\n\r\n"),
            "bad: it is larger than 65536 bytes");
  EXPECT_EQ(parsed_open(start + "Transfer-Encoding: gzip\r\n\r\n"),
            "bad: an unknown encoding of its body");
  EXPECT_EQ(parsed_open(start + "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n"),
            "bad: two lengths of its body");
}

TEST(HttpAnswer, EndsWhereAHeaderDoesNot) {
  EXPECT_EQ(parsed_open("HTTP/1.1 200 OK\r\n" + std::string(kAnswerBytes, 'a')),
            "bad: it is larger than 65536 bytes");
  std::string interim;
  while (interim.size() <= kAnswerBytes) interim += "HTTP/1.1 100 Continue\r\n\r\n";
  EXPECT_EQ(parsed_open(interim), "bad: it is larger than 65536 bytes");
}

}  // namespace
}  // namespace ridge::lab::serve
