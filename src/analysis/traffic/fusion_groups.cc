// SPDX-License-Identifier: Apache-2.0
#include "analysis/traffic/fusion_groups.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ridge::analysis {

FusionGroups::FusionGroups(const Resolved& resolved)
    : r_(resolved), model_(resolved.model()), position_(model_.nodes().size()) {
  for (const graph::Graph& g : model_.graphs()) {
    std::uint32_t at = 0;
    for (const graph::NodeId n : g.order) position_[n] = at++;
  }
  grouped_.resize(model_.nodes().size());
  out_.runs_with.resize(model_.nodes().size());
  std::iota(out_.runs_with.begin(), out_.runs_with.end(), graph::NodeId{0});
  out_.inside.resize(model_.values().size());
  out_.folded.resize(model_.nodes().size());
}

graph::ValueId FusionGroups::output(graph::NodeId n) const {
  graph::ValueId one = graph::kNone;
  for (const graph::ValueId v : node(n).outputs) {
    if (v == graph::kNone) continue;
    if (one != graph::kNone) return graph::kNone;
    one = v;
  }
  return one;
}

std::optional<graph::NodeId> FusionGroups::only_reader(graph::ValueId v) const {
  if (v == graph::kNone || model_.value(v).graph_output) return std::nullopt;
  const auto readers = model_.consumers(v);
  if (readers.size() != 1 || node(readers[0]).graph != model_.value(v).graph) return std::nullopt;
  return readers[0];
}

std::optional<graph::NodeId> FusionGroups::producer(graph::ValueId v, graph::NodeId reader) const {
  if (v == graph::kNone) return std::nullopt;
  const graph::NodeId p = model_.value(v).producer;
  if (p == graph::kNone || node(p).graph != node(reader).graph) return std::nullopt;
  return p;
}

bool FusionGroups::is_one_of(graph::NodeId n, std::span<const std::string_view> names) const {
  const graph::Node& at = node(n);
  return at.domain.empty() && at.bodies.empty() &&
         std::find(names.begin(), names.end(), at.op_type) != names.end();
}

bool FusionGroups::same_shape(graph::ValueId a, graph::ValueId b) const {
  return a != graph::kNone && b != graph::kNone &&
         ops::same_shape(r_.type(a).shape, r_.type(b).shape);
}

bool FusionGroups::scalar_constant(graph::ValueId v) const {
  if (!constant(v)) return false;
  const auto dims = r_.type(v).shape.span();
  return r_.type(v).shape.ranked() &&
         std::all_of(dims.begin(), dims.end(), [](ops::Dim d) { return d.is(1); });
}

bool FusionGroups::moves(graph::NodeId n) const {
  const NodeCounts& c = r_.counts(n);
  return node(n).bodies.empty() && !(c.bytes_read.is(0) && c.bytes_written.is(0));
}

graph::NodeId FusionGroups::end(graph::NodeId n) {
  graph::NodeId last = n;
  while (out_.runs_with[last] != last) last = out_.runs_with[last];
  while (out_.runs_with[n] != last) n = std::exchange(out_.runs_with[n], last);
  return last;
}

void FusionGroups::join(graph::NodeId first, graph::NodeId last) {
  out_.inside[output(first)] = true;
  grouped_[first] = grouped_[last] = true;
  const graph::NodeId own = end(first), other = end(last);
  if (own == other) return;
  out_.runs_with[own] = other;
  ++out_.fused;
}

void FusionGroups::make(std::span<const graph::NodeId> members, graph::NodeId last) {
  for (const graph::NodeId n : members)
    if (n != last && output(n) == graph::kNone) return;  // more outputs than the fused operator has
  for (const graph::NodeId n : members) {
    grouped_[n] = true;
    out_.runs_with[n] = last;
    if (n == last) continue;
    out_.inside[output(n)] = true;
    ++out_.fused;
  }
}

void FusionGroups::drop(std::span<const graph::NodeId> members, graph::ValueId from,
                        graph::ValueId to) {
  make(members, members.back());
  for (const graph::NodeId n : members) out_.folded[n] = true;
  out_.same.emplace_back(from, to);
}

std::optional<graph::NodeId> FusionGroups::next(graph::NodeId n, std::string_view name) const {
  const auto reader = only_reader(output(n));
  return reader && is(*reader, name) && free_to_join(*reader) ? reader : std::nullopt;
}

std::optional<graph::NodeId> FusionGroups::maker(graph::ValueId v, graph::NodeId reader,
                                                 std::string_view name) const {
  const auto made_by = producer(v, reader);
  return made_by && is(*made_by, name) && free_to_join(*made_by) ? made_by : std::nullopt;
}

graph::ValueId FusionGroups::other(graph::NodeId n, graph::ValueId v) const {
  const graph::ValueId a = input(n, 0), b = input(n, 1);
  return a == v ? b : b == v ? a : graph::kNone;
}

void FusionGroups::settle_taken() {
  std::stable_sort(taken_.begin(), taken_.end(),
                   [](const Taken& a, const Taken& b) { return a.value > b.value; });
  for (std::size_t i = 0, next = 0; i < taken_.size(); i = next) {
    const graph::Value& value = model_.value(taken_[i].value);
    while (next < taken_.size() && taken_[next].value == taken_[i].value) ++next;
    if (grouped_[value.producer]) continue;
    std::vector<graph::NodeId> readers;
    for (std::size_t k = i; k < next; ++k) readers.push_back(taken_[k].reader);
    std::ranges::sort(readers);
    readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
    if (!value.graph_output && readers.size() == model_.consumers(taken_[i].value).size())
      join(value.producer, readers.front());
    for (const graph::NodeId reader : readers)
      out_.instead[{reader, taken_[i].value}] = taken_[i].from;
  }
}

Fusion FusionGroups::finish() {
  settle_taken();
  for (graph::NodeId n = 0; n < out_.runs_with.size(); ++n) out_.runs_with[n] = end(n);
  return std::move(out_);
}

}  // namespace ridge::analysis
