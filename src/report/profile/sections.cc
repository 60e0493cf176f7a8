// SPDX-License-Identifier: Apache-2.0
#include "report/profile/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.h"
#include "compare/run_labels.h"
#include "export/analysis/figure_text.h"
#include "export/profile/table.h"
#include "profile/summary.h"
#include "report/kit/markup.h"
#include "report/kit/terms.h"
#include "report/profile/module_tree.h"
#include "roofline/place.h"

namespace ridge::report {
namespace {

using profile::Profile;

/// Tiles for latency and throughput; for a recording, the sum of its layers and its median run, if
/// known.
std::string latency_tiles(const Profile& p) {
  if (profile::is_imported(p)) {
    const double run = p.profiling.profiled_latency_ns.value;
    std::string out = tile(duration(p.profiling.raw_sum_ns), "of layers as recorded, uncorrected");
    return std::isfinite(run) && run > 0 ? out + tile(duration(run), "a run, median, profiling on")
                                         : out;
  }
  std::size_t samples = 0;
  for (const profile::Process& process : p.latency.processes) samples += process.samples_ns.size();
  if (samples == 0) return tile("-", "latency, not measured: no run counts");
  return tile(duration(p.latency.ns.value),
              fmt::format("latency, median of {} in {}, profiling off [{}, {}]",
                          counted(static_cast<std::int64_t>(samples), "run"),
                          counted(std::ssize(p.latency.processes), "process"),
                          duration(p.latency.ns.low()), duration(p.latency.ns.high()))) +
         tile(fmt::format("{} /s", si(p.items_per_s)), fmt::format("items, batch {}", p.batch));
}

}  // namespace

std::string summary_section(const Profile& p) {
  const compare::RunFacts facts = compare::facts_of(p);
  std::string sizes;
  for (const auto& [name, b] : p.subject.bindings)
    sizes += fmt::format(" · {} = {}{}", name, b.value, b.assumed ? " (assumed)" : "");
  const bool imported = profile::is_imported(p);
  return fmt::format("<h1>{}</h1>\n<p class=\"sub\">{}{}{}{} · ridge {}</p>\n",
                     html_escape(p.subject.path), imported ? "recorded by " : "",
                     html_escape(facts.runtime),
                     html_escape(!facts.threads.empty() ? " · " + facts.threads
                                 : imported             ? ""
                                                        : " · threads ?"),
                     html_escape(sizes), html_escape(p.subject.ridge_version)) +
         figures_section(p);
}

std::string figures_section(const Profile& p) {
  const auto whole = p.modules.empty() ? profile::Module{} : p.modules.front();
  std::string out = "<div class=\"tiles\">\n" + latency_tiles(p);
  out += tile(exports::count_text(whole.work.macs), "multiply-accumulates executed");
  if (whole.work.macs && p.latency.ns.value > 0)
    out += tile(fmt::format("{}FLOP/s", si(2.0 * static_cast<double>(*whole.work.macs) /
                                           p.latency.ns.value * 1e9)),
                "of multiply-accumulates over the latency");
  out += tile(std::to_string(p.layers.size()),
              fmt::format("layers for {} of the model", counted(std::ssize(p.nodes), "node")));
  if (!profile::is_imported(p) && std::isfinite(p.latency.ns.value))
    out += tile(
        exports::percent_text(roofline::outside_layers_ns(p) / std::max(1.0, p.latency.ns.value)),
        "of the latency is outside layers");
  out += "</div>\n";
  for (const std::string& note : p.notes)
    out += "<p class=\"sub\">Note: " + html_escape(note) + "</p>\n";
  const auto lever = roofline::biggest_lever(p);
  if (lever) out += "<p class=\"lever\">" + html_escape(roofline::text(*lever)) + "</p>\n";
  return out;
}

std::string type_section(const Profile& p) {
  struct Sum {
    std::size_t layers = 0;
    double ns = 0, share = 0;
  };
  std::map<std::string, Sum> by_type;
  for (const profile::Layer& l : p.layers) {
    Sum& s = by_type[l.type];
    ++s.layers;
    s.ns += l.corrected_ns;
    s.share += l.share;
  }
  std::vector<std::pair<std::string, Sum>> rows(by_type.begin(), by_type.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.second.ns > b.second.ns; });
  std::string out =
      "<div class=\"scroll\"><table class=\"sortable\"><thead><tr><th "
      "data-sort=\"text\">type</th><th class=\"n\" "
      "data-sort=\"number\">layers</th>"
      "<th class=\"n\" data-sort=\"number\" aria-sort=\"descending\">time</th><th "
      "data-sort=\"number\">share</th></tr></thead><tbody>\n";
  for (const auto& [type, s] : rows)
    out += "<tr>" + text_cell(type) +
           number_cell(static_cast<double>(s.layers), std::to_string(s.layers)) +
           number_cell(s.ns, duration(s.ns)) +
           fmt::format("<td data-v=\"{:.9g}\">{} {}</td></tr>\n", s.share, bar(s.share, 160),
                       exports::percent_text(s.share));
  return section("By operator type of the runtime", out + "</tbody></table></div>\n");
}

