// SPDX-License-Identifier: Apache-2.0
// Kernels of a run: spans of level kernel, else the implementations that the runtime names, else
// calls.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/number.h"
#include "trace/containers.h"
#include "trace/view_parts.h"
#include "trace/view_rows.h"

namespace ridge::trace {
namespace {

using profile::Level;
using profile::Span;
using profile::SpanId;
using profile::TextId;
using profile::Timeline;

constexpr std::array<std::string_view, 3> kSums = {"flops", "dram_read_bytes", "dram_write_bytes"};

/// Sums of counters over the spans of all runs; a counter that one span lacks has no sum.
struct Sums {
  std::uint64_t spans = 0;
  std::array<double, kSums.size()> totals{};
  std::array<std::uint64_t, kSums.size()> told{};
  double weighted_occupancy = 0, weight = 0;
  std::uint64_t occupancy_told = 0;
};

/// Collects spans into kernel rows by layer, name and device.
class Gatherer {
 public:
  explicit Gatherer(View& view) : view_(view), t_(view.profile->timeline) {}

  /// Adds spans of level kernel, each with its full duration.
  void kernels() {
    each_span(view_, Level::kKernel,
              [&](SpanId id, const Span& s) { add(id, s, end_of(s) - s.start_ns); });
    finish();
  }

  /// Adds operations and the calls nested in them, each without the time of its children.
  void calls() {
    const std::vector<Span>& spans = t_.spans();
    const auto is_call = [](const Span& s) {
      return s.level == Level::kLibrary || s.level == Level::kLayer;
    };
    // Clamped at 0 after each child, so that inconsistent recordings cannot overflow.
    std::vector<std::int64_t> own_ns(spans.size(), 0);
    for (SpanId id = 0; id < spans.size(); ++id)
      if (is_call(spans[id])) own_ns[id] = end_of(spans[id]) - spans[id].start_ns;
    for (const Span& s : spans) {
      if (!is_call(s) || s.parent == profile::kNoSpan) continue;
      std::int64_t& outer = own_ns[s.parent];
      outer = std::max<std::int64_t>(0, outer - (end_of(s) - s.start_ns));
    }
    for (const Level level : {Level::kLayer, Level::kLibrary})
      each_span(view_, level, [&](SpanId id, const Span& s) { add(id, s, own_ns[id]); });
    finish();
  }

 private:
  struct Key {
    std::uint32_t layer = kNone;
    TextId name = 0, device = 0;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& k) const {
      const std::uint64_t mixed = (std::uint64_t{k.layer} << 32U | k.name) * 0x9e3779b97f4a7c15ULL;
      return mixed ^ (std::uint64_t{k.device} << 20U) ^ mixed >> 29U;
    }
  };

  void finish() {
    const double runs = static_cast<double>(std::max<std::size_t>(1, view_.runs.size()));
    const std::vector<double> ns =
                                  pieces_.fold(view_.kernels.size(), view_.runs.size(), Fold::kSum),
                              of_layers = by_layer_.fold(view_.layers.size(), view_.runs.size(),
                                                         Fold::kSum);
    for (std::size_t i = 0; i < view_.kernels.size(); ++i) {
      KernelRow& row = view_.kernels[i];
      const double all = runs * (row.layer == kNone ? 1 : view_.layers[row.layer].recorded_runs);
      row.time_ns = std::isnan(ns[i]) ? 0 : ns[i] * runs / all;
      row.count = static_cast<double>(sums_[i].spans) / all;
      row.counters = counters(sums_[i], all);
    }
    for (std::size_t i = 0; i < of_layers.size(); ++i)
      if (!std::isnan(of_layers[i]))
        view_.layers[i].kernel_ns = of_layers[i] / view_.layers[i].recorded_runs;
  }

  void add(SpanId id, const Span& s, std::int64_t ns) {
    const Key key{view_.layer_of[id], s.name, s.device};
    const auto [found, is_new] =
        rows_.try_emplace(key, static_cast<std::uint32_t>(view_.kernels.size()));
    if (is_new) {
      view_.kernels.push_back({.name = std::string(t_.text(s.name)),
                               .implementation = std::string(t_.attribute_of(s, "implementation")),
                               .device = std::string(t_.text(s.device)),
                               .layer = key.layer});
      sums_.emplace_back();
    }
    pieces_.add({found->second, view_.run_of[id], 0, ns});
    if (key.layer != kNone) by_layer_.add({key.layer, view_.run_of[id], 0, ns});
    count(sums_[found->second], s);
  }

  void count(Sums& sums, const Span& s) const {
    ++sums.spans;
    if (s.attributes == 0) return;
    for (std::size_t i = 0; i < kSums.size(); ++i)
      if (const auto value = finite_number(t_.attribute_of(s, kSums[i]))) {
        sums.totals[i] += *value;
        ++sums.told[i];
      }
    if (const auto occupancy = finite_number(t_.attribute_of(s, "occupancy"))) {
      const auto ns = static_cast<double>(end_of(s) - s.start_ns);
      sums.weighted_occupancy += *occupancy * ns;
      sums.weight += ns;
      ++sums.occupancy_told;
    }
  }

  static Counters counters(const Sums& sums, double runs) {
    const auto per_run = [&](std::size_t i) {
      return sums.told[i] == sums.spans ? std::optional(sums.totals[i] / runs) : std::nullopt;
    };
    Counters out{per_run(0), per_run(1), per_run(2), {}};
    if (sums.occupancy_told == sums.spans && sums.weight > 0)
      out.occupancy = sums.weighted_occupancy / sums.weight;
    return out;
  }

  View& view_;
  const Timeline& t_;
  std::unordered_map<Key, std::uint32_t, Hash> rows_;
  std::vector<Sums> sums_;
  Pieces pieces_, by_layer_;
};

/// Adds the kernels that the table of layers lists.
void kernels_of_table(View& view) {
  for (std::uint32_t i = 0; i < view.layers.size(); ++i) {
    const LayerRow& layer = view.layers[i];
    if (layer.joined == nullptr) continue;
    const bool alone = layer.joined->kernels.size() == 1;
    for (const profile::Kernel& k : layer.joined->kernels) {
      KernelRow row{.name = k.type.empty() ? k.name : k.type,
                    .implementation = layer.implementation,
                    .device = {},
                    .layer = i};
      row.count = static_cast<double>(layer.joined->executions);
      // The overhead of profiling is known per layer: where a layer has several kernels, each keeps
      // its reported time.
      row.time_ns = alone ? layer.time_ns : k.time_ns.value;
      if (alone) {
        row.operations = layer.operations;
        row.bytes = layer.bytes;
      }
      view.layers[i].kernel_ns += row.time_ns;
      view.kernels.push_back(std::move(row));
    }
  }
}

}  // namespace

void add_kernels(View& view) {
  const auto has = [&](Level level) { return view.spans_of[static_cast<std::size_t>(level)] > 0; };
  if (has(Level::kKernel)) {
    Gatherer(view).kernels();
    view.kernel_source = KernelSource::kDevice;
    return;
  }
  kernels_of_table(view);
  if (!view.kernels.empty()) {
    view.kernel_source = KernelSource::kImplementation;
  } else if (has(Level::kLibrary)) {
    Gatherer(view).calls();
    view.kernel_source = KernelSource::kLibrary;
  }
}

}  // namespace ridge::trace
