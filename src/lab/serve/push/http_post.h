// SPDX-License-Identifier: Apache-2.0
// One request of HTTP/1.1 to a collector, over a connection of its own, within limits of time and
// bytes whatever the other side does.
//
//   const Posted posted = post_json(collector, body, [&] { return ends.load(); });
//   if (posted.outcome == PostOutcome::kAnswered) use(posted.answer);
//
// Follows no redirection. Thread rule: any thread. Cost: kConnectLimit for each address of the
// host and kAnswerLimit at most, beside the system's own limits for finding a name; once `stopped`
// says true, a tenth of a second.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "lab/serve/push/collector.h"
#include "lab/serve/push/http_answer.h"

namespace ridge::lab::serve {

inline constexpr std::chrono::seconds kConnectLimit{5};
/// From the connection to the whole answer.
inline constexpr std::chrono::seconds kAnswerLimit{10};

using Stopped = std::function<bool()>;

enum class PostOutcome : std::uint8_t {
  kAnswered,
  kUnreachable,  ///< no connection, or it broke or was silent
  kNoAnswer,     ///< bytes came that are no answer of HTTP/1.1
  kStopped,
};

struct Posted {
  PostOutcome outcome = PostOutcome::kUnreachable;
  HttpAnswer answer;
  std::string why;  ///< without an answer
};

Posted post_json(const Collector& collector, std::string_view body, const Stopped& stopped);

}  // namespace ridge::lab::serve
