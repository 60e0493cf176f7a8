// SPDX-License-Identifier: Apache-2.0
// Descriptions of sizes as documents have them (record/describe.h).
#pragma once

#include "analysis/sizes/bound_sizes.h"
#include "analysis/sizes/symbolic_totals.h"
#include "record/describe.h"

namespace ridge {

template <>
struct record::Describe<analysis::Binding> {
  using T = analysis::Binding;
  static constexpr std::array fields{
      field<&T::value>("value", "the size"),
      field<&T::assumed>("assumed",
                         "nobody said so: a free leading dimension taken as 1, or a default of the "
                         "zoo")};
};

template <>
struct record::Describe<analysis::FreeSize> {
  using T = analysis::FreeSize;
  static constexpr std::array fields{
      field<&T::name>("name", "of the size; `input[2]` where it has none"),
      field<&T::of_input>("of_input",
                          "false: data decides it, and only a declaration inside the file names "
                          "it")};
};

}  // namespace ridge
