// OpenVINO's execution graph, as benchmark_app -exec_graph_path writes it:
//
//   <net><layers><layer id="3" name="conv1" type="Convolution">
//     <data originalLayersNames="conv1,relu1" runtimePrecision="bf16" outputPrecisions="bf16" …/>
//     <output><port id="1" precision="BF16"><dim>1</dim>…</port></output></layer>…
//
// Read as it goes by (expat); a document type, and with it every entity, is refused. Time and
// memory are linear in the text.
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
  std::vector<std::string> originals;  ///< as the graph lists them: nodes, tensors, its own names
  std::string precision, output_precision;
  std::vector<Dims> outputs;
};

struct ExecGraph {
  std::unordered_map<std::string, ExecLayer> layers;
  std::map<std::string, Dims> inputs;  ///< of the model
};

/// Errors (input class): no XML, or one without layers.
Result<ExecGraph> read_exec_graph(std::string_view xml);

/// Says of each layer what the graph has under its name.
void describe(const ExecGraph& graph, Recorded& recorded);

}  // namespace ridge::imports
