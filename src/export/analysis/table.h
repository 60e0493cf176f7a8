// SPDX-License-Identifier: Apache-2.0
// A resolved model for human readers: a page for the terminal or in Markdown, and its tables as
// CSV.
//
// Names are untrusted text; every format escapes them in its own way (export/table.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "analysis/convention.h"
#include "analysis/resolved.h"
#include "base/sink.h"
#include "export/analysis/traffic_text.h"

namespace ridge::exports {

/// Tables of the page.
enum class AnalysisTables : std::uint8_t { kAll, kOperators, kNodes, kModules };

struct AnalysisPage {
  AnalysisTables tables = AnalysisTables::kAll;
  std::size_t top = 10;                ///< rows of the table of nodes
  std::optional<std::uint32_t> depth;  ///< for modules; absent: what fits a screen
  /// Another tool's figure, shown beside ridge's; nullptr: none.
  const analysis::ConventionCount* convention = nullptr;
  const TrafficView* traffic = nullptr;  ///< adds rows to the totals, columns to the nodes
};

/// Writes a description of the model, its totals in readable units, coverage, then the tables.
void write_analysis_text(const analysis::Resolved& resolved, const AnalysisPage& page, Sink& sink);
void write_analysis_markdown(const analysis::Resolved& resolved, const AnalysisPage& page,
                             Sink& sink);

/// Table of a CSV; kAll means the table of nodes.
struct AnalysisCsv {
  AnalysisTables table = AnalysisTables::kAll;
  std::optional<std::size_t> top = {};      ///< for nodes, as in write_analysis_document
  std::optional<std::uint32_t> depth = {};  ///< for modules; absent: all of them
  const analysis::ConventionCount* convention = nullptr;  ///< for nodes
  const TrafficView* traffic = nullptr;                   ///< for nodes
};

/// Writes plain numbers, one row per node, operator or module; an unknown figure is an empty cell.
void write_analysis_csv(const analysis::Resolved& resolved, const AnalysisCsv& options, Sink& sink);

}  // namespace ridge::exports
