#include "export/accelerator_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/text.h"
#include "export/table.h"

namespace ridge::exports {
namespace {

using accelerator::Gemm;
using accelerator::Layer;
using accelerator::LayerCost;

std::string number(std::int64_t n) { return si(static_cast<double>(n)); }
std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

/// "3136x64x576 x2 + ...", or the reason why there is none.
std::string products(const Layer& layer) {
  std::string out;
  for (const Gemm& g : layer.gemms) {
    if (!out.empty()) out += " + ";
    out += fmt::format("{}x{}x{}", g.m, g.n, g.k);
    if (g.count > 1) out += fmt::format(" x{}", g.count);
  }
  return out.empty() ? layer.reason : out;
}

/// The layers to show: the costliest, or all in order.
std::vector<std::size_t> chosen(const AcceleratorView& view, std::size_t top) {
  const auto& costs = view.estimate.layers;
  std::vector<std::size_t> order(costs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (top == 0) return order;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return costs[a].total_cycles() > costs[b].total_cycles();
  });
  order.resize(std::min(order.size(), top));
  return order;
}

Table layer_table(const AcceleratorView& view, std::size_t top) {
  Table t({{"layer", Align::kLeft, 40},
           {"operator"},
           {"M x N x K", Align::kLeft, 32},
           {"MACs", Align::kRight},
           {"folds", Align::kRight},
           {"cycles", Align::kRight},
           {"stalls", Align::kRight},
           {"share", Align::kRight},
           {"used", Align::kRight},
           {"DRAM ifmap", Align::kRight},
           {"filter", Align::kRight},
           {"ofmap", Align::kRight}});
  const auto all =
      static_cast<double>(std::max<std::int64_t>(1, view.estimate.totals.total_cycles()));
  for (const std::size_t i : chosen(view, top)) {
    const Layer& layer = view.network.layers[i];
    const LayerCost& c = view.estimate.layers[i];
    std::vector<std::string> row = {layer.name, layer.op_type, products(layer), number(layer.macs)};
    if (!layer.gemms.empty()) {
      row.insert(row.end(),
                 {number(c.folds), number(c.total_cycles()), number(c.stall_cycles),
                  percent(static_cast<double>(c.total_cycles()) / all), percent(c.utilization)});
      if (c.dram)
        row.insert(row.end(),
                   {number(c.dram->ifmap), number(c.dram->filter), number(c.dram->ofmap)});
    }
    t.add(std::move(row));
  }
  return t;
}

std::vector<std::string> summary(const AcceleratorView& view) {
  const auto& e = view.estimate;
  const LayerCost& t = e.totals;
  std::vector<std::string> out = {
      fmt::format("modelled by the {} convention: array {} x {}, {}, SRAM {} + {} + {} KiB "
                  "(ifmap, filter, ofmap), {}",
                  name(view.convention), view.machine.rows, view.machine.columns,
                  name(view.machine.dataflow), view.machine.sram_bytes.ifmap / 1024,
                  view.machine.sram_bytes.filter / 1024, view.machine.sram_bytes.ofmap / 1024,
                  view.machine.bandwidth
                      ? fmt::format("{} words per cycle to each", *view.machine.bandwidth)
                      : "no stalls (mode CALC)"),
      fmt::format("{}, {} MACs, {} cycles of which {} are stalls, {} of the array used",
                  counted(std::ssize(view.network.layers), "layer"), number(view.network.macs),
                  number(t.total_cycles()), number(t.stall_cycles), percent(t.utilization))};
  if (t.dram)
    out.push_back(fmt::format("DRAM words: {} ifmap and {} filter read, {} ofmap written",
                              number(t.dram->ifmap), number(t.dram->filter),
                              number(t.dram->ofmap)));
  if (view.network.without_gemms > 0)
    out.push_back(
        fmt::format("{} MACs are of layers without known products, which cost nothing "
                    "here",
                    number(view.network.without_gemms)));
  return out;
}

std::string heading(const AcceleratorView& view, std::size_t top) {
  const std::size_t all = view.network.layers.size();
  return top == 0 || top >= all ? "Layers"
                                : fmt::format("Layers, {} of {}, most cycles first", top, all);
}

}  // namespace

void write_accelerator_text(const AcceleratorView& view, std::size_t top, Sink& sink) {
  sink.write(printable(view.subject) + "\n");
  for (const std::string& line : summary(view)) sink.write("  " + line + "\n");
  sink.write("\n" + heading(view, top) + "\n" + layer_table(view, top).text());
}

void write_accelerator_markdown(const AcceleratorView& view, std::size_t top, Sink& sink) {
  sink.write("# Accelerator estimate\n\n");
  for (const std::string& line : summary(view)) sink.write("- " + line + "\n");
  sink.write("\n## " + heading(view, top) + "\n\n" + layer_table(view, top).markdown());
}

void write_accelerator_csv(const AcceleratorView& view, Sink& sink) {
  Table t({{"layer"},
           {"node"},
           {"op_type"},
           {"products"},
           {"macs"},
           {"folds"},
           {"compute_cycles"},
           {"stall_cycles"},
           {"total_cycles"},
           {"utilization"},
           {"sram_ifmap_reads"},
           {"sram_filter_reads"},
           {"sram_ofmap_writes"},
           {"dram_ifmap_reads"},
           {"dram_filter_reads"},
           {"dram_ofmap_writes"}});
  for (std::size_t i = 0; i < view.network.layers.size(); ++i) {
    const Layer& layer = view.network.layers[i];
    const LayerCost& c = view.estimate.layers[i];
    std::vector<std::string> row = {layer.name,
                                    layer.node == graph::kNone ? "" : std::to_string(layer.node),
                                    layer.op_type, products(layer), std::to_string(layer.macs)};
    const auto add = [&](std::int64_t n) { row.push_back(std::to_string(n)); };
    if (!layer.gemms.empty()) {
      for (const std::int64_t n : {c.folds, c.compute_cycles, c.stall_cycles, c.total_cycles()})
        add(n);
      row.push_back(fmt::format("{}", c.utilization));
      for (const std::int64_t n : {c.sram.ifmap, c.sram.filter, c.sram.ofmap}) add(n);
      if (c.dram)
        for (const std::int64_t n : {c.dram->ifmap, c.dram->filter, c.dram->ofmap}) add(n);
    }
    t.add(std::move(row));
  }
  sink.write(t.csv());
}

}  // namespace ridge::exports
