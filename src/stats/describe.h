// Descriptions of statistics that documents share (record/describe.h).
#pragma once

#include "record/describe.h"
#include "stats/samples.h"

namespace ridge {

template <>
struct record::Describe<stats::Interval> {
  using T = stats::Interval;
  static constexpr bool positional = true;
  static constexpr std::array fields{field<&T::lo>("low", "lower end", known()),
                                     field<&T::hi>("high", "upper end", known())};
};

}  // namespace ridge
