// SPDX-License-Identifier: Apache-2.0
#include "analysis/resolver.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/constants.h"
#include "analysis/counts.h"
#include "analysis/traffic/liveness.h"
#include "analysis/weights.h"

namespace ridge::analysis {
namespace {

const ops::Type kNoType{};

/// Limit for folding floating-point constants: large enough for those that determine shapes (scales
/// of a Resize, bounds of a Range), too small for weights.
constexpr std::int64_t kMaxFoldedReals = 64;

}  // namespace

Resolver::Resolver(std::shared_ptr<const graph::Model> model)
    : model_(std::move(model)), precedents_(*model_, out_.types_) {
  const std::size_t values = model_->values().size();
  const std::size_t nodes = model_->nodes().size();
  out_.model_ = model_;
  out_.arena_ = std::make_shared<Arena>();
  out_.dims_ = std::make_shared<ops::DimPool>();
  out_.types_.resize(values);
  out_.counts_ = CountTable(nodes);
  arena_ = out_.arena_.get();
  dims_ = out_.dims_.get();
  values_.resize(values);
  decoded_.resize(values);
  unknown_.resize(nodes);
  trips_.resize(model_->graphs().size());
  costs_.resize(model_->graphs().size());
  for (const graph::NodeKind& kind : model_->kinds())
    operators_.push_back(ops::find(kind.domain, kind.op_type, kind.opset));
  visit_limit_ = 4 * static_cast<std::int64_t>(nodes) + kSpareVisits;
  memory_limit_ = kSpareMemory + kMemoryPerNode * nodes;
}

Result<Resolved> Resolver::run(const Bindings& bindings,
                               const std::map<std::string, std::int64_t>& defaults) {
  const std::string& path = model_->document().path;
  Result<Sizes> sizes = bind_sizes(*model_, bindings, defaults, *dims_, *arena_);
  if (!sizes.ok()) return std::move(sizes).error().in_file(path);
  sizes_ = std::move(sizes).value();
  seed_values();

  Result<void> walked = give_values(bindings);
  if (walked.ok()) walked = resolve_graph(0);
  if (walked.ok()) walked = finish();
  if (!walked.ok())
    return std::move(walked)
        .error()
        .in(fmt::format("graph '{}'", model_->main().name))
        .in_file(path);

  out_.bindings_ = {sizes_.values.begin(), sizes_.values.end()};
  finish_notes();
  return std::move(out_);
}

Result<void> Resolver::finish() {
  out_.values_ = std::move(values_);
  // Freed early: with a million values it takes notable memory.
  std::vector<bool>().swap(decoded_);
  Provenance provenance = trace_weights(*model_, out_.types_);
  TRY(finish_counts({*model_, out_.types_, provenance, trips_, *dims_, out_.counts_, out_.packed_,
                     out_.parts_, out_.repeats_, out_.macs_max_, out_.active_params_,
                     out_.totals_}));
  out_.constant_ = std::move(provenance.constant);
  out_.weight_ = std::move(provenance.weight);
  std::vector<graph::ValueId>().swap(provenance.root);
  const Peak peak = peak_activations(out_);
  out_.totals_.peak_activation_bytes = peak.bytes;
  if (!peak.complete) out_.totals_.incomplete.set(Totals::kPeakActivationBytes);
  dims_->clear_overflow();  // only the peak overflowed, and is unknown; all other counts are valid
  return {};
}

void Resolver::seed_values() {
  const std::span<const graph::Value> values = model_->values();
  for (graph::ValueId v = 0; v < values.size(); ++v) {
    if (values[v].tensor != nullptr) {
      const onnx::Tensor& tensor = *values[v].tensor;
      out_.types_[v] = {tensor.type, ops::Container::kTensor, shape(tensor.dims)};
    } else if (values[v].sparse != nullptr && values[v].sparse->values != nullptr) {
      const onnx::SparseTensor& sparse = *values[v].sparse;
      out_.types_[v] = {sparse.values->type, ops::Container::kTensor, shape(sparse.dims)};
    }
  }
  const auto inputs = model_->main().inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (values[inputs[i]].tensor == nullptr && values[inputs[i]].sparse == nullptr)
      out_.types_[inputs[i]] = sizes_.inputs[i];
}

Result<void> Resolver::give_values(const Bindings& bindings) {
  for (const graph::ValueId v : model_->main().inputs) {
    const auto given = bindings.values.find(std::string(model_->value(v).name));
    if (given != bindings.values.end())
      TRY_IN(fmt::format("input '{}'", given->first), give_value(v, given->second));
  }
  return {};
}

/// Makes the elements that the user gives known, unless the input's shape is not known or too
/// large.
Result<void> Resolver::give_value(graph::ValueId v, const InputValue& given) {
  ops::Type& type = out_.types_[v];
  if (given.dims) type.shape = shape(*given.dims);
  if (type.container != ops::Container::kTensor || !type.shape.known()) return {};
  if (type.dtype == onnx::DataType::kUndefined) type.dtype = given.type;
  const ops::Dim elements = dims_->product(type.shape.span());
  if (given.type != type.dtype || !elements.known() || elements.value() > ops::kMaxFolded)
    return {};
  const ops::Value* value =
      TRY(value_of_bytes(given.type, type.shape, elements.value(), given.bytes, *arena_));
  if (value == nullptr) return {};
  values_[v] = value;
  decoded_[v] = true;
  if (out_.steered_.empty()) out_.steered_.resize(model_->values().size());
  out_.steered_[v] = true;
  out_.given_values_[std::string(model_->value(v).name)] = given.source;
  return {};
}

/// True if the current node reads a value that depends on a given one.
bool Resolver::steered_input() const {
  return !out_.steered_.empty() && std::ranges::any_of(node_.inputs, [&](graph::ValueId v) {
    return v != graph::kNone && out_.steered_[v];
  });
}

Result<void> Resolver::resolve_graph(graph::GraphId g) {
  precedents_.forget();
  for (const graph::NodeId n : model_->graphs()[g].order) TRY(resolve_node(n));
  if (g != 0) costs_[g] = cost(g);
  return {};
}

Result<void> Resolver::resolve_node(graph::NodeId n) {
  ++visits_;
  if (!out_.macs_max_.empty()) out_.macs_max_.erase(n);
  if (const graph::NodeId same = precedents_.find(n); same != graph::kNone) {
    follow(n, same);
    return {};
  }
  node_ = model_->node(n);
  out_.counts_.reset(n);
  for (const graph::ValueId v : node_.outputs) {
    if (v == graph::kNone) continue;
    out_.types_[v] = {};
    values_[v] = nullptr;
  }
  Result<void> done = apply_rules(n);
  if (done.ok()) return {};
  Error error = std::move(done).error();
  if (error.hint().empty())
    error = std::move(error).hint("if the given sizes are right, the file is not valid ONNX");
  return std::move(error).in(model_->describe(n));
}

/// Copies the results of the node `same`, which `n` matches.
void Resolver::follow(graph::NodeId n, graph::NodeId same) {
  const std::span<const graph::ValueId> to = model_->outputs(n), from = model_->outputs(same);
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (to[i] == graph::kNone) continue;
    out_.types_[to[i]] = out_.types_[from[i]];
    values_[to[i]] = nullptr;
  }
  out_.counts_.share(n, same);
}

