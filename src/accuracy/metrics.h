// The metrics of accuracy as rows: help, reports and documents are made from them.
//
//   for (const MetricRow& m : metrics()) ... m.name, m.unit, m.better, m.description
//   const MetricRow* top1 = find_metric("top1");
//
// Static data.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ridge::accuracy {

enum class Better : std::uint8_t { kHigher, kLower };

/// Method for the interval of a metric.
enum class IntervalBy : std::uint8_t {
  kWilson,     ///< closed form for shares of samples
  kBootstrap,  ///< resampling of the samples
};

struct MetricRow {
  std::string_view name;    ///< as flags, JSON and tables have it; lower case, digits, '_'
  std::string_view unit;    ///< "share" (0 to 1), "dB", "nat", "edits per word", ...
  std::string_view sample;  ///< unit of resampling: "image", "question", ...
  Better better;
  IntervalBy interval;
  std::string_view description;
};

/// In the order in which documents list them.
std::span<const MetricRow> metrics();

/// nullptr if there is none of that name.
const MetricRow* find_metric(std::string_view name);

/// Returns "higher" or "lower".
std::string_view name(Better better);
/// Returns "Wilson" or "bootstrap".
std::string_view name(IntervalBy interval);

}  // namespace ridge::accuracy
