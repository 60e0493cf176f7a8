// Figures with intervals in JSON; the caller writes the key.
#pragma once

#include <optional>

#include "accuracy/figure.h"
#include "base/json_writer.h"

namespace ridge::exports {

/// An array of two numbers, or null.
void write_interval(JsonWriter& json, const std::optional<stats::Interval>& interval);

/// An object with the value and "ci95", or null.
void write_figure(JsonWriter& json, const std::optional<accuracy::Figure>& figure);

}  // namespace ridge::exports
