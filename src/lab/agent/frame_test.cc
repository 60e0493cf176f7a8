// SPDX-License-Identifier: Apache-2.0
#include "lab/agent/frame.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/version.h"
#include "lab/agent/wire.h"

namespace ridge::lab {
namespace {

/// Little-endian, written by hand.
std::string number(std::uint32_t n) {
  std::string out;
  for (int i = 0; i < 4; ++i) out += static_cast<char>(n >> (8 * i) & 0xff);
  return out;
}

std::string hello() { return fmt::format("\nRIDGE-LAB 2 {}\n", version()); }

TEST(Frame, HasKindLengthAndBytes) {
  EXPECT_EQ(frame_bytes(7, "abc"), number(7) + number(3) + "abc");
  EXPECT_EQ(greeting(), hello());
}

TEST(Frame, ComesByteByByte) {
  FrameReader reader("b2");
  std::string bytes = hello() + number(7) + number(3) + "abc" + number(8) + number(0);
  const char last = bytes.back();
  bytes.pop_back();
  std::vector<Frame> frames;
  for (const char c : bytes) {
    reader.feed({&c, 1});
    if (auto frame = reader.next().value()) frames.push_back(*frame);
  }
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(frames[0].kind, 7U);
  EXPECT_EQ(frames[0].payload, "abc");
  reader.feed({&last, 1});
  EXPECT_EQ(reader.next().value()->kind, 8U);
  EXPECT_FALSE(reader.next().value());
}

TEST(Frame, BehindNoiseOfALoginShell) {
  for (const char* noise :
       {"", "Welcome!\n", "no line end", "RIDGE-LAB is our lab\r\n", "\n\n\x1b[2J", "RIDGE-LA"}) {
    FrameReader reader("b2");
    reader.feed(noise + hello() + frame_bytes(3, "x"));
    const auto frame = reader.next();
    if (std::string_view(noise).starts_with("RIDGE-LAB ")) {
      EXPECT_EQ(frame.error().code(), "RIDGE-LAB-0101");  // a greeting of nobody
      continue;
    }
    ASSERT_TRUE(frame.ok()) << noise << frame.error().text();
    EXPECT_EQ(frame.value()->payload, "x") << noise;
  }
}

TEST(Frame, AnotherVersionIsNamed) {
  FrameReader reader("b2");
  reader.feed("motd\n\nRIDGE-LAB 2 9.9.9\n");
  EXPECT_EQ(reader.next().error().text(),
            fmt::format("error: b2 has another version of ridge\n"
                        "  ridge 9.9.9 with protocol 2 there, ridge {} with protocol 2 here\n"
                        "  hint: install the same version on both\n"
                        "  [RIDGE-LAB-0101]\n",
                        version()));
}

TEST(Frame, EndlessNoiseIsRefused) {
  FrameReader reader("b2");
  for (std::size_t sent = 0; sent < kMaxNoise; sent += 1000) {
    ASSERT_TRUE(reader.next().ok());
    reader.feed(std::string(999, 'x') + "\n");
  }
  reader.feed("the last line\n" + std::string(100, '.'));
  const auto end = reader.next();
  ASSERT_FALSE(end.ok());
  EXPECT_EQ(end.error().code(), "RIDGE-LAB-0100");
  EXPECT_NE(end.error().evidence().find("the last line"), std::string::npos);
}

TEST(Frame, OfMoreThanTheLimitIsRefusedBeforeItComes) {
  FrameReader reader("b2");
  reader.feed(hello() + number(1) + number(kMaxPayload + 1));
  EXPECT_EQ(reader.next().error().text(),
            "error: b2 sent what is no message\n"
            "  a frame of 4194305 bytes, of 4194304 at most\n"
            "  hint: let nothing else write to the agent's standard output\n"
            "  [RIDGE-LAB-0102]\n");
}

TEST(Wire, ReadsWhatItWrote) {
  Job job{.id = 3, .verb = "bench", .request = "verb = 'bench'\n", .is_json = false, .files = {}};
  job.files = {{"a/b.onnx", std::string(64, '0'), 12}};
  FrameReader reader("b2");
  reader.feed(greeting() + wire(Kind::kJob, job));
  const Frame frame = *reader.next().value();
  const Job same = unwire<Job>(frame, "b2").value();
  EXPECT_EQ(same.id, 3U);
  EXPECT_EQ(same.request, job.request);
  EXPECT_EQ(same.files, job.files);
}

TEST(Wire, EveryShorterMessageIsNone) {
  const std::string whole = record::to_binary(Done{7, 1, 12'345, "words"});
  EXPECT_TRUE(unwire<Done>({Kind::kDone, whole}, "b2").ok());
  for (std::size_t n = 0; n < whole.size(); ++n)
    EXPECT_EQ(unwire<Done>({Kind::kDone, whole.substr(0, n)}, "b2").error().code(),
              "RIDGE-LAB-0102");
  EXPECT_FALSE(unwire<Done>({Kind::kDone, whole + "x"}, "b2").ok());
}

TEST(Wire, AnErrorStaysWhole) {
  const Error error =
      input_error("RIDGE-X-0001", "message").evidence("evidence").hint("hint").in_file("a.toml");
  const Frame frame{Kind::kFault, record::to_binary(Fault{4, 2, error})};
  const Fault fault = unwire<Fault>(frame, "b2").value();
  EXPECT_EQ(fault.lease, 4U);
  EXPECT_EQ(fault.error->text(), error.text());
}

}  // namespace
}  // namespace ridge::lab