std::string module_section(const Profile& p) {
  if (p.modules.size() < 2)
    return section("By module",
                   "<p class=\"sub\">The names of the model's nodes contain no modules.</p>\n");
  return section("By module", scrolled(tree(module_tree(p.modules))));
}

std::string unplaced_section(const Profile& p) {
  std::map<std::string, std::size_t> counts;
  for (const profile::WithoutLayer& n : p.without_layer)
    ++counts[std::string(profile::name(n.why))];
  std::string summary;
  for (const auto& [why, n] : counts)
    summary += fmt::format("{}{} {}", summary.empty() ? "" : ", ", n, why);
  std::string out = fmt::format(
      "<details><summary>{}: {}</summary>\n<div class=\"scroll\"><table><thead><tr><th "
      "class=\"n\">node</th><th>operator</th><th>name</th><th>why</th><th>with</th></tr></"
      "thead><tbody>\n",
      counted(std::ssize(p.without_layer), "node"), summary.empty() ? "none" : summary);
  for (const profile::WithoutLayer& n : p.without_layer) {
    if (n.node >= p.nodes.size()) continue;
    const profile::Node& node = p.nodes[n.node];
    out += fmt::format("<tr><td class=\"n\">{}</td><td>{}</td>{}<td>{}</td><td>{}</td></tr>\n",
                       n.node, html_escape(node.op_type), text_cell(node.name),
                       profile::name(n.why), n.with ? std::to_string(*n.with) : "");
  }
  return section("Nodes without a layer", out + "</tbody></table></div></details>\n");
}

std::string roof_section(const Profile& p) {
  std::string out =
      "<div class=\"scroll\"><table><thead><tr><th>roof</th><th>type</th><th>level</th><th "
      "class=\"n\">threads</th><th class=\"n\">measured</th>"
      "<th class=\"n\">95 % interval</th><th class=\"n\">of "
      "theory</th><th>instruction</th></tr></thead><tbody>\n";
  for (const machine::Roof& r : p.roofs) {
    const std::optional<double> of_theory = machine::share_of_theory(r);
    const std::string share = of_theory ? exports::percent_text(*of_theory) : "unknown";
    out += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}{}</td><td "
        "class=\"n\">{} .. {}</td><td class=\"n\">{}</td><td>{}</td></tr>\n",
        html_escape(r.kind), html_escape(r.dtype), html_escape(r.level), r.threads, si(r.value),
        html_escape(r.unit), si(r.ci.lo), si(r.ci.hi), share, html_escape(r.instruction));
  }
  return section("Measured roofs of this machine",
                 legend({"roof"}) + out + "</tbody></table></div>\n");
}

