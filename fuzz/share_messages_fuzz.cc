// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as what a client or a daemon of `ridge share` sends, or a loading child. The
// frames are the same however the bytes are cut; what is read is written again and reads back
// equal.
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "check.h"
#include "record/binary.h"
#include "sharing/record/describe_messages.h"
#include "sharing/record/load_messages.h"
#include "sharing/run/line.h"

namespace {

using namespace ridge::sharing;
using ridge::fuzz::check;

/// Greater than any of the inputs, so that all bytes fit into the socket at once.
constexpr std::size_t kMostBytes = 32 << 10;

template <typename T>
void check_as(std::string_view payload) {
  const auto message = ridge::record::from_binary<T>(payload);
  if (!message) return;
  const std::string again = ridge::record::to_binary(*message);
  const auto twice = ridge::record::from_binary<T>(again);
  check(twice.has_value() && ridge::record::to_binary(*twice) == again);
}

void check_payload(std::string_view payload) {
  check_as<Hello>(payload);
  check_as<Ask>(payload);
  check_as<Grant>(payload);
  check_as<Later>(payload);
  check_as<Failure>(payload);
  check_as<Done>(payload);
  check_as<Listing>(payload);
  check_as<LoadFile>(payload);
  check_as<FileLoaded>(payload);
}

struct ReadFrames {
  std::vector<LineFrame> frames;
  Line::State state = Line::State::kOpen;
};

/// Frames of bytes that are sent in pieces of `step`.
ReadFrames read_frames(std::string_view bytes, std::size_t step) {
  std::array<int, 2> ends{};
  check(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) == 0);
  const ridge::ipc::Descriptor sender(ends[0]);
  Line line(ridge::ipc::Descriptor(ends[1]), {.most_payload = 4096, .most_files = 2});
  ReadFrames out;
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    const std::string_view piece = bytes.substr(at, step);
    check(::send(sender.get(), piece.data(), piece.size(), MSG_NOSIGNAL) ==
          static_cast<ssize_t>(piece.size()));
    line.read();
    while (auto frame = line.next()) out.frames.push_back(std::move(*frame));
    if (line.state() != Line::State::kOpen) break;
  }
  out.state = line.state();
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), std::min(size, kMostBytes));
  const ReadFrames whole = read_frames(bytes, bytes.size() + 1), pieces = read_frames(bytes, 501);
  check(whole.state == pieces.state && whole.frames.size() == pieces.frames.size());
  for (std::size_t i = 0; i < whole.frames.size(); ++i) {
    check(whole.frames[i].kind == pieces.frames[i].kind);
    check(whole.frames[i].payload == pieces.frames[i].payload);
    check_payload(whole.frames[i].payload);
  }
  check_payload(bytes);
  return 0;
}
