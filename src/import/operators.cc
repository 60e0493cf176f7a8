// SPDX-License-Identifier: Apache-2.0
#include "import/operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/number.h"
#include "base/text.h"
#include "import/alignment.h"
#include "import/constant_nodes.h"
#include "import/node_chain.h"
#include "import/torch_operators.h"

namespace ridge::imports {
namespace {

using analysis::Resolved;
using graph::kNone;
using graph::NodeId;
using graph::ValueId;
using profile::Evidence;

using Shape = std::vector<std::int64_t>;

constexpr std::int32_t kProductWorth = 4, kOtherWorth = 1;

std::int64_t element_count(const Shape& shape) {
  std::int64_t out = 1;
  for (const std::int64_t d : shape)
    if (d < 0 || __builtin_mul_overflow(out, d, &out)) return -1;
  return out;
}

/// True if the shapes may be of the same tensor: exporters transpose weights and fold leading
/// dimensions.
bool alike(Shape a, Shape b) {
  if (element_count(a) != element_count(b)) return false;
  if (a.size() != b.size()) return true;
  std::ranges::sort(a);
  std::ranges::sort(b);
  return a == b;
}

/// Node that an operator may correspond to.
struct Candidate {
  NodeId node = 0;
  std::string_view type;
  std::string module;           ///< module_path of its module
  std::vector<Shape> inputs;    ///< shapes of inputs with more than one element
  std::size_t activations = 0;  ///< number of `inputs` that are not constants
  bool shapes_known = true;
};

/// Operator of the trace.
struct Operation {
  std::uint32_t layer = 0;
  std::span<const TorchOperator> rows;
  std::vector<Shape> inputs;  ///< shapes of inputs with more than one element
  bool shapes_known = false;
  std::string module;         ///< module_path if the model has this module; else ""
  std::string_view instance;  ///< "nn.Module: Conv2d_3", else ""
};

class Matcher {
 public:
  Matcher(const std::vector<RecordedLayer>& layers, const std::vector<bool>& named,
          const Resolved& resolved, const std::vector<bool>& placed)
      : layers_(layers), resolved_(resolved), model_(resolved.model()), placed_(placed) {
    for (const graph::Module& module : model_.modules())
      if (!module.path.empty()) modules_.insert(module_path(module.path));
    for (std::uint32_t l = 0; l < layers.size(); ++l)
      if (!named[l] && layers[l].operation) add_operation(l);
    if (!operations_.empty()) add_candidates();
  }

  OrderedMembers run() {
    if (operations_.empty() || candidates_.empty()) return {};
    if (operations_.size() > kMaxPairs / candidates_.size()) {
      out_.notes.push_back(fmt::format("{} operators and {} nodes are too many to match in order",
                                       operations_.size(), candidates_.size()));
      return std::move(out_);
    }
    sort_alike();
    node_of_ = align(operations_.size(), candidates_.size(), [&](std::size_t i, std::size_t j) {
      return worth_[alike_[i] * candidates_.size() + j];
    });
    find_contradictions();
    for (std::size_t i = 0; i < operations_.size(); ++i)
      if (node_of_[i] != kUnmatched) put(operations_[i], candidates_[node_of_[i]]);
    guess_folded();
    note_result();
    return std::move(out_);
  }

 private:
  enum class Shapes { kCompared, kIgnored };

  void add_operation(std::uint32_t l) {
    const RecordedLayer& layer = layers_[l];
    Operation op{.layer = l, .rows = torch_rows(layer.name)};
    if (op.rows.empty()) return;
    op.shapes_known = !layer.operation->inputs.empty();
    for (const Shape& shape : layer.operation->inputs)
      if (!shape.empty() && element_count(shape) != 1) op.inputs.push_back(shape);
    std::string path = module_path(layer.operation->module);
    if (modules_.contains(path))
      op.module = std::move(path);
    else
      op.instance = layer.operation->module;
    operations_.push_back(std::move(op));
  }

  /// Collects nodes of the main graph in its order, without the nodes that only continue a chain of
  /// an operator in the trace.
  void add_candidates() {
    std::set<std::string_view> anchors;
    std::set<const TorchOperator*> chains;
    for (const Operation& op : operations_)
      for (const TorchOperator& row : op.rows) {
        anchors.insert(row.anchor);
        if (row.chain()) chains.insert(&row);
      }
    std::vector<bool> inside(model_.nodes().size());
    const auto& order = model_.graphs()[0].order;
    for (const NodeId n : order)
      for (const TorchOperator* row : chains) {
        if (model_.node(n).op_type != row->anchor) continue;
        const Chain chain = chain_around(resolved_, *row, n);
        for (const NodeId member : chain.nodes) inside[member] = inside[member] || member != n;
      }
    for (const NodeId n : order) {
      if (placed_[n] || inside[n] || makes_constants(resolved_, n)) continue;
      if (anchors.contains(model_.node(n).op_type)) candidates_.push_back(candidate(n));
    }
  }