namespace {

/// Entries of the checks of the correction.
std::string check_entries(const profile::Profiling& f) {
  std::string out;
  const auto figure = [&](const char* name, const std::optional<stats::Estimate>& e,
                          std::string_view what) {
    if (e)
      out += entry(name,
                   fmt::format("{:.3f} [{:.3f}, {:.3f}]: {}", e->value, e->low(), e->high(), what));
  };
  if (f.layer_times == profile::kReportedTimes)
    out += entry("layer times", "as reported: the correction is not usable here");
  figure("layers are scaled by", f.factor,
         "so that layers and gaps add up to a run without profiling");
  if (const auto& e = f.unscaled_residual)
    out +=
        entry("unscaled residual",
              fmt::format("{:+.1f} % [{:+.1f}, {:+.1f}] of the latency: what events report, less "
                          "what the calibration's chains say of them, against runs without the "
                          "profiler",
                          100 * e->value, 100 * e->low(), 100 * e->high()));
  figure("profiled run, predicted over measured", f.predicted_ratio,
         "plain run and the calibrated cost of its events");
  return out + entry("sum", exports::parts_text(f) + ": near 100 % after scaling, by construction");
}

/// Entries of the overhead removed from the times, and of the measurement.
std::string measured_entries(const Profile& p) {
  const profile::Profiling& f = p.profiling;
  if (!std::isfinite(p.latency.ns.value)) return entry("times", "not measured: no run counts");
  std::string out = entry("loading", duration(static_cast<double>(p.load_ns)) + ", first run " +
                                         duration(static_cast<double>(p.first_run_ns)));
  out += entry("latency with profiling on", duration(f.profiled_latency_ns.value));
  out += entry("profiling overhead per run", duration(f.excess_ns.value));
  out +=
      entry("an event costs", fmt::format("{} per run, {} of it within the event's own duration "
                                          "(measured on chains of trivial kernels)",
                                          duration(f.event_cost_ns), duration(f.event_share_ns)));
  out += entry("layers as reported", duration(f.raw_sum_ns));
  out += entry("layers without profiling overhead", duration(f.corrected_sum_ns));
  out += entry("outside layers", fmt::format("{}: {} between layers, {} of disturbance by other "
                                             "processes that medians of single layers leave out",
                                             duration(f.outside_layers_ns), duration(f.gaps_ns),
                                             duration(f.disturbance_ns)));
  out += check_entries(f);
  out += entry("resolution", duration(f.resolution_ns));
  out += entry("runs left out", fmt::format("{} disturbed by other processes", p.latency.rejected));
  for (std::size_t i = 0; i < p.latency.processes.size(); ++i) {
    const profile::Process& process = p.latency.processes[i];
    out += entry(fmt::format("process {}", i + 1),
                 fmt::format("{} runs kept, {} warm-up runs dropped, {}", process.samples_ns.size(),
                             process.warmup_dropped, process.steadiness));
  }
  return out;
}

std::string recorded_entries(const Profile& p) {
  return entry("times", "as recorded by another program, uncorrected") +
         entry("layers", duration(p.profiling.raw_sum_ns));
}

}  // namespace

std::string method_section(const Profile& p) {
  const bool imported = profile::is_imported(p);
  std::string out =
      imported ? "" : legend({"outside", "factor", "unscaled residual", "resolution", "seeded"});
  out += "<dl>\n";
  out += entry("model", fmt::format("{} ({}), structure {}", p.subject.path, p.subject.producer,
                                    p.subject.graph_hash));
  if (!imported) out += entry("weights", p.subject.weights);
  if (!imported) out += entry("runtime library", p.subject.runtime_library);
  for (const auto& [key, value] : p.subject.options) out += entry("option " + key, value);
  out += imported ? recorded_entries(p) : measured_entries(p);
  return section(imported ? "How it was recorded" : "How it was measured", out + "</dl>\n");
}

}  // namespace ridge::report
