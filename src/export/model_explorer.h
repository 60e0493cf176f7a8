// A profile as node data of Model Explorer (google-ai-edge/model-explorer): a colour and a number
// on each node of its view of the model.
//
// {"GRAPH":{"results":{"OUTPUT TENSOR":{"value":…}},"gradient":[…]}}, the graph by its name in the
// file, a node by the name of its first output, as the ONNX adapter (model-explorer-onnx) labels
// them. Nodes of the main graph. Time is that of a layer and stands once, on the node that leads it
// (export/model_notes.h), so that sums over groups are right; MACs are each node's own; the share
// of the roof is the layer's, on every node that it executes, and is not summed. What is not known
// has no entry. Format: model_explorer/node_data_builder.py.
#pragma once

#include "base/sink.h"
#include "graph/model.h"
#include "profile/profile.h"

namespace ridge::exports {

enum class NodeMetric { kTime, kMacs, kRoofShare };

/// `model` passed check_model().
void write_node_data(const profile::Profile& profile, const graph::Model& model, NodeMetric metric,
                     Sink& sink);

}  // namespace ridge::exports
