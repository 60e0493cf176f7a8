// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "export/analysis/figure_text.h"
#include "report/advice/modules.h"
#include "report/advice/sections.h"
#include "report/kit/markup.h"
#include "report/kit/terms.h"
#include "roofline/place.h"

namespace ridge::report {
namespace {

constexpr std::size_t kMaxModules = 60;

std::string module_cell(std::string_view css, std::optional<double> value, std::string_view text) {
  return fmt::format("<span class=\"{}\" data-v=\"{}\">{}</span>", css,
                     value ? fmt::format("{:.9g}", *value) : "", html_escape(text));
}

/// Time of the module as a bar: bound, time above it, time of layers without one.
std::string module_bar(const ModuleTime& m, double most) {
  const double bound = std::max(0.0, m.time_ns - m.above_ns - m.unbounded_ns);
  std::string out = "<span class=\"scale\">";
  double left = 0;
  const auto part = [&](std::string_view css, double ns, std::string_view what) {
    if (!(ns > 0)) return;
    out += fmt::format("<i class=\"{}\" style=\"left:{:.2f}%;width:{:.2f}%\" title=\"{}: {}\"></i>",
                       css, 100 * left / most, 100 * ns / most, what, duration(ns));
    left += ns;
  };
  part("bound", bound, "bound");
  part("above", m.above_ns, "above the bound");
  part("unknown", m.unbounded_ns, "layers without a bound");
  return out + "</span>";
}

std::string line(const ModuleTime& m, std::string_view name, double most) {
  const double judged = m.time_ns - m.unbounded_ns;
  const bool known = judged > 0;
  const std::optional<double> ratio = known ? std::optional(m.bound_ns / judged) : std::nullopt;
  return fmt::format("<span class=\"path\" title=\"{}\">{}</span>", html_escape(short_name(name)),
                     html_escape(short_name(name))) +
         module_cell("n", m.time_ns, duration(m.time_ns)) +
         module_cell("n", known ? std::optional(m.bound_ns) : std::nullopt,
                     known ? duration(m.bound_ns) : "unknown") +
         module_cell(ratio > 1.05 ? "n over" : "n", ratio,
                     ratio ? exports::percent_text(*ratio) : "?") +
         module_cell("n", known ? std::optional(m.above_ns) : std::nullopt,
                     known ? duration(m.above_ns) : "unknown") +
         module_bar(m, most);
}

std::string last_part(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos || slash + 1 == path.size() ? path : path.substr(slash + 1);
}

/// Rows of the tree; time outside layers has its place among the modules of the first level.
std::vector<TreeRow> module_rows(const ModuleTimes& times, const ModuleTime& outside) {
  double most = std::max(outside.time_ns, 1e-9);
  for (const ModuleTime& m : times.rows) most = std::max(most, m.time_ns);
  std::vector<TreeRow> rows;
  bool waiting = outside.time_ns > 0;
  const auto add_outside = [&] {
    if (waiting) rows.push_back({.line = line(outside, "(outside layers)", most)});
    waiting = false;
  };
  for (const ModuleTime& m : times.rows) {
    if (m.depth == 0 && m.above_ns < outside.above_ns) add_outside();
    rows.push_back({.depth = m.depth,
                    .line = line(m, m.path.empty() ? "(in no module)" : last_part(m.path), most),
                    .attributes = fmt::format(" class=\"module\" data-path=\"{}\"",
                                              html_escape(short_name(m.path))),
                    .open = m.depth == 0});
  }
  add_outside();
  return rows;
}

std::string sum_text(const ModuleTime& all) {
  std::string out = fmt::format("Layers take {}, ", duration(all.time_ns));
  if (!(all.time_ns > all.unbounded_ns) && all.unbounded_ns > 0) return out + "bounds unknown";
  out += "their bounds " + duration(all.bound_ns);
  if (all.unbounded_ns > 0)
    out += fmt::format(", which lack those of layers that take {}", duration(all.unbounded_ns));
  return out;
}

}  // namespace

std::string advice_modules_section(const AdviceView& view) {
  const ModuleTimes times = module_times(view.run, kMaxModules);
  const double outside_ns = roofline::outside_layers_ns(view.run);
  const ModuleTime outside{.time_ns = outside_ns, .above_ns = outside_ns};
  std::string out = fmt::format(
      "<p class=\"sub\">Most time above the bound first. {}; {} of the run is outside "
      "layers.</p>\n",
      sum_text(times.all), duration(outside_ns));
  out += legend({"bound", "layer", "inserted", "outside"}) +
         "<p class=\"keys\"><span class=\"key bound\">bound</span><span class=\"key above\">time "
         "above it</span><span class=\"key unknown\">layers whose bound is unknown</span></p>\n";
  out +=
      "<div class=\"scroll\" "
      "style=\"--columns:minmax(200px,1fr) 84px 84px 84px 100px 300px;--least:860px\">\n<div "
      "class=\"cmp\" id=\"modules\">\n<div class=\"leaf head\"><span "
      "class=\"path\">module</span><span class=\"n\">time</span><span class=\"n\">bound</span>"
      "<span class=\"n\">bound / time</span><span class=\"n\">above it</span><span>from "
      "0</span></div>\n" +
      tree(module_rows(times, outside)) + "</div></div>\n";
  if (times.left_out > 0)
    out += fmt::format("<p class=\"sub\">{} with less time above the bound left out.</p>\n",
                       counted(static_cast<std::int64_t>(times.left_out), "module"));
  return section("By module", out);
}

}  // namespace ridge::report
