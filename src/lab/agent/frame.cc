// SPDX-License-Identifier: Apache-2.0
#include "lab/agent/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/number.h"
#include "base/text.h"
#include "base/version.h"

namespace ridge::lab {
namespace {

static_assert(std::endian::native == std::endian::little, "frames are little-endian");

constexpr std::string_view kGreetingWord = "RIDGE-LAB ";
constexpr std::size_t kLongestGreeting = 100, kShownNoise = 300;

struct FrameHeader {
  std::uint32_t kind = 0, bytes = 0;
};

/// Where a line with the magic begins; npos if there is none yet.
std::size_t find_greeting(std::string_view text) {
  if (text.starts_with(kGreetingWord)) return 0;
  const std::size_t at = text.find(fmt::format("\n{}", kGreetingWord));
  return at == std::string_view::npos ? at : at + 1;
}

}  // namespace

Error no_message(const std::string& peer, const std::string& what) {
  return environment_error("RIDGE-LAB-0102", fmt::format("{} sent what is no message", peer))
      .evidence(what)
      .hint("let nothing else write to the agent's standard output");
}

std::string greeting_of(std::uint32_t protocol, std::string_view version) {
  return fmt::format("\n{}{} {}\n", kGreetingWord, protocol, version);
}

std::string greeting() { return greeting_of(kProtocol, version()); }

std::string frame_bytes(std::uint32_t kind, std::string_view payload) {
  const FrameHeader header{kind, static_cast<std::uint32_t>(payload.size())};
  std::string out(sizeof header, '\0');
  std::memcpy(out.data(), &header, sizeof header);
  out += payload;
  return out;
}

std::string FrameReader::noise() const {
  const std::string_view text = noise_.empty() && !greeted_ ? left_ : noise_;
  return printable(text.substr(text.size() - std::min(text.size(), kShownNoise)));
}

Result<void> FrameReader::check_greeting(std::string_view line) const {
  const std::string_view rest = line.substr(kGreetingWord.size());
  const std::size_t blank = std::min(rest.find(' '), rest.size());
  const auto protocol = whole_number<std::uint32_t>(rest.substr(0, blank));
  const std::string_view theirs = rest.substr(std::min(blank + 1, rest.size()));
  if (protocol == kProtocol && theirs == version()) return {};
  return environment_error("RIDGE-LAB-0101", fmt::format("{} has another version of ridge", peer_))
      .evidence(fmt::format("ridge {} with protocol {} there, ridge {} with protocol {} here",
                            printable(theirs), printable(rest.substr(0, blank)), version(),
                            kProtocol))
      .hint("install the same version on both");
}

Result<bool> FrameReader::read_greeting() {
  const std::size_t at = find_greeting(left_);
  const std::size_t end = at == std::string::npos ? at : left_.find('\n', at);
  if (end != std::string::npos) {
    TRY(check_greeting(std::string_view(left_).substr(at, end - at)));
    noise_ = left_.substr(0, at);
    left_.erase(0, end + 1);
    greeted_ = true;
    return true;
  }
  if (left_.size() <= kMaxNoise + kLongestGreeting) return false;
  return environment_error("RIDGE-LAB-0100", fmt::format("{} answers, but not as an agent", peer_))
      .evidence(fmt::format("it printed more than {} bytes before a greeting, at last '{}'",
                            kMaxNoise, noise()))
      .hint("let the login shell print nothing where it is not interactive");
}

Result<std::optional<Frame>> FrameReader::next() {
  if (!greeted_ && !TRY(read_greeting())) return std::optional<Frame>();
  FrameHeader header;
  if (left_.size() < sizeof header) return std::optional<Frame>();
  std::memcpy(&header, left_.data(), sizeof header);
  if (header.bytes > kMaxPayload)
    return no_message(peer_,
                      fmt::format("a frame of {} bytes, of {} at most", header.bytes, kMaxPayload));
  if (left_.size() - sizeof header < header.bytes) return std::optional<Frame>();
  Frame frame{header.kind, left_.substr(sizeof header, header.bytes)};
  left_.erase(0, sizeof header + header.bytes);
  return std::optional(std::move(frame));
}

}  // namespace ridge::lab