Result<void> Resolver::apply_rules(graph::NodeId n) {
  if (!node_.bodies.empty()) {
    precedents_.forget();
    TRY(resolve_bodies(n));
    precedents_.forget();
    return {};
  }
  if (const ops::Operator* op = find_operator(node_)) return apply(n, *op);
  leave_unknown(n);
  return {};
}

Result<void> Resolver::apply(graph::NodeId n, const ops::Operator& op) {
  by_types_alone_ = op.packed == nullptr && op.part == nullptr;
  expected_.clear();
  TRY(op.infer(*this));
  TRY(check_sizes());
  if (!expected_.empty()) note_fixed(n);
  for (const graph::ValueId v : node_.outputs)
    if (v != graph::kNone && model_->value(v).declared != nullptr) reconcile(v);
  fold(op);
  count(n, op);
  TRY(check_limits());
  if (by_types_alone_ && out_.counts_[n].reason.empty() && out_.macs_max(n).unknown())
    precedents_.note(n);
  return {};
}

void Resolver::leave_unknown(graph::NodeId n) {
  for (const graph::ValueId v : node_.outputs)
    if (v != graph::kNone) reconcile(v);
  unknown_[n] = true;
  NodeCounts c = out_.counts_[n];
  c.status = Status::kUnknown;
  c.reason =
      node_.opset == 0
          ? arena_->copy(fmt::format("the file imports no opset of the domain '{}'", node_.domain))
          : arena_->copy(fmt::format("the operator '{}' is not known", operator_name(node_)));
  out_.counts_.set(n, c);
}

