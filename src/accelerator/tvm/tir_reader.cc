// SPDX-License-Identifier: Apache-2.0
#include "accelerator/tvm/tir_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "accelerator/tvm/tir_meanings.h"
#include "base/checked.h"
#include "base/number.h"
#include "base/text.h"
#include "onnx/data_type.h"

namespace ridge::accelerator {
namespace {

using Kind = Expr::Kind;
using Meaning = TirMeaning;
using What = TirMeaning::What;

/// Limit; the largest network tried has some thousands.
constexpr std::size_t kMaxBuffers = std::size_t{1} << 15;

struct Iterator {
  VarId variable = kNothing;
  ExprId begin = kNothing;
  bool reduction = false;
};
struct Block {
  Stmt statement;
  std::vector<Iterator> iterators;
};

/// Appends `value` to `in`; returns its kind and index.
template <typename T>
Meaning kept(What what, std::vector<T>& in, T value) {
  in.push_back(std::move(value));
  return {what, static_cast<std::uint32_t>(in.size() - 1)};
}

class Reader {
 public:
  explicit Reader(const TirNodes& source) : source_(source), m_(source, out_.nest) {}

  Result<TirModule> run() {
    if (source_.tvm_version != kTvmVersion)
      return input_error(
                 "RIDGE-ACC-0322",
                 fmt::format("the loop nests are from TVM '{}'; only version {} is supported",
                             printable(source_.tvm_version), kTvmVersion))
          .hint("scripts/fetch_tvm.sh installs that version");
    for (std::size_t at = 0; at < source_.nodes.size(); ++at) {
      m_.go_to(at);
      m_.set(TRY(read(source_.nodes[at])));
    }
    m_.go_to(source_.root);
    if (m_.node().type != "ir.IRModule") return m_.wrong("is not a module");
    TRY(add_functions());
    return std::move(out_);
  }

 private:
  Nest& nest() { return out_.nest; }
  Meaning made(Stmt statement) { return {What::kStatement, nest().add(std::move(statement))}; }
  Result<std::uint32_t> id(const JsonValue& value, What expected) const {
    return TRY(m_.meaning(value, expected)).id;
  }

  Result<Meaning> read(const TirNode& node);
  Result<Meaning> read_scalar(const TirNode& node);
  Result<Meaning> read_statement(const TirNode& node, const TirFields& f);
  Result<Meaning> read_variable(const TirFields& f);
  Result<Meaning> read_buffer_type(const TirFields& f);
  Result<Meaning> read_loop(const TirFields& f);
  Result<Meaning> read_store(const TirFields& f);
  Result<Meaning> read_block(const TirFields& f);
  Result<Meaning> realize(const TirFields& f);
  Result<Meaning> read_branch(const TirFields& f);
  Result<Meaning> read_function(const TirFields& f);
  Result<graph::NodeId> node_of(const JsonValue& annotations);
  Result<void> add_functions();

