// A copy of an ONNX file whose nodes carry notes: metadata_props, as Netron shows them.
//
//   Notes notes(document.model.graph.nodes.size());
//   notes[17] = {{"ridge.time_ns", "81234"}};
//   TRY(annotate(document, notes, sink));
//
// Bytes that change are spliced into the file's own, all others are copied in windows: nothing of
// the model is lost, weights never lie in memory. Entries of a node whose keys begin with the
// prefix of ours are replaced, so that a copy can be annotated again. metadata_props of nodes exist
// from IR version 10 on: a lower one is raised. References to external data stay as they are. Cost:
// one walk over the nodes, one copy. Errors: a file that is no longer what was read (input class),
// a copy past 2 GiB.
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
/// The first IR version whose nodes have metadata_props.
inline constexpr std::int64_t kNotedIrVersion = 10;

struct Note {
  std::string key, value;
};
/// Of the nodes of the main graph, in file order.
using Notes = std::vector<std::vector<Note>>;

/// Writes the copy of document.file. A document without a file is a bug of the caller's.
Result<void> annotate(const Document& document, const Notes& notes, Sink& sink);

/// Where external data of tensors lies, each location once, as the file has it.
std::vector<std::string_view> external_locations(const Model& model);

}  // namespace ridge::onnx
