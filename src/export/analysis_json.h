// A resolved model as ridge.analysis/1 (data/schema/ridge.analysis.1.json).
//
// Keys only get added within a version. A dimension or count is an integer, an expression as text,
// or null where it cannot be known. A total that lacks a node is null, `incomplete` names it and
// `at_least` has the sum of what is known. An input that is not given is an entry of kind "absent",
// so that positions stay those of the operator.
// Cost: 200,000 nodes in about 0.2 s; nothing is held but the writer's buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "analysis/convention.h"
#include "analysis/resolved.h"
#include "base/json_writer.h"
#include "base/sink.h"
#include "export/traffic_text.h"

namespace ridge::exports {

struct AnalysisDocument {
  /// Only the nodes with most work, most first; all nodes in index order where absent.
  std::optional<std::size_t> top = {};
  std::optional<std::uint32_t> depth = {};  ///< of `modules`; all of them where absent
  /// Another tool's total and figures of nodes; nullptr: none.
  const analysis::ConventionCount* convention = nullptr;
  /// Bytes expected to reach memory; nullptr: none.
  const TrafficView* traffic = nullptr;
};

/// Ended by a newline. Where a size of an input is free, totals stand there as expressions too.
void write_analysis_json(const analysis::Resolved& resolved, const AnalysisDocument& options,
                         Sink& sink);
/// The same as one value of a larger document.
void write_analysis(JsonWriter& json, const analysis::Resolved& resolved,
                    const AnalysisDocument& options);
/// An element of its "nodes".
void write_node(JsonWriter& json, const analysis::Resolved& resolved, graph::NodeId node);

}  // namespace ridge::exports
