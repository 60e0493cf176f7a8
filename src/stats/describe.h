// SPDX-License-Identifier: Apache-2.0
// Descriptions of statistics that documents share (record/describe.h).
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "record/describe.h"
#include "stats/estimate.h"

namespace ridge {

namespace stats {

/// An interval in documents that write [null, null] without one, in two columns of a row.
struct Ends {
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
};
struct AsEnds {
  static Ends out(const std::optional<Interval>& interval) {
    return interval ? Ends{interval->lo, interval->hi} : Ends();
  }
  static std::optional<Interval> in(const Ends& ends) {
    return finite_interval(ends.low, ends.high);
  }
};

/// 95 % interval of a member: null in documents without one.
template <typename T, Estimate T::*kMember>
std::optional<Interval> ci95(const T& owner) {
  return (owner.*kMember).interval;
}

/// time_ns, time_low_ns, time_high_ns.
inline std::string estimate_column(std::string_view name, std::string_view part) {
  if (part == "median") return std::string(name);
  const std::string_view unit = name.ends_with("_ns") ? "_ns" : "";
  name.remove_suffix(unit.size());
  return std::string(name).append("_").append(part).append(unit);
}

}  // namespace stats

template <>
struct record::Describe<stats::Ends> {
  using T = stats::Ends;
  static constexpr bool positional = true;
  static constexpr std::array fields{field<&T::low>("low", "low end"),
                                     field<&T::high>("high", "high end")};

  static std::string column_name(std::string_view name, std::string_view part) {
    return stats::estimate_column(name, part);
  }
};

template <>
struct record::Describe<stats::Estimate> {
  using T = stats::Estimate;
  static constexpr std::string_view text = "A median with its interval.";
  static constexpr std::array fields{
      field<&T::value>("median", "in the unit of the key; null where an import does not tell it"),
      field<&T::interval, stats::AsEnds>(
          "ci95", "95 % interval: low and high end; null for too few runs", column(""))};

  static std::string column_name(std::string_view name, std::string_view part) {
    return stats::estimate_column(name, part);
  }
};

template <>
struct record::Describe<stats::Interval> {
  using T = stats::Interval;
  static constexpr bool positional = true;
  static constexpr std::array fields{field<&T::lo>("low", "lower end", known()),
                                     field<&T::hi>("high", "upper end", known())};
};

}  // namespace ridge
