// SPDX-License-Identifier: Apache-2.0
// OpenVINO's execution graph, as benchmark_app -exec_graph_path writes it:
//
//   <net><layers><layer id="3" name="conv1" type="Convolution">
//     <data originalLayersNames="conv1,relu1" runtimePrecision="bf16" outputPrecisions="bf16" …/>
//     <output><port id="1" precision="BF16"><dim>1</dim>…</port></output></layer>…
//
// Streaming parse (expat); a document type declaration, and with it every entity, is refused. Time
// and memory are linear in the text.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "import/recorded.h"

namespace ridge::imports {

struct ExecLayer {
  /// Names as listed in the graph: nodes, tensors, and OpenVINO's own names.
  std::vector<std::string> originals;
  std::string precision, output_precision;
  std::vector<Dims> outputs;
};

struct ExecGraph {
  std::unordered_map<std::string, ExecLayer> layers;
  std::map<std::string, Dims> inputs;  ///< inputs of the model
};

/// Errors (input class): not XML, or XML without layers.
Result<ExecGraph> read_exec_graph(std::string_view xml);

/// Adds to each layer the attributes that the graph has under its name.
void describe(const ExecGraph& graph, Recorded& recorded);

}  // namespace ridge::imports
