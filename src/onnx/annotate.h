// SPDX-License-Identifier: Apache-2.0
// Copies an ONNX file and adds notes to its nodes: metadata_props, as displayed by Netron.
//
//   Notes notes(document.model.graph.nodes.size());
//   notes[17] = {{"ridge.time_ns", "81234"}};
//   TRY(annotate(document, notes, sink));
//
// Changed bytes are spliced into the original; all others are copied through a small buffer.
// Nothing of the model is lost, and weights are never loaded into memory. Existing entries of an
// annotated node whose keys begin with kNotePrefix are replaced, so that a copy can be annotated
// again. Nodes have metadata_props from IR version 10 on: a lower version is raised. References to
// external data are unchanged. Cost: one pass over the nodes, one copy. Errors: the file changed
// after it was read (input class), a copy larger than 2 GiB.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sink.h"
#include "onnx/document.h"

namespace ridge::onnx {

inline constexpr std::string_view kNotePrefix = "ridge.";
/// First IR version whose nodes have metadata_props.
inline constexpr std::int64_t kNotedIrVersion = 10;

struct Note {
  std::string key, value;
};
/// Notes of the nodes of the main graph, in file order.
using Notes = std::vector<std::vector<Note>>;

/// Writes the annotated copy of document.file, which must exist (otherwise an internal error).
Result<void> annotate(const Document& document, const Notes& notes, Sink& sink);

/// Returns the locations of external tensor data as written in the file, each once.
std::vector<std::string_view> external_locations(const Model& model);

}  // namespace ridge::onnx
