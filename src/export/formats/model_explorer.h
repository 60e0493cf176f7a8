// SPDX-License-Identifier: Apache-2.0
// A profile as node data of Model Explorer (google-ai-edge/model-explorer): a color and a number on
// each node of its view of the model.
//
// {"GRAPH":{"results":{"KEY":{"value":…}},"gradient":[…]}}. GRAPH is the name of the graph in the
// file. A node of the main graph has two keys: its name, which is its id in the ONNX adapter
// (model-explorer-onnx), and the name of its first output, which other adapters use. The viewer
// ignores unknown keys. The time of a layer appears once, on the node that leads it
// (export/formats/profiled_model.h), so that sums over groups are correct. MACs are counted for the
// node. The roof share is the layer's, on every node that it executes, and is not summed. Unknown
// values have no entry. Format: model_explorer/node_data_builder.py.
#pragma once

#include "base/sink.h"
#include "graph/model.h"
#include "profile/profile.h"

namespace ridge::exports {

enum class NodeMetric { kTime, kMacs, kRoofShare };

/// Writes the node data; `model` must have passed check_model().
void write_node_data(const profile::Profile& profile, const graph::Model& model, NodeMetric metric,
                     Sink& sink);

}  // namespace ridge::exports
