// SPDX-License-Identifier: Apache-2.0
// A profile written into a copy of its ONNX model: Netron shows metadata_props of a node.
//
// Each node of the main graph gets ridge.layer, ridge.role, ridge.time_ns and ridge.share (of the
// whole layer; ridge.shared_with is the number of other nodes that the layer executes),
// ridge.bound, ridge.roof_share, ridge.macs (of the node), ridge.evidence; a node without a layer
// gets ridge.why. The copy is written by onnx/annotate.h.
#pragma once

#include "base/result.h"
#include "base/sink.h"
#include "graph/model.h"
#include "onnx/annotate.h"
#include "profile/profile.h"

namespace ridge::exports {

/// Folder of the copy: the model's, or another one.
enum class CopyLies { kBesideTheModel, kElsewhere };
/// Writes the annotated copy; `model` must have passed check_model(). Errors: the model is not from
/// a file (usage); it has external data and the copy is elsewhere, where the data would not be
/// found (input).
Result<void> write_annotated_model(const profile::Profile& profile, const graph::Model& model,
                                   CopyLies lies, Sink& sink);

/// Notes of each node of the main graph.
onnx::Notes node_notes(const profile::Profile& profile, const graph::Model& model);

}  // namespace ridge::exports
