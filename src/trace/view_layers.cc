// SPDX-License-Identifier: Apache-2.0
// Layers of a run, from the joined table or from spans, and their times.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/number.h"
#include "trace/containers.h"
#include "trace/view_parts.h"
#include "trace/view_rows.h"

namespace ridge::trace {
namespace {

using profile::kNoSpan;
using profile::Level;
using profile::Span;
using profile::SpanId;
using profile::TextId;
using profile::Timeline;

std::optional<double> real(const profile::Count& count) {
  return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
}

std::optional<double> operations_of(const profile::Work& w) {
  if (!w.macs || !w.flops || !w.special || !w.int_ops) return std::nullopt;
  return 2.0 * static_cast<double>(*w.macs) + static_cast<double>(*w.flops) +
         static_cast<double>(*w.special) + static_cast<double>(*w.int_ops);
}

LayerRow layer_row(const profile::Layer& layer, const std::vector<profile::Node>& nodes) {
  LayerRow row{.name = layer.name,
               .type = layer.type,
               .module = layer.module,
               .implementation = layer.implementation,
               .precision = layer.precision};
  row.joined = &layer;
  for (const profile::Member& m : layer.members) {
    row.nodes += fmt::format("{}{}", row.nodes.empty() ? "" : " ", m.node);
    // The last node that the layer executes produces its output.
    if (m.role == profile::Role::kExecutes && m.node < nodes.size())
      row.output_shape = nodes[m.node].output_shape;
  }
  row.time_ns = layer.corrected_ns > 0 ? layer.corrected_ns : layer.time_ns.value;
  // A layer that the runtime inserts (a reorder, a cast) has no members, but its work is known: it
  // does none of the model's.
  if (!layer.members.empty() || layer.inserted) row.operations = operations_of(layer.work);
  row.bytes = real(layer.bytes);
  row.output_bytes = real(layer.output_bytes);
  return row;
}

/// Row of a layer that is not in the table, from the attributes of its span.
LayerRow layer_row(const Timeline& t, const Span& span) {
  const auto text = [&](std::string_view key) { return std::string(t.attribute_of(span, key)); };
  LayerRow row{.name = std::string(t.text(span.name)),
               .type = text("type"),
               .module = text("module"),
               .implementation = text("implementation"),
               .precision = text("precision"),
               .output_shape = text("shape"),
               .nodes = text("nodes")};
  row.operations = finite_number(t.attribute_of(span, "flops"));
  row.bytes = finite_number(t.attribute_of(span, "bytes"));
  row.output_bytes = finite_number(t.attribute_of(span, "output_bytes"));
  row.allocated_bytes = finite_number(t.attribute_of(span, "allocated_bytes"));
  return row;
}

/// Assignment of spans of level layer to rows.
class LayerRows {
 public:
  LayerRows(View& view, Timeline& timeline) : view_(view), t_(timeline) {
    std::unordered_map<TextId, std::uint32_t> occurrences;
    for (const profile::Layer& layer : view.profile->layers) {
      const TextId name = t_.intern(layer.name);
      row_of_.emplace(key(name, occurrences[name]++), size());
      view_.layers.push_back(layer_row(layer, view.profile->nodes));
    }
  }

  /// Row of a span; adds a row where none matches. Call it in order of run and start.
  std::uint32_t of(const Span& span, std::uint32_t run) {
    if (const auto index = finite_number(t_.attribute_of(span, "layer"));
        index && *index >= 0 && *index < static_cast<double>(view_.profile->layers.size()))
      return static_cast<std::uint32_t>(*index);
    if (run != run_) {
      occurrences_.clear();
      run_ = run;
    }
    const std::uint32_t nth = occurrences_[span.name]++;
    if (const auto found = row_of_.find(key(span.name, nth)); found != row_of_.end())
      return found->second;
    // A layer of the table that runs several times per run, such as the body of a loop.
    if (const auto first = row_of_.find(key(span.name, 0));
        first != row_of_.end() && first->second < view_.profile->layers.size())
      return first->second;
    row_of_.emplace(key(span.name, nth), size());
    view_.layers.push_back(layer_row(t_, span));
    return size() - 1;
  }

