// SPDX-License-Identifier: Apache-2.0
// Makes the rows of ridge.analysis/1: nodes and modules, one by one.
#pragma once

#include "analysis/resolved.h"
#include "export/analysis/document.h"

namespace ridge::exports {

/// Rows of the nodes, all or those with most work; they borrow both arguments.
record::Stream<NodeView> node_rows(const analysis::Resolved& resolved,
                                   const AnalysisDocument& options);
/// The row of one node.
record::Stream<NodeView> node_row(const analysis::Resolved& resolved, graph::NodeId node);
/// Rows of the modules down to the depth that is asked for; they borrow both arguments.
record::Stream<ModuleView> module_rows(const analysis::Resolved& resolved,
                                       const AnalysisDocument& options);

}  // namespace ridge::exports
