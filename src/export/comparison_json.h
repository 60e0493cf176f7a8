// A comparison as ridge.comparison/1 (data/schema/ridge.comparison.1.json). Keys only get added
// within a version; what cannot be known is null.
#pragma once

#include "base/sink.h"
#include "compare/comparison.h"

namespace ridge::exports {

/// One document, ended by a newline.
void write_comparison_json(const compare::Comparison& comparison, Sink& sink);

}  // namespace ridge::exports
