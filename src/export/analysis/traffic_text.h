// Traffic in the documents of an analysis: rows of the table of totals, keys of the JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/traffic/traffic.h"
#include "base/json_writer.h"

namespace ridge::exports {

/// Traffic and the source of its cache size. Borrows the traffic.
struct TrafficView {
  const analysis::Traffic& traffic;
  std::string_view cache_from;  ///< "given", "machine" or "assumed"
};

/// 33554432 -> "32 MiB", in the largest binary unit that divides the size.
std::string cache_text(std::int64_t bytes);

/// Rows of three cells: figure, value, assumptions.
std::vector<std::vector<std::string>> traffic_rows(const TrafficView& view);
enum class TrafficSums : std::uint8_t {
  kWhole,    ///< null where a sum lacks a node
  kAtLeast,  ///< sum of the known nodes
};
/// Writes keys of `totals`, or of its `at_least`.
void write_traffic_totals(JsonWriter& json, const TrafficView& view, TrafficSums which);
/// Writes the object "traffic" with its key: the assumptions.
void write_traffic(JsonWriter& json, const TrafficView& view);

}  // namespace ridge::exports
