// SPDX-License-Identifier: Apache-2.0
// Values of a model's free sizes as plain data, and their JSON form.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace ridge::analysis {

struct Binding {
  std::int64_t value = 0;
  bool assumed = false;  ///< a default: 1 for a free leading dimension, or a zoo default
};

/// Bindings by the name of the size.
using BoundSizes = std::map<std::string, Binding>;

}  // namespace ridge::analysis
