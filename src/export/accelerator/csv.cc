// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <functional>

#include "export/accelerator/text.h"
#include "export/accelerator/words.h"
#include "export/table.h"

namespace ridge::exports {
namespace {

using accelerator::LayerCost;
using accelerator::LayerProfile;
using accelerator::Traffic;

/// Layer at a point.
struct LayerAtPoint {
  const accelerator::StudyPoint& point;
  std::size_t index;

  const accelerator::Layer& layer() const { return point.network->lowered.layers[index]; }
  const LayerCost& cost() const { return point.estimate.layers[index]; }
  bool mapped() const { return !layer().gemms.empty(); }
  const LayerProfile* memory() const {
    const LayerProfile* found =
        layer().node == graph::kNone ? nullptr : point.network->memory.find(layer().node);
    return found != nullptr && found->reason.empty() ? found : nullptr;
  }
  std::optional<accelerator::Energy> energy() const {
    return point.energy != nullptr ? cost().energy : std::nullopt;
  }
};

/// Column that is empty for a layer without costs.
struct FigureColumn {
  std::string_view title;
  std::string (*text)(const LayerAtPoint& c);
};

std::string number_cell(std::int64_t n) { return std::to_string(n); }
std::string number_cell(const std::optional<double>& n) { return n ? fmt::format("{}", *n) : ""; }

template <std::int64_t Traffic::*kWords>
std::string dram(const LayerAtPoint& c) {
  return c.cost().dram ? number_cell((*c.cost().dram).*kWords) : "";
}
template <std::int64_t Traffic::*kWords>
std::string sram(const LayerAtPoint& c) {
  return number_cell(c.cost().sram.*kWords);
}
template <std::int64_t LayerCost::*kCount>
std::string count(const LayerAtPoint& c) {
  return number_cell(c.cost().*kCount);
}
template <std::int64_t LayerCost::*kBytes>
std::string dram_bytes(const LayerAtPoint& c) {
  return c.cost().dram ? number_cell(c.cost().*kBytes) : "";
}
template <double accelerator::Energy::*kPart>
std::string energy(const LayerAtPoint& c) {
  const auto e = c.energy();
  return number_cell(e ? std::optional((*e).*kPart) : std::nullopt);
}

using accelerator::PerOperand;
template <std::int64_t PerOperand<std::int64_t>::*kOperand>
std::string bits(const LayerAtPoint& c) {
  if (c.point.described() == nullptr) return "";
  return number_cell(c.point.widths_of_layer(c.index).bits.*kOperand);
}

using accelerator::Energy;
constexpr FigureColumn kFigureColumns[] = {
    {"folds", count<&LayerCost::folds>},
    {"compute_cycles", count<&LayerCost::compute_cycles>},
    {"stall_cycles", count<&LayerCost::stall_cycles>},
    {"total_cycles", [](const LayerAtPoint& c) { return number_cell(c.cost().total_cycles()); }},
    {"cycles_with_prefetch",
     [](const LayerAtPoint& c) {
       const auto& cycles = c.cost().cycles_with_prefetch;
       return cycles ? number_cell(*cycles) : "";
     }},
    {"utilization",
     [](const LayerAtPoint& c) { return number_cell(std::optional(c.cost().utilization)); }},
    {"sram_ifmap_reads", sram<&Traffic::ifmap>},
    {"sram_filter_reads", sram<&Traffic::filter>},
    {"sram_ofmap_writes", sram<&Traffic::ofmap>},
    {"dram_ifmap_reads", dram<&Traffic::ifmap>},
    {"dram_filter_reads", dram<&Traffic::filter>},
    {"dram_ofmap_writes", dram<&Traffic::ofmap>},
    {"padded_macs", count<&LayerCost::padded_macs>},
    {"vector_operations", count<&LayerCost::vector_operations>},
    {"dataflow",
     [](const LayerAtPoint& c) { return std::string(c.mapped() ? name(c.cost().dataflow) : ""); }},
    {"tile", [](const LayerAtPoint& c) { return c.mapped() ? tile_text(c.cost().tile) : ""; }},
    {"loop_order", [](const LayerAtPoint& c) { return std::string(c.cost().loop_order); }},
    {"sram_used_bytes", count<&LayerCost::sram_used_bytes>},
    {"sram_psum_reads", sram<&Traffic::psum_reads>},
    {"sram_psum_writes", sram<&Traffic::psum_writes>},
    {"dram_psum_reads", dram<&Traffic::psum_reads>},
    {"dram_psum_writes", dram<&Traffic::psum_writes>},
    {"dram_read_bytes", dram_bytes<&LayerCost::dram_read_bytes>},
    {"dram_write_bytes", dram_bytes<&LayerCost::dram_write_bytes>},
    {"latency_ns", [](const LayerAtPoint& c) { return number_cell(c.cost().latency_ns); }},
    {"mac_pj", energy<&Energy::mac>},
    {"register_pj", energy<&Energy::register_file>},
    {"vector_pj", energy<&Energy::vector>},
    {"sram_pj", energy<&Energy::sram>},
    {"dram_pj", energy<&Energy::dram>},
    {"leakage_pj", energy<&Energy::leakage>},
    {"energy_pj",
     [](const LayerAtPoint& c) {
       const auto e = c.energy();
       return number_cell(e ? std::optional(e->total()) : std::nullopt);
     }},
    {"edp_pj_ns",
     [](const LayerAtPoint& c) {
       return number_cell(c.energy() ? c.cost().edp_pj_ns() : std::nullopt);
     }},
    {"bound", [](const LayerAtPoint& c) { return std::string(name(c.cost().bound)); }},
    {"ifmap_bits", bits<&PerOperand<std::int64_t>::ifmap>},
    {"filter_bits", bits<&PerOperand<std::int64_t>::filter>},
    {"ofmap_bits", bits<&PerOperand<std::int64_t>::ofmap>},
};

std::vector<std::string> row_of(const LayerAtPoint& c) {
  const accelerator::Layer& layer = c.layer();
  std::vector<std::string> row = {layer.name,
                                  layer.node == graph::kNone ? "" : number_cell(layer.node),
                                  layer.op_type,
                                  products_text(layer),
                                  std::string(name(layer.move)),
                                  number_cell(layer.macs)};
  const LayerProfile* memory = c.memory();
  row.push_back(memory != nullptr ? number_cell(memory->param_bytes) : "");
  row.push_back(memory != nullptr ? number_cell(memory->allocated_bytes) : "");
  const std::optional<accelerator::PaddedBytes>& padded = c.point.padded[c.index];
  row.push_back(padded ? number_cell(padded->parameters) : "");
  row.push_back(padded ? number_cell(padded->allocated) : "");
  for (const FigureColumn& f : kFigureColumns)
    row.push_back(costed(c.point, c.index) ? f.text(c) : "");
  return row;
}

}  // namespace

void write_accelerator_csv(const accelerator::Study& view, Sink& sink) {
  const std::vector<Axis> told = axes(view);
  std::vector<Column> columns;
  for (const Axis& axis : told) columns.push_back({axis.title});
  for (const char* title : {"layer", "node", "op_type", "products", "move", "macs", "param_bytes",
                            "allocated_bytes", "padded_param_bytes", "padded_allocated_bytes"})
    columns.push_back({title});
  for (const FigureColumn& f : kFigureColumns) columns.push_back({std::string(f.title)});
  Table t(std::move(columns));
  for (std::size_t p = 0; p < view.points.size(); ++p)
    for (std::size_t i = 0; i < view.points[p].estimate.layers.size(); ++i) {
      std::vector<std::string> row;
      for (const Axis& axis : told) row.push_back(axis.values[p]);
      for (std::string& cell : row_of({view.points[p], i})) row.push_back(std::move(cell));
      t.add(std::move(row));
    }
  sink.write(t.csv());
}

}  // namespace ridge::exports
