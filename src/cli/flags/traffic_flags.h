// SPDX-License-Identifier: Apache-2.0
// Flags --traffic, --cache and --fuse, and the default size of the cache.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/traffic/traffic.h"
#include "base/result.h"
#include "cli/flags/flags.h"

namespace ridge::cli {

struct TrafficFlags {
  bool traffic = false;    ///< requested with the defaults of the other two
  std::string cache = {};  ///< "32MiB"; empty: this machine's
  std::string fuse = {};   ///< "none", "epilogue", "runtime"; empty: none

  bool requested() const { return traffic || !cache.empty() || !fuse.empty(); }
};

void add_traffic_flags(Flags& flags, TrafficFlags& traffic);

/// Parses "32MiB", "512KiB", "1GiB", "30MB", "100kB", "4096B" or "4096"; K, M, G and T are binary.
/// Errors: usage class.
Result<std::int64_t> parse_bytes(std::string_view flag, std::string_view text);

struct TrafficRequest {
  analysis::TrafficModel model;
  std::string_view cache_from;  ///< source of the size: "given", "machine" or "assumed"
};

/// nullopt if no flag requests it. Without --cache, the size is one instance of this machine's
/// last-level cache, which takes a millisecond to read, or 32 MiB if it is unknown.
Result<std::optional<TrafficRequest>> traffic_request(const TrafficFlags& flags);

}  // namespace ridge::cli
