// SPDX-License-Identifier: Apache-2.0
#include "import/exec_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/list.h"
#include "base/number.h"
#include "base/text.h"
#include "base/trim.h"
#include "base/xml.h"
#include "profile/precision.h"

namespace ridge::imports {
namespace {

std::string first_of_list(std::string_view list) {
  return std::string(trimmed(list.substr(0, list.find(','))));
}

class ExecGraphReader final : public XmlHandler {
 public:
  ExecGraph out;

  void open(std::string_view element, const XmlAttributes& attributes) override {
    if (element == "layer") {
      name_ = attributes["name"];
      type_ = attributes["type"];
      layer_ = {};
    } else if (element == "data") {
      data(attributes);
    } else if (element == "output") {
      in_output_ = true;
    } else if (element == "port" && in_output_) {
      layer_.outputs.emplace_back();
    } else if (element == "dim" && in_output_) {
      in_dim_ = true;
      dim_.clear();
    }
  }

  void text(std::string_view piece) override {
    if (in_dim_) dim_ += piece;
  }

  void close(std::string_view element) override {
    if (element == "dim" && std::exchange(in_dim_, false) && !layer_.outputs.empty()) {
      layer_.outputs.back().push_back(whole_number<std::int64_t>(trimmed(dim_)).value_or(-1));
    } else if (element == "output") {
      in_output_ = false;
    } else if (element == "layer" && !name_.empty()) {
      if ((type_ == "Input" || type_ == "Parameter") && !layer_.outputs.empty())
        out.inputs.try_emplace(name_, layer_.outputs.front());
      out.layers.try_emplace(std::move(name_), std::move(layer_));
      name_.clear();
      layer_ = {};
    }
  }

 private:
  void data(const XmlAttributes& attributes) {
    layer_.precision = profile::precision_word(attributes["runtimePrecision"]);
    layer_.output_precision =
        profile::precision_word(first_of_list(attributes["outputPrecisions"]));
    for (const std::string_view name : items(attributes["originalLayersNames"]))
      if (!name.empty()) layer_.originals.emplace_back(name);
  }

  std::string name_, type_, dim_;
  ExecLayer layer_;
  bool in_output_ = false, in_dim_ = false;
};

}  // namespace

Result<ExecGraph> read_exec_graph(std::string_view xml) {
  ExecGraphReader reader;
  if (const std::optional<XmlFault> fault = read_xml(xml, reader))
    return input_error("RIDGE-IMP-0022", "the execution graph is not valid XML")
        .evidence(fmt::format("line {}: {}", fault->line, fault->what))
        .hint("pass the complete file written by benchmark_app -exec_graph_path");
  if (reader.out.layers.empty())
    return input_error("RIDGE-IMP-0023", "the execution graph has no layer")
        .hint("pass the complete file written by benchmark_app -exec_graph_path");
  return std::move(reader.out);
}

void describe(const ExecGraph& graph, Recorded& recorded) {
  std::int64_t missing = 0;
  for (RecordedLayer& layer : recorded.layers) {
    const auto at = graph.layers.find(layer.name);
    if (at == graph.layers.end()) {
      ++missing;
      continue;
    }
    const ExecLayer& exec = at->second;
    layer.parts = exec.originals;
    layer.outputs = exec.outputs;
    if (!exec.precision.empty()) layer.precision = exec.precision;
    if (exec.output_precision != layer.precision) layer.output_precision = exec.output_precision;
  }
  recorded.tensors = graph.inputs;
  if (missing > 0)
    recorded.notes.push_back(fmt::format("{} not in the execution graph: of another compilation?",
                                         counted(missing, "layer")));
}

}  // namespace ridge::imports
