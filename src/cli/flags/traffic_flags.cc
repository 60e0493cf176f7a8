// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/traffic_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/checked.h"
#include "machine/host.h"

namespace ridge::cli {
namespace {

struct ByteUnit {
  std::string_view name;
  std::int64_t bytes;
};
constexpr std::array kByteUnits = {
    ByteUnit{"", 1},
    ByteUnit{"B", 1},
    ByteUnit{"kB", 1000},
    ByteUnit{"MB", 1'000'000},
    ByteUnit{"GB", 1'000'000'000},
    ByteUnit{"K", std::int64_t{1} << 10},
    ByteUnit{"M", std::int64_t{1} << 20},
    ByteUnit{"G", std::int64_t{1} << 30},
    ByteUnit{"KiB", std::int64_t{1} << 10},
    ByteUnit{"MiB", std::int64_t{1} << 20},
    ByteUnit{"GiB", std::int64_t{1} << 30},
    ByteUnit{"T", std::int64_t{1} << 40},
};

}  // namespace

Result<std::int64_t> parse_bytes(std::string_view flag, std::string_view text) {
  std::int64_t number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  const auto* unit = std::find_if(kByteUnits.begin(), kByteUnits.end(),
                                  [rest](const ByteUnit& u) { return u.name == rest; });
  const auto bytes = error == std::errc() && number >= 0 && unit != kByteUnits.end()
                         ? checked_mul(number, unit->bytes)
                         : std::nullopt;
  if (bytes) return *bytes;
  return usage_error("RIDGE-CLI-0104", fmt::format("{}: invalid number of bytes '{}'", flag, text))
      .hint(fmt::format("write it as {0} 32MiB, {0} 512KiB or {0} 30MB", flag));
}

void add_traffic_flags(Flags& flags, TrafficFlags& traffic) {
  flags.add("--traffic", traffic.traffic, "also estimate the memory traffic, in bytes");
  flags.add("--cache", traffic.cache, "size of the last-level cache: 32MiB (this machine's)");
  flags.add("--fuse", traffic.fuse, "which operators are fused: none, epilogue or runtime")
      .one_of({"none", "epilogue", "runtime"});
}

Result<std::optional<TrafficRequest>> traffic_request(const TrafficFlags& flags) {
  if (!flags.requested()) return std::optional<TrafficRequest>();
  TrafficRequest request;
  if (flags.fuse == "epilogue") request.model.fuse = analysis::Fuse::kEpilogue;
  if (flags.fuse == "runtime") request.model.fuse = analysis::Fuse::kRuntime;
  if (!flags.cache.empty()) {
    request.model.cache_bytes = TRY(parse_bytes("--cache", flags.cache));
    request.cache_from = "given";
    return std::optional(request);
  }
  request.model.cache_bytes = std::int64_t{32} << 20;
  request.cache_from = "assumed";
  for (const machine::HostCache& cache : machine::this_host().caches) {
    if (cache.type == "instruction" || cache.bytes <= 0) continue;
    request.model.cache_bytes = cache.bytes;  // ascending levels: the last one remains
    request.cache_from = "machine";
  }
  return std::optional(request);
}

}  // namespace ridge::cli