bool Resolver::foldable() const {
  for (const graph::ValueId v : node_.outputs) {
    if (v == graph::kNone) continue;
    const ops::Type& type = out_.types_[v];
    const onnx::DataTypeInfo* row = onnx::info(type.dtype);
    if (row == nullptr || !type.shape.ranked()) return false;
    std::int64_t elements = 1;
    for (const ops::Dim& d : type.shape.span()) {
      if (!d.known() || d.value() > ops::kMaxFolded) return false;
      elements *= d.value();
      if (elements > (row->floating ? kMaxFoldedReals : ops::kMaxFolded)) return false;
    }
  }
  return true;
}

void Resolver::fold(const ops::Operator& op) {
  if (op.fold == nullptr || !foldable()) return;
  if (arena_->bytes_used() < memory_limit_ / 2)
    op.fold(*this);
  else
    folding_stopped_ = true;
}

void Resolver::count(graph::NodeId n, const ops::Operator& op) {
  NodeCounts c;
  c.status = Status::kZero;
  c.macs = c.flops = c.special = c.int_ops = ops::Dim(0);
  if (op.work != nullptr) {
    const ops::Work work = op.work(*this);
    if (!work.macs_max.unknown()) out_.macs_max_[n] = work.macs_max;
    c.macs = work.macs, c.flops = work.flops, c.special = work.special, c.int_ops = work.int_ops;
    const bool open =
        c.macs.unknown() || c.flops.unknown() || c.special.unknown() || c.int_ops.unknown();
    const bool unknown = c.macs.unknown() || (open && !data_decides());
    c.status = unknown ? Status::kUnknown : Status::kCounted;
  }
  for (std::size_t i = 0; op.packed != nullptr && i < node_.inputs.size(); ++i) {
    const ops::Dim weights = has_input(i) ? op.packed(*this, i) : ops::Dim(0);
    if (weights.known() && weights.value() > 0) out_.packed_[node_.inputs[i]] = weights.value();
  }
  const ops::Traffic moved = ops::traffic_of(*this, op);
  if (op.part != nullptr) note_parts(n, op);
  c.bytes_read = moved.read, c.bytes_written = moved.written;
  for (const ops::Dim figure :
       {c.macs, c.flops, c.special, c.int_ops, c.bytes_read, c.bytes_written})
    if (figure.unknown() && c.reason.empty()) c.reason = why_unknown(n);
  out_.counts_.set(n, c);
}

/// True if all tensors of the node have a known rank and type, so only data-dependent sizes are
/// unknown.
bool Resolver::data_decides() const {
  const auto typed = [&](graph::ValueId v) {
    const ops::Type& type = out_.types_[v];
    return type.container != ops::Container::kTensor ||
           (type.shape.ranked() && type.dtype != onnx::DataType::kUndefined);
  };
  const auto all = [&](std::span<const graph::ValueId> values) {
    return std::all_of(values.begin(), values.end(),
                       [&](graph::ValueId v) { return v == graph::kNone || typed(v); });
  };
  return all(node_.inputs) && all(node_.outputs);
}

/// Keeps the equations of free sizes that the node's shape rule requires, each once.
void Resolver::note_fixed(graph::NodeId n) {
  for (const auto& [a, b] : expected_) {
    const bool turned = a.known();
    const FixedSize found{turned ? b : a, turned ? a : b, n, 1};
    const auto at = std::ranges::find_if(out_.fixed_, [&](const FixedSize& f) {
      return f.left == found.left && f.right == found.right;
    });
    if (at != out_.fixed_.end())
      ++at->nodes;
    else if (out_.fixed_.size() < Resolved::kMaxFixed)
      out_.fixed_.push_back(found);
  }
}

void Resolver::note_parts(graph::NodeId n, const ops::Operator& op) {
  std::vector<PartRead> parts;
  for (std::size_t i = 0; i < node_.inputs.size(); ++i)
    if (const auto bytes = ops::part_bytes(*this, op, i))
      parts.push_back({node_.inputs[i], *bytes, *op.part(*this, i)});
  if (parts.empty())
    out_.parts_.erase(n);
  else
    out_.parts_[n] = std::move(parts);
}

