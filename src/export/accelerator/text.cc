// SPDX-License-Identifier: Apache-2.0
#include "export/accelerator/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/number.h"
#include "base/text.h"
#include "export/accelerator/profile.h"
#include "export/accelerator/words.h"
#include "export/analysis/figure_text.h"
#include "export/table.h"

namespace ridge::exports {
namespace {

using accelerator::Convention;
using accelerator::LayerCost;

/// Layers to show: the `top` costliest, or all in order where it is 0.
std::vector<std::size_t> chosen(const accelerator::StudyPoint& point, std::size_t top) {
  const auto& costs = point.estimate.layers;
  std::vector<std::size_t> order(costs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (top == 0) return order;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return costs[a].total_cycles() > costs[b].total_cycles();
  });
  order.resize(std::min(order.size(), top));
  return order;
}

std::optional<double> total_of(const std::optional<accelerator::Energy>& energy) {
  return energy ? std::optional(energy->total()) : std::nullopt;
}

/// Cells of a costed layer, in the order of the columns.
using Cells = std::vector<std::string>;

Cells scalesim_cells(const LayerCost& c) {
  Cells out;
  if (c.dram)
    out.insert(out.end(),
               {readable(c.dram->ifmap), readable(c.dram->filter), readable(c.dram->ofmap)});
  return out;
}

Cells overlapped_cells(const LayerCost& c, const accelerator::StudyPoint& point) {
  const bool mapped = !c.loop_order.empty();
  return {mapped ? std::string(name(c.dataflow)) : "",
          mapped ? fmt::format("{} {}", tile_text(c.tile), c.loop_order) : "",
          c.dram ? readable(c.dram_read_bytes, "B") : "?",
          c.dram ? readable(c.dram_write_bytes, "B") : "?",
          latency_text(c.latency_ns),
          point.energy != nullptr ? energy_text(total_of(c.energy)) : "?",
          std::string(name(c.bound)),
          lever_text(c)};
}

std::vector<Column> layer_columns(Convention convention) {
  std::vector<Column> columns = {{"layer", Align::kLeft, 40},     {"operator"},
                                 {"M x N x K", Align::kLeft, 32}, {"MACs", Align::kRight},
                                 {"folds", Align::kRight},        {"cycles", Align::kRight},
                                 {"stalls", Align::kRight},       {"share", Align::kRight},
                                 {"used", Align::kRight}};
  const auto more = convention == Convention::kScalesim
                        ? std::vector<Column>{{"DRAM ifmap", Align::kRight},
                                              {"filter", Align::kRight},
                                              {"ofmap", Align::kRight}}
                        : std::vector<Column>{{"flow"},
                                              {"tile, order"},
                                              {"DRAM read", Align::kRight},
                                              {"written", Align::kRight},
                                              {"latency", Align::kRight},
                                              {"energy", Align::kRight},
                                              {"bound"},
                                              {"what helps"}};
  columns.insert(columns.end(), more.begin(), more.end());
  return columns;
}

Table costed_layer_table(const accelerator::Study& view, const accelerator::StudyPoint& point,
                         std::size_t top) {
  Table t(layer_columns(view.convention));
  const auto all =
      static_cast<double>(std::max<std::int64_t>(1, point.estimate.totals.total_cycles()));
  for (const std::size_t i : chosen(point, top)) {
    const accelerator::Layer& layer = point.network->lowered.layers[i];
    const LayerCost& c = point.estimate.layers[i];
    Cells row = {layer.name, layer.op_type, products_text(layer), readable(layer.macs)};
    if (costed(point, i)) {
      row.insert(
          row.end(),
          {readable(c.folds), readable(c.total_cycles()), readable(c.stall_cycles),
           percent_text(static_cast<double>(c.total_cycles()) / all), percent_text(c.utilization)});
      const Cells more =
          view.convention == Convention::kScalesim ? scalesim_cells(c) : overlapped_cells(c, point);
      row.insert(row.end(), more.begin(), more.end());
    }
    t.add(std::move(row));
  }
  return t;
}

/// Alignment: numbers to the right, names and paddings ("16x16x16") to the left.
Align alignment(const Axis& axis) {
  const bool numbers = std::ranges::all_of(
      axis.values, [](const std::string& value) { return finite_number(value).has_value(); });
  return numbers ? Align::kRight : Align::kLeft;
}

/// Table with one row per point: its values on the axes, then its totals.
Table point_table(const accelerator::Study& view) {
  std::vector<Column> columns;
  const std::vector<Axis> told = axes(view);
  for (const Axis& axis : told) columns.push_back({axis.title, alignment(axis)});
  for (const char* title : {"MACs", "padded", "stored parameters", "stored results", "DRAM read",
                            "written", "SRAM", "cycles", "used", "latency", "energy", "EDP"})
    columns.push_back({title, Align::kRight});
  columns.push_back({"bound by"});
  columns.push_back({"what helps", Align::kLeft, kWhole});
  columns.push_back({"best"});
  Table t(std::move(columns));
  const bool marks = some_beaten(view);
  for (std::size_t i = 0; i < view.points.size(); ++i) {
    const accelerator::StudyPoint& p = view.points[i];
    const LayerCost& c = p.estimate.totals;
    const std::optional<accelerator::PaddedBytes> memory = memory_of(p);
    Cells row;
    for (const Axis& axis : told) row.push_back(axis.values[i]);
    row.insert(row.end(),
               {readable(p.network->lowered.macs), readable(c.padded_macs),
                memory ? readable(memory->parameters, "B") : "?",
                memory ? readable(memory->allocated, "B") : "?",
                c.dram ? readable(c.dram_read_bytes, "B") : "?",
                c.dram ? readable(c.dram_write_bytes, "B") : "?", readable(c.sram_used_bytes, "B"),
                readable(c.total_cycles()), percent_text(c.utilization), latency_text(c.latency_ns),
                p.energy != nullptr ? energy_text(total_of(c.energy)) : "?",
                p.energy != nullptr ? edp_text(c.edp_pj_ns()) : "?"});
    const std::optional<LongPole> pole = long_pole(p.estimate);
    row.push_back(pole ? pole->what : "");
    row.push_back(lever_text(c));
    row.emplace_back(p.best && marks ? "*" : "");
    t.add(std::move(row));
  }
  return t;
}

std::string macs_text(const accelerator::StudyPoint& p) {
  const std::int64_t macs = p.network->lowered.macs, padded = p.estimate.totals.padded_macs;
  const std::int64_t costed = macs - p.network->lowered.without_gemms;
  if (padded == costed) return readable(macs) + " MACs";
  return fmt::format("{} MACs, {} {}", readable(macs), readable(padded),
                     padded < costed ? "with weights that are not zero" : "when padded");
}

/// "parameters 102 MB and results 44.2 MB as stored, float32"; "" where not known.
std::string memory_text(const accelerator::StudyPoint& p) {
  const std::optional<accelerator::PaddedBytes> memory = memory_of(p);
  if (!memory) return "";
  return fmt::format("parameters {} and results {} {}{}", readable(memory->parameters, "B"),
                     readable(memory->allocated, "B"), stored_text(*p.network),
                     p.pad == "none" ? "" : ", matrices padded");
}

/// Source of the energies: "energy by the table horowitz-45nm (source); ...".
std::string energy_origin(const accelerator::StudyPoint& p) {
  std::string out = "energy by the table " + printable(p.energy->name);
  if (!p.energy->source.empty()) out += " (" + printable(p.energy->source) + ")";
  if (!p.leaves_out.empty())
    out += fmt::format(", which leaves out {}", fmt::join(p.leaves_out, " and "));
  if (!p.band || p.band->tables.size() < 2) return out;
  return out + fmt::format("; by other tables the same counts are {} ({}) to {} ({})",
                           energy_text(p.band->low_pj), p.band->low, energy_text(p.band->high_pj),
                           p.band->high);
}

/// Description of the mapping search; "" if nothing is searched.
std::string chosen_text(const accelerator::Study& view) {
  const std::string mapping = search_text(view);
  return mapping.empty() ? mapping : "mapping: " + mapping;
}

/// Summary lines of one point, without indentation.
std::vector<std::string> summary(const accelerator::Study& view, const accelerator::StudyPoint& p) {
  const LayerCost& t = p.estimate.totals;
  std::vector<std::string> out = {
      fmt::format("modelled by the {} convention: {}", name(view.convention),
                  machine_text(p.machine)),
      fmt::format("{}, {}, {} cycles of which {} are stalls, {} of the array used",
                  counted(std::ssize(p.network->lowered.layers), "layer"), macs_text(p),
                  readable(t.total_cycles()), readable(t.stall_cycles),
                  percent_text(t.utilization))};
  if (std::string chosen = chosen_text(view); !chosen.empty()) out.push_back(std::move(chosen));
  if (t.dram)
    out.push_back(fmt::format("DRAM words: {} ifmap and {} filter read, {} ofmap written",
                              readable(t.dram->ifmap), readable(t.dram->filter),
                              readable(t.dram->ofmap)));
  if (t.dram && p.described() != nullptr)
    out.back() += fmt::format("; {} read, {} written", readable(t.dram_read_bytes, "B"),
                              readable(t.dram_write_bytes, "B"));
  if (std::string memory = memory_text(p); !memory.empty()) out.push_back(std::move(memory));
  if (const std::string widths = stored_widths_text(p); !widths.empty())
    out.push_back("operands " + widths);
  if (t.latency_ns) out.push_back("latency " + latency_text(t.latency_ns));
  if (t.latency_ns && p.energy != nullptr)
    out.back() += fmt::format(", energy {}, EDP {}", energy_text(total_of(t.energy)),
                              edp_text(t.edp_pj_ns()));
  if (const std::string pole = pole_text(p.estimate); !pole.empty()) out.push_back(pole);
  if (p.energy != nullptr) out.push_back(energy_origin(p));
  if (p.energy != nullptr && t.energy && t.energy->total() > 0)
    out.push_back("of the energy: " + energy_parts_text(*t.energy));
  if (const std::string moves = moves_text(p); !moves.empty()) out.push_back(moves);
  if (const std::string left_out = left_out_text(p); !left_out.empty()) out.push_back(left_out);
  return out;
}

/// Summary lines of several points: their common properties.
std::vector<std::string> summary_of_points(const accelerator::Study& view) {
  const accelerator::StudyPoint& p = view.points.front();
  std::vector<std::string> out = {fmt::format("modelled by the {} convention, {}",
                                              name(view.convention),
                                              counted(std::ssize(view.points), "point"))};
  const std::vector<std::string> machines = machine_texts(view);
  if (machines.size() == 1)
    out.push_back(fmt::format(
        "{}: {}", axes(view).empty() ? "machine" : "machine of the first point", machines.front()));
  else
    out.insert(out.end(), machines.begin(), machines.end());
  if (std::string chosen = chosen_text(view); !chosen.empty()) out.push_back(std::move(chosen));
  if (memory_of(p)) out.push_back("parameters and results " + stored_text(*p.network));
  if (const std::string widths = stored_widths_text(p); !widths.empty())
    out.push_back("operands " + widths);
  if (p.energy != nullptr) out.push_back(energy_origin(p));
  if (const std::string left_out = left_out_text(p); !left_out.empty()) out.push_back(left_out);
  return out;
}

/// Pareto-optimal mappings of a layer.
Table front_table(const accelerator::StudyPoint& p, std::size_t layer) {
  Table t({{"flow"},
           {"tile"},
           {"order"},
           {"cycles", Align::kRight},
           {"latency", Align::kRight},
           {"energy", Align::kRight}});
  for (const accelerator::Found& f : p.fronts[layer]) {
    t.add({std::string(name(f.cost.dataflow)), tile_text(f.cost.tile),
           std::string(f.cost.loop_order), readable(f.cost.total_cycles()),
           latency_text(f.cost.latency_ns), energy_text(total_of(f.cost.energy))});
  }
  return t;
}

struct TablePart {
  std::string heading;
  Table table;
  std::string shared = {};  ///< values that all rows have in common
};

std::string points_heading(const accelerator::Study& view) {
  if (!some_beaten(view))
    return one_network(view)
               ? "Points, all on the Pareto front of latency and energy"
               : "Points, all on the Pareto front of latency and energy for their sizes";
  return one_network(view)
             ? "Points, * marks the Pareto front of latency and energy"
             : "Points, * marks the Pareto front of latency and energy for equal sizes";
}

std::vector<TablePart> parts(const accelerator::Study& view, std::size_t top) {
  const accelerator::StudyPoint& p = view.points.front();
  if (view.points.size() > 1) {
    TablePart points{points_heading(view), point_table(view)};
    points.shared =
        points.table.take_shared({"MACs", "padded", "stored parameters", "stored results",
                                  "DRAM read", "written", "SRAM", "bound by"});
    return {std::move(points)};
  }
  const std::size_t all = p.estimate.layers.size();
  std::vector<TablePart> out = {{top == 0 || top >= all
                                     ? "Layers"
                                     : fmt::format("Layers, {} of {}, most cycles first", top, all),
                                 costed_layer_table(view, p, top)}};
  if (const auto first = chosen(p, 1); !p.fronts.empty() && !first.empty())
    out.push_back({fmt::format("Pareto-optimal mappings of {} in latency and energy",
                               printable(p.network->lowered.layers[first[0]].name)),
                   front_table(p, first[0])});
  if (p.network->memory.source != accelerator::ProfileSource::kClosedForm)
    out.push_back({profile_heading(*p.network), profile_table(*p.network, top)});
  return out;
}

std::vector<std::string> lines_of(const accelerator::Study& view) {
  return view.points.size() == 1 ? summary(view, view.points.front()) : summary_of_points(view);
}

}  // namespace

void write_accelerator_text(const accelerator::Study& view, std::size_t top, Sink& sink) {
  sink.write(printable(view.subject) + "\n");
  for (const std::string& line : lines_of(view)) sink.write("  " + line + "\n");
  for (const TablePart& part : parts(view, top))
    sink.write("\n" + part.heading + "\n" +
               (part.shared.empty() ? "" : "all points: " + part.shared + "\n") +
               part.table.text());
}

void write_accelerator_markdown(const accelerator::Study& view, std::size_t top, Sink& sink) {
  sink.write("# Accelerator estimate\n\n");
  for (const std::string& line : lines_of(view)) sink.write("- " + line + "\n");
  for (const TablePart& part : parts(view, top))
    sink.write("\n## " + part.heading + "\n\n" +
               (part.shared.empty() ? "" : "all points: " + part.shared + "\n\n") +
               part.table.markdown());
}

}  // namespace ridge::exports
