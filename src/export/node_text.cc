#include "export/node_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "analysis/counts.h"
#include "analysis/summary.h"
#include "base/text.h"
#include "export/figure_text.h"
#include "ops/operator.h"

namespace ridge::exports {
namespace {

using analysis::NodeCounts;
using analysis::Resolved;

/// The first elements of a known constant.
std::string elements_text(const Resolved& r, graph::ValueId v) {
  constexpr std::size_t kShown = 8;
  const ops::Value* value = r.value(v);
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
    default:
      return "…";
  }
}

void write_figures(const Resolved& r, graph::NodeId n, std::string& out) {
  const NodeCounts& c = r.counts(n);
  const auto figure = [&](std::string_view name, ops::Dim d) {
    if (d.is(0)) return;
    out += fmt::format("  {:<10} {}", name, r.dims().text(d));
    if (d.known() && d.value() >= 1000)
      out += fmt::format("  ({})", si(static_cast<double>(d.value())));
    out += '\n';
  };
  figure("MACs", c.macs);
  figure("flops", c.flops);
  figure("special", c.special);
  figure("int ops", c.int_ops);
  figure("params", ops::Dim(c.params));
  figure("read", c.bytes_read);
  figure("written", c.bytes_written);
  if (const auto intensity = analysis::intensity(c))
    out += fmt::format("  {:<10} {:.4g} FLOP/B\n", "intensity", *intensity);
  if (!r.repeat(n).is(1))
    out += fmt::format("  {:<10} {}\n", "executions", r.dims().text(r.repeat(n)));
}

}  // namespace

void write_node_text(const Resolved& r, graph::NodeId n, Sink& sink) {
  constexpr std::string_view kStatus[] = {"counted", "no work by definition", "unknown"};
  const graph::Model& model = r.model();
  const graph::Node& node = model.node(n);
  const NodeCounts& c = r.counts(n);
  std::string out = fmt::format("{}, {} of opset {}\n", printable(model.describe(n)),
                                printable(analysis::operator_name(node)), node.opset);
  if (!model.modules()[node.module].path.empty())
    out += fmt::format("  {:<10} {}\n", "module", printable(model.modules()[node.module].path));
  if (node.parent != graph::kNone)
    out += fmt::format("  {:<10} {}\n", "inside", printable(model.describe(node.parent)));
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const graph::ValueId v = node.inputs[i];
    out += fmt::format("  {:<10} ", fmt::format("input {}", i));
    out += v == graph::kNone
               ? "not given\n"
               : fmt::format("{} {}, {}{}\n", printable(model.value(v).name),
                             type_text(r.type(v), r.dims()), kind_text(r, v), elements_text(r, v));
  }
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const graph::ValueId v = node.outputs[i];
    if (v != graph::kNone)
      out += fmt::format("  {:<10} {} {}{}\n", fmt::format("output {}", i),
                         printable(model.value(v).name), type_text(r.type(v), r.dims()),
                         elements_text(r, v));
  }
  for (const onnx::Attribute& a : node.attributes)
    out += fmt::format("  {:<10} {}\n", printable(a.name), printable(attribute_text(a)));
  const ops::Operator* op = ops::find(node.domain, node.op_type, node.opset);
  if (op != nullptr && !op->formula.empty())
    out += fmt::format("  {:<10} {}\n", "formula", op->formula);
  write_figures(r, n, out);
  out += fmt::format("  {:<10} {}{}{}\n", "status", kStatus[static_cast<std::size_t>(c.status)],
                     c.reason.empty() ? "" : ": ", printable(c.reason));
  sink.write(out);
}

}  // namespace ridge::exports
