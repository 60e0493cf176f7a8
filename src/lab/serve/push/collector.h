// SPDX-License-Identifier: Apache-2.0
// The place that traces are pushed to: the address of a collector that takes OTLP over HTTP.
//
//   const Collector collector = TRY(parse_collector("http://127.0.0.1:4318"));
//   collector.text();       // "http://127.0.0.1:4318/v1/traces"
//
// A password in the address is refused and never repeated in a message: every user of the machine
// sees it in the list of processes. Errors: usage class, RIDGE-SERVE-0040 to 0042. Thread rule:
// pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridge::lab::serve {

struct Collector {
  std::string host;  ///< a name, or an address of IPv4 or IPv6, without brackets
  std::uint16_t port = 0;
  std::string path;  ///< with its query: "/v1/traces"

  /// "127.0.0.1:4318", "[::1]:4318"
  std::string authority() const;
  std::string text() const;
};

/// Without a path, or with "/", the path is the usual one of OTLP, /v1/traces.
Result<Collector> parse_collector(std::string_view url);

}  // namespace ridge::lab::serve
