// --traffic, --cache and --fuse as written on the command line, and what stands in for a size of
// the cache that nobody gave.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/traffic.h"
#include "base/result.h"

namespace CLI {
class App;
}

namespace ridge::cli {

struct TrafficFlags {
  bool traffic = false;    ///< asked for with everything else as it comes
  std::string cache = {};  ///< "32MiB"; empty: this machine's
  std::string fuse = {};   ///< "none", "epilogue", "runtime"; empty: none

  bool asked() const { return traffic || !cache.empty() || !fuse.empty(); }
};

void add_traffic_flags(CLI::App& app, TrafficFlags& flags);

/// "32MiB", "512KiB", "1GiB", "30MB", "100kB", "4096B" or "4096". Errors: usage class.
Result<std::int64_t> parse_bytes(std::string_view flag, std::string_view text);

struct TrafficAsked {
  analysis::TrafficModel model;
  std::string_view cache_from;  ///< "given", "machine" or "assumed"
};

/// nullopt where no flag asks for it. A cache that is not given is the last level of this machine
/// (one instance), or 32 MiB where the machine does not say. Cost of asking it: a millisecond.
Result<std::optional<TrafficAsked>> traffic_asked(const TrafficFlags& flags);

}  // namespace ridge::cli
