// Intervals in JSON; the caller writes the key.
#pragma once

#include <optional>

#include "base/json_writer.h"
#include "stats/samples.h"

namespace ridge::stats {

/// An array of two numbers, or null.
void write_interval(JsonWriter& json, const std::optional<Interval>& interval);

}  // namespace ridge::stats
