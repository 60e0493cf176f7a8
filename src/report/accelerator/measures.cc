// SPDX-License-Identifier: Apache-2.0
#include "report/accelerator/measures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "export/accelerator/words.h"
#include "export/analysis/figure_text.h"

namespace ridge::report {
namespace {

using accelerator::LayerCost;
using accelerator::StudyPoint;
using Value = std::optional<double>;

Value number(std::int64_t n) { return static_cast<double>(n); }

std::string bytes_text(double bytes) {
  return exports::readable(static_cast<std::int64_t>(bytes), "B");
}
std::string nanoseconds_text(double ns) { return exports::latency_text(ns); }
std::string picojoules_text(double pj) { return exports::energy_text(pj); }
std::string product_text(double pj_ns) { return exports::edp_text(pj_ns); }

const LayerCost& cost(const StudyPoint& p, std::size_t i) { return p.estimate.layers[i]; }

Value energy_of(const StudyPoint& p, const LayerCost& c) {
  return p.energy != nullptr && c.energy ? Value(c.energy->total()) : std::nullopt;
}
Value edp_of(const StudyPoint& p, const LayerCost& c) {
  return p.energy != nullptr ? c.edp_pj_ns() : std::nullopt;
}
Value dram_read(const LayerCost& c) { return c.dram ? number(c.dram_read_bytes) : std::nullopt; }
Value dram_write(const LayerCost& c) { return c.dram ? number(c.dram_write_bytes) : std::nullopt; }

Value memory_of_layer(const StudyPoint& p, std::size_t i,
                      std::int64_t accelerator::PaddedBytes::*part) {
  return p.padded[i] ? number((*p.padded[i]).*part) : std::nullopt;
}
Value memory_of_point(const StudyPoint& p, std::int64_t accelerator::PaddedBytes::*part) {
  const auto memory = exports::memory_of(p);
  return memory ? number((*memory).*part) : std::nullopt;
}

using Point = StudyPoint;
constexpr std::size_t kCycles = 6, kLatency = 7, kEnergy = 8, kEdp = 9;
constexpr std::array kMeasures = {
    Measure{"MACs", [](const Point& p, std::size_t i) { return number(cost(p, i).padded_macs); },
            [](const Point& p) { return number(p.estimate.totals.padded_macs); }, si},
    Measure{
        "Stored parameters",
        [](const Point& p, std::size_t i) {
          return memory_of_layer(p, i, &accelerator::PaddedBytes::parameters);
        },
        [](const Point& p) { return memory_of_point(p, &accelerator::PaddedBytes::parameters); },
        bytes_text},
    Measure{"Stored results",
            [](const Point& p, std::size_t i) {
              return memory_of_layer(p, i, &accelerator::PaddedBytes::allocated);
            },
            [](const Point& p) { return memory_of_point(p, &accelerator::PaddedBytes::allocated); },
            bytes_text},
    Measure{"DRAM reads", [](const Point& p, std::size_t i) { return dram_read(cost(p, i)); },
            [](const Point& p) { return dram_read(p.estimate.totals); }, bytes_text},
    Measure{"DRAM writes", [](const Point& p, std::size_t i) { return dram_write(cost(p, i)); },
            [](const Point& p) { return dram_write(p.estimate.totals); }, bytes_text},
    Measure{"SRAM used",
            [](const Point& p, std::size_t i) { return number(cost(p, i).sram_used_bytes); },
            [](const Point& p) { return number(p.estimate.totals.sram_used_bytes); }, bytes_text},
    Measure{"Cycles",
            [](const Point& p, std::size_t i) { return number(cost(p, i).total_cycles()); },
            [](const Point& p) { return number(p.estimate.totals.total_cycles()); }, si},
    Measure{"Latency", [](const Point& p, std::size_t i) { return cost(p, i).latency_ns; },
            [](const Point& p) { return p.estimate.totals.latency_ns; }, nanoseconds_text},
    Measure{"Energy", [](const Point& p, std::size_t i) { return energy_of(p, cost(p, i)); },
            [](const Point& p) { return energy_of(p, p.estimate.totals); }, picojoules_text},
    Measure{"EDP", [](const Point& p, std::size_t i) { return edp_of(p, cost(p, i)); },
            [](const Point& p) { return edp_of(p, p.estimate.totals); }, product_text},
};

/// Measure with the kind of scale set for this page.
Measure scaled(Measure m, const accelerator::Study& view) {
  constexpr double kDecade = 10;
  double low = INFINITY, high = 0;
  for (const Point& p : view.points) {
    const Value value = m.of_point(p);
    if (!value) continue;
    low = std::min(low, *value);
    high = std::max(high, *value);
  }
  m.logarithmic = low > 0 && high > kDecade * low;
  return m;
}

}  // namespace

std::vector<Measure> measures(const accelerator::Study& view) {
  std::vector<Measure> out;
  for (const Measure& m : kMeasures)
    if (std::any_of(view.points.begin(), view.points.end(),
                    [&](const Point& p) { return m.of_point(p).has_value(); }))
      out.push_back(scaled(m, view));
  return out;
}

bool varies(const accelerator::Study& view, const Measure& measure) {
  const auto shown = [&](const Point& p) {
    const Value value = measure.of_point(p);
    return value ? measure.text(*value) : std::string();
  };
  const std::string first = shown(view.points.front());
  return std::any_of(view.points.begin(), view.points.end(),
                     [&](const Point& p) { return shown(p) != first; });
}

Measure duration_measure(const accelerator::Study& view) {
  return scaled(kMeasures[view.points.front().estimate.totals.latency_ns ? kLatency : kCycles],
                view);
}

Measure energy_measure(const accelerator::Study& view) { return scaled(kMeasures[kEnergy], view); }

Measure edp_measure(const accelerator::Study& view) { return scaled(kMeasures[kEdp], view); }

}  // namespace ridge::report