  std::optional<Shape> shape_of(ValueId v) const {
    const ops::Type& type = resolved_.type(v);
    if (type.container != ops::Container::kTensor || !type.shape.ranked()) return std::nullopt;
    Shape out;
    for (const ops::Dim& d : type.shape.span()) {
      if (!d.known()) return std::nullopt;
      out.push_back(d.value());
    }
    return out;
  }

  Candidate candidate(NodeId n) const {
    const graph::Node node = model_.node(n);
    Candidate out{
        .node = n, .type = node.op_type, .module = module_path(model_.modules()[node.module].path)};
    for (const ValueId v : node.inputs) {
      if (v == kNone) continue;
      const std::optional<Shape> shape = shape_of(v);
      if (!shape) out.shapes_known = false;
      if (!shape || element_count(*shape) == 1) continue;
      out.inputs.push_back(*shape);
      if (!resolved_.constant(v)) ++out.activations;
    }
    return out;
  }

  /// Computes the scores with each node, once for all operators that share name, shapes and module.
  void sort_alike() {
    std::map<std::tuple<const TorchOperator*, std::vector<Shape>, std::string_view>, std::size_t>
        kinds;
    for (const Operation& op : operations_) {
      const auto [at, fresh] =
          kinds.try_emplace({op.rows.data(), op.inputs, op.module}, kinds.size());
      alike_.push_back(at->second);
      if (!fresh) continue;
      for (const Candidate& node : candidates_)
        worth_.push_back(static_cast<std::int8_t>(worth(op, node, Shapes::kCompared)));
    }
  }

  std::int32_t worth(const Operation& op, const Candidate& node, Shapes shapes) const {
    for (const TorchOperator& row : op.rows) {
      if (row.anchor != node.type) continue;
      if (!op.module.empty() && op.module != node.module) return 0;
      if (shapes == Shapes::kCompared && !shapes_fit(op, node, row)) continue;
      return row.products > 0 ? kProductWorth : kOtherWorth;
    }
    return 0;
  }

  bool shapes_fit(const Operation& op, const Candidate& node, const TorchOperator& row) const {
    if (!op.shapes_known || !node.shapes_known || op.inputs.empty()) return true;
    if (row.chain() && row.anchor != "MatMul") {
      const Chain chain = chain_around(resolved_, row, node.node);
      if (chain.nodes.empty()) return false;
      const std::optional<Shape> made = shape_of(model_.outputs(chain.last)[0]);
      return !made || alike(*made, op.inputs[0]);
    }
    if (node.activations > op.inputs.size()) return false;
    std::vector<bool> taken(node.inputs.size());
    for (const Shape& shape : op.inputs) {
      std::size_t at = 0;
      while (at < taken.size() && (taken[at] || !alike(node.inputs[at], shape))) ++at;
      if (at < taken.size())
        taken[at] = true;
      else if (row.products == 0 || shape.size() != 1)  // else a bias, read by the following Add
        return false;
    }
    return true;
  }

  /// Finds modules of the trace that matched several modules of the model, and the reverse.
  void find_contradictions() {
    std::map<std::string_view, std::set<std::string_view>> paths, instances;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      if (node_of_[i] == kUnmatched || operations_[i].instance.empty()) continue;
      const std::string_view path = first_call(candidates_[node_of_[i]].module);
      if (path.empty()) continue;
      paths[operations_[i].instance].insert(path);
      instances[path].insert(operations_[i].instance);
    }
    for (const auto& [instance, of] : paths)
      if (of.size() > 1) contradicted_.insert(instance);
    for (const auto& [path, of] : instances)
      if (of.size() > 1) contradicted_.insert(of.begin(), of.end());
  }

  /// Strips the suffix of a repeated call: exporters name the scope of a module's second call
  /// "relu_1".
  std::string_view first_call(std::string_view path) const {
    const std::size_t bar = path.rfind('_');
    if (bar == std::string_view::npos || !whole_number<std::size_t>(path.substr(bar + 1)))
      return path;
    const std::string_view before = path.substr(0, bar);
    return modules_.contains(before) ? before : path;
  }

