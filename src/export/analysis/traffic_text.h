// SPDX-License-Identifier: Apache-2.0
// Traffic in the documents of an analysis: rows of the table of totals, assumptions of the JSON.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/traffic/traffic.h"
#include "export/analysis/document.h"

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
/// Values of TrafficView::cache_from.
std::span<const std::string_view> cache_sources();
/// The object "traffic" of a document.
TrafficAssumptions traffic_assumptions(const TrafficView& view);

}  // namespace ridge::exports
