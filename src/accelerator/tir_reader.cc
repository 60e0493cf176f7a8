#include "accelerator/tir_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "accelerator/tir_nodes.h"
#include "base/checked.h"
#include "base/number.h"
#include "base/text.h"
#include "onnx/data_type.h"

namespace ridge::accelerator {
namespace {

using Kind = Expr::Kind;
using Index = std::uint32_t;

/// What a node has become.
struct Meaning {
  enum class What : std::uint8_t {
    kOpaque,  ///< of no interest here, or of an unknown type
    kNone,
    kInteger,     ///< `id`: index into integers_
    kText,        ///< `id`: index into texts_
    kList,        ///< `id`: index into lists_
    kBufferType,  ///< `id`: index into buffer_types_
    kBuffer,
    kExpression,
    kVariable,  ///< `id`: VarId
    kRange,     ///< `id`: the node itself
    kIterator,
    kBlock,  ///< `id`: index into blocks_
    kStatement,
    kFunction,  ///< `id`: index into functions_
  };
  What what = What::kOpaque;
  std::uint32_t id = 0;
};
using What = Meaning::What;

constexpr std::array<std::string_view, 14> kWords = {
    "anything",          "nothing",  "a number",      "a text",     "a list",
    "a type of buffers", "a buffer", "an expression", "a variable", "a range",
    "an iterator",       "a block",  "a statement",   "a function"};

struct Operator {
  std::string_view type;
  Kind kind;
  bool swapped = false;  ///< a > b is b < a
};
constexpr std::array kOperators = {
    Operator{"prim.Add", Kind::kAdd},
    Operator{"prim.And", Kind::kAnd},
    Operator{"prim.EQ", Kind::kEqual},
    Operator{"prim.FloorDiv", Kind::kFloorDivide},
    Operator{"prim.FloorMod", Kind::kFloorModulo},
    Operator{"prim.GE", Kind::kLessOrEqual, true},
    Operator{"prim.GT", Kind::kLess, true},
    Operator{"prim.LE", Kind::kLessOrEqual},
    Operator{"prim.LT", Kind::kLess},
    Operator{"prim.Max", Kind::kMaximum},
    Operator{"prim.Min", Kind::kMinimum},
    Operator{"prim.Mul", Kind::kMultiply},
    Operator{"prim.NE", Kind::kNotEqual},
    Operator{"prim.Or", Kind::kOr},
    Operator{"prim.Sub", Kind::kSubtract},
};

struct Range {
  ExprId begin = kNothing;
};
struct Iterator {
  VarId variable = kNothing;
  ExprId begin = kNothing;
  bool reduction = false;
};
struct Block {
  Stmt statement;
  std::vector<Iterator> iterators;
};

class Reader {
 public:
  explicit Reader(const TirNodes& source) : source_(source), known_(source.nodes.size()) {}

  Result<TirModule> run() {
    if (source_.tvm_version != kTvmVersion)
      return input_error("RIDGE-ACC-0322",
                         fmt::format("the loop nests are from TVM '{}', only {} is read",
                                     printable(source_.tvm_version), kTvmVersion))
          .hint("scripts/fetch_tvm.sh installs that version");
    for (at_ = 0; at_ < known_.size(); ++at_) known_[at_] = TRY(read(source_.nodes[at_]));
    at_ = source_.root;
    if (source_.nodes[at_].type != "ir.IRModule") return wrong("is no module");
    TRY(add_functions());
    return std::move(out_);
  }

 private:
  Error wrong(std::string_view what) const {
    return input_error("RIDGE-ACC-0323", fmt::format("node #{} '{}' of TVM's loop nests {}", at_,
                                                     printable(source_.nodes[at_].type), what));
  }

