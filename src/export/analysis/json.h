// A resolved model as ridge.analysis/1 (data/schema/ridge.analysis.1.json).
//
// Within a version, keys are only added. A dimension or count is an integer, an expression as text,
// or null where it cannot be known. A total that lacks a node is null, `incomplete` names it and
// `at_least` is the sum of the known nodes. An omitted input is an entry of kind "absent", so that
// positions match the operator's inputs.
// Cost: 200,000 nodes in about 0.2 s; memory only for the writer's buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "analysis/convention.h"
#include "analysis/resolved.h"
#include "base/json_writer.h"
#include "base/sink.h"
#include "export/analysis/traffic_text.h"

namespace ridge::exports {

struct AnalysisDocument {
  /// Only the nodes with most work, most first; all nodes in index order where absent.
  std::optional<std::size_t> top = {};
  std::optional<std::uint32_t> depth = {};  ///< limit for `modules`; absent: all of them
  /// Another tool's total and its figures by node; nullptr: none.
  const analysis::ConventionCount* convention = nullptr;
  /// Bytes expected to reach memory; nullptr: none.
  const TrafficView* traffic = nullptr;
};

/// Writes the document and a newline. Where a size of an input is free, it has the totals as
/// expressions too.
void write_analysis_json(const analysis::Resolved& resolved, const AnalysisDocument& options,
                         Sink& sink);
/// Writes the document as a value inside a larger one.
void write_analysis(JsonWriter& json, const analysis::Resolved& resolved,
                    const AnalysisDocument& options);
/// Writes an element of its "nodes".
void write_node(JsonWriter& json, const analysis::Resolved& resolved, graph::NodeId node);

}  // namespace ridge::exports
