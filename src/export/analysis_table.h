// A resolved model for people: the terminal's page, the same as Markdown, and one CSV row per node.
//
// Names are hostile text; every format escapes them in its own way (export/table.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "analysis/resolved.h"
#include "base/sink.h"

namespace ridge::exports {

/// Which tables the page has.
enum class AnalysisTables : std::uint8_t { kAll, kOperators, kNodes, kModules };

struct AnalysisPage {
  AnalysisTables tables = AnalysisTables::kAll;
  std::size_t top = 10;  ///< rows of the table of nodes
  std::optional<std::uint32_t>
      depth;  ///< of the module table; absent: the shallowest that tells something
};

/// What the model is, its totals in readable units, coverage, then the tables.
void write_analysis_text(const analysis::Resolved& resolved, const AnalysisPage& page, Sink& sink);
void write_analysis_markdown(const analysis::Resolved& resolved, const AnalysisPage& page,
                             Sink& sink);

/// One row per node, plain numbers; an unknown figure is an empty cell. `top` as in
/// write_analysis_json.
void write_analysis_csv(const analysis::Resolved& resolved, std::optional<std::size_t> top,
                        Sink& sink);

}  // namespace ridge::exports
