// SPDX-License-Identifier: Apache-2.0
#include "export/profile/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "base/text.h"
#include "compare/run_labels.h"
#include "export/analysis/figure_text.h"
#include "export/profile/verification_text.h"
#include "profile/rows.h"
#include "profile/summary.h"
#include "roofline/place.h"

namespace ridge::exports {
namespace {

using profile::Layer;
using profile::Profile;

std::string of_bound_cell(const profile::Bound& bound) {
  const bool known = !bound.kind.empty() && bound.roof_share;
  return known ? fmt::format("{:.0f} %", 100 * *bound.roof_share) : "?";
}

/// Name of a node, or its operator and index where it has none.
std::string node_title(const profile::Node& node) {
  return node.name.empty() ? node.op_type + "#" + std::to_string(node.index) : node.name;
}

/// True for a node that only converts between the numbers of a quantized tensor and real ones.
bool quantizes(const profile::Node& node) {
  return node.op_type == "QuantizeLinear" || node.op_type == "DequantizeLinear";
}

std::vector<const Layer*> slowest(const Profile& p, std::size_t top) {
  std::vector<const Layer*> order;
  for (const Layer& layer : p.layers) order.push_back(&layer);
  std::stable_sort(order.begin(), order.end(), [](const Layer* a, const Layer* b) {
    return a->corrected_ns > b->corrected_ns;
  });
  if (top != 0 && order.size() > top) order.resize(top);
  return order;
}

Table profiled_layer_table(const Profile& p, std::size_t top) {
  Table t({{"layer", Align::kRight},
           {"type", Align::kLeft, 22},
           {"nodes of the model", Align::kLeft, 56},
           {"time", Align::kRight},
           {"share", Align::kRight},
           {"MACs", Align::kRight},
           {"GFLOP/s", Align::kRight},
           {"GB/s", Align::kRight},
           {"bound", Align::kLeft},
           {"of its bound", Align::kRight}});
  for (const Layer* l : slowest(p, top)) {
    const std::string mark = l->below_resolution ? "<" : "";
    t.add({fmt::format("layer:{}", l->index), l->type, member_names(p, *l),
           mark + duration(l->corrected_ns), percent_text(l->share), count_text(l->work.macs),
           giga_text(l->flop_per_s), giga_text(l->bytes_per_s),
           l->bound.kind.empty() ? "?" : l->bound.kind, of_bound_cell(l->bound)});
  }
  return t;
}

Table type_table(const Profile& p) {
  struct Sum {
    std::size_t layers = 0;
    double ns = 0, share = 0;
    profile::Count macs = 0;
  };
  std::map<std::string, Sum> by_type;
  for (const Layer& l : p.layers) {
    Sum& s = by_type[l.type];
    ++s.layers;
    s.ns += l.corrected_ns;
    s.share += l.share;
    profile::add(s.macs, l.work.macs);
  }
  std::vector<std::pair<std::string, Sum>> rows(by_type.begin(), by_type.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.second.ns > b.second.ns; });
  Table t({{"type"},
           {"layers", Align::kRight},
           {"time", Align::kRight},
           {"share", Align::kRight},
           {"MACs", Align::kRight},
           {"GFLOP/s of MACs", Align::kRight}});
  for (const auto& [type, s] : rows) {
    const auto rate = s.macs && s.ns > 0
                          ? std::optional(2.0 * static_cast<double>(*s.macs) / s.ns * 1e9)
                          : std::nullopt;
    t.add({type, std::to_string(s.layers), duration(s.ns), percent_text(s.share),
           count_text(s.macs), giga_text(rate)});
  }
  return t;
}

/// Modules of the first `depth` levels; the HTML report has the whole tree.
Table module_table(const Profile& p, std::uint32_t depth) {
  Table t({{"module"},
           {"layers", Align::kRight},
           {"time", Align::kRight},
           {"share", Align::kRight},
           {"MACs", Align::kRight}});
  for (const profile::Module& m : p.modules)
    if (m.depth > 0 && m.depth <= depth)
      t.add({std::string(2 * (m.depth - 1), ' ') + m.path, std::to_string(m.layers),
             duration(m.time_ns), percent_text(m.share), count_text(m.work.macs)});
  return t;
}

/// Limit of modules in the terminal; beyond it only the top level is shown.
constexpr std::size_t kModuleRows = 24;

std::uint32_t readable_depth(const Profile& p) {
  const auto second = std::count_if(p.modules.begin(), p.modules.end(),
                                    [](const auto& m) { return m.depth > 0 && m.depth <= 2; });
  return static_cast<std::size_t>(second) <= kModuleRows ? 2 : 1;
}

/// Head for an imported recording, limited to the data that it contains.
std::string imported_head(const Profile& p) {
  const profile::Subject& s = p.subject;
  std::string sizes;
  for (const auto& [name, b] : s.bindings)
    sizes += fmt::format(" {}={}{}", printable(name), b.value, b.assumed ? " (assumed)" : "");
  const auto device = s.options.find("device");
  std::string out =
      fmt::format("{}:{} recorded by {}{}{}{}\n", printable(s.path), sizes, printable(s.runtime),
                  s.runtime_version.empty() ? "" : " ", printable(s.runtime_version),
                  device == s.options.end() ? "" : " on " + printable(device->second));
  const profile::Profiling& f = p.profiling;
  out += fmt::format("layers {} as recorded, uncorrected", duration(f.raw_sum_ns));
  if (std::isfinite(f.profiled_latency_ns.value))
    out += fmt::format("; a run {} (median, profiling on)", duration(f.profiled_latency_ns.value));
  return out + "\n";
}

/// Sums of the layers compared with the run. Only the unscaled residual can show an error of the
/// correction, which makes the sum of the parts fit; where it is unknown, the latter stands alone.
std::string sums(const profile::Profiling& f) {
  std::string out = fmt::format("layers {} as reported, ", duration(f.raw_sum_ns));
  if (f.layer_times == profile::kReportedTimes)
    out +=
        fmt::format("not corrected for the profiling overhead of {}", duration(f.excess_ns.value));
  else
    out += fmt::format("{} without their share of the profiling overhead of {}{}",
                       duration(f.corrected_sum_ns), duration(f.excess_ns.value),
                       f.factor ? fmt::format(", scaled by {:.3f}", f.factor->value) : "");
  out += fmt::format("; outside layers {}; ", duration(f.outside_layers_ns));
  if (const auto& e = f.unscaled_residual)
    out += fmt::format("unscaled residual {:+.1f} % [{:+.1f}, {:+.1f}]; ", 100 * e->value,
                       100 * e->low(), 100 * e->high());
  return out + parts_text(f) + "\n";
}

std::string profile_head(const Profile& p) {
  const profile::Subject& s = p.subject;
  if (profile::is_imported(p)) return imported_head(p);
  std::string sizes;
  for (const auto& [name, b] : s.bindings)
    sizes += fmt::format(" {}={}{}", printable(name), b.value, b.assumed ? " (assumed)" : "");
  std::string out =
      fmt::format("{}:{} in {} {}, {} thread{}\n", printable(s.path), sizes, printable(s.runtime),
                  printable(s.runtime_version), s.threads ? std::to_string(*s.threads) : "?",
                  s.threads == 1 ? "" : "s");
  std::int64_t samples = 0;
  for (const profile::Process& process : p.latency.processes)
    samples += std::ssize(process.samples_ns);
  if (samples == 0) return out + "latency not measured: no run counts\n";
  out += fmt::format("latency {} [{}, {}] (median of {} in {}, profiling off), {} items/s\n",
                     duration(p.latency.ns.value), duration(p.latency.ns.low()),
                     duration(p.latency.ns.high()), counted(samples, "run"),
                     counted(std::ssize(p.latency.processes), "process"), si(p.items_per_s));
  out += sums(p.profiling);
  if (p.verification.asked()) out += verification_text(p) + "\n";
  return out;
}

std::int64_t placed_nodes(const Profile& p) {
  std::set<std::uint32_t> nodes;
  for (const Layer& layer : p.layers)
    for (const profile::Member& m : layer.members) nodes.insert(m.node);
  return std::ssize(nodes);
}

std::string placement(const Profile& p) {
  std::map<std::string, std::size_t> why;
  for (const profile::WithoutLayer& n : p.without_layer) ++why[std::string(profile::name(n.why))];
  if (p.nodes.empty()) return counted(std::ssize(p.layers), "layer") + ", no model given\n";
  std::string out = fmt::format("{} in {}", counted(placed_nodes(p), "node"),
                                counted(std::ssize(p.layers), "layer"));
  for (const auto& [reason, n] : why) out += fmt::format(", {} {}", n, reason);
  if (p.unattributed_layers > 0)
    out += fmt::format("; {} ({}) could not be attributed", counted(p.unattributed_layers, "layer"),
                       percent_text(p.unattributed_share));
  return out + "\n";
}

std::string closing_line(const Profile& p) {
  const auto lever = roofline::biggest_lever(p);
  return lever ? roofline::text(*lever) + "\n"
               : "No layer has both a time and a bound, so no potential speedup can be stated.\n";
}

}  // namespace

