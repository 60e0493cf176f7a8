// A profile written into a copy of its ONNX model: Netron shows metadata_props of a node.
//
// Each node of the main graph gets ridge.layer, ridge.role, ridge.time_ns and ridge.share (of the
// whole layer; ridge.shared_with says how many other nodes the layer executes), ridge.bound,
// ridge.roof_share, ridge.macs (the node's own), ridge.evidence; a node without a layer
// ridge.why. How the copy is made: onnx/annotate.h.
#pragma once

#include "base/result.h"
#include "base/sink.h"
#include "graph/model.h"
#include "onnx/annotate.h"
#include "profile/profile.h"

namespace ridge::exports {

/// `model` passed check_model() and came from a file. `same_folder`: the copy will lie beside it;
/// elsewhere external data would not be found, which is an input error.
enum class CopyLies { kBesideTheModel, kElsewhere };
Result<void> write_annotated_model(const profile::Profile& profile, const graph::Model& model,
                                   CopyLies lies, Sink& sink);

/// The notes alone, by node of the main graph.
onnx::Notes node_notes(const profile::Profile& profile, const graph::Model& model);

}  // namespace ridge::exports
