// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "export/analysis/figure_text.h"
#include "export/profile/table.h"
#include "profile/summary.h"
#include "report/kit/layer_id.h"
#include "report/kit/markup.h"
#include "report/kit/terms.h"
#include "report/profile/sections.h"
#include "roofline/place.h"

namespace ridge::report {
namespace {

using profile::Layer;
using profile::Profile;

std::string bound_cell(const Layer& layer) {
  const profile::Bound& b = layer.bound;
  if (b.kind.empty()) return fmt::format("<td title=\"{}\">?</td>", html_escape(b.reason));
  return fmt::format("<td>{}</td>", html_escape(b.kind));
}

std::string roof_share_cell(const profile::Bound& b) {
  if (!b.roof_share) return number_cell(std::nullopt, "?");
  const bool over = *b.roof_share > 1.05;
  return fmt::format("<td class=\"n{}\" data-v=\"{:.6g}\">{:.0f} %</td>", over ? " over" : "",
                     *b.roof_share, 100 * *b.roof_share);
}

std::string member_row(const Profile& p, const profile::Member& m) {
  if (m.node >= p.nodes.size()) return "";
  const profile::Node& n = p.nodes[m.node];
  return fmt::format(
      "<tr><td class=\"n\">{}</td><td>{}</td>{}<td>{}</td><td>{}</td><td>{}</td><td "
      "class=\"n\">{}</td></tr>\n",
      n.index, html_escape(n.op_type), text_cell(n.name), html_escape(n.output_shape),
      profile::name(m.role), profile::name(m.evidence), exports::count_text(n.work.macs));
}

std::string detail_row(const Profile& p, const Layer& layer) {
  std::string out = "<tr class=\"detail\"><td colspan=\"11\">";
  if (!layer.members.empty()) {
    out +=
        "<table><thead><tr><th "
        "class=\"n\">node</th><th>operator</th><th>name</th><th>output</th><th>role</"
        "th><th>evidence</th><th class=\"n\">MACs</th></tr></thead><tbody>\n";
    for (const profile::Member& m : layer.members) out += member_row(p, m);
    out += "</tbody></table>\n";
  }
  out +=
      "<table><thead><tr><th>kernel</th><th>type</th><th class=\"n\">as reported</th><th "
      "class=\"n\">95 % interval</th></tr></thead><tbody>\n";
  for (const profile::Kernel& k : layer.kernels)
    out +=
        fmt::format("<tr>{}<td>{}</td><td class=\"n\">{}</td><td class=\"n\">{} .. {}</td></tr>\n",
                    text_cell(k.name), html_escape(k.type), duration(k.time_ns.value),
                    duration(k.time_ns.low()), duration(k.time_ns.high()));
  return out + fmt::format("</tbody></table>\n<p class=\"sub\">{} · {} · {} · {}</p></td></tr>\n",
                           html_escape(layer.implementation), html_escape(layer.precision),
                           html_escape(layer.layout),
                           html_escape(layer.module.empty() ? "no module" : layer.module));
}

std::string profiled_layer_row(const Profile& p, const Layer& layer, std::string_view point) {
  std::string out = fmt::format("<tr class=\"layer\" id=\"{}\">", layer_id(layer, point));
  out += number_cell(layer.index, std::to_string(layer.index));
  out += fmt::format("<td>{}{}</td>", html_escape(layer.type),
                     layer.inserted ? " <span class=\"tag\">inserted</span>" : "");
  out += text_cell(exports::member_names(p, layer));
  out += number_cell(layer.corrected_ns,
                     (layer.below_resolution ? "< " : "") + duration(layer.corrected_ns));
  out += fmt::format("<td data-v=\"{:.9g}\">{} {}</td>", layer.share,
                     bar(layer.share / std::max(1e-9, p.layers.empty() ? 1 : 0.2), 60),
                     exports::percent_text(layer.share));
  const std::optional<double> above = roofline::above_bound_ns(p, layer);
  out += number_cell(above, above ? duration(*above) : "?") +
         number_cell(layer.flop_per_s, exports::giga_text(layer.flop_per_s)) +
         number_cell(layer.bytes_per_s, exports::giga_text(layer.bytes_per_s));
  out +=
      number_cell(layer.intensity, layer.intensity ? fmt::format("{:.2f}", *layer.intensity) : "?");
  return out + bound_cell(layer) + roof_share_cell(layer.bound) + "</tr>\n" + detail_row(p, layer);
}

/// Recordings have no corrected times.
std::string layer_legend(const Profile& p) {
  if (profile::is_imported(p))
    return legend({"layer", "node", "kernel", "executes", "absorbed", "part", "evidence",
                   "inserted", "bound", "above bound", "roof share"});
  return legend({"layer", "node", "kernel", "executes", "absorbed", "part", "evidence", "inserted",
                 "reported time", "corrected time", "resolution", "bound", "above bound",
                 "roof share"});
}

}  // namespace

std::string layer_section(const Profile& p, std::string_view point) {
  std::vector<const Layer*> order;
  for (const Layer& layer : p.layers) order.push_back(&layer);
  std::stable_sort(order.begin(), order.end(), [](const Layer* a, const Layer* b) {
    return a->corrected_ns > b->corrected_ns;
  });
  std::string out = fmt::format(
      "<p class=\"sub\">Slowest first; a click on <b>above bound</b> puts first what could gain "
      "most. Click a head to sort, a row to see its kernels and nodes with their evidence.</p>\n"
      "<input type=\"search\" id=\"{0}filter\" placeholder=\"filter: type, node, module, "
      "evidence\" "
      "aria-label=\"filter layers\">\n"
      "<div class=\"scroll fits\"><table class=\"sortable by-layer\" "
      "id=\"{0}layers\"><thead><tr><th "
      "class=\"n\" "
      "data-sort=\"number\">#</th><th data-sort=\"text\">type</th>"
      "<th data-sort=\"text\">nodes of the model</th><th class=\"n\" data-sort=\"number\" "
      "aria-sort=\"descending\">time</th><th data-sort=\"number\">share</th>"
      "<th class=\"n\" data-sort=\"number\">above bound</th>"
      "<th class=\"n\" data-sort=\"number\">GFLOP/s</th><th class=\"n\" "
      "data-sort=\"number\">GB/s</th><th class=\"n\" data-sort=\"number\">FLOP/B</th>"
      "<th data-sort=\"text\">bound</th><th class=\"n\" data-sort=\"number\">of "
      "its bound</th></tr></thead><tbody>\n",
      point);
  for (const Layer* layer : order) out += profiled_layer_row(p, *layer, point);
  return section("Layers", layer_legend(p) + out + "</tbody></table></div>\n");
}

}  // namespace ridge::report
