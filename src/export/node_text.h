// What the analysis knows of one node, for people: where it stands, what goes in and
// out, its formula and its work.
#pragma once

#include "analysis/resolved.h"
#include "export/facts.h"

namespace ridge::exports {

Facts node_facts(const analysis::Resolved& resolved, graph::NodeId node);

}  // namespace ridge::exports