  /// What the node before this one that `value` is the index of has become.
  Result<Meaning> meaning(const JsonValue& value, What expected) const {
    const auto index = number_in(value);
    if (!index || *index < 0) return wrong(fmt::format("has no index of {}", word(expected)));
    return meaning(static_cast<std::uint64_t>(*index), expected);
  }
  Result<Meaning> meaning(std::uint64_t index, What expected) const {
    if (index >= at_)
      return wrong(fmt::format("refers to node #{}, which is not before it", index));
    const Meaning found = known_[index];
    if (found.what != expected)
      return wrong(fmt::format("refers to node #{} '{}' as {}, which it is not", index,
                               printable(source_.nodes[index].type), word(expected)));
    return found;
  }
  static std::string_view word(What what) { return kWords[static_cast<std::size_t>(what)]; }

  Result<std::int64_t> integer(const JsonValue& value) const {
    return integers_[TRY(meaning(value, What::kInteger)).id];
  }
  Result<std::string_view> text(const JsonValue& value) const {
    return std::string_view(texts_[TRY(meaning(value, What::kText)).id]);
  }
  Result<std::span<const Index>> list(const JsonValue& value) const {
    return std::span<const Index>(lists_[TRY(meaning(value, What::kList)).id]);
  }
  Result<StmtId> statement(const JsonValue& value) const {
    return TRY(meaning(value, What::kStatement)).id;
  }
  Result<BufferId> buffer(const JsonValue& value) const {
    return TRY(meaning(value, What::kBuffer)).id;
  }

  Result<ExprId> expression(std::uint64_t index) {
    if (index < at_ && known_[index].what == What::kVariable)
      return nest().variable(known_[index].id);
    return TRY(meaning(index, What::kExpression)).id;
  }
  Result<ExprId> expression(const JsonValue& value) {
    const auto index = number_in(value);
    if (!index || *index < 0) return wrong("has no index of an expression");
    return expression(static_cast<std::uint64_t>(*index));
  }
  Result<std::vector<ExprId>> expressions(const JsonValue& value) {
    std::vector<ExprId> out;
    for (const Index i : TRY(list(value))) out.push_back(TRY(expression(i)));
    return out;
  }
  Result<std::int64_t> constant(ExprId id) {
    if (nest().expr(id).kind != Kind::kInteger) return wrong("has a size that is no number");
    return nest().expr(id).value;
  }
  bool none(const JsonValue& value) const {
    const auto index = number_in(value);
    return value.kind == JsonValue::Kind::kNone ||
           (index && *index >= 0 && *index < static_cast<std::int64_t>(at_) &&
            known_[static_cast<std::size_t>(*index)].what == What::kNone);
  }

  Nest& nest() { return out_.nest; }
  Meaning expression_of(ExprId id) const { return {What::kExpression, id}; }
  template <typename T>
  static Meaning kept(What what, std::vector<T>& in, T value) {
    in.push_back(std::move(value));
    return {what, static_cast<std::uint32_t>(in.size() - 1)};
  }

  Result<Meaning> read(const TirNode& node);
  Result<Meaning> read_scalar(const TirNode& node);
  Result<Meaning> read_expression(const TirNode& node, const TirFields& f);
  Result<Meaning> read_statement(const TirNode& node, const TirFields& f);
  Result<Meaning> read_variable(const TirFields& f);
  Result<Meaning> read_buffer_type(const TirFields& f);
  Result<Meaning> read_call(const TirFields& f);
  Result<Meaning> read_loop(const TirFields& f);
  Result<Meaning> read_block(const TirFields& f);
  Result<Meaning> realize(const TirFields& f);
  Result<Meaning> read_branch(const TirFields& f);
  Result<Meaning> read_function(const TirFields& f);
  Result<graph::NodeId> node_of(const JsonValue& annotations) const;
  Result<void> add_functions();

