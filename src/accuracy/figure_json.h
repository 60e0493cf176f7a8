// Figures with intervals in JSON; the caller writes the key.
#pragma once

#include <optional>

#include "accuracy/figure.h"
#include "base/json_writer.h"

namespace ridge::accuracy {

/// An object with the value and "ci95", or null.
void write_figure(JsonWriter& json, const std::optional<Figure>& figure);

}  // namespace ridge::accuracy