std::string_view Resolver::why_unknown(graph::NodeId n) const {
  const graph::Node& node = model_->node(n);
  const auto cause = [&](std::span<const graph::ValueId> values,
                         std::string_view what) -> std::string {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == graph::kNone) continue;
      const ops::Type& type = out_.types_[values[i]];
      const std::string which = fmt::format("{} {} '{}'", what, i, model_->value(values[i]).name);
      if (type.container != ops::Container::kTensor) return which + " is not a tensor";
      if (!type.shape.ranked()) return which + " has no known shape";
      for (const ops::Dim& d : type.shape.span())
        if (d.unknown()) return which + " has a dimension that depends on data";
      if (!onnx::storage_bytes(type.dtype, 1))
        return fmt::format("{} holds {} elements, of no fixed size", which, onnx::name(type.dtype));
    }
    return {};
  };
  std::string reason = cause(node.inputs, "input");
  if (reason.empty()) reason = cause(node.outputs, "output");
  if (reason.empty())
    reason = dims_->outgrown() ? "its expression of the free sizes has grown too large"
                               : "it depends on values that are not in the file";
  return arena_->copy(reason);
}

/// Rejects negative output sizes, which result from negative constants or attributes.
Result<void> Resolver::check_sizes() const {
  for (std::size_t i = 0; i < node_.outputs.size(); ++i) {
    const ops::Type& type = output(i);
    for (const ops::Dim& d : type.shape.span()) {
      if (!d.known() || d.value() >= 0) continue;
      return input_error("RIDGE-ANA-0204", fmt::format("{}: output {} would be {}", node_.op_type,
                                                       i, type_text(type, *dims_)))
          .hint("check the node's constants and attributes: a size is negative");
    }
  }
  return {};
}

Result<void> Resolver::check_limits() {
  if (arena_->bytes_used() > memory_limit_) {
    return input_error(
               "RIDGE-ANA-0203",
               fmt::format(
                   "shapes and constants up to this node need {} bytes of memory, the limit is {}",
                   arena_->bytes_used(), memory_limit_))
        .hint("the file may be damaged or hostile: no network has shapes of so many dimensions");
  }
  if (!dims_->overflowed()) return {};
  return input_error("RIDGE-ANA-0201",
                     "a size, a count or a number of bytes of this node exceeds 2^63 - 1")
      .hint("check the sizes given and the node's constants");
}

void Resolver::reconcile(graph::ValueId v) {
  const onnx::TypeInfo* info = model_->value(v).declared;
  if (info == nullptr) return;
  ops::Type& type = out_.types_[v];
  const ops::Type declared = declared_type(info, sizes_, *dims_, *arena_);
  if (type.container == ops::Container::kTensor && declared.container != ops::Container::kTensor &&
      type.dtype == onnx::DataType::kUndefined) {
    type = declared;
    return;
  }
  bool contradicted = type.dtype != onnx::DataType::kUndefined &&
                      declared.dtype != onnx::DataType::kUndefined && type.dtype != declared.dtype;
  if (type.dtype == onnx::DataType::kUndefined) type.dtype = declared.dtype;
  if (!type.shape.ranked()) {
    type.shape = declared.shape;
  } else if (declared.shape.ranked() && declared.shape.rank != type.shape.rank) {
    contradicted = true;
  } else if (declared.shape.ranked()) {
    contradicted = fill_unknown(type.shape, declared.shape) || contradicted;
  }
  if (contradicted) note_contradiction(v, declared);
}

/// Fills dimensions that inference left unknown from `declared`; returns true if the two
/// contradict. A declared 0 is ignored: exporters write it for unknown.
bool Resolver::fill_unknown(ops::Shape& shape, const ops::Shape& declared) {
  bool contradicted = false, filled = false;
  for (std::size_t i = 0; i < shape.span().size(); ++i) {
    const ops::Dim have = shape[i], said = declared[i];
    if (said.unknown() || said.is(0)) continue;
    filled = filled || have.unknown();
    contradicted = contradicted || (have.known() && said.known() && !have.same(said));
  }
  if (!filled) return contradicted;
  const std::span<ops::Dim> dims = arena_->copy(shape.span());
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (dims[i].unknown() && !declared[i].is(0)) dims[i] = declared[i];
  shape.dims = dims.data();
  return contradicted;
}

