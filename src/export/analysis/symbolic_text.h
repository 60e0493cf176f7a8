// SPDX-License-Identifier: Apache-2.0
// Totals as expressions of the unbound sizes: a page of equations, and an object in the JSON of the
// analysis.
#pragma once

#include <cstdint>

#include "analysis/resolved.h"
#include "base/sink.h"
#include "export/analysis/document.h"

namespace ridge::exports {

enum class SymbolicForm : std::uint8_t { kText, kMarkdown };

/// "macs = 9216*batch*sequence^2 + …", one line per figure.
void write_symbolic_totals(const analysis::Resolved& resolved, SymbolicForm form, Sink& sink);
/// The object "symbolic" of a document.
SymbolicView symbolic_view(const analysis::Resolved& resolved);

}  // namespace ridge::exports
