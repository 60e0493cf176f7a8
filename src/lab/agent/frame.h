// SPDX-License-Identifier: Apache-2.0
// Frames between `ridge submit` and `ridge agent`, both ways over a pair of pipes.
//
//   out += greeting() + frame_bytes(Kind::kRun, record::to_binary(call));
//   FrameReader reader("b2");
//   reader.feed(bytes_that_came);
//   while (auto frame = TRY(reader.next())) use(*frame);
//
// Each side first writes a line with the protocol's number and its version of ridge. What a login
// shell prints before that line is skipped, up to kMaxNoise bytes. Only equal versions talk to each
// other, because the messages are records in binary (messages.h). A frame states its length, which
// is refused above kMaxPayload before memory is taken for it. Both sides are little-endian.
//
// Errors (environment class): RIDGE-LAB-0100 (no greeting), 0101 (another version), 0102 (a frame
// that is none). After an error the reader stays unusable. Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridge::lab {

inline constexpr std::uint32_t kProtocol = 2;
inline constexpr std::size_t kMaxNoise = std::size_t{64} << 10;
inline constexpr std::size_t kMaxPayload = std::size_t{4} << 20;
/// Bytes of a file in one frame.
inline constexpr std::size_t kFilePart = std::size_t{1} << 20;

struct Frame {
  std::uint32_t kind = 0;  ///< Kind of messages.h
  std::string payload;
};

/// `peer` sent what cannot be read: `what` says it.
Error no_message(const std::string& peer, const std::string& what);

/// The line of this program, with a line break before it: noise may lack one at its end.
std::string greeting();
/// Greeting of any version.
std::string greeting_of(std::uint32_t protocol, std::string_view version);

/// `payload`: at most kMaxPayload bytes.
std::string frame_bytes(std::uint32_t kind, std::string_view payload);

class FrameReader {
 public:
  /// `peer`: who writes, for messages.
  explicit FrameReader(std::string peer) : peer_(std::move(peer)) {}

  void feed(std::string_view bytes) { left_ += bytes; }
  /// nullopt: more bytes are needed.
  Result<std::optional<Frame>> next();
  bool greeted() const { return greeted_; }
  /// Text that came before the greeting, or so far; at most its last lines.
  std::string noise() const;

 private:
  Result<bool> read_greeting();
  Result<void> check_greeting(std::string_view line) const;

  std::string peer_, left_, noise_;
  bool greeted_ = false;
};

}  // namespace ridge::lab
