// SPDX-License-Identifier: Apache-2.0
#include "rewrite/expression.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <charconv>
#include <cmath>

#include "rewrite/constant_values.h"
#include "rewrite/nodes.h"

namespace ridge::rewrite {
namespace {

using analysis::Resolved;
using graph::kNone;
using graph::NodeId;
using graph::ValueId;

/// Takes one expression from the beginning of `text`.
Expression take(std::string_view& text) {
  const auto skip = [&]([[maybe_unused]] char c) {
    assert(text.starts_with(c));
    text.remove_prefix(
        text.find_first_not_of(' ', 1) == text.npos ? text.size() : text.find_first_not_of(' ', 1));
  };
  Expression out;
  const std::size_t end = std::min(text.find_first_of("(),"), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  if (word == "x") return out;
  if (std::isupper(static_cast<unsigned char>(word.at(0))) == 0) {
    double number = 0;
    [[maybe_unused]] const auto parsed =
        std::from_chars(word.data(), word.data() + word.size(), number);
    assert(parsed.ec == std::errc() && parsed.ptr == word.data() + word.size());
    out.number = number;
    return out;
  }
  out.op_type = word;
  skip('(');
  while (true) {
    out.operands.push_back(take(text));
    if (!text.starts_with(',')) break;
    skip(',');
  }
  skip(')');
  return out;
}

bool commutes(std::string_view op_type) {
  return op_type == "Add" || op_type == "Mul" || op_type == "Max" || op_type == "Min";
}

class ExpressionMatcher {
 public:
  explicit ExpressionMatcher(const Resolved& resolved)
      : resolved_(resolved), model_(resolved.model()) {}

  bool node(const Expression& e, NodeId n) {
    const std::span<const ValueId> inputs = model_.inputs(n);
    if (!is(model_, n, e.op_type) || inputs.size() != e.operands.size()) return false;
    found_.nodes.push_back(n);
    const Match before = found_;
    if (operands(e, inputs, false)) return true;
    found_ = before;
    return commutes(e.op_type) && operands(e, inputs, true);
  }

  Match found() && { return std::move(found_); }

 private:
  bool operands(const Expression& e, std::span<const ValueId> inputs, bool swapped) {
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (!value(e.operands[i], inputs[swapped ? inputs.size() - 1 - i : i])) return false;
    return true;
  }

  bool value(const Expression& e, ValueId v) {
    if (v == kNone) return false;
    if (e.number) {
      const std::optional<double> is = scalar_of(resolved_, v);
      return is && std::abs(*is - *e.number) <= 1e-6 * std::abs(*e.number);
    }
    if (!e.op_type.empty()) {
      const NodeId producer = model_.value(v).producer;
      return producer != kNone && node(e, producer);
    }
    if (found_.x == kNone) found_.x = v;
    return found_.x == v;
  }

  const Resolved& resolved_;
  const graph::Model& model_;
  Match found_;
};

}  // namespace

Expression Expression::parse(std::string_view text) {
  Expression out = take(text);
  assert(text.empty());
  return out;
}

std::optional<Match> match(const Expression& written, const Resolved& resolved, NodeId root) {
  const graph::Model& model = resolved.model();
  ExpressionMatcher matcher(resolved);
  if (!matcher.node(written, root)) return std::nullopt;
  Match found = std::move(matcher).found();
  found.root = root;
  // A node reached twice, such as an Exp that two operators read, is one node.
  make_ascending(found.nodes);
  const ValueId y = only_output(model, root);
  if (y == kNone || resolved.constant(found.x) ||
      resolved.type(found.x).dtype != onnx::DataType::kFloat ||
      resolved.type(y).dtype != onnx::DataType::kFloat ||
      !ops::same_shape(resolved.type(found.x).shape, resolved.type(y).shape))
    return std::nullopt;
  const NodeId before = model.value(found.x).producer;
  if (before != kNone && std::ranges::binary_search(found.nodes, before)) return std::nullopt;
  if (!closed(model, found.nodes, root)) return std::nullopt;
  return found;
}

namespace {

/// Adds the nodes of an expression; the name of its result, which is `result` if that is not empty.
std::string_view add(const Expression& e, const Match& match, Draft& draft,
                     std::string_view result) {
  if (e.number) return draft.scalar(static_cast<float>(*e.number));
  if (e.op_type.empty()) return draft.name(match.x);
  Draft::NewNode node{.op_type = e.op_type, .inputs = {}, .outputs = {}};
  for (const Expression& operand : e.operands)
    node.inputs.push_back(add(operand, match, draft, {}));
  node.outputs = {result.empty() ? draft.fresh(e.op_type) : result};
  draft.add(match.root, node, match.nodes);
  return node.outputs[0];
}

}  // namespace

void replace(const Match& match, const Expression& by, Draft& draft) {
  for (const NodeId n : match.nodes) draft.remove(n);
  add(by, match, draft, draft.name(draft.model().outputs(match.root)[0]));
}

}  // namespace ridge::rewrite
