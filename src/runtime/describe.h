// SPDX-License-Identifier: Apache-2.0
// Description of a runtime as documents name it (record/describe.h).
#pragma once

#include "record/describe.h"
#include "runtime/generation.h"
#include "runtime/types.h"

namespace ridge {

template <>
struct record::Describe<runtime::RuntimeInfo> {
  using T = runtime::RuntimeInfo;
  static constexpr std::array fields{field<&T::name>("name", "as it names itself"),
                                     field<&T::version>("version", "its version"),
                                     field<&T::library>("library", "path of its library")};
};

template <>
struct record::Describe<runtime::StatePair> {
  using T = runtime::StatePair;
  static constexpr std::array fields{field<&T::output>("output", "name"),
                                     field<&T::input>("input", "name")};
};

}  // namespace ridge
