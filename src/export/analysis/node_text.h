// SPDX-License-Identifier: Apache-2.0
// Facts of the analysis about one node, for human readers: its module and parent, inputs and
// outputs, attributes, formula and work.
#pragma once

#include "analysis/resolved.h"
#include "export/facts.h"

namespace ridge::exports {

Facts node_facts(const analysis::Resolved& resolved, graph::NodeId node);

}  // namespace ridge::exports