std::string parts_text(const profile::Profiling& f) {
  return fmt::format("the parts add up to {:.0f} % of the latency", 100 * (1 + f.residual_share));
}

std::string member_names(const Profile& profile, const Layer& layer) {
  constexpr std::size_t kShown = 4;
  std::vector<const profile::Node*> operators, conversions;
  for (const profile::Member& m : layer.members) {
    if (m.role == profile::Role::kAbsorbed || m.node >= profile.nodes.size()) continue;
    const profile::Node& node = profile.nodes[m.node];
    (quantizes(node) ? conversions : operators).push_back(&node);
  }
  if (operators.empty()) operators = std::exchange(conversions, {});
  std::string out;
  for (std::size_t i = 0; i < std::min(kShown, operators.size()); ++i)
    out += (i > 0 ? " + " : "") + node_title(*operators[i]);
  if (operators.size() > kShown) out += fmt::format(" + {} more", operators.size() - kShown);
  if (!conversions.empty()) out += fmt::format(" + {} Q/DQ", conversions.size());
  if (out.empty()) out = layer.inserted ? "(inserted by the runtime)" : layer.name;
  return out;
}

std::string profile_text(const Profile& p, std::size_t top) {
  std::string out = profile_head(p) + placement(p) + "\n" + profiled_layer_table(p, top).text();
  if (top != 0 && p.layers.size() > top)
    out += fmt::format("... {} more layers; --top 0 shows all\n", p.layers.size() - top);
  out += "\n" + type_table(p).text();
  const Table modules = module_table(p, readable_depth(p));
  if (!modules.empty()) out += "\n" + modules.text();
  out += "\n";
  for (const std::string& note : p.notes) out += "note: " + printable(note) + "\n";
  return out + closing_line(p);
}

