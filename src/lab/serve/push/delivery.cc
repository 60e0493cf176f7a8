// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/push/delivery.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <thread>

#include "base/number.h"
#include "base/text.h"
#include "record/json_tree.h"

namespace ridge::lab::serve {
namespace {

using record::JsonNode;
using record::JsonTree;
using SteadyClock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kFirstWait{250}, kLongestWait{8000}, kStopLook{100};
constexpr std::size_t kShownOfAnswer = 200;

bool is_busy_status(unsigned status) {
  return status == 429 || status == 502 || status == 503 || status == 504;
}

Delivery given_up(std::string why) { return {.why = std::move(why)}; }

std::string told_status(const HttpAnswer& answer) {
  return answer.body.empty() ? fmt::format("it answered with {}", answer.status)
                             : fmt::format("it answered with {}: {}", answer.status,
                                           shorten(printable(answer.body), kShownOfAnswer));
}

/// The end of a delivery; nullopt: to be tried again.
std::optional<Delivery> end_of_try(const Posted& posted) {
  switch (posted.outcome) {
    case PostOutcome::kStopped:
      return Delivery{.stopped = true, .why = posted.why};
    case PostOutcome::kNoAnswer:
      return given_up(posted.why);
    case PostOutcome::kUnreachable:
      return std::nullopt;
    case PostOutcome::kAnswered:
      break;
  }
  if (is_busy_status(posted.answer.status)) return std::nullopt;
  if (posted.answer.status / 100 != 2) return given_up(told_status(posted.answer));
  return read_acceptance(posted.answer.body);
}

void sleep_until(SteadyClock::time_point until, const Stopped& stopped) {
  while (!stopped() && SteadyClock::now() < until) std::this_thread::sleep_for(kStopLook);
}

}  // namespace

Delivery read_acceptance(std::string_view body) {
  if (body.empty()) return {.accepted = true, .why = {}};
  const Result<JsonTree> tree = JsonTree::parse(body, {.bytes = kAnswerBytes});
  if (!tree.ok() || (*tree)[0].kind != JsonNode::Kind::kObject)
    return given_up("what it answers is not OTLP: " + shorten(printable(body), kShownOfAnswer));
  Delivery out{.accepted = true, .why = {}};
  const auto partial = tree->member(0, "partialSuccess");
  if (!partial) return out;
  if (const auto message = tree->member(*partial, "errorMessage");
      message && (*tree)[*message].kind == JsonNode::Kind::kText)
    out.why = shorten(printable(tree->text(*message)), kShownOfAnswer);
  if (const auto rejected = tree->member(*partial, "rejectedSpans")) {
    const auto count = whole_number(tree->raw(*rejected));
    if (!count || *count < 0) return given_up("the number of rejected spans is none");
    out.rejected = *count;
  }
  return out;
}

Delivery deliver(const Collector& collector, std::string_view batch, milliseconds patience,
                 const Stopped& stopped) {
  const SteadyClock::time_point last = SteadyClock::now() + patience;
  milliseconds wait = kFirstWait;
  while (true) {
    const Posted posted = post_json(collector, batch, stopped);
    if (auto end = end_of_try(posted)) return std::move(*end);
    const bool answered = posted.outcome == PostOutcome::kAnswered;
    const std::chrono::seconds asked_for(
        std::clamp<std::int64_t>(posted.answer.retry_after_s.value_or(0), 0,
                                 std::chrono::ceil<std::chrono::seconds>(patience).count() + 1));
    const SteadyClock::time_point next =
        SteadyClock::now() + std::max<milliseconds>(wait, asked_for);
    if (next > last) return given_up(answered ? told_status(posted.answer) : posted.why);
    sleep_until(next, stopped);
    wait = std::min(2 * wait, kLongestWait);
  }
}

}  // namespace ridge::lab::serve
