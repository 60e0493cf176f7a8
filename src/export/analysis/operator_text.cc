// SPDX-License-Identifier: Apache-2.0
#include "export/analysis/operator_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "analysis/resolved.h"
#include "base/text.h"
#include "export/analysis/figure_text.h"
#include "graph/sketch.h"
#include "ops/describe.h"

namespace ridge::exports {
namespace {

using ops::Operator;

std::string since_text(std::span<const Operator* const> versions) {
  std::string out = fmt::format("{}", versions.front()->since);
  for (const Operator* row : versions.subspan(1)) out += fmt::format(", {}", row->since);
  return out;
}

/// Newest version at which a row of the domain begins; examples are written for it.
std::int32_t newest(std::string_view domain) {
  std::int32_t version = 1;
  for (const Operator* row : ops::all())
    if (row->domain == domain) version = std::max(version, row->since);
  return version;
}

/// Model of an example text like "input x[2,8]; Relu(x) -> y"; nullptr where there is none.
std::shared_ptr<const graph::Model> example_model(const std::string& example) {
  if (example.empty()) return nullptr;
  std::string text = "graph main\n";
  for (const char c : example) text += c == ';' ? '\n' : c;
  const std::string outputs = example.substr(example.rfind("->") + 2);
  text += "\noutput";
  for (const char c : outputs) text += c == ',' ? ' ' : c;
  const std::shared_ptr<onnx::Document> document = graph::Sketch::document(text);
  std::vector<onnx::OperatorSet> opsets;
  for (const onnx::OperatorSet& o : document->model.opsets)
    opsets.push_back({o.domain, newest(o.domain)});
  document->model.opsets = document->arena.copy(opsets);
  Result<graph::Model> built = graph::Model::build(document);
  return built.ok() ? std::make_shared<const graph::Model>(std::move(built).value()) : nullptr;
}

/// Inputs with their shapes, outputs, and the counted work.
std::vector<FactRow> example_facts(const Operator& op) {
  const auto model = example_model(ops::example(op));
  if (model == nullptr) return {};
  const auto resolved = analysis::resolve(model, {});
  if (!resolved.ok()) return {};
  const graph::NodeId last = static_cast<graph::NodeId>(model->nodes().size() - 1);
  const graph::Node& node = model->node(last);
  const analysis::NodeCounts& c = resolved->counts(last);
  std::vector<FactRow> out;
  for (const graph::ValueId v : node.inputs)
    if (v != graph::kNone)
      out.push_back({out.empty() ? "example" : "",
                     fmt::format("{}{}", type_text(resolved->type(v), resolved->dims()),
                                 resolved->weight(v)     ? ", a weight"
                                 : resolved->constant(v) ? ", a constant"
                                                         : "")});
  for (const graph::ValueId v : node.outputs)
    if (v != graph::kNone)
      out.push_back({"", "-> " + type_text(resolved->type(v), resolved->dims())});
  std::string figures;
  const auto figure = [&](ops::Dim d, std::string_view unit) {
    if (!d.is(0))
      figures += fmt::format("{}{} {}", figures.empty() ? "" : ", ", readable(*resolved, d), unit);
  };
  figure(c.macs, "MACs");
  figure(c.flops, "flops");
  figure(c.special, "special");
  figure(c.int_ops, "integer operations");
  figure(c.bytes_read, "bytes read");
  figure(c.bytes_written, "bytes written");
  out.push_back({"", figures.empty() ? "no work, no bytes" : figures});
  return out;
}

/// Rows of a domain, grouped by name.
std::vector<std::vector<const Operator*>> operator_names(std::string_view domain) {
  std::vector<std::vector<const Operator*>> names;
  for (const Operator* row : ops::all()) {
    if (row->domain != domain) continue;
    if (names.empty() || names.back().front()->name != row->name) names.emplace_back();
    names.back().push_back(row);
  }
  return names;
}

std::vector<std::string> cells(const std::vector<const Operator*>& versions) {
  const Operator& op = *versions.back();
  return {std::string(op.name),
          since_text(versions),
          std::string(ops::name(ops::counting(op))),
          std::string(op.formula),
          std::string(ops::shape_text(op)),
          std::string(ops::traffic_text(op).reads)};
}

}  // namespace

std::string_view domain_name(std::string_view domain) {
  return domain.empty() ? "ai.onnx" : domain;
}

Facts operator_facts(std::span<const Operator* const> versions) {
  const Operator& op = *versions.back();
  Facts out{
      fmt::format("{} of {}, {}", op.name, domain_name(op.domain), ops::name(ops::counting(op))),
      {}};
  const auto say = [&](std::string key, std::string_view text) {
    out.rows.push_back({std::move(key), std::string(text)});
  };
  say("since", "opset " + since_text(versions));
  for (const Operator* row : versions)
    say(versions.size() == 1 ? "work" : fmt::format("work {}", row->since), row->formula);
  const ops::TrafficText traffic = ops::traffic_text(op);
  say("reads", traffic.reads);
  say("writes", traffic.writes);
  const std::string_view shape = ops::shape_text(op);
  say("shape", shape.empty() ? "by the operator's own rule" : shape);
  say("folded", op.fold == nullptr ? "no: values of outputs are not computed"
                                   : "small outputs, where the inputs are known");
  for (FactRow& fact : example_facts(op)) out.rows.push_back(std::move(fact));
  return out;
}

Table operator_table(std::string_view domain) {
  Table table({{"operator", Align::kLeft, 32},
               {"since", Align::kRight},
               {"status"},
               {"work", Align::kLeft, 72},
               {"shape of the outputs", Align::kLeft, 72},
               {"reads", Align::kLeft, 56}});
  for (const auto& versions : operator_names(domain)) table.add(cells(versions));
  return table;
}

Table operator_rows() {
  Table table({{"domain"}, {"operator"}, {"since"}, {"status"}, {"work"}, {"shape"}, {"reads"}});
  for (const std::string_view domain : operator_domains())
    for (const auto& versions : operator_names(domain)) {
      std::vector<std::string> row = cells(versions);
      row.insert(row.begin(), std::string(domain_name(domain)));
      table.add(std::move(row));
    }
  return table;
}

std::vector<std::string_view> operator_domains() {
  std::vector<std::string_view> domains;
  for (const Operator* row : ops::all())
    if (domains.empty() || domains.back() != row->domain) domains.push_back(row->domain);
  return domains;
}

std::string operators_page() {
  std::string out =
      "# Operators\n\n"
      "<!-- Generated by `ridge operators --format md` from src/ops; edit that instead. -->\n\n"
      "What ridge counts, operator by operator. *Since* is the opset from which a rule holds, "
      "until "
      "the next one of the list. *Status* is `counted` where there is a rule for the work; `moves "
      "data` where there is none by definition, only bytes; `view` where there are no bytes "
      "either; "
      "`its bodies count` for control flow. What MACs, flops, special and integer operations are: "
      "[analyze](../analyze.md). An operator that is not here is counted as unknown and named.\n";
  for (const std::string_view domain : operator_domains()) {
    const Table table = operator_table(domain);
    out += fmt::format("\n## {}\n\n", domain_name(domain)) + table.markdown();
  }
  return out;
}

}  // namespace ridge::exports
