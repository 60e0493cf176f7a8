// What traffic adds to the documents of an analysis: rows of the table of totals, keys of the JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/traffic.h"
#include "base/json_writer.h"

namespace ridge::exports {

/// Traffic, and where the size of its cache is from. Borrows the traffic.
struct TrafficView {
  const analysis::Traffic& traffic;
  std::string_view cache_from;  ///< "given", "machine" or "assumed"
};

/// "none", "epilogue", "runtime".
std::string_view fuse_name(analysis::Fuse fuse);
/// 33554432 -> "32 MiB"; a size that is no whole number of a binary unit in the unit below.
std::string cache_text(std::int64_t bytes);

/// Rows of three cells: what, how much, under which assumption.
std::vector<std::vector<std::string>> traffic_rows(const TrafficView& view);
enum class TrafficSums : std::uint8_t {
  kWhole,    ///< null where they lack a node
  kAtLeast,  ///< as far as they are known
};
/// Keys of `totals`, and of its `at_least`.
void write_traffic_totals(JsonWriter& json, const TrafficView& view, TrafficSums which);
/// The object "traffic" with its key: under which assumptions.
void write_traffic(JsonWriter& json, const TrafficView& view);

}  // namespace ridge::exports
