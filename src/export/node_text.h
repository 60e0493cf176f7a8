// What the analysis knows of one node, in lines for a terminal: where it stands, what goes in and
// out, its formula and its work.
#pragma once

#include "analysis/resolved.h"
#include "base/sink.h"

namespace ridge::exports {

void write_node_text(const analysis::Resolved& resolved, graph::NodeId node, Sink& sink);

}  // namespace ridge::exports
