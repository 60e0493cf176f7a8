// Values of a model's free sizes as plain data, and their JSON form.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/json_writer.h"

namespace ridge::analysis {

struct Binding {
  std::int64_t value = 0;
  bool assumed = false;  ///< a default: 1 for a free leading dimension, or a zoo default
};

/// Bindings by the name of the size.
using BoundSizes = std::map<std::string, Binding>;

/// Writes {"batch": {"value": 8, "assumed": false}}, the value of the key "bindings".
void write_bindings(JsonWriter& json, const BoundSizes& sizes);

}  // namespace ridge::analysis