  Evidence evidence(const Operation& op, const Candidate& node) const {
    if (contradicted_.contains(op.instance)) return Evidence::kGuess;
    if (!op.module.empty()) return Evidence::kRenamed;
    return op.shapes_known && node.shapes_known ? Evidence::kShapes : Evidence::kOrder;
  }

  void put(const Operation& op, const Candidate& node) {
    const Evidence how = evidence(op, node);
    out_.members.push_back({op.layer, node.node, how});
    for (const TorchOperator& row : op.rows) {
      if (row.anchor != node.type || !shapes_fit(op, node, row)) continue;
      for (const NodeId member : chain_around(resolved_, row, node.node).nodes)
        if (member != node.node && !placed_[member])
          out_.members.push_back(
              {op.layer, member, how == Evidence::kGuess ? how : Evidence::kRegion});
      return;
    }
  }

  /// Assigns a BatchNormalization that ran right after a matched convolution to that convolution,
  /// if the model has no BatchNormalization.
  void guess_folded() {
    const auto nodes = model_.nodes();
    if (std::ranges::any_of(nodes,
                            [](const graph::Node& n) { return n.op_type == "BatchNormalization"; }))
      return;
    for (std::size_t i = 1; i < operations_.size(); ++i) {
      if (operations_[i].rows[0].anchor != "BatchNormalization") continue;
      if (node_of_[i - 1] == kUnmatched) continue;
      const Candidate& before = candidates_[node_of_[i - 1]];
      if (before.type != "Conv" && before.type != "ConvTranspose") continue;
      out_.members.push_back({operations_[i].layer, before.node, Evidence::kGuess});
      ++folded_;
    }
  }

  void note_result() {
    std::int64_t matched = 0;
    for (const std::uint32_t node : node_of_) matched += node != kUnmatched ? 1 : 0;
    out_.notes.push_back(
        fmt::format("{} of {} of PyTorch that the table has matched by order, type{} with {} of {}",
                    matched, counted(std::ssize(operations_), "operator"),
                    operations_[0].shapes_known ? " and shapes" : ", no shapes recorded,", matched,
                    counted(std::ssize(candidates_), "node")));
    if (!contradicted_.empty())
      out_.notes.push_back(fmt::format("{} of the trace would be several of the model: a guess",
                                       counted(std::ssize(contradicted_), "module")));
    if (folded_ > 0)
      out_.notes.push_back(fmt::format(
          "{} behind convolutions, which the model has in their weights, {} of their "
          "layers (a guess)",
          counted(folded_, "BatchNormalization"), folded_ == 1 ? "is part" : "are parts"));
    if (matched * 2 < std::ssize(operations_)) note_shapes();
  }

  /// Notes the first product whose recorded shapes rule out the first node of a fitting type.
  void note_shapes() {
    if (!operations_[0].shapes_known) return;
    const auto product = [](const Operation& op) { return op.rows[0].products > 0; };
    const auto op = std::ranges::find_if(operations_, product);
    if (op == operations_.end() || op->inputs.empty()) return;
    for (const Candidate& node : candidates_) {
      if (worth(*op, node, Shapes::kIgnored) == 0) continue;
      if (worth(*op, node, Shapes::kCompared) > 0 || node.inputs.empty()) return;
      out_.notes.push_back(fmt::format(
          "recorded shapes are not the model's: {} read {}, node '{}' reads {} (--bind, --shape)",
          layers_[op->layer].name, text(op->inputs[0]), printable(model_.node(node.node).name),
          text(node.inputs[0])));
      return;
    }
  }

  static std::string text(const Shape& shape) { return fmt::format("{}", fmt::join(shape, "x")); }

  const std::vector<RecordedLayer>& layers_;
  const Resolved& resolved_;
  const graph::Model& model_;
  const std::vector<bool>& placed_;
  std::set<std::string, std::less<>> modules_;
  std::vector<Operation> operations_;
  std::vector<Candidate> candidates_;
  std::vector<std::size_t> alike_;      // by operation: its kind, the row of worth_
  std::vector<std::int8_t> worth_;      // by kind of operation, then candidate
  std::vector<std::uint32_t> node_of_;  // by operation: position in candidates_
  std::set<std::string_view> contradicted_;
  std::int64_t folded_ = 0;
  OrderedMembers out_;
};

}  // namespace

OrderedMembers match_in_order(const std::vector<RecordedLayer>& layers,
                              const std::vector<bool>& named, const Resolved& resolved,
                              const std::vector<bool>& placed) {
  return Matcher(layers, named, resolved, placed).run();
}

}  // namespace ridge::imports
