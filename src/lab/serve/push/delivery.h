// SPDX-License-Identifier: Apache-2.0
// A batch of traces to a collector, again and again while it is away or busy.
//
//   const Delivery sent = deliver(collector, line, kPushPatience, stopped);
//   if (!sent.accepted) say(sent.why);
//
// Tried again, after 0.25 s, 0.5 s, ... 8 s or what the collector asks for: connections that fail
// or break, and the answers 429, 502, 503 and 504. Every other answer but 2xx ends it at once, as
// OTLP has it. Thread rule: any thread; it is held up until the end.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "lab/serve/push/http_post.h"

namespace ridge::lab::serve {

inline constexpr std::chrono::milliseconds kPushPatience = std::chrono::minutes{1};

struct Delivery {
  bool accepted = false;
  bool stopped = false;       ///< neither accepted nor given up
  std::int64_t rejected = 0;  ///< spans that the collector refused of an accepted batch
  std::string why;  ///< why it was given up; of an accepted one what the collector remarks
};

/// `patience`: no try begins later than that.
Delivery deliver(const Collector& collector, std::string_view batch,
                 std::chrono::milliseconds patience, const Stopped& stopped);

/// Reads the body of an answer of success (ExportTraceServiceResponse as JSON).
Delivery read_acceptance(std::string_view body);

}  // namespace ridge::lab::serve
