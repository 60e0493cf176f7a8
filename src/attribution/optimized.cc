// SPDX-License-Identifier: Apache-2.0
#include "attribution/optimized.h"

#include <unordered_map>

#include "attribution/expansion.h"
#include "base/checked.h"
#include "onnx/data_type.h"
#include "onnx/reader.h"
#include "profile/ort_shapes.h"

namespace ridge::attribution {
namespace {

/// True for names like "Conv_12", which the runtime generates for an unnamed Conv.
bool numbered(std::string_view name, std::string_view op_type) {
  if (!name.starts_with(op_type) || name.size() <= op_type.size() + 1) return false;
  name.remove_prefix(op_type.size());
  if (name.front() != '_') return false;
  name.remove_prefix(1);
  return name.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Parses an element type as ONNX Runtime prints it: the name in C++ or in ONNX.
std::optional<onnx::DataType> element_type(std::string_view name) {
  if (name == "float") return onnx::DataType::kFloat;
  if (name == "double") return onnx::DataType::kDouble;
  return onnx::data_type_named(name);
}

/// Bytes of a tensor as the runtime prints it; nullopt if its type or a size is unknown.
std::optional<std::int64_t> bytes_of(const profile::OrtTensor& tensor) {
  const auto type = element_type(tensor.type);
  std::optional<std::int64_t> elements = 1;
  for (const std::int64_t d : tensor.dims) {
    if (d < 0) return std::nullopt;
    elements = checked_mul(*elements, d);
    if (!elements) return std::nullopt;
  }
  return type ? onnx::storage_bytes(*type, *elements) : std::nullopt;
}

}  // namespace

Result<OptimizedGraph> make_optimized(std::shared_ptr<const onnx::Document> document) {
  OptimizedGraph graph;
  graph.model = std::make_shared<graph::Model>(TRY(graph::Model::build(std::move(document))));
  graph.order = Expansion::of_calls(*graph.model).order();
  graph.bytes.resize(graph.model->values().size());
  return graph;
}

Result<OptimizedGraph> read_optimized(std::string_view bytes) {
  auto document = std::make_shared<onnx::Document>(
      TRY(onnx::read_bytes(bytes, "the runtime's optimised graph")));
  return make_optimized(std::move(document));
}

// Example: kernels 0 "a" Relu, then unnamed 1 Mul, 2 Add, 3 Mul, 4 Gelu. Events a, Mul_7, Add_3,
// Mul_2, Gelu_11 map to 0, 1, 2, 3, 4: Mul_7 is the first Mul event and so the first unnamed Mul. A
// second run with a, Mul_7, Mul_2 maps to 0, 1, 3.
std::vector<graph::NodeId> join_events(const OptimizedGraph& graph,
                                       std::span<const KernelEvent> events) {
  std::unordered_map<std::string_view, graph::NodeId> named;
  std::unordered_map<std::string_view, std::vector<graph::NodeId>> unnamed;
  for (const graph::NodeId k : graph.order) {
    const graph::Node& kernel = graph.kernel(k);
    if (kernel.name.empty())
      unnamed[kernel.op_type].push_back(k);
    else
      named.emplace(kernel.name, k);
  }
  // An unnamed kernel keeps its generated name over all executions of a body, so after the first
  // event the name identifies it.
  std::unordered_map<std::string_view, std::size_t> taken;
  std::vector<graph::NodeId> kernels;
  kernels.reserve(events.size());
  for (const KernelEvent& event : events) {
    const auto found = named.find(event.name);
    if (found != named.end()) {
      kernels.push_back(found->second);
      continue;
    }
    const auto candidates = unnamed.find(event.op_type);
    if (candidates == unnamed.end() || !numbered(event.name, event.op_type)) {
      kernels.push_back(graph::kNone);
      continue;
    }
    std::size_t& next = taken[event.op_type];
    if (next < candidates->second.size()) named.emplace(event.name, candidates->second[next++]);
    const auto now = named.find(event.name);
    kernels.push_back(now == named.end() ? graph::kNone : now->second);
  }
  return kernels;
}

void size_tensors(OptimizedGraph& graph, std::span<const KernelEvent> events) {
  const std::vector<graph::NodeId> kernels = join_events(graph, events);
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (kernels[i] == graph::kNone) continue;
    const std::vector<profile::OrtTensor> tensors = profile::ort_tensors(events[i].shapes);
    std::size_t next = 0;
    for (const graph::ValueId v : graph.kernel(kernels[i]).outputs) {
      if (v == graph::kNone) continue;
      if (next == tensors.size()) break;
      graph.bytes[v] = bytes_of(tensors[next++]);
    }
  }
}

}  // namespace ridge::attribution
