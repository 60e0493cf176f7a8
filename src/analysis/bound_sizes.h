// Values of a model's free sizes: plain data, and their object of the JSON documents.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/json_writer.h"

namespace ridge::analysis {

struct Binding {
  std::int64_t value = 0;
  bool assumed = false;  ///< nobody said so: a free leading dimension taken as 1, or a zoo default
};

/// By the name of the size.
using BoundSizes = std::map<std::string, Binding>;

/// {"batch": {"value": 8, "assumed": false}}, the value of the key "bindings".
void write_bindings(JsonWriter& json, const BoundSizes& sizes);

}  // namespace ridge::analysis
