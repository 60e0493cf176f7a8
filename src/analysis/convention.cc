// SPDX-License-Identifier: Apache-2.0
#include "analysis/convention.h"

#include <algorithm>
#include <array>

#include "analysis/counts.h"

namespace ridge::analysis {
namespace {

/// True if all outputs are known before inference: tools fold such a node or count nothing in it.
bool settled(const Resolved& r, const graph::Node& node) {
  return std::all_of(node.outputs.begin(), node.outputs.end(), [&](graph::ValueId v) {
    return v == graph::kNone || r.constant(v) || r.value(v) != nullptr;
  });
}

const ConventionRule* rule_for(const Convention& convention, const graph::Node& node) {
  if (!node.domain.empty()) return nullptr;
  const auto at =
      std::find_if(convention.rules.begin(), convention.rules.end(),
                   [&](const ConventionRule& rule) { return rule.op_type == node.op_type; });
  return at == convention.rules.end() ? nullptr : &*at;
}

ops::Dim converted_work(const Convention& convention, const ConventionNode& seen) {
  ops::Dim sum(0);
  const auto add = [&](const ConventionTerm& term) {
    if (term.factor == 0) return;
    sum = seen.dims().add(sum, seen.dims().mul(ops::Dim(term.factor), term.of(seen)));
  };
  if (const ConventionRule* rule = rule_for(convention, seen.node()))
    std::for_each(std::begin(rule->terms), std::end(rule->terms), add);
  else
    add(convention.otherwise);
  return sum;
}

}  // namespace

bool ConventionNode::has_weight() const {
  return std::any_of(node_.inputs.begin(), node_.inputs.end(),
                     [&](graph::ValueId v) { return v != graph::kNone && r_.constant(v); });
}

ops::Dim ConventionNode::elements(graph::ValueId v) const {
  const ops::Shape& shape = r_.type(v).shape;
  return shape.ranked() ? dims().mul(repeat(), dims().product(shape.span())) : ops::Dim();
}

ops::Dim ConventionNode::input_elements(std::size_t i) const {
  return has_input(i) ? elements(node_.inputs[i]) : ops::Dim();
}

ops::Dim ConventionNode::output_elements() const {
  const bool given = !node_.outputs.empty() && node_.outputs[0] != graph::kNone;
  return given ? elements(node_.outputs[0]) : ops::Dim();
}

std::int64_t ConventionNode::input_rank(std::size_t i) const {
  return has_input(i) ? r_.type(node_.inputs[i]).shape.rank : -1;
}

ops::Dim ConventionNode::input_size(std::size_t i, std::int64_t axis) const {
  if (!has_input(i)) return {};
  const ops::Shape& shape = r_.type(node_.inputs[i]).shape;
  const std::int64_t at = axis < 0 ? axis + shape.rank : axis;
  return at >= 0 && at < shape.rank ? shape[static_cast<std::size_t>(at)] : ops::Dim();
}

std::int64_t ConventionNode::int_attribute(std::string_view name, std::int64_t fallback) const {
  const onnx::Attribute* a = graph::attribute(node_, name);
  return a == nullptr ? fallback : a->i;
}

std::span<const std::int64_t> ConventionNode::ints_attribute(std::string_view name) const {
  const onnx::Attribute* a = graph::attribute(node_, name);
  return a == nullptr ? std::span<const std::int64_t>() : a->ints;
}

std::string_view ConventionNode::string_attribute(std::string_view name,
                                                  std::string_view fallback) const {
  const onnx::Attribute* a = graph::attribute(node_, name);
  return a == nullptr ? fallback : a->s;
}

const Convention* find_convention(std::string_view name) {
  const auto all = conventions();
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const Convention& c) { return c.name == name; });
  return at == all.end() ? nullptr : &*at;
}

std::span<const std::string_view> convention_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> out;
    for (const Convention& c : conventions()) out.push_back(c.name);
    return out;
  }();
  return names;
}

std::span<const std::string_view> convention_units() {
  static constexpr std::array<std::string_view, 2> kUnits = {"MACs", "FLOPs"};
  return kUnits;
}

ConventionCount count_by(const Convention& convention, const Resolved& resolved) {
  ConventionCount count{.convention = &convention};
  const graph::Model& model = resolved.model();
  count.nodes.reserve(model.nodes().size());
  for (graph::NodeId n = 0; n < model.nodes().size(); ++n) {
    const ConventionNode seen(resolved, n);
    const bool unknown = seen.counts().status == Status::kUnknown;
    const ops::Dim value = unknown                            ? ops::Dim()
                           : settled(resolved, model.node(n)) ? ops::Dim(0)
                                                              : converted_work(convention, seen);
    count.nodes.push_back(value);
    if (value.unknown())
      count.complete = false;
    else
      count.total = resolved.dims().add(count.total, value);
  }
  return count;
}

std::map<std::string, ops::Dim> by_operator(const ConventionCount& count,
                                            const Resolved& resolved) {
  std::map<std::string, ops::Dim> sums;
  for (graph::NodeId n = 0; n < count.nodes.size(); ++n) {
    ops::Dim& sum =
        sums.emplace(operator_name(resolved.model().node(n)), ops::Dim(0)).first->second;
    if (!count.nodes[n].unknown()) sum = resolved.dims().add(sum, count.nodes[n]);
  }
  return sums;
}

}  // namespace ridge::analysis