std::string profile_markdown(const Profile& p, std::size_t top) {
  std::string out = "# Profile\n\n```\n" + profile_head(p) + placement(p) + "```\n\n## Layers\n\n" +
                    profiled_layer_table(p, top).markdown();
  out += "\n## By operator type\n\n" + type_table(p).markdown() + "\n## By module\n\n" +
         module_table(p, 2).markdown() + "\n";
  for (const std::string& note : p.notes) out += "- note: " + printable(note) + "\n";
  if (!p.notes.empty()) out += "\n";
  return out + closing_line(p);
}

std::string profile_csv(const Profile& p) {
  Table t({{"index"},        {"name"},         {"type"},        {"implementation"}, {"precision"},
           {"layout"},       {"inserted"},     {"module"},      {"time_ns"},        {"time_low_ns"},
           {"time_high_ns"}, {"corrected_ns"}, {"share"},       {"executions"},     {"nodes"},
           {"macs"},         {"flops"},        {"special"},     {"int_ops"},        {"bytes"},
           {"output_bytes"}, {"flop_per_s"},   {"bytes_per_s"}, {"intensity"},      {"bound"},
           {"bound_ns"},     {"roof_share"},   {"node_names"}});
  const auto number = [](double x) { return std::isfinite(x) ? fmt::format("{}", x) : ""; };
  const auto maybe = [&](std::optional<double> x) { return x ? number(*x) : ""; };
  const auto whole = [](profile::Count c) { return c ? std::to_string(*c) : ""; };
  for (const Layer& l : p.layers) {
    std::string nodes;
    for (const profile::Member& m : l.members)
      nodes += (nodes.empty() ? "" : " ") + std::to_string(m.node);
    std::vector<std::string> names;
    for (const profile::Member& m : l.members)
      names.push_back(m.node < p.nodes.size() ? node_title(p.nodes[m.node]) : "");
    t.add({std::to_string(l.index),
           l.name,
           l.type,
           l.implementation,
           l.precision,
           l.layout,
           l.inserted ? "1" : "0",
           l.module,
           number(l.time_ns.value),
           number(l.time_ns.low()),
           number(l.time_ns.high()),
           number(l.corrected_ns),
           number(l.share),
           std::to_string(l.executions),
           nodes,
           whole(l.work.macs),
           whole(l.work.flops),
           whole(l.work.special),
           whole(l.work.int_ops),
           whole(l.bytes),
           whole(l.output_bytes),
           maybe(l.flop_per_s),
           maybe(l.bytes_per_s),
           maybe(l.intensity),
           l.bound.kind,
           maybe(l.bound.time_ns),
           maybe(l.bound.roof_share),
           fmt::format("{}", fmt::join(names, " | "))});
  }
  return t.csv();
}

