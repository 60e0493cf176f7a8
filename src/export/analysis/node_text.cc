// SPDX-License-Identifier: Apache-2.0
#include "export/analysis/node_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "analysis/counts.h"
#include "analysis/summary.h"
#include "base/numeral.h"
#include "base/text.h"
#include "export/analysis/figure_text.h"
#include "export/analysis/tensors.h"
#include "ops/operator.h"

namespace ridge::exports {
namespace {

using analysis::NodeCounts;
using analysis::Resolved;

/// First elements of a known constant.
std::string elements_text(const Resolved& r, graph::ValueId v) {
  constexpr std::size_t kShown = 8;
  const ops::Value* value = r.any_value(v);
  if (value == nullptr) return "";
  std::string text;
  const std::size_t count = std::max(value->ints.size(), value->reals.size());
  for (std::size_t i = 0; i < std::min(count, kShown); ++i)
    text += fmt::format(
        "{}{}", i == 0 ? "" : ", ",
        value->ints.empty() ? fmt::format("{}", value->reals[i]) : r.dims().text(value->ints[i]));
  return fmt::format(" = {{{}{}}}", text, count > kShown ? ", …" : "");
}

std::string attribute_text(const onnx::Attribute& a) {
  using onnx::AttributeType;
  switch (a.type) {
    case AttributeType::kInt:
      return fmt::format("{}", a.i);
    case AttributeType::kFloat:
      return fmt::format("{}", a.f);
    case AttributeType::kString:
      return fmt::format("\"{}\"", a.s);
    case AttributeType::kInts:
      return fmt::format("[{}]", fmt::join(a.ints, ", "));
    case AttributeType::kFloats:
      return fmt::format("[{}]", fmt::join(a.floats, ", "));
    case AttributeType::kTensor:
      if (a.t == nullptr) return "tensor";
      return fmt::format("tensor {} [{}]", onnx::name(a.t->type), fmt::join(a.t->dims, ", "));
    case AttributeType::kGraph:
      return "graph";
    case AttributeType::kStrings: {
      std::string out;
      for (const std::string_view s : a.strings)
        out += fmt::format("{}\"{}\"", out.empty() ? "" : ", ", s);
      return "[" + out + "]";
    }
    case AttributeType::kGraphs:
      return "graphs";
    case AttributeType::kTensors:
      return "tensors";
    case AttributeType::kTypeProto:
      return "type";
    default:
      return "(attribute type not shown)";
  }
}

void add_figures(const Resolved& r, graph::NodeId n, Facts& out) {
  const NodeCounts& c = r.counts(n);
  const auto figure = [&](std::string_view name, ops::Dim d) {
    if (d.is(0)) return;
    std::string text = r.dims().text(d);
    if (d.known() && d.value() >= 1000)
      text += fmt::format("  ({})", si(static_cast<double>(d.value())));
    out.rows.push_back({std::string(name), std::move(text)});
  };
  figure("MACs", c.macs);
  figure("flops", c.flops);
  figure("special", c.special);
  figure("int ops", c.int_ops);
  figure("params", ops::Dim(c.params));
  figure("read", c.bytes_read);
  figure("written", c.bytes_written);
  if (const auto intensity = analysis::intensity(c))
    out.rows.push_back({"intensity", significant(*intensity, 4) + " FLOP/B"});
  if (!r.repeat(n).is(1)) out.rows.push_back({"executions", r.dims().text(r.repeat(n))});
}

void add_tensors(const Resolved& r, const graph::Node& node, Facts& out) {
  const auto text = [&](graph::ValueId v) {
    return fmt::format("{} {}", r.model().value(v).name, type_text(r.type(v), r.dims()));
  };
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const graph::ValueId v = node.inputs[i];
    out.rows.push_back({fmt::format("input {}", i),
                        v == graph::kNone ? "not given"
                                          : fmt::format("{}, {}{}", text(v), word(input_kind(r, v)),
                                                        elements_text(r, v))});
  }
  for (std::size_t i = 0; i < node.outputs.size(); ++i)
    if (const graph::ValueId v = node.outputs[i]; v != graph::kNone)
      out.rows.push_back({fmt::format("output {}", i), text(v) + elements_text(r, v)});
}

}  // namespace

Facts node_facts(const Resolved& r, graph::NodeId n) {
  constexpr std::string_view kStatus[] = {"counted", "no work by definition", "unknown"};
  const graph::Model& model = r.model();
  const graph::Node& node = model.node(n);
  const NodeCounts& c = r.counts(n);
  Facts out{fmt::format("{}, {} of opset {}", model.describe(n), analysis::operator_name(node),
                        node.opset),
            {}};
  if (const auto& module = model.modules()[node.module]; !module.path.empty())
    out.rows.push_back({"module", std::string(module.path)});
  if (node.parent != graph::kNone) out.rows.push_back({"inside", model.describe(node.parent)});
  add_tensors(r, node, out);
  for (const onnx::Attribute& a : node.attributes)
    out.rows.push_back({std::string(a.name), attribute_text(a)});
  const ops::Operator* op = ops::find(node.domain, node.op_type, node.opset);
  if (op != nullptr && !op->formula.empty())
    out.rows.push_back({"formula", std::string(op->formula)});
  add_figures(r, n, out);
  out.rows.push_back({"status", fmt::format("{}{}{}", kStatus[static_cast<std::size_t>(c.status)],
                                            c.reason.empty() ? "" : ": ", c.reason)});
  return out;
}

}  // namespace ridge::exports
