// SPDX-License-Identifier: Apache-2.0
#include "analysis/traffic/liveness.h"

#include <algorithm>

#include "analysis/bodies.h"
#include "analysis/sizes/polynomial.h"

namespace ridge::analysis {
namespace {

constexpr std::uint32_t kEnd = 0xffffffff;
constexpr graph::ValueId kNoBuffer = graph::kNone;  // takes no memory: a constant or a folded size
constexpr graph::ValueId kElsewhere = 0xfffffffe;   // in memory that the enclosing graph counts

struct Life {
  graph::ValueId buffer = kNoBuffer;  ///< value whose memory it uses
  std::uint32_t last = 0;             ///< for a buffer: position after which it is free
  graph::ValueId next = 0;            ///< for a buffer: next one that is freed at the same position
};

class Liveness {
 public:
  explicit Liveness(const Resolved& r) : r_(r), model_(r.model()), dims_(r.dims()) {
    const std::size_t values = model_.values().size();
    lives_.resize(values);
    position_.resize(model_.nodes().size());
    inside_.resize(model_.graphs().size(), ops::Dim(0));
  }

  Peak run() {
    // Bodies come after their owners, so in reverse order every body is measured before the node
    // that runs it.
    for (auto g = static_cast<graph::GraphId>(model_.graphs().size()); g-- > 0;) measure(g);
    return {inside_[0], complete_};
  }

 private:
  void measure(graph::GraphId g) {
    const graph::Graph& graph = model_.graphs()[g];
    if (!graph.order.empty() && r_.repeat(graph.order[0]).is(0)) return;
    std::uint32_t position = 0;
    for (const graph::NodeId n : graph.order) position_[n] = position++;
    assign_buffers(graph, g);
    sweep(graph);
  }

  /// True if inputs and outputs of the graph use memory of the enclosing graph.
  bool borrows(const graph::Graph& graph) const {
    if (graph.owner == graph::kNone) return false;
    const Bodies bodies = bodies_of(model_.node(graph.owner));
    return bodies == Bodies::kCall || bodies == Bodies::kIf;
  }

  bool takes_memory(graph::ValueId v) const {
    return v != graph::kNone && !r_.constant(v) && r_.value(v) == nullptr;
  }

  void assign_buffers(const graph::Graph& graph, graph::GraphId g) {
    const bool borrowed = borrows(graph);
    for (const graph::ValueId v : graph.inputs) place(g, v, borrowed ? kElsewhere : v, 0);
    for (const graph::NodeId n : graph.order)
      for (const graph::ValueId v : model_.outputs(n)) place(g, v, shared_with(n, v), position_[n]);
    for (const graph::ValueId v : graph.outputs) {
      if (v == graph::kNone || model_.value(v).graph != g || lives_[v].buffer >= kElsewhere)
        continue;
      if (borrowed)
        lives_[v].buffer = kElsewhere;
      else
        lives_[lives_[v].buffer].last = kEnd;
    }
  }

  /// Assigns a buffer to the value `v` of graph `g` and extends the buffer's lifetime to its last
  /// reader.
  void place(graph::GraphId g, graph::ValueId v, graph::ValueId buffer, std::uint32_t made) {
    if (!takes_memory(v)) return;
    lives_[v].buffer = buffer;
    if (buffer >= kElsewhere) return;
    std::uint32_t& last = lives_[buffer].last;
    last = std::max({last, made, last_reader(g, v)});
  }

  /// Position, in graph `g` of the value, of the last node that reads it itself or in its bodies.
  std::uint32_t last_reader(graph::GraphId g, graph::ValueId v) const {
    std::uint32_t last = 0;
    for (graph::NodeId n : model_.consumers(v)) {
      while (model_.graph_of(n) != g) n = model_.graphs()[model_.graph_of(n)].owner;
      last = std::max(last, position_[n]);
    }
    return last;
  }

  /// Returns the buffer of output `out` of node `n`: its input's buffer for a view of equal size,
  /// else its own.
  graph::ValueId shared_with(graph::NodeId n, graph::ValueId out) const {
    const NodeCounts& c = r_.counts(n);
    const std::span<const graph::ValueId> inputs = model_.inputs(n);
    const bool view = c.bytes_read.is(0) && c.bytes_written.is(0) && !inputs.empty() &&
                      model_.outputs(n)[0] == out && model_.bodies(n).empty();
    if (!view || !takes_memory(inputs[0]) || out == graph::kNone) return out;
    const graph::ValueId in = inputs[0];
    if (!size(in).same(size(out))) return out;
    return model_.value(in).graph == model_.graph_of(n) ? lives_[in].buffer : kElsewhere;
  }

  ops::Dim size(graph::ValueId v) const { return ops::type_bytes(r_.type(v), dims_); }

  /// Size of a buffer that becomes live. An unknown size counts as 0 and makes the peak incomplete.
  ops::Dim begin(graph::ValueId v, std::vector<graph::ValueId>& ends) {
    if (v == graph::kNone || lives_[v].buffer != v) return ops::Dim(0);
    Life& life = lives_[v];
    if (life.last != kEnd) {
      life.next = ends[life.last];
      ends[life.last] = v;
    }
    const ops::Dim bytes = size(v);
    complete_ = complete_ && !bytes.unknown();
    return bytes.unknown() ? ops::Dim(0) : bytes;
  }

  // Example: a = Relu(x), b = Relu(a), y = Add(a, b), 4 bytes each. Live bytes at each node: Relu:
  // x and a, 8; x is free after it. Relu: a and b, 8. Add: a, b and y, 12: the peak.
  void sweep(const graph::Graph& graph) {
    // By position: list of the buffers that are freed after it.
    std::vector<graph::ValueId> ends(graph.order.size() + 1, graph::kNone);
    ops::Dim live(0);
    for (const graph::ValueId v : graph.inputs) live = dims_.add(live, begin(v, ends));
    Highest peak(dims_);
    peak.take(live);
    for (const graph::NodeId n : graph.order) {
      for (const graph::ValueId v : model_.outputs(n)) live = dims_.add(live, begin(v, ends));
      ops::Dim inside(0);
      for (const graph::GraphId body : model_.bodies(n)) inside = dims_.max(inside, inside_[body]);
      peak.take(dims_.add(live, inside));
      for (graph::ValueId v = ends[position_[n]]; v != graph::kNone; v = lives_[v].next)
        if (const ops::Dim bytes = size(v); !bytes.unknown()) live = dims_.sub(live, bytes);
    }
    inside_[static_cast<std::size_t>(&graph - model_.graphs().data())] = peak.value();
  }

  const Resolved& r_;
  const graph::Model& model_;
  ops::DimPool& dims_;
  std::vector<Life> lives_;              // by value
  std::vector<std::uint32_t> position_;  // by node: position in its graph's order
  std::vector<ops::Dim> inside_;         // by graph: its own peak
  bool complete_ = true;
};

}  // namespace

Peak peak_activations(const Resolved& resolved) { return Liveness(resolved).run(); }

}  // namespace ridge::analysis
