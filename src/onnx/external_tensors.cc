// SPDX-License-Identifier: Apache-2.0
#include "onnx/external_tensors.h"

#include <span>
#include <vector>

namespace ridge::onnx {
namespace {

class Collector {
 public:
  explicit Collector(const Model& model) {
    graphs_.push_back(&model.graph);
    for (const Function& f : model.functions) {
      add_nodes(f.nodes);
      for (const Attribute& a : f.default_attributes) add(a);
    }
    while (!graphs_.empty()) {
      const Graph& graph = *graphs_.back();
      graphs_.pop_back();
      for (const Tensor& t : graph.initializers) add(t);
      for (const SparseTensor& t : graph.sparse_initializers) add(t);
      add_nodes(graph.nodes);
    }
  }

  std::map<std::string_view, const Tensor*> take() { return std::move(found_); }

 private:
  void add_nodes(std::span<const Node> nodes) {
    for (const Node& n : nodes)
      for (const Attribute& a : n.attributes) add(a);
  }
  void add(const Attribute& a) {
    if (a.t != nullptr) add(*a.t);
    if (a.sparse != nullptr) add(*a.sparse);
    for (const Tensor& t : a.tensors) add(t);
    if (a.g != nullptr) graphs_.push_back(a.g);
    for (const Graph& g : a.graphs) graphs_.push_back(&g);
  }
  void add(const SparseTensor& t) {
    for (const Tensor* part : {t.values, t.indices})
      if (part != nullptr) add(*part);
  }
  void add(const Tensor& t) {
    if (t.external) found_.emplace(std::string_view(t.location), &t);
  }

  std::vector<const Graph*> graphs_;  // whose tensors are not collected yet
  std::map<std::string_view, const Tensor*> found_;
};

}  // namespace

std::map<std::string_view, const Tensor*> external_tensors(const Model& model) {
  return Collector(model).take();
}

}  // namespace ridge::onnx
