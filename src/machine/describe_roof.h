// SPDX-License-Identifier: Apache-2.0
// Descriptions of roofs (record/describe.h): rows of profiles and of the store, which are compared
// with what was measured at the threads of a run, and rows of ridge.machine/1 and of the cache.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "machine/roof.h"
#include "record/describe.h"
#include "stats/describe.h"

namespace ridge::machine {

inline std::span<const std::string_view> roof_kinds() {
  static constexpr std::array<std::string_view, 5> kKinds{"compute", "read", "write", "copy",
                                                          "triad"};
  return kKinds;
}

inline std::span<const std::string_view> roof_units() {
  static constexpr std::array<std::string_view, 2> kUnits{"FLOP/s", "B/s"};
  return kUnits;
}

}  // namespace ridge::machine

namespace ridge {

template <>
struct record::Describe<machine::Roof> {
  using T = machine::Roof;
  static constexpr std::array ci95{field<&T::ci, &stats::Interval::lo>("low", "low end"),
                                   field<&T::ci, &stats::Interval::hi>("high", "high end")};
  static constexpr std::array fields{
      field<&T::kind>("kind", "what was done", one_of<&machine::roof_kinds>()),
      field<&T::dtype>("dtype", "element type"),
      field<&T::level>("level", "where the bytes lay: L1, L2, L3, memory; null for compute",
                       zero_is_null()),
      field<&T::threads>("threads", "as those of the run"),
      field<&T::value>("value", "the best burst", known()),
      field<&T::unit>("unit", "a multiply-add is 2 FLOP", one_of<&machine::roof_units>()),
      listed_group<T, ci95>("ci95", "95 % interval", column("")),
      field<&T::theory>("theory", "in the same unit"),
      field<&T::instruction>("instruction", "of the kernel that won")};
};

template <>
struct record::Describe<machine::MeasuredRoof> {
  using T = machine::MeasuredRoof;
  static constexpr std::array fields{
      field<&T::kind>("kind", "what was done", one_of<&machine::roof_kinds>()),
      field<&T::dtype>("dtype", "element type: float32, int8", or_default()),
      field<&T::level>("level", "where the bytes lay: L1, L2, L3, memory; null for compute",
                       zero_is_null(), or_default()),
      field<&T::threads>("threads", "pinned, one per core first", at_least(1)),
      field<&T::value>("value", "the best burst", above(0), known()),
      field<&T::unit>("unit",
                      "a multiply-add is 2 FLOP; bytes are read + written, no write-allocate",
                      one_of<&machine::roof_units>()),
      field<&T::ci>("ci95", "of that best under resampling of the bursts"),
      field<&T::theory>(
          "theory",
          "lanes x units x 2 x the clock of the same bursts; null where it cannot be known"),
      computed<&machine::share_of_theory>("share", "value / theory"),
      field<&T::theory_reason>("theory_reason", "why there is no theory", zero_is_null(),
                               or_default()),
      field<&T::clock_hz>("clock_hz", "measured by a chain of dependent adds beside the bursts"),
      field<&T::kernel>("kernel", "the kernel of ridge that won", or_default()),
      field<&T::instruction>("instruction", "what it is made of", or_default()),
      field<&T::bursts>("bursts", "how many were measured, at least 20", or_default()),
      field<&T::slowest>("slowest_burst", "in the unit of `value`", known(), or_default()),
      field<&T::median>("median_burst", "in the unit of `value`", known(), or_default()),
      field<&T::working_set>("working_set_bytes", "per thread; null for compute", at_least(0),
                             zero_is_null(), or_default()),
      field<&T::reach>("reach_bytes",
                       "what this cache keeps of data that all threads read again and again; null "
                       "where it was not measured (only reads of the outermost cache)",
                       at_least(0), zero_is_null(), or_default()),
      computed<&machine::warning>("warning", "below 70 % or above 105 % of its theory",
                                  zero_is_null())};
};

}  // namespace ridge