void Resolver::note_contradiction(graph::ValueId v, const ops::Type& declared) {
  contradictions_.insert(v);
  if (first_contradiction_.empty())
    first_contradiction_ =
        fmt::format("'{}' is declared {}, but is {}", model_->value(v).name,
                    type_text(declared, *dims_), type_text(out_.types_[v], *dims_));
}

void Resolver::finish_notes() {
  std::vector<std::string>& notes = out_.notes_;
  notes = std::move(sizes_.notes);
  for (const graph::Graph& g : model_->graphs()) {
    if (g.sorted) continue;
    notes.push_back(fmt::format(
        "the nodes of graph '{}' are not in topological order; they are sorted", g.name));
    break;
  }
  if (const std::size_t n = contradictions_.size(); n > 0)
    notes.push_back(fmt::format("{} declared shape{} not follow from the inputs and {} ignored: {}",
                                n, n == 1 ? " does" : "s do", n == 1 ? "is" : "are",
                                first_contradiction_));
  if (folding_stopped_)
    notes.push_back(
        fmt::format("folded constants reached the limit of {} bytes; further ones remain unknown",
                    memory_limit_ / 2));
  if (!unread_.empty())
    notes.push_back(
        fmt::format("{} constant{} could not be read, dependent values remain unknown: {}",
                    unread_.size(), unread_.size() == 1 ? "" : "s", unread_.front()));
  note_unknown_operators();
}

/// Adds a note that lists each unknown operator with its number of nodes, except in branches that
/// do not run.
void Resolver::note_unknown_operators() {
  std::map<std::string, std::int64_t> operators;
  std::int64_t nodes = 0;
  for (graph::NodeId n = 0; n < unknown_.size(); ++n) {
    if (!unknown_[n] || out_.counts_[n].status != Status::kUnknown) continue;
    ++operators[operator_name(model_->node(n))];
    ++nodes;
  }
  if (nodes == 0) return;
  std::string names;
  for (const auto& [name, count] : operators)
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", name, count);
  out_.notes_.push_back(fmt::format(
      "{} node{} of {} unknown operator{}, not counted: {}", nodes, nodes == 1 ? "" : "s",
      operators.size() == 1 ? "an" : fmt::format("{}", operators.size()),
      operators.size() == 1 ? "" : "s", names));
}

const ops::Type& Resolver::input(std::size_t i) const {
  return has_input(i) ? out_.types_[node_.inputs[i]] : kNoType;
}

const ops::Type& Resolver::output(std::size_t i) const {
  return wants_output(i) ? out_.types_[node_.outputs[i]] : kNoType;
}

const ops::Value* Resolver::folded(std::size_t i) const {
  by_types_alone_ = false;
  return has_input(i) ? constant_value(node_.inputs[i]) : nullptr;
}

const ops::Value* Resolver::constant_value(graph::ValueId v) const {
  if (values_[v] != nullptr || decoded_[v]) return values_[v];
  decoded_[v] = true;
  const graph::Value& value = model_->value(v);
  if (value.tensor == nullptr) return nullptr;
  Result<const ops::Value*> read = tensor_value(model_->document(), *value.tensor, *arena_);
  if (read.ok())
    values_[v] = *read;
  else
    unread_.push_back(fmt::format("'{}': {}", value.name, read.error().summary()));
  return values_[v];
}

Result<const ops::Value*> Resolver::tensor_attribute(std::string_view name) {
  by_types_alone_ = false;
  const onnx::Attribute* a = graph::attribute(node_, name);
  if (a == nullptr) return nullptr;
  if (a->t == nullptr)
    return fail(ops::Fault::kAttributeType, fmt::format("attribute '{}' is not a tensor", name));
  return TRY_IN(fmt::format("attribute '{}'", name),
                tensor_value(model_->document(), *a->t, *arena_));
}

void Resolver::set_output(std::size_t i, const ops::Type& type) {
  if (wants_output(i)) out_.types_[node_.outputs[i]] = type;
}

void Resolver::set_value(std::size_t i, const ops::Value& value) {
  by_types_alone_ = false;
  if (!wants_output(i)) return;
  values_[node_.outputs[i]] = arena_->make(value);
  if (!out_.steered_.empty()) out_.steered_[node_.outputs[i]] = steered_input();
}

Result<Resolved> resolve(std::shared_ptr<const graph::Model> model, const Bindings& bindings,
                         const std::map<std::string, std::int64_t>& defaults) {
  return Resolver(std::move(model)).run(bindings, defaults);
}

}  // namespace ridge::analysis
