// Totals as expressions of the unbound sizes: a page of equations, and an object in the JSON of the
// analysis.
#pragma once

#include <cstdint>

#include "analysis/resolved.h"
#include "base/json_writer.h"
#include "base/sink.h"

namespace ridge::exports {

enum class SymbolicForm : std::uint8_t { kText, kMarkdown };

/// "macs = 9216*batch*sequence^2 + …", one line per figure.
void write_symbolic_totals(const analysis::Resolved& resolved, SymbolicForm form, Sink& sink);
/// Writes the object "symbolic" with its key.
void write_symbolic(JsonWriter& json, const analysis::Resolved& resolved);

}  // namespace ridge::exports
