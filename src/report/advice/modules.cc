#include "report/advice/modules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "export/analysis/figure_text.h"
#include "report/advice/sections.h"
#include "report/kit/markup.h"
#include "report/kit/terms.h"
#include "roofline/place.h"

namespace ridge::report {
namespace {

constexpr std::size_t kMostModules = 60;

void add(ModuleTime& sum, const profile::Layer& layer) {
  ++sum.layers;
  sum.time_ns += layer.corrected_ns;
  sum.above_ns += above_bound_ns(layer);
  if (layer.inserted) return;
  if (layer.bound.time_ns)
    sum.bound_ns += *layer.bound.time_ns;
  else
    sum.unbounded_ns += layer.corrected_ns;
}

/// More time above the bound; without bounds, more time.
bool further(const ModuleTime& a, const ModuleTime& b) {
  return a.above_ns != b.above_ns ? a.above_ns > b.above_ns : a.time_ns > b.time_ns;
}

/// Order of the rows: with the sums of all modules around the two that differ first.
class TreeOrder {
 public:
  explicit TreeOrder(const std::map<std::string, ModuleTime>& sums) : sums_(sums) {}

  bool operator()(const ModuleTime* a, const ModuleTime* b) const {
    for (std::uint32_t depth = 0;; ++depth) {
      if (depth > a->depth || depth > b->depth) return a->depth < b->depth;
      const ModuleTime &x = around(*a, depth), &y = around(*b, depth);
      if (x.path == y.path) continue;
      return further(x, y) || (!further(y, x) && x.path < y.path);
    }
  }

 private:
  const ModuleTime& around(const ModuleTime& m, std::uint32_t depth) const {
    std::size_t end = m.path.find('/', 1);
    for (std::uint32_t d = 0; d < depth && end != std::string::npos; ++d)
      end = m.path.find('/', end + 1);
    return sums_.at(m.path.substr(0, end));
  }

  const std::map<std::string, ModuleTime>& sums_;
};

}  // namespace

ModuleTimes module_times(const profile::Profile& run, std::size_t most) {
  std::map<std::string, ModuleTime> sums;
  ModuleTimes out;
  for (const profile::Layer& layer : run.layers) {
    add(out.all, layer);
    std::uint32_t depth = 0;
    for (std::size_t end = 0; end != std::string::npos && depth < kDeepestModule; ++depth) {
      end = layer.module.find('/', end + 1);
      const std::string path = layer.module.substr(0, end);
      ModuleTime& sum =
          sums.try_emplace(path, ModuleTime{.path = path, .depth = depth}).first->second;
      add(sum, layer);
    }
  }
  std::vector<const ModuleTime*> order;
  for (const auto& [path, sum] : sums) order.push_back(&sum);
  // A module is never further above its bound than those around it, so they are kept, too.
  std::ranges::sort(order, {}, &ModuleTime::depth);
  std::ranges::stable_sort(order, [](const auto* a, const auto* b) { return further(*a, *b); });
  out.left_out = order.size() - std::min(order.size(), most);
  order.resize(order.size() - out.left_out);
  std::ranges::sort(order, TreeOrder(sums));
  for (const ModuleTime* m : order) out.rows.push_back(*m);
  return out;
}

namespace {

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
  const ModuleTimes times = module_times(view.run, kMostModules);
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
