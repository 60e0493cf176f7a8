// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.h"
#include "export/advice/words.h"
#include "export/analysis/figure_text.h"
#include "report/advice/sections.h"
#include "report/kit/markup.h"
#include "report/kit/terms.h"

namespace ridge::report {
namespace {

using advice::Achievable;
using advice::Advice;

/// One bar of the chart.
struct Figure {
  std::string_view name;
  std::optional<double> ns;
  std::string_view css;  ///< how it was obtained: "as-measured", "as-estimated", "as-modeled"
  std::string how;
};

std::optional<double> known_time(double ns) {
  return std::isfinite(ns) && ns > 0 ? std::optional(ns) : std::nullopt;
}

std::optional<double> known_time(const std::optional<double>& ns) {
  return ns ? known_time(*ns) : ns;
}

std::string coverage_text(const advice::Coverage& c) {
  return fmt::format("{} of the time of layers, {} of their nodes", exports::percent_text(c.time),
                     exports::percent_text(c.nodes));
}

/// Ways to run the model that pieces come from: "ONNX Runtime, OpenVINO"; "" for bricks only.
std::string ways_of(const Achievable& a) {
  std::set<std::string> ways;
  for (const advice::AchievableLayer& layer : a.layers)
    if (!layer.from.empty() && !layer.from.starts_with("brick ")) ways.insert(layer.from);
  std::string out;
  for (const std::string& way : ways) out += (out.empty() ? "" : ", ") + short_name(way);
  return out;
}

/// A sum of pieces in several ways is modeled; a run or bricks are measured.
Figure achievable_figure(const Achievable& a) {
  Figure out{"achievable", known_time(a.sequential_ns), "as-measured",
             "measured: the run itself; no bricks were measured"};
  const std::string ways = ways_of(a);
  if (!ways.empty()) {
    out.css = "as-estimated";
    out.how = "estimated: each piece in the best of " + ways +
              "; times of pieces are measured, their sum with what crosses the cuts is modeled";
  } else if (a.coverage.nodes > 0) {
    out.how = "measured: the least time of the run and of bricks";
  }
  if (a.coverage.nodes > 0) out.how += "; covers " + coverage_text(a.coverage);
  return out;
}

std::vector<Figure> figures_of(const AdviceView& view) {
  const Advice& a = view.advice;
  const std::string cover = "covers " + coverage_text(a.kernel_bound.coverage);
  const bool bound = a.kernel_bound.sequential_ns.has_value();
  const std::string threads = counted(std::int64_t{a.threads}, "thread");
  return {
      {"bound of the model, in parallel", known_time(a.model_bound.parallel_ns), "as-modeled",
       a.model_bound.parallel_ns ? "modeled: the same on all processors"
                                 : exports::model_bound_text(a.model_bound)},
      {"bound of the model", known_time(a.model_bound.time_ns), "as-modeled",
       (a.model_bound.time_ns ? "modeled: its arithmetic, or its inputs, weights and outputs, each "
                                "once, however it is cut into kernels; "
                              : "") +
           exports::model_bound_text(a.model_bound)},
      {"bound of these kernels, in parallel", known_time(a.kernel_bound.critical_path_ns),
       "as-modeled",
       bound ? "modeled: in any order of the layers, each on all processors; " + cover
             : "no layer has a bound, or the roofs of this machine are unknown"},
      {"bound of these kernels", known_time(a.kernel_bound.sequential_ns), "as-modeled",
       bound ? "modeled: sum over the layers of their least time under the measured roofs; " + cover
             : "no layer has a bound, or the roofs of this machine are unknown"},
      {"achievable, in parallel", known_time(a.achievable.scheduled_ns), "as-estimated",
       a.achievable.scheduled_ns
           ? "estimated: independent layers at the same time, one on each processor, each as "
             "long as it takes alone; that they share bandwidth is left out"
       : a.threads > 1 ? "layers of a run with " + threads + " use several processors already"
                       : "the order that the data of the layers demands is unknown"},
      achievable_figure(a.achievable),
      {"measured", known_time(a.measured_ns.value), "as-measured",
       fmt::format("measured with {}, 95 % interval {}", threads,
                   a.measured_ns.interval ? fmt::format("{} to {}", duration(a.measured_ns.low()),
                                                        duration(a.measured_ns.high()))
                                          : "unknown")}};
}

/// Bar on the scale from 0 to `most`; the measured one carries its interval.
std::string figure_bar(const Figure& figure, double most,
                       const std::optional<stats::Interval>& interval) {
  std::string out = "<span class=\"scale\">";
  if (figure.ns)
    out += fmt::format("<i class=\"{}\" style=\"width:{:.2f}%\"></i>", figure.css,
                       100 * *figure.ns / most);
  if (interval) {
    const double low = std::clamp(interval->lo / most, 0.0, 1.0);
    const double high = std::clamp(interval->hi / most, low, 1.0);
    out += fmt::format("<i class=\"interval\" style=\"left:{:.2f}%;width:{:.2f}%\"></i>", 100 * low,
                       100 * (high - low));
  }
  return out + "</span>";
}

std::string figures_table(const AdviceView& view) {
  const stats::Estimate& measured = view.advice.measured_ns;
  const std::vector<Figure> figures = figures_of(view);
  double most = measured.interval ? measured.interval->hi : 0;
  for (const Figure& f : figures) most = std::max(most, f.ns.value_or(0));
  std::string rows;
  for (const Figure& f : figures) {
    const bool last = &f == &figures.back();
    const std::optional<double> share =
        f.ns && measured.value > 0 ? std::optional(*f.ns / measured.value) : std::nullopt;
    rows +=
        fmt::format("<tr><td class=\"words\">{}</td>", f.name) +
        number_cell(f.ns, f.ns ? duration(*f.ns) : "unknown") +
        number_cell(share, share ? exports::percent_text(*share) : "?") +
        fmt::format("<td class=\"wide\">{}</td><td>{}</td></tr>\n",
                    figure_bar(f, std::max(most, 1e-9), last ? measured.interval : std::nullopt),
                    html_escape(f.how));
  }
  return scrolled(
      "<table class=\"figures\" id=\"figures\"><thead><tr><th>figure</th><th "
      "class=\"n\">time</th><th class=\"n\">of measured</th><th class=\"wide\">from 0</th><th>how "
      "it was obtained</th></tr></thead><tbody>\n" +
      rows + "</tbody></table>\n");
}

std::string folded_nodes(const AdviceView& view, std::string_view what,
                         const std::vector<graph::NodeId>& nodes) {
  if (nodes.empty()) return "";
  return figure(fmt::format("{} {}", counted(std::ssize(nodes), "node"), what),
                "<p class=\"sub\">" + view.node_links(nodes) + "</p>", Folded::kClosed);
}

}  // namespace

std::string advice_figures_section(const AdviceView& view) {
  const advice::KernelBound& bound = view.advice.kernel_bound;
  std::string sub =
      "The bound of these kernels is what no implementation can go below that is cut into the "
      "kernels of this run: an edit that leaves fewer kernels may. The bound of the model holds "
      "for "
      "every cut. Either may be out of reach. Achievable is the least time that was measured.";
  if (view.advice.simulated_ns > 0)
    sub += fmt::format(" The layers and the time between them add up to {}.",
                       duration(view.advice.simulated_ns));
  return section(
      "How fast it could be",
      "<p class=\"sub\">" + html_escape(sub) + "</p>\n" +
          legend({"bound of these kernels", "bound of the model", "roof", "layer", "brick",
                  "critical path"}) +
          "<p class=\"keys\"><span class=\"key as-measured\">measured, with its 95 % "
          "interval</span><span class=\"key as-estimated\">estimated from measured "
          "layers</span><span class=\"key as-modeled\">modeled from counts and roofs</span></p>\n" +
          figures_table(view) +
          folded_nodes(view, "without a bound, which counts as 0", bound.coverage.unknown) +
          folded_nodes(view, "in layers faster than their roof: there the roof is too low",
                       bound.beyond));
}

}  // namespace ridge::report
