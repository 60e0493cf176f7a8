// SPDX-License-Identifier: Apache-2.0
#include "attribution/prefix.h"

#include <unordered_map>
#include <unordered_set>

#include "attribution/names_read.h"
#include "onnx/writer.h"

namespace ridge::attribution {
namespace {

/// The nodes that a tensor depends on, and all names that they read.
struct Needed {
  std::vector<bool> nodes;
  std::unordered_set<std::string_view> names;
};

Needed needed(const onnx::Graph& graph, std::string_view tensor) {
  std::unordered_map<std::string_view, std::size_t> maker;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n)
    for (const std::string_view name : graph.nodes[n].outputs) maker.emplace(name, n);
  Needed out{std::vector<bool>(graph.nodes.size(), false), {tensor}};
  std::vector<std::string_view> wanted = {tensor};
  while (!wanted.empty()) {
    const auto made = maker.find(wanted.back());
    wanted.pop_back();
    if (made == maker.end() || out.nodes[made->second]) continue;
    out.nodes[made->second] = true;
    each_name_read(graph.nodes[made->second], [&](std::string_view name) {
      if (out.names.insert(name).second) wanted.push_back(name);
    });
  }
  return out;
}

template <typename T, typename Keep>
std::span<const T> kept(Arena& arena, std::span<const T> all, Keep&& keep) {
  std::vector<T> out;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (keep(i)) out.push_back(all[i]);
  return arena.copy(out);
}

}  // namespace

Result<Canonical> prefix(const Canonical& copy, const analysis::Resolved& resolved,
                         graph::ValueId tensor) {
  const std::string_view name = copy.value_name[tensor];
  const onnx::Graph& whole = copy.document->model.graph;
  const Needed need = needed(whole, name);
  if (name.empty() || std::find(need.nodes.begin(), need.nodes.end(), true) == need.nodes.end())
    return bug("no node of the copy makes the tensor", "prefix");

  auto document = std::make_shared<onnx::Document>();
  Arena& arena = document->arena;
  document->file = copy.document->file;
  document->path = copy.document->path;
  document->model = copy.document->model;
  onnx::Graph& part = document->model.graph;
  part.nodes = kept(arena, whole.nodes, [&](std::size_t i) { return need.nodes[i]; });
  std::unordered_set<std::string_view> inputs;
  for (const onnx::ValueInfo& input : whole.inputs) inputs.insert(input.name);
  part.initializers = kept(arena, whole.initializers, [&](std::size_t i) {
    const std::string_view n = whole.initializers[i].name;
    return need.names.contains(n) || inputs.contains(n);
  });
  part.sparse_initializers = kept(arena, whole.sparse_initializers, [&](std::size_t i) {
    return need.names.contains(whole.sparse_initializers[i].values->name);
  });
  onnx::ValueInfo output{name, {}};
  output.type.kind = onnx::TypeKind::kTensor;
  output.type.elem_type = resolved.type(tensor).dtype;
  part.outputs = arena.copy(std::vector<onnx::ValueInfo>{output});

  Canonical out = copy;
  out.outputs = {{name, resolved.model().value(tensor).name, tensor}};
  out.weights.clear();
  for (const onnx::Tensor& t : part.initializers)
    if (t.storage == onnx::Storage::kFile || t.storage == onnx::Storage::kSeeded)
      out.weights.push_back({t.name, &t});
  out.bytes = TRY(onnx::write_bytes(*document, {.weights = onnx::Weights::kDetached}));
  out.document = std::move(document);
  return out;
}

}  // namespace ridge::attribution
