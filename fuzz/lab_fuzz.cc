// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as what an agent or `ridge submit` sends, and as the description of a laboratory.
// The bytes are the same message however they are cut; what is read is written again and reads back
// equal. The first byte decides: t a description, g a greeting of its own, else behind one.
#include <string>
#include <string_view>
#include <vector>

#include "check.h"
#include "lab/agent/wire.h"
#include "lab/submit/describe_lab.h"
#include "lab/submit/lab_reader.h"
#include "record/toml.h"

namespace {

using namespace ridge::lab;
using ridge::fuzz::check;

template <typename T>
void check_message(const Frame& frame) {
  const auto message = unwire<T>(frame, "peer");
  if (!message.ok()) return check(message.error().code() == "RIDGE-LAB-0102");
  const std::string again = ridge::record::to_binary(*message);
  check(ridge::record::from_binary<T>(again).has_value());
}

void check_as_all(const Frame& frame) {
  check_message<Job>(frame);
  check_message<FilePart>(frame);
  check_message<Run>(frame);
  check_message<Stop>(frame);
  check_message<Facts>(frame);
  check_message<Wanted>(frame);
  check_message<Plan>(frame);
  check_message<Alive>(frame);
  check_message<ProgressLine>(frame);
  check_message<StorePart>(frame);
  check_message<Done>(frame);
  check_message<Fault>(frame);
}

/// Frames in bytes that come in pieces of `step`, and the code of the error that ended them.
struct Read {
  std::vector<Frame> frames;
  std::string code;
};

Read read_all(std::string_view bytes, std::size_t step) {
  FrameReader reader("peer");
  Read out;
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    reader.feed(bytes.substr(at, step));
    for (;;) {
      auto frame = reader.next();
      if (!frame.ok()) {
        check(!frame.error().text().empty());
        out.code = frame.error().code();
        return out;
      }
      if (!*frame) break;
      out.frames.push_back(std::move(**frame));
    }
  }
  return out;
}

void check_frames(std::string_view bytes) {
  const Read whole = read_all(bytes, bytes.size() + 1), pieces = read_all(bytes, 7);
  // Noise is bounded when it comes, so that cut noise may be refused before a greeting follows.
  if (bytes.size() < kMaxNoise) {
    check(whole.code == pieces.code && whole.frames.size() == pieces.frames.size());
    for (std::size_t i = 0; i < whole.frames.size(); ++i)
      check(whole.frames[i].payload == pieces.frames[i].payload);
  }
  for (const Frame& frame : whole.frames) check_as_all(frame);
}

void check_lab(std::string_view text) {
  const auto lab = parse_lab(text);
  if (!lab.ok()) return check(!lab.error().text().empty());
  for (const Host& host : lab->hosts) check(!host.ssh.starts_with('-') && !host.name.empty());
  const auto again = parse_lab(ridge::record::toml_text(*lab));
  check(!again.ok() || again->hosts.size() == lab->hosts.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] == 't') return check_lab(text), 0;
  check_frames(data[0] == 'g' ? std::string(text) : greeting() + std::string(text));
  return 0;
}