  const TirNodes& source_;
  std::vector<Meaning> known_;
  std::size_t at_ = 0;
  TirModule out_;
  std::vector<std::int64_t> integers_;
  std::vector<std::string> texts_;
  std::vector<std::vector<Index>> lists_;
  std::vector<Buffer> buffer_types_;
  std::vector<Range> ranges_;
  std::vector<Iterator> iterators_;
  std::vector<Block> blocks_;
  std::vector<TirFunction> functions_;
};

Result<Meaning> Reader::read(const TirNode& node) {
  if (node.data.kind != JsonValue::Kind::kObject) return read_scalar(node);
  const TirFields f(node.data);
  if (node.type == "ir.Var") return read_variable(f);
  if (node.type == "tirx.BufferType") return read_buffer_type(f);
  if (node.type == "ir.PrimType") {
    const JsonValue dtype = f.find("dtype");
    return kept(What::kText, texts_, dtype.unescaped());
  }
  if (node.type == "ir.Range")
    return kept(What::kRange, ranges_, Range{TRY(expression(f.find("min")))});
  if (node.type == "tirx.IterVar") {
    constexpr std::int64_t kReduction = 2;
    const Meaning range = TRY(meaning(f.find("dom"), What::kRange));
    const Meaning variable = TRY(meaning(f.find("var"), What::kVariable));
    return kept(What::kIterator, iterators_,
                Iterator{variable.id, ranges_[range.id].begin,
                         number_in(f.find("iter_type")) == kReduction});
  }
  if (node.type == "tirx.PrimFunc") return read_function(f);
  if (node.type == "ir.GlobalVar")
    return kept(What::kText, texts_, std::string(TRY(text(f.find("name_hint")))));
  if (node.type.starts_with("prim.") || node.type.starts_with("ir."))
    return read_expression(node, f);
  return read_statement(node, f);
}

Result<Meaning> Reader::read_scalar(const TirNode& node) {
  if (node.type == "None") return Meaning{What::kNone, 0};
  if (node.type == "ffi.String" || node.type == "ir.Op")
    return kept(What::kText, texts_, node.data.unescaped());
  if (node.type == "int") {
    const auto value = number_in(node.data);
    if (!value) return wrong("is no number");
    return kept(What::kInteger, integers_, *value);
  }
  if (node.type != "ffi.Array" && node.type != "ffi.Map") return Meaning();
  auto indices = index_list(node.data);
  if (!indices) return wrong("is no list");
  return kept(What::kList, lists_, std::move(*indices));
}

Result<Meaning> Reader::read_variable(const TirFields& f) {
  std::string label(TRY(text(f.find("name"))));
  const auto type = number_in(f.find("ty"));
  if (!type || *type < 0 || *type >= static_cast<std::int64_t>(at_)) return wrong("has no type");
  const Meaning known = known_[static_cast<std::size_t>(*type)];
  if (known.what != What::kBufferType)
    return Meaning{What::kVariable, nest().add_variable(std::move(label))};
  Buffer buffer = buffer_types_[known.id];
  buffer.name = std::move(label);
  return Meaning{What::kBuffer, nest().add_buffer(std::move(buffer))};
}

Result<Meaning> Reader::read_buffer_type(const TirFields& f) {
  Buffer out;
  out.dtype = TRY(text(f.find("dtype")));
  const auto type = onnx::data_type_named(out.dtype);
  if (!type) return wrong(fmt::format("has elements of type '{}'", printable(out.dtype)));
  out.element_bits = onnx::info(*type)->bits;
  for (const ExprId size : TRY(expressions(f.find("shape"))))
    out.shape.push_back(TRY(constant(size)));
  if (std::any_of(out.shape.begin(), out.shape.end(), [](std::int64_t n) { return n < 0; }))
    return wrong("has a negative size");
  return kept(What::kBufferType, buffer_types_, std::move(out));
}

Result<Meaning> Reader::read_expression(const TirNode& node, const TirFields& f) {
  for (const Operator& o : kOperators) {
    if (o.type != node.type) continue;
    const ExprId a = TRY(expression(f.find("a"))), b = TRY(expression(f.find("b")));
    return expression_of(o.swapped ? nest().combine(o.kind, b, a) : nest().combine(o.kind, a, b));
  }
  if (node.type == "ir.IntImm") return expression_of(nest().integer(TRY(integer(f.find("value")))));
  if (node.type == "ir.FloatImm")
    return expression_of(nest().make(Kind::kReal, std::span<const ExprId>(),
                                     nest().name_number(f.find("value").text)));
  if (node.type == "ir.StringImm" || node.type == "prim.StringImm")
    return expression_of(nest().make(Kind::kOther, std::span<const ExprId>(),
                                     nest().name_number(TRY(text(f.find("value"))))));
  if (node.type == "ir.TensorLoad")
    return expression_of(
        nest().load(TRY(buffer(f.find("source"))), TRY(expressions(f.find("indices")))));
  if (node.type == "prim.Cast")
    return expression_of(nest().make(Kind::kCast, std::array{TRY(expression(f.find("value")))},
                                     nest().name_number(f.find("ty").text)));
  if (node.type == "prim.Not")
    return expression_of(nest().make(Kind::kNot, std::array{TRY(expression(f.find("a")))}));
  if (node.type == "prim.Select")  // both values are computed
    return expression_of(nest().make(
        Kind::kOther,
        std::array{TRY(expression(f.find("condition"))), TRY(expression(f.find("true_value"))),
                   TRY(expression(f.find("false_value")))},
        nest().name_number(node.type)));
  if (node.type == "prim.Div" || node.type == "prim.Mod")
    return expression_of(nest().make(
        Kind::kOther, std::array{TRY(expression(f.find("a"))), TRY(expression(f.find("b")))},
        nest().name_number(node.type)));
  if (node.type == "ir.Call") return read_call(f);
  return Meaning();
}

Result<Meaning> Reader::read_call(const TirFields& f) {
  const auto callee = number_in(f.find("op"));
  if (!callee || *callee < 0 || *callee >= static_cast<std::int64_t>(at_) ||
      known_[static_cast<std::size_t>(*callee)].what != What::kText)
    return Meaning();  // a call of the network, not of a loop nest
  const std::string& name = texts_[known_[static_cast<std::size_t>(*callee)].id];
  const std::vector<ExprId> operands = TRY(expressions(f.find("args")));
  if (name != "prim.if_then_else")
    return expression_of(nest().make(Kind::kOther, operands, nest().name_number(name)));
  if (operands.size() != 3) return wrong("does not choose between two");
  return expression_of(nest().make(Kind::kIfElse, operands));
}

Result<Meaning> Reader::read_statement(const TirNode& node, const TirFields& f) {
  if (node.type == "tirx.For") return read_loop(f);
  if (node.type == "s_tir.SBlock") return read_block(f);
  if (node.type == "s_tir.SBlockRealize") return realize(f);
  if (node.type == "tirx.IfThenElse") return read_branch(f);
  Stmt s;
  if (node.type == "tirx.SeqStmt") {
    s.kind = Stmt::Kind::kSequence;
    for (const Index i : TRY(list(f.find("seq"))))
      s.children.push_back(TRY(meaning(i, What::kStatement)).id);
  } else if (node.type == "tirx.BufferStore") {
    s.kind = Stmt::Kind::kStore;
    s.buffer = TRY(buffer(f.find("buffer")));
    s.value = TRY(expression(f.find("value")));
    s.indices = TRY(expressions(f.find("indices")));
    if (!none(f.find("predicate"))) return wrong("stores under a predicate");
  } else if (node.type == "tirx.Evaluate") {
    if (nest().expr(TRY(expression(f.find("value")))).kind != Kind::kInteger)
      return wrong("does more than nothing");
  } else {
    return Meaning();
  }
  return Meaning{What::kStatement, nest().add(std::move(s))};
}

Result<Meaning> Reader::read_loop(const TirFields& f) {
  Stmt s;
  s.kind = Stmt::Kind::kLoop;
  s.variable = TRY(meaning(f.find("loop_var"), What::kVariable)).id;
  s.begin = TRY(constant(TRY(expression(f.find("min")))));
  s.extent = TRY(constant(TRY(expression(f.find("extent")))));
  if (s.extent < 0 || !checked_add(s.begin, s.extent)) return wrong("has an impossible size");
  s.children = {TRY(statement(f.find("body")))};
  const JsonValue step = f.find("step");
  if (!none(step) && TRY(constant(TRY(expression(step)))) != 1)
    return wrong("takes steps of more than one");
  return Meaning{What::kStatement, nest().add(std::move(s))};
}

Result<graph::NodeId> Reader::node_of(const JsonValue& annotations) const {
  const auto pairs = TRY(list(annotations));
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    if (TRY(meaning(pairs[i], What::kText)).id >= texts_.size()) continue;
    if (texts_[known_[pairs[i]].id] != "onnx.node") continue;
    const std::string& name = texts_[TRY(meaning(pairs[i + 1], What::kText)).id];
    const auto node = whole_number<graph::NodeId>(name);
    if (!node)
      return wrong(fmt::format("works for node '{}', which is no number", printable(name)));
    return *node;
  }
  return graph::kNone;
}

Result<Meaning> Reader::read_block(const TirFields& f) {
  Block block;
  Stmt& s = block.statement;
  s.kind = Stmt::Kind::kBlock;
  s.name = TRY(text(f.find("name_hint")));
  s.node = TRY(node_of(f.find("annotations")));
  for (const Index i : TRY(list(f.find("iter_vars"))))
    block.iterators.push_back(iterators_[TRY(meaning(i, What::kIterator)).id]);
  for (const Index i : TRY(list(f.find("alloc_buffers"))))
    s.allocations.push_back(TRY(meaning(i, What::kBuffer)).id);
  if (!TRY(list(f.find("match_buffers"))).empty()) return wrong("gives a buffer a second name");
  if (!none(f.find("init"))) s.initial = TRY(statement(f.find("init")));
  s.children = {TRY(statement(f.find("body")))};
  return kept(What::kBlock, blocks_, std::move(block));
}

/// A block with the values of its iterators.
Result<Meaning> Reader::realize(const TirFields& f) {
  const Block& block = blocks_[TRY(meaning(f.find("block"), What::kBlock)).id];
  const std::vector<ExprId> values = TRY(expressions(f.find("iter_values")));
  if (values.size() != block.iterators.size()) return wrong("has another number of iterators");
  Stmt s = block.statement;
  std::vector<ExprId> at_begin;
  for (std::size_t i = 0; i < values.size(); ++i) {
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
  s.condition = TRY(expression(f.find("predicate")));
  return Meaning{What::kStatement, nest().add(std::move(s))};
}

Result<Meaning> Reader::read_branch(const TirFields& f) {
  Stmt s;
  s.kind = Stmt::Kind::kIf;
  s.condition = TRY(expression(f.find("condition")));
  s.children = {TRY(statement(f.find("then_case")))};
  if (!none(f.find("else_case"))) s.children.push_back(TRY(statement(f.find("else_case"))));
  return Meaning{What::kStatement, nest().add(std::move(s))};
}

Result<Meaning> Reader::read_function(const TirFields& f) {
  TirFunction function;
  for (const Index i : TRY(list(f.find("params"))))
    function.parameters.push_back(TRY(meaning(i, What::kBuffer)).id);
  function.root = TRY(statement(f.find("body")));
  return kept(What::kFunction, functions_, std::move(function));
}

Result<void> Reader::add_functions() {
  const TirFields f(source_.nodes[at_].data);
  const auto pairs = TRY(list(f.find("functions")));
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    TirFunction function = functions_[TRY(meaning(pairs[i + 1], What::kFunction)).id];
    function.name = texts_[TRY(meaning(pairs[i], What::kText)).id];
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
