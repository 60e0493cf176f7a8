// SPDX-License-Identifier: Apache-2.0
// The metrics of accuracy as rows: tables and reports are made from them.
//
//   for (const MetricRow& m : metrics()) ... m.name, m.unit, m.description
//   const MetricRow* top1 = find_metric("top1");
//
// Static data.
#pragma once

#include <span>
#include <string_view>

namespace ridge::accuracy {

struct MetricRow {
  std::string_view name;  ///< as flags, JSON and tables have it; lower case, digits, '_'
  std::string_view unit;  ///< "share" (0 to 1), "dB", "nat", "edits per word", ...
  std::string_view description;
};

/// In the order in which documents list them.
std::span<const MetricRow> metrics();

/// nullptr if there is none of that name.
const MetricRow* find_metric(std::string_view name);

}  // namespace ridge::accuracy
