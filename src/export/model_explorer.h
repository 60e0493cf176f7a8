// A profile as node data of Model Explorer (google-ai-edge/model-explorer): a colour and a number
// on each node of its view of the model.
//
// {"GRAPH":{"results":{"KEY":{"value":…}},"gradient":[…]}}, the graph by its name in the file, a
// node of the main graph by two keys: its name, which is its id in the ONNX adapter
// (model-explorer-onnx), and the name of its first output, which other adapters know. A key that
// the viewer does not know is passed over there. Time is that of a layer and stands once, on the
// node that leads it (export/model_notes.h), so that sums over groups are right; MACs are each
// node's own; how much of the time is that of the bound is the layer's, on every node that it
// executes, and is not summed. What is not known has no entry. Format:
// model_explorer/node_data_builder.py.
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
