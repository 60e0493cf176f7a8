// SPDX-License-Identifier: Apache-2.0
#include "report/accelerator/sections.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "export/analysis/figure_text.h"
#include "report/accelerator/charts.h"
#include "report/accelerator/rows.h"
#include "report/kit/markup.h"
#include "report/kit/terms.h"

namespace ridge::report {
namespace {

using accelerator::LayerCost;
using accelerator::Study;
using accelerator::StudyPoint;
using exports::Axis;

/// Limit of point columns in the table of layers; CSV has all points.
constexpr std::size_t kMaxColumns = 8;

std::string value_cell(const Measure& m, const std::optional<double>& value) {
  return number_cell(value, value ? m.text(*value) : "?");
}

std::string buffers(const accelerator::LayerProfile& memory) {
  std::string rows;
  for (const accelerator::BufferProfile& b : memory.buffers)
    rows += "<tr>" + text_cell(printable(b.name)) + "<td>" + std::string(name(b.role)) +
            fmt::format("</td><td>{} [{}]</td>", html_escape(b.dtype), fmt::join(b.shape, ", ")) +
            number_cell(static_cast<double>(b.bytes), exports::readable(b.bytes, "B")) + "</tr>\n";
  return "<table class=\"buffers\"><thead><tr><th>buffer</th><th>role</th><th>type</th><th "
         "class=\"n\">size</th></tr></thead><tbody>\n" +
         rows + "</tbody></table>\n";
}

std::string sensitivities(const LayerCost& c) {
  std::string out;
  for (const auto& [key, share] : c.sensitivity)
    out += (out.empty() ? "" : ", ") + key + " " + exports::percent_text(share);
  return out.empty() ? "" : "doubling each saves: " + out;
}

/// Content of an expanded row: the layer's memory, and a line per point.
std::string inside(const Study& view, const std::vector<Axis>& axes, const LayerRow& row,
                   const std::vector<Measure>& all) {
  const accelerator::Layer& layer = *row.layer;
  const StudyPoint* first = nullptr;  // first point that has the layer
  std::string out;
  std::string rows;
  for (std::size_t p = 0; p < std::min(view.points.size(), kMaxColumns); ++p) {
    if (!row.at[p]) continue;
    if (first == nullptr) first = &view.points[p];
    const LayerCost& c = view.points[p].estimate.layers[*row.at[p]];
    rows += "<tr>" + text_cell(point_text(view, axes, p)) + "<td>" +
            html_escape(exports::mapping_text(c)) + "</td><td>" + html_escape(name(c.bound)) +
            "</td>";
    for (const Measure& m : all) rows += value_cell(m, row.value(view, m, p));
    rows += "<td>" + html_escape(sensitivities(c)) + "</td></tr>\n";
  }
  out += "<table><thead><tr><th>point</th><th>mapping</th><th>bound</th>";
  for (const Measure& m : all) out += fmt::format("<th class=\"n\">{}</th>", m.title);
  out += "<th>sensitivity</th></tr></thead><tbody>\n" + rows + "</tbody></table>\n";
  const accelerator::LayerProfile* memory = first == nullptr || layer.node == graph::kNone
                                                ? nullptr
                                                : first->network->memory.find(layer.node);
  return memory != nullptr && memory->reason.empty() ? out + buffers(*memory) : out;
}

/// Cells of a row where there is a single point.
std::string single_cells(const StudyPoint& p, std::size_t i, const std::vector<Measure>& all) {
  const LayerCost& c = p.estimate.layers[i];
  const double whole =
      static_cast<double>(std::max<std::int64_t>(p.estimate.totals.total_cycles(), 1));
  const double share = static_cast<double>(c.total_cycles()) / whole;
  std::string out = fmt::format("<td data-v=\"{:.9g}\">{} {}</td>", share, bar(share, 90),
                                exports::percent_text(share)) +
                    number_cell(c.utilization, exports::percent_text(c.utilization));
  for (const Measure& m : all) out += value_cell(m, m.of_layer(p, i));
  return out + text_cell(std::string(name(c.bound)) + (exports::lever_text(c).empty() ? "" : "; ") +
                         exports::lever_text(c));
}

std::string costed_layer_row(const Study& view, const std::vector<Axis>& axes, const LayerRow& row,
                             const std::vector<Measure>& shown, std::size_t columns) {
  const accelerator::Layer& layer = *row.layer;
  std::string out = "<tr class=\"layer\">" + text_cell(printable(layer.name)) + "<td>" +
                    html_escape(layer.op_type) + "</td><td>" +
                    html_escape(exports::products_text(layer)) + "</td>" +
                    number_cell(static_cast<double>(layer.macs), exports::readable(layer.macs));
  if (!row.costed(view)) {
    for (std::size_t c = 4; c < columns; ++c) out += "<td></td>";
  } else if (view.points.size() == 1) {
    out += single_cells(view.points.front(), *row.at[0], shown);
  } else {
    const Measure duration = duration_measure(view);
    for (std::size_t p = 0; p < std::min(view.points.size(), kMaxColumns); ++p)
      out += value_cell(duration, row.value(view, duration, p));
  }
  return out + fmt::format("</tr>\n<tr class=\"detail\"><td colspan=\"{}\">{}</td></tr>\n", columns,
                           inside(view, axes, row, shown));
}

std::string energy_entries(const StudyPoint& p) {
  if (p.energy == nullptr) return entry("energy", "unknown: the machine names no energy table");
  std::string out = entry("energy table", p.energy->name + ": " + p.energy->source);
  out += entry("a multiply-accumulate", p.mac_row);
  if (!p.vector_row.empty())
    out += entry("an operation of the vector unit",
                 "the mean of an addition and a multiplication of " + p.vector_row);
  if (const auto& e = p.estimate.totals.energy; e && e->total() > 0)
    out += entry("breakdown", exports::energy_parts_text(*e));
  if (!p.leaves_out.empty())
    out += entry("left out", fmt::format("{}", fmt::join(p.leaves_out, ", ")));
  if (p.band)
    out += entry("by other tables",
                 fmt::format("{} ({}) to {} ({})", exports::energy_text(p.band->low_pj),
                             p.band->low, exports::energy_text(p.band->high_pj), p.band->high));
  return out;
}

}  // namespace

std::string point_section(const Study& view, const std::vector<Axis>& axes) {
  std::vector<Measure> all = measures(view);
  std::string same;
  std::erase_if(all, [&](const Measure& m) {
    const auto value = m.of_point(view.points.front());
    if (varies(view, m) || !value) return false;
    same += fmt::format("{}{} {}", same.empty() ? "The same at every point: " : ", ", m.title,
                        m.text(*value));
    return true;
  });
  if (!same.empty()) same = "<p class=\"sub\">" + html_escape(same) + ".</p>\n";
  std::string heads = column("", false), rows;
  for (const Axis& axis : axes) heads += column(axis.title, numeric(axis));
  for (const Measure& m : all) heads += column(m.title, true);
  heads += column("used", true) + column("bound by", false) + column("what helps", false);
  const bool marks = exports::some_beaten(view);
  for (std::size_t i = 0; i < view.points.size(); ++i) {
    const StudyPoint& p = view.points[i];
    rows +=
        fmt::format("<tr><td>{}</td>", p.best && marks ? "<span class=\"tag\">best</span>" : "");
    for (const Axis& axis : axes)
      rows += "<td class=\"axis\">" + html_escape(axis.values[i]) + "</td>";
    for (const Measure& m : all) rows += value_cell(m, m.of_point(p));
    const auto pole = exports::long_pole(p.estimate);
    rows += number_cell(p.estimate.totals.utilization,
                        exports::percent_text(p.estimate.totals.utilization)) +
            "<td class=\"words\">" + html_escape(pole ? pole->what : "") +
            "</td><td class=\"words\">" + html_escape(exports::lever_text(p.estimate.totals)) +
            "</td></tr>\n";
  }
  const std::string stored =
      exports::memory_of(view.points.front())
          ? "<p class=\"sub\">Parameters and results " +
                html_escape(exports::stored_text(*view.points.front().network)) + ".</p>\n"
          : std::string();
  return section("Points",
                 stored + same + legend({"point"}) +
                     "<div class=\"scroll\"><table class=\"sortable packed\"><thead><tr>" + heads +
                     "</tr></thead><tbody>\n" + rows + "</tbody></table></div>\n");
}

std::string accelerator_layers(const Study& view, const std::vector<Axis>& axes) {
  std::vector<Measure> all = measures(view);
  if (view.points.size() == 1 && view.points.front().pad == "none")
    all.erase(all.begin());  // unpadded MACs already have a column
  else
    all.front().title = "MACs, padded";
  std::string heads = column("layer", false) + column("operator", false) +
                      column("M x N x K", false) + column("MACs", true);
  std::size_t columns = 4;
  const auto add = [&](std::string_view title, bool number) {
    heads += column(title, number);
    ++columns;
  };
  if (view.points.size() == 1) {
    add("share of cycles", true);
    add("used", true);
    for (const Measure& m : all) add(m.title, true);
    add("bound", false);
  } else {
    for (std::size_t p = 0; p < std::min(view.points.size(), kMaxColumns); ++p)
      add(point_text(view, axes, p), true);
  }
  std::string rows;
  for (const LayerRow& row : layer_rows(view))
    rows += costed_layer_row(view, axes, row, all, columns);
  std::string note =
      view.points.size() > kMaxColumns
          ? fmt::format("<p class=\"sub\">The first {} of {} points; --format csv has all.</p>\n",
                        kMaxColumns, view.points.size())
          : std::string();
  return section(
      view.points.size() == 1
          ? std::string("Layers")
          : fmt::format("Layers: {} at each point", duration_measure(view).title),
      note +
          "<input type=\"search\" id=\"filter\" placeholder=\"filter: layer, operator, bound\" "
          "aria-label=\"filter layers\">\n<div class=\"scroll\"><table class=\"sortable packed\" "
          "id=\"layers\"><thead><tr>" +
          heads + "</tr></thead><tbody>\n" + rows + "</tbody></table></div>\n");
}

std::string accelerator_origin(const Study& view) {
  const StudyPoint& p = view.points.front();
  std::string out = entry("origin", "modelled: nothing on this page is measured");
  out += entry("convention", view.convention == accelerator::Convention::kScalesim
                                 ? "scalesim: SCALE-Sim v2's rules; every fold fills, streams and "
                                   "drains before the next one starts"
                                 : "overlapped: double-buffered array and memories; the longer of "
                                   "computing and moving, one DRAM for reads and writes");
  out += entry(view.points.size() > 1 ? "machine of the first point" : "machine",
               exports::machine_text(p.machine));
  if (const accelerator::Machine* m = p.described())
    out += entry("operands", p.widths.empty() ? exports::widths_text(m->widths)
                                              : exports::stored_widths_text(p));
  if (const std::string mapping = exports::search_text(view); !mapping.empty())
    out += entry("mapping", mapping);
  out += energy_entries(p);
  out += entry("MACs", "of the padded products");
  out += entry("memory", "parameters and results of a layer " + exports::stored_text(*p.network) +
                             ", whatever the machine's widths; the matrices among them padded as "
                             "its products are");
  out += entry("cycle", "one of the array's clock") + entry("word",
                                                            "an element that crosses a "
                                                            "memory's port");
  return section("Where the figures come from", "<dl>\n" + out + "</dl>\n");
}

}  // namespace ridge::report
