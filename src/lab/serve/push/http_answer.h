// SPDX-License-Identifier: Apache-2.0
// An answer of HTTP/1.1 as hostile bytes: read within kAnswerBytes, refused where it is not one.
//
//   const ParsedAnswer parsed = parse_answer(received, /*ended=*/false);
//   if (parsed.state == AnswerState::kPartial) receive_more();
//
// The body's length is stated (Content-Length), comes in chunks, or is the rest until the
// connection ends; an answer that states two lengths is refused. Interim answers (1xx) are skipped.
// Thread rule: pure. Cost: linear in what was received.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ridge::lab::serve {

/// Most bytes of an answer, with its header.
inline constexpr std::size_t kAnswerBytes = std::size_t{64} << 10;

struct HttpAnswer {
  unsigned status = 0;
  std::optional<std::int64_t> retry_after_s;  ///< where it is stated as a number
  std::string body;
};

enum class AnswerState : std::uint8_t {
  kWhole,
  kPartial,  ///< more is needed
  kCut,      ///< more was needed, and the connection has ended
  kBad,      ///< no answer of HTTP/1.1, or a larger one
};

struct ParsedAnswer {
  AnswerState state = AnswerState::kBad;
  HttpAnswer answer;  ///< when it is whole
  std::string why;    ///< when it is bad or cut
};

/// `ended`: nothing follows.
ParsedAnswer parse_answer(std::string_view received, bool ended);

}  // namespace ridge::lab::serve