namespace {

/// Points labeled by the settings that differ, and the settings that all share.
struct SweepRows {
  Table table;
  std::string shared;
};

SweepRows sweep_rows(const profile::Sweep& sweep) {
  std::vector<compare::RunFacts> facts;
  for (const Profile& p : sweep.profiles) facts.push_back(compare::facts_of(p));
  const std::vector<profile::SweepPoint> points = sweep.points();
  const std::vector<std::string> labels =
      points.size() < 2 ? std::vector{points[0].label} : compare::distinguishing_labels(facts);
  Table t({{"point"},
           {"batch", Align::kRight},
           {"latency", Align::kRight},
           {"95 % interval", Align::kRight},
           {"items/s", Align::kRight}});
  for (std::size_t i = 0; i < points.size(); ++i) {
    const profile::SweepPoint& p = points[i];
    t.add({labels[i], std::to_string(p.batch), duration(p.latency_ns.value),
           fmt::format("{} .. {}", duration(p.latency_ns.low()), duration(p.latency_ns.high())),
           fmt::format("{:.2f}", p.items_per_s)});
  }
  t.take_shared({"batch"});  // the shared sizes include it
  const std::string shared = fmt::format("{}", fmt::join(compare::shared_texts(facts), "; "));
  return {std::move(t), "all points: " + printable(shared) + "\n\n"};
}

}  // namespace

std::string sweep_text(const profile::Sweep& sweep) {
  const SweepRows rows = sweep_rows(sweep);
  std::string out = rows.shared + rows.table.text();
  for (const std::string& finding : sweep.findings()) out += printable(finding) + "\n";
  return out;
}

std::string sweep_markdown(const profile::Sweep& sweep) {
  const SweepRows rows = sweep_rows(sweep);
  std::string out = "# Sweep\n\n" + rows.shared + rows.table.markdown() + "\n";
  for (const std::string& finding : sweep.findings()) out += "- " + printable(finding) + "\n";
  return out;
}

}  // namespace ridge::exports