  const TirNodes& source_;
  TirModule out_;
  TirMeanings m_;
  std::vector<Buffer> buffer_types_;
  std::vector<Iterator> iterators_;
  std::vector<Block> blocks_;
  std::vector<TirFunction> functions_;
};

Result<Meaning> Reader::read(const TirNode& node) {
  if (node.data.kind != JsonValue::Kind::kObject) return read_scalar(node);
  const TirFields f(node.data);
  if (node.type == "ir.Var") return read_variable(f);
  if (node.type == "tirx.BufferType") return read_buffer_type(f);
  if (node.type == "ir.PrimType") return m_.keep(f.find("dtype").unescaped());
  if (node.type == "ir.Range") return Meaning{What::kRange, TRY(m_.expression(f.find("min")))};
  if (node.type == "tirx.IterVar") {
    constexpr std::int64_t kReduction = 2;
    const ExprId begin = TRY(id(f.find("dom"), What::kRange));
    return kept(What::kIterator, iterators_,
                Iterator{TRY(id(f.find("var"), What::kVariable)), begin,
                         number_in(f.find("iter_type")) == kReduction});
  }
  if (node.type == "tirx.PrimFunc") return read_function(f);
  if (node.type == "ir.GlobalVar") return m_.keep(std::string(TRY(m_.text(f.find("name_hint")))));
  if (node.type.starts_with("prim.") || node.type.starts_with("ir."))
    return read_tir_expression(m_, node, f);
  return read_statement(node, f);
}

Result<Meaning> Reader::read_scalar(const TirNode& node) {
  if (node.type == "None") return Meaning{What::kNone, 0};
  if (node.type == "ffi.String" || node.type == "ir.Op") return m_.keep(node.data.unescaped());
  if (node.type == "int") {
    const auto value = number_in(node.data);
    if (!value) return m_.wrong("is not a number");
    return m_.keep(*value);
  }
  if (node.type != "ffi.Array" && node.type != "ffi.Map") return Meaning();
  auto indices = index_list(node.data);
  if (!indices) return m_.wrong("is not a list");
  return m_.keep(std::move(*indices));
}

Result<Meaning> Reader::read_variable(const TirFields& f) {
  std::string label(TRY(m_.text(f.find("name"))));
  const Meaning* type = m_.any(f.find("ty"));
  if (type == nullptr) return m_.wrong("has no type");
  if (type->what != What::kBufferType)
    return Meaning{What::kVariable, nest().add_variable(std::move(label))};
  if (nest().buffers().size() >= kMaxBuffers)
    return m_.wrong(fmt::format("exceeds the limit of {} buffers", kMaxBuffers));
  Buffer buffer = buffer_types_[type->id];
  TRY(m_.take(buffer.shape.size() + buffer.dtype.size()));
  buffer.name = std::move(label);
  return Meaning{What::kBuffer, nest().add_buffer(std::move(buffer))};
}

Result<Meaning> Reader::read_buffer_type(const TirFields& f) {
  Buffer out;
  out.dtype = TRY(m_.text(f.find("dtype")));
  const auto type = onnx::data_type_named(out.dtype);
  if (!type)
    return m_.wrong(fmt::format("has the unsupported element type '{}'", printable(out.dtype)));
  out.element_bits = onnx::info(*type)->bits;
  for (const ExprId size : TRY(m_.expressions(f.find("shape"))))
    out.shape.push_back(TRY(m_.constant(size)));
  if (std::any_of(out.shape.begin(), out.shape.end(), [](std::int64_t n) { return n < 0; }))
    return m_.wrong("has a negative size");
  return kept(What::kBufferType, buffer_types_, std::move(out));
}

Result<Meaning> Reader::read_statement(const TirNode& node, const TirFields& f) {
  if (node.type == "tirx.For") return read_loop(f);
  if (node.type == "tirx.BufferStore") return read_store(f);
  if (node.type == "s_tir.SBlock") return read_block(f);
  if (node.type == "s_tir.SBlockRealize") return realize(f);
  if (node.type == "tirx.IfThenElse") return read_branch(f);
  if (node.type == "tirx.SeqStmt") {
    Stmt s;
    s.kind = Stmt::Kind::kSequence;
    s.children = TRY(m_.ids(f.find("seq"), What::kStatement));
    return made(std::move(s));
  }
  if (node.type != "tirx.Evaluate") return Meaning();
  if (nest().expr(TRY(m_.expression(f.find("value")))).kind != Kind::kInteger)
    return m_.wrong("evaluates an expression that is not an integer constant");
  return made({});
}

Result<Meaning> Reader::read_store(const TirFields& f) {
  Stmt s;
  s.kind = Stmt::Kind::kStore;
  s.buffer = TRY(id(f.find("buffer"), What::kBuffer));
  s.value = TRY(m_.expression(f.find("value")));
  s.indices = TRY(m_.expressions(f.find("indices")));
  if (!m_.none(f.find("predicate")))
    return m_.wrong("has a predicated store, which is not supported");
  return made(std::move(s));
}

Result<Meaning> Reader::read_loop(const TirFields& f) {
  Stmt s;
  s.kind = Stmt::Kind::kLoop;
  s.variable = TRY(id(f.find("loop_var"), What::kVariable));
  s.begin = TRY(m_.constant(TRY(m_.expression(f.find("min")))));
  s.extent = TRY(m_.constant(TRY(m_.expression(f.find("extent")))));
  if (s.extent < 0 || !checked_add(s.begin, s.extent)) return m_.wrong("has an invalid extent");
  s.children = {TRY(id(f.find("body"), What::kStatement))};
  const JsonValue step = f.find("step");
  if (!m_.none(step) && TRY(m_.constant(TRY(m_.expression(step)))) != 1)
    return m_.wrong("has a step other than 1");
  return made(std::move(s));
}

Result<graph::NodeId> Reader::node_of(const JsonValue& annotations) {
  const auto pairs = TRY(m_.list(annotations));
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    if (m_.text(TRY(m_.meaning(pairs[i], What::kText))) != "onnx.node") continue;
    const std::string_view name = m_.text(TRY(m_.meaning(pairs[i + 1], What::kText)));
    const auto node = whole_number<graph::NodeId>(name);
    if (!node)
      return m_.wrong(
          fmt::format("has the annotation onnx.node '{}', which is not a number", printable(name)));
    return *node;
  }
  return graph::kNone;
}

Result<Meaning> Reader::read_block(const TirFields& f) {
  Block block;
  Stmt& s = block.statement;
  s.kind = Stmt::Kind::kBlock;
  s.name = TRY(m_.text(f.find("name_hint")));
  s.node = TRY(node_of(f.find("annotations")));
  for (const std::uint32_t i : TRY(m_.ids(f.find("iter_vars"), What::kIterator)))
    block.iterators.push_back(iterators_[i]);
  s.allocations = TRY(m_.ids(f.find("alloc_buffers"), What::kBuffer));
  if (!TRY(m_.list(f.find("match_buffers"))).empty())
    return m_.wrong("uses match_buffers, which is not supported");
  if (!m_.none(f.find("init"))) s.initial = TRY(id(f.find("init"), What::kStatement));
  s.children = {TRY(id(f.find("body"), What::kStatement))};
  return kept(What::kBlock, blocks_, std::move(block));
}

/// Combines a block with the values of its iterators.
Result<Meaning> Reader::realize(const TirFields& f) {
  const Block& block = blocks_[TRY(id(f.find("block"), What::kBlock))];
  const std::vector<ExprId> values = TRY(m_.expressions(f.find("iter_values")));
  if (values.size() != block.iterators.size())
    return m_.wrong("has a different number of values than its block has iterators");
  TRY(m_.take(block.statement.name.size() + block.statement.allocations.size()));
  Stmt s = block.statement;
  std::vector<ExprId> at_begin;
  for (std::size_t i = 0; i < values.size(); ++i) {
    // TIR runs a block's init statement where all its reduction iterators are at their beginning:
    // for a sum over k in [0, 8) and r in [0, 3) that is k == 0 && r == 0.
    const Iterator& from = block.iterators[i];
    s.iterators.push_back({from.variable, values[i], from.reduction});
    if (from.reduction)
      at_begin.push_back(nest().combine(Kind::kEqual, nest().variable(from.variable), from.begin));
  }
  if (s.initial != kNothing && !at_begin.empty()) {
    s.initial_when = at_begin[0];
    for (std::size_t i = 1; i < at_begin.size(); ++i)
      s.initial_when = nest().combine(Kind::kAnd, s.initial_when, at_begin[i]);
  }
  s.condition = TRY(m_.expression(f.find("predicate")));
  return made(std::move(s));
}

Result<Meaning> Reader::read_branch(const TirFields& f) {
  Stmt s;
  s.kind = Stmt::Kind::kIf;
  s.condition = TRY(m_.expression(f.find("condition")));
  s.children = {TRY(id(f.find("then_case"), What::kStatement))};
  const JsonValue otherwise = f.find("else_case");
  if (!m_.none(otherwise)) s.children.push_back(TRY(id(otherwise, What::kStatement)));
  return made(std::move(s));
}

Result<Meaning> Reader::read_function(const TirFields& f) {
  TirFunction function;
  function.parameters = TRY(m_.ids(f.find("params"), What::kBuffer));
  function.root = TRY(id(f.find("body"), What::kStatement));
  return kept(What::kFunction, functions_, std::move(function));
}

Result<void> Reader::add_functions() {
  const TirFields f(m_.node().data);
  const auto pairs = TRY(m_.list(f.find("functions")));
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    TirFunction function = functions_[TRY(m_.meaning(pairs[i + 1], What::kFunction)).id];
    function.name = m_.text(TRY(m_.meaning(pairs[i], What::kText)));
    TRY(m_.take(function.name.size() + function.parameters.size()));
    out_.functions.push_back(std::move(function));
  }
  std::sort(out_.functions.begin(), out_.functions.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return {};
}

}  // namespace

const TirFunction* TirModule::find(std::string_view name) const {
  const auto found =
      std::lower_bound(functions.begin(), functions.end(), name,
                       [](const TirFunction& f, std::string_view n) { return f.name < n; });
  return found != functions.end() && found->name == name ? &*found : nullptr;
}

Result<TirModule> read_tir(std::string_view text) {
  const TirNodes nodes = TRY(read_tir_nodes(text));
  return Reader(nodes).run();
}

}  // namespace ridge::accelerator
