// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/chart/keys.h"
#include "report/chart/plot.h"
#include "report/chart/svg.h"
#include "report/evaluation/sections.h"
#include "report/evaluation/series.h"
#include "report/kit/markup.h"

namespace ridge::report {
namespace {

double floor_of(std::size_t bin) { return bin == 0 ? 1 : std::exp2(static_cast<double>(bin)); }

/// Share of the queries in each bin, as a step line from the first bin to the last with any.
std::string generator_chart(const EvaluatedPoint& p, std::string_view color) {
  const auto bins = lateness_bins(p.load);
  std::size_t last = 0;
  std::int64_t most = 0;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    if (bins[i] > 0) last = i;
    most = std::max(most, bins[i]);
  }
  const auto all = static_cast<double>(p.load.queries.size());
  const Plot plot({.low = 1,
                   .high = std::max(floor_of(last + 1), 65536.0),
                   .spacing = AxisSpacing::kLogarithmic},
                  axis_from_zero(static_cast<double>(most) / all));
  std::string out = plot.grid(
      short_duration, [](double v) { return fmt::format("{:g} %", 100 * v); }, "issued late by");
  for (std::size_t i = 0; i <= last; ++i) {
    if (bins[i] == 0) continue;
    const std::string words =
        fmt::format("{} to {}: {} of {}", i == 0 ? "0" : short_duration(floor_of(i)),
                    short_duration(floor_of(i + 1)), count_text(bins[i]),
                    counted(std::ssize(p.load.queries), "query"));
    out += plot.bar(floor_of(i), floor_of(i + 1), static_cast<double>(bins[i]) / all,
                    fmt::format("style=\"fill:{};stroke:var(--paper)\"", color), words);
  }
  out += plot.upright(static_cast<double>(scenario::Lateness::kLateNs), "class=\"limit\"");
  return captioned(title_of(p), plot.svg("ac ev", "lateness of the generator", out));
}

}  // namespace

std::string evaluation_generator_section(const Evaluation& e) {
  std::string charts;
  for (std::size_t i = 0; i < e.points.size(); ++i)
    if (has_queries(e.points[i])) charts += generator_chart(e.points[i], series_color(i));
  if (charts.empty()) return "";
  return section(
      "Lateness of the load generator",
      "<p class=\"sub\">How long a query that was due waited although a worker was free. This is "
      "the "
      "fault of the generator or of a busy machine, not of the runtime. The line marks 20 µs. Each "
      "bar covers a factor of two.</p>\n<div class=\"charts ev\">\n" +
          charts + "</div>\n");
}

}  // namespace ridge::report