 private:
  static std::uint64_t key(TextId name, std::uint32_t nth) {
    return std::uint64_t{name} << 32U | nth;
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(view_.layers.size()); }

  View& view_;
  Timeline& t_;
  std::unordered_map<std::uint64_t, std::uint32_t> row_of_;
  std::unordered_map<TextId, std::uint32_t> occurrences_;
  std::uint32_t run_ = kNone;
};

/// Spans of level layer that are part of a run, by run and start, outer spans first.
std::vector<SpanId> layer_spans(const View& view) {
  const std::vector<Span>& spans = view.profile->timeline.spans();
  std::vector<SpanId> order;
  each_span(view, Level::kLayer, [&](SpanId id, const Span&) { order.push_back(id); });
  std::sort(order.begin(), order.end(), [&](SpanId a, SpanId b) {
    if (view.run_of[a] != view.run_of[b]) return view.run_of[a] < view.run_of[b];
    if (spans[a].start_ns != spans[b].start_ns) return spans[a].start_ns < spans[b].start_ns;
    return end_of(spans[a]) != end_of(spans[b]) ? end_of(spans[a]) > end_of(spans[b]) : a < b;
  });
  return order;
}

/// Innermost enclosing layer of each span, or kNoSpan.
std::vector<SpanId> layers_around(const std::vector<Span>& spans) {
  std::vector<SpanId> out(spans.size(), kNoSpan);
  std::vector<bool> settled(spans.size(), false);
  std::vector<SpanId> path;
  for (SpanId id = 0; id < spans.size(); ++id) {
    SpanId at = id;
    for (path.clear(); at != kNoSpan && !settled[at]; at = spans[at].parent) path.push_back(at);
    for (; !path.empty(); path.pop_back()) {
      const SpanId cause = spans[path.back()].parent;
      if (cause != kNoSpan)
        out[path.back()] = spans[cause].level == Level::kLayer ? cause : out[cause];
      settled[path.back()] = true;
    }
  }
  return out;
}

/// Pieces of layer spans that no nested layer covers.
///
/// Example: loop [0, 100) contains body 1 [10, 30) and body 2 [40, 70), which contains inner [45,
/// 50). The first pass goes over the nested spans by start: body 1 closes the piece [0, 10) of
/// loop, body 2 closes [30, 40), inner closes [40, 45) of body 2. The second pass adds the rest of
/// every span: loop [70, 100), body 1 [10, 30), body 2 [50, 70), inner [45, 50). Own times: 50, 20,
/// 25 and 5.
Pieces own_pieces(const View& view) {
  const std::vector<Span>& spans = view.profile->timeline.spans();
  const std::vector<SpanId> order = layer_spans(view), around = layers_around(spans);
  Pieces out;
  std::unordered_map<SpanId, std::int64_t> reached;  // end of the assigned part, by enclosing span
  const auto add = [&](SpanId id, std::int64_t from_ns, std::int64_t to_ns) {
    if (to_ns > from_ns) out.add({view.layer_of[id], view.run_of[id], from_ns, to_ns});
  };
  for (const SpanId id : order) {
    const SpanId outer = around[id];
    if (outer == kNoSpan || view.run_of[outer] == kNone) continue;
    std::int64_t& from_ns = reached.try_emplace(outer, spans[outer].start_ns).first->second;
    add(outer, from_ns, std::min(spans[id].start_ns, end_of(spans[outer])));
    from_ns = std::max(from_ns, end_of(spans[id]));
  }
  for (const SpanId id : order) {
    const auto from = reached.find(id);
    const std::int64_t from_ns = from == reached.end() ? spans[id].start_ns : from->second;
    out.add({view.layer_of[id], view.run_of[id], from_ns, std::max(from_ns, end_of(spans[id]))});
  }
  return out;
}

}  // namespace

void read_rows(View& view, Timeline& timeline) {
  const TextId layer = timeline.intern("layer");
  const std::size_t rows = view.profile->layers.size();
  const std::vector<Span>& spans = timeline.spans();
  for (SpanId id = 0; id < spans.size(); ++id)
    for (const profile::SpanAttribute* a = timeline.begin(spans[id]); a != timeline.end(spans[id]);
         ++a) {
      if (a->key != layer) continue;
      const std::string_view row = timeline.text(a->value);
      view.left_out[id] = row == "none";
      const auto index = whole_number<std::uint32_t>(row);
      if (spans[id].level == Level::kKernel && index && *index < rows) view.layer_of[id] = *index;
    }
}

void place_layers(View& view, Timeline& timeline) {
  LayerRows rows(view, timeline);
  const std::vector<Span>& spans = timeline.spans();
  for (const SpanId id : layer_spans(view)) {
    view.layer_of[id] = rows.of(spans[id], view.run_of[id]);
    view.made_starts |= !timeline.attribute_of(spans[id], "made").empty();
  }
  const TextId recorded = timeline.intern("recorded_runs");
  for (SpanId id = 0; id < spans.size(); ++id)
    for (const profile::SpanAttribute* a = timeline.begin(spans[id]); a != timeline.end(spans[id]);
         ++a) {
      const auto runs = a->key == recorded ? finite_number(timeline.text(a->value)) : std::nullopt;
      if (runs && *runs > 0 && view.layer_of[id] != kNone)
        view.layers[view.layer_of[id]].recorded_runs = *runs;
    }
}

void place_lone_kernels(View& view) {
  const Timeline& t = view.profile->timeline;
  std::unordered_map<std::string_view, std::uint32_t> lone;
  for (std::uint32_t i = 0; i < view.profile->layers.size(); ++i)
    if (const profile::Layer& layer = view.profile->layers[i]; layer.type == "kernel")
      lone.emplace(layer.name, i);
  if (lone.empty()) return;
  each_span(view, Level::kKernel, [&](SpanId id, const Span& s) {
    const auto found = view.layer_of[id] == kNone ? lone.find(t.text(s.name)) : lone.end();
    if (found != lone.end()) view.layer_of[id] = found->second;
  });
}

namespace {

Pieces device_pieces(const View& view) {
  Pieces out;
  each_span(view, Level::kKernel, [&](SpanId id, const Span& s) {
    if (s.device != 0 && view.layer_of[id] != kNone)
      out.add({view.layer_of[id], view.run_of[id], s.start_ns, end_of(s)});
  });
  return out;
}

std::optional<double> known(double ns) { return std::isnan(ns) ? std::nullopt : std::optional(ns); }

}  // namespace

void time_layers(View& view) {
  const std::size_t rows = view.layers.size(), runs = view.runs.size();
  const std::vector<double> host_ns = own_pieces(view).fold(rows, runs, Fold::kSum),
                            device_ns = device_pieces(view).fold(rows, runs, Fold::kCovered);
  for (std::size_t i = 0; i < rows; ++i) {
    LayerRow& row = view.layers[i];
    row.host_ns = known(host_ns[i] / row.recorded_runs);
    row.device_ns = known(device_ns[i] / row.recorded_runs);
    if (row.time_ns <= 0) row.time_ns = row.device_ns.value_or(row.host_ns.value_or(0));
  }
}

std::vector<std::optional<double>> layer_extents(const View& view) {
  Pieces both = own_pieces(view);
  both.add(device_pieces(view));
  std::vector<std::optional<double>> out;
  const std::vector<double> all = both.fold(view.layers.size(), view.runs.size(), Fold::kCovered);
  for (std::size_t i = 0; i < all.size(); ++i)
    out.push_back(known(all[i] / view.layers[i].recorded_runs));
  return out;
}

}  // namespace ridge::trace
