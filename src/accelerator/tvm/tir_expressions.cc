// SPDX-License-Identifier: Apache-2.0
// Reads the expressions of TVM's loop nests.
#include <algorithm>
#include <array>

#include "accelerator/tvm/tir_meanings.h"

namespace ridge::accelerator {
namespace {

using Kind = Expr::Kind;

struct Operator {
  std::string_view type;
  Kind kind;
  bool swapped = false;  ///< operands are swapped: a > b is b < a
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

TirMeaning computed(ExprId id) { return {TirMeaning::What::kExpression, id}; }

/// Reads an operation whose operands are the members `of`, in that order.
Result<TirMeaning> read_function(TirMeanings& m, Kind kind, std::string_view name,
                                 const TirFields& f, std::initializer_list<std::string_view> of) {
  std::vector<ExprId> operands;
  for (const std::string_view member : of) operands.push_back(TRY(m.expression(f.find(member))));
  const bool named = kind == Kind::kOther || kind == Kind::kCast;
  return computed(m.nest().make(kind, operands, named ? m.nest().name_number(name) : 0));
}

Result<TirMeaning> read_call(TirMeanings& m, const TirFields& f) {
  const TirMeaning* callee = m.any(f.find("op"));
  if (callee == nullptr || callee->what != TirMeaning::What::kText)
    return TirMeaning();  // a call in the network, not in a loop nest
  const std::string_view name = m.text(*callee);
  const std::vector<ExprId> operands = TRY(m.expressions(f.find("args")));
  if (name != "prim.if_then_else")
    return computed(m.nest().make(Kind::kOther, operands, m.nest().name_number(name)));
  if (operands.size() != 3) return m.wrong("is an if_then_else without three operands");
  return computed(m.nest().make(Kind::kIfElse, operands));
}

/// Reads a number or a text literal; only whole numbers keep their value, others their spelling.
Result<TirMeaning> read_literal(TirMeanings& m, const TirNode& node, const TirFields& f) {
  Nest& nest = m.nest();
  const JsonValue value = f.find("value");
  if (node.type == "ir.IntImm") return computed(nest.integer(TRY(m.integer(value))));
  const bool real = node.type == "ir.FloatImm";
  const std::string_view text = real ? value.text : TRY(m.text(value));
  return computed(nest.make(real ? Kind::kReal : Kind::kOther, std::span<const ExprId>(),
                            nest.name_number(text)));
}

}  // namespace

Result<TirMeaning> read_tir_expression(TirMeanings& m, const TirNode& node, const TirFields& f) {
  const auto* binary = std::find_if(kOperators.begin(), kOperators.end(),
                                    [&](const Operator& o) { return o.type == node.type; });
  if (binary != kOperators.end()) {
    const ExprId a = TRY(m.expression(f.find("a"))), b = TRY(m.expression(f.find("b")));
    return computed(binary->swapped ? m.nest().combine(binary->kind, b, a)
                                    : m.nest().combine(binary->kind, a, b));
  }
  if (node.type == "ir.IntImm" || node.type == "ir.FloatImm" || node.type == "ir.StringImm" ||
      node.type == "prim.StringImm")
    return read_literal(m, node, f);
  if (node.type == "ir.TensorLoad") {
    const BufferId from = TRY(m.meaning(f.find("source"), TirMeaning::What::kBuffer)).id;
    return computed(m.nest().load(from, TRY(m.expressions(f.find("indices")))));
  }
  if (node.type == "prim.Cast")
    return read_function(m, Kind::kCast, f.find("ty").text, f, {"value"});
  if (node.type == "prim.Not") return read_function(m, Kind::kNot, {}, f, {"a"});
  if (node.type == "prim.Select")  // unlike if_then_else, evaluates both values
    return read_function(m, Kind::kOther, node.type, f, {"condition", "true_value", "false_value"});
  if (node.type == "prim.Div" || node.type == "prim.Mod")
    return read_function(m, Kind::kOther, node.type, f, {"a", "b"});
  if (node.type == "ir.Call") return read_call(m, f);
  return TirMeaning();
}

}  // namespace ridge::accelerator
