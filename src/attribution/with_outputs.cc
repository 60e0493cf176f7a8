// SPDX-License-Identifier: Apache-2.0
#include "attribution/with_outputs.h"

#include <unordered_set>
#include <vector>

#include "onnx/writer.h"

namespace ridge::attribution {

Result<std::string> with_outputs(const onnx::Document& document,
                                 std::span<const std::string_view> names, onnx::Weights weights) {
  onnx::Document more;
  more.file = document.file;
  more.path = document.path;
  more.model = document.model;
  std::vector<onnx::ValueInfo> outputs(document.model.graph.outputs.begin(),
                                       document.model.graph.outputs.end());
  std::unordered_set<std::string_view> present;
  for (const onnx::ValueInfo& o : outputs) present.insert(o.name);
  for (const std::string_view name : names)
    if (present.insert(name).second) outputs.push_back({name, {}});
  more.model.graph.outputs = more.arena.copy(outputs);
  return onnx::write_bytes(more, {.weights = weights});
}

}  // namespace ridge::attribution
