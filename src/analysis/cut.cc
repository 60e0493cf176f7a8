// SPDX-License-Identifier: Apache-2.0
#include "analysis/cut.h"

#include <algorithm>

namespace ridge::analysis {
namespace {

using graph::GraphId;
using graph::kNone;
using graph::Model;
using graph::NodeId;
using graph::ValueId;

/// Returns the node of the main graph whose bodies contain `n`, or `n` itself.
NodeId owner_of(const Model& model, NodeId n) {
  while (model.graph_of(n) != 0) n = model.graphs()[model.graph_of(n)].owner;
  return n;
}

/// Values of the main graph that each of its nodes reads, including captures and outputs of its
/// bodies; each value once.
class Reads {
 public:
  explicit Reads(const Model& model) : of_(model.nodes().size()) {
    for (ValueId v = 0; v < model.values().size(); ++v) {
      if (model.value(v).graph != 0) continue;
      for (const NodeId reader : model.consumers(v)) add(owner_of(model, reader), v);
    }
    for (GraphId g = 1; g < model.graphs().size(); ++g)
      for (const ValueId v : model.graphs()[g].outputs)
        if (v != kNone && model.value(v).graph == 0)
          add(owner_of(model, model.graphs()[g].owner), v);
  }
  const std::vector<ValueId>& operator[](NodeId n) const { return of_[n]; }

 private:
  void add(NodeId n, ValueId v) {
    if (std::find(of_[n].begin(), of_[n].end(), v) == of_[n].end()) of_[n].push_back(v);
  }

  std::vector<std::vector<ValueId>> of_;
};

/// Nodes of the main graph that any of `wanted` depends on. The search does not continue through
/// values for which `stop` is true.
template <typename Stop>
std::vector<bool> needed(const Model& model, const Reads& reads, std::vector<ValueId> wanted,
                         Stop&& stop) {
  std::vector<bool> out(model.nodes().size(), false);
  while (!wanted.empty()) {
    const ValueId v = wanted.back();
    wanted.pop_back();
    const NodeId n = model.value(v).producer;
    if (n == kNone || out[n] || stop(v)) continue;
    out[n] = true;
    wanted.insert(wanted.end(), reads[n].begin(), reads[n].end());
  }
  return out;
}

/// True if every element follows from the shapes.
bool all_known(const Resolved& r, ValueId v) {
  const ops::Value* value = r.value(v);
  if (value == nullptr) return false;
  return std::all_of(value->ints.begin(), value->ints.end(),
                     [](const ops::Dim& d) { return d.known(); });
}

/// By value: true if constants and sizes alone determine it. A runtime computes such values once,
/// before any run.
std::vector<bool> ready_values(const Resolved& r, const Reads& reads) {
  const Model& model = r.model();
  std::vector<bool> out(model.values().size());
  for (ValueId v = 0; v < out.size(); ++v) out[v] = r.constant(v) || all_known(r, v);
  for (const NodeId n : model.main().order) {
    const auto ready = [&](ValueId v) { return static_cast<bool>(out[v]); };
    if (reads[n].empty() || !std::all_of(reads[n].begin(), reads[n].end(), ready)) continue;
    for (const ValueId v : model.outputs(n))
      if (v != kNone) out[v] = true;
  }
  return out;
}

/// Walks the main graph in order and counts the live tensors: those that a later node reads.
class Sweep {
 public:
  explicit Sweep(const Resolved& resolved)
      : model_(resolved.model()),
        reads_(model_),
        ready_(ready_values(resolved, reads_)),
        readers_(model_.values().size(), 0) {
    const std::span<const ValueId> outputs = model_.main().outputs;
    live_ = needed(model_, reads_, {outputs.begin(), outputs.end()},
                   [&](ValueId v) { return static_cast<bool>(ready_[v]); });
    for (const NodeId n : model_.main().order)
      if (live_[n])
        for (const ValueId v : reads_[n]) ++readers_[v];
    for (const ValueId v : outputs) ++readers_[v];  // as if read after the last node
  }

  std::vector<Cut> run() {
    std::vector<Cut> out;
    std::size_t alive = 0;
    for (const ValueId v : model_.main().inputs) alive += crosses(v) ? 1 : 0;
    for (const NodeId n : model_.main().order) {
      if (!live_[n]) continue;
      for (const ValueId v : reads_[n])
        if (crosses(v) && --readers_[v] == 0) --alive;
      ValueId made = kNone;
      for (const ValueId v : model_.outputs(n)) {
        if (v == kNone || !crosses(v)) continue;
        ++alive;
        made = v;
      }
      if (alive == 1 && made != kNone && !model_.value(made).graph_output) out.push_back({made, n});
    }
    return out;
  }

 private:
  /// True if the value is computed in a run and still has readers.
  bool crosses(ValueId v) const { return readers_[v] > 0 && !ready_[v]; }

  const Model& model_;
  Reads reads_;
  std::vector<bool> ready_;
  std::vector<std::size_t> readers_;  ///< by value: number of live nodes that have yet to read it
  std::vector<bool> live_;
};

}  // namespace

std::vector<Cut> cuts(const Resolved& resolved) {
  std::vector<Cut> out = Sweep(resolved).run();
  std::erase_if(out, [&](const Cut& cut) {
    return resolved.type(cut.tensor).container != ops::Container::kTensor;
  });
  return out;
}

std::vector<bool> ancestors(const Model& model, ValueId tensor) {
  std::vector<bool> out = needed(model, Reads(model), {tensor}, [](ValueId) { return false; });
  for (NodeId n = 0; n < out.size(); ++n) out[n] = out[owner_of(model, n)];
  return out;
}

}  // namespace ridge::analysis
