// SPDX-License-Identifier: Apache-2.0
#include "profile/json.h"
#include "accelerator/energy_table.h"
#include "export/accelerator/document.h"
#include "export/accelerator/estimated_run.h"
#include "export/accelerator/text.h"
#include "export/accelerator/words.h"

namespace ridge::exports {
namespace {

using accelerator::LayerCost;
using accelerator::StudyPoint;

WordsRead reads_of(const accelerator::Traffic& t) { return {t.ifmap, t.filter, t.psum_reads}; }
WordsWritten writes_of(const accelerator::Traffic& t) { return {t.ofmap, t.psum_writes}; }

CostFigures figures_of(const StudyPoint& p, const LayerCost& cost) {
  CostFigures f{.padded_macs = cost.padded_macs,
                .vector_operations = cost.vector_operations,
                .folds = cost.folds,
                .compute_cycles = cost.compute_cycles,
                .stall_cycles = cost.stall_cycles,
                .total_cycles = cost.total_cycles(),
                .cycles_with_prefetch = cost.cycles_with_prefetch,
                .utilization = cost.utilization,
                .sram_used_bytes = cost.sram_used_bytes,
                .sram_reads = reads_of(cost.sram),
                .sram_writes = writes_of(cost.sram),
                .latency_ns = cost.latency_ns,
                .sensitivity = cost.sensitivity};
  if (cost.dram) {
    f.dram_reads = reads_of(*cost.dram);
    f.dram_writes = writes_of(*cost.dram);
    f.dram_read_bytes = cost.dram_read_bytes;
    f.dram_write_bytes = cost.dram_write_bytes;
  }
  if (p.energy != nullptr) {
    f.energy_pj = cost.energy;
    f.edp_pj_ns = cost.edp_pj_ns();
  }
  return f;
}

LayerMemory memory_row(const StudyPoint& p, std::size_t i) {
  const accelerator::Layer& layer = p.network->lowered.layers[i];
  const accelerator::LayerProfile* known =
      layer.node == graph::kNone ? nullptr : p.network->memory.find(layer.node);
  if (known == nullptr) return {};
  if (!known->reason.empty()) return {.remark = known->reason};
  LayerMemory m{.param_bytes = known->param_bytes,
                .allocated_bytes = known->allocated_bytes,
                .buffers = known->buffers,
                .macs = known->macs,
                .squares = known->squares,
                .hooked_macs = known->hooked_macs,
                .remark = known->remark};
  if (const auto& padded = p.padded[i]) {
    m.padded_param_bytes = padded->parameters;
    m.padded_allocated_bytes = padded->allocated;
  }
  return m;
}

std::vector<FrontRow> front_of(const std::vector<accelerator::Found>& found) {
  std::vector<FrontRow> out;
  for (const accelerator::Found& f : found)
    out.push_back(
        {.dataflow = f.cost.dataflow,
         .tile = f.cost.tile,
         .loop_order = f.cost.loop_order,
         .total_cycles = f.cost.total_cycles(),
         .latency_ns = f.cost.latency_ns,
         .energy_pj = f.cost.energy ? std::optional(f.cost.energy->total()) : std::nullopt});
  return out;
}

LayerRow layer_row(const StudyPoint& p, std::size_t i) {
  const accelerator::Layer& layer = p.network->lowered.layers[i];
  const LayerCost& cost = p.estimate.layers[i];
  LayerRow row{.name = layer.name,
               .op_type = layer.op_type,
               .gemms = layer.gemms,
               .reason = layer.reason,
               .move_reason = layer.move_reason,
               .macs = layer.macs,
               .memory = memory_row(p, i)};
  if (layer.node != graph::kNone) {
    row.node = layer.node;
    row.params = layer.params;
  }
  if (layer.move != accelerator::Move::kNone) row.move = layer.move;
  if (p.described() != nullptr) row.precision = p.widths_of_layer(i);
  if (!layer.gemms.empty()) {
    row.dataflow = cost.dataflow;
    row.tile = cost.tile;
    row.loop_order = cost.loop_order;
  }
  if (costed(p, i)) row.figures = figures_of(p, cost);
  if (cost.bound != accelerator::Bound::kNone) row.bound = cost.bound;
  if (!p.fronts.empty()) row.front = front_of(p.fronts[i]);
  return row;
}

record::Stream<LayerRow> layer_rows(const StudyPoint& p) {
  return record::Stream<LayerRow>([&p](auto use) {
    for (std::size_t i = 0; i < p.estimate.layers.size(); ++i) use(layer_row(p, i));
  });
}

TotalsRow totals_row(const StudyPoint& p) {
  const accelerator::Lowered& n = p.network->lowered;
  TotalsRow row{.layers = std::ssize(n.layers),
                .macs = n.macs,
                .macs_without_products = n.without_gemms,
                .figures = figures_of(p, p.estimate.totals)};
  if (const auto memory = memory_of(p)) {
    row.padded_param_bytes = memory->parameters;
    row.padded_allocated_bytes = memory->allocated;
  }
  return row;
}

std::string run_text(const accelerator::Study& view, const StudyPoint& p) {
  StringSink sink;
  JsonWriter json(sink);
  profile::write_profile(json, estimated_run(view, p));
  return sink.text();
}

PointRow point_row(const accelerator::Study& view, const StudyPoint& p) {
  PointRow row{.machine = p.machine,
               .pad = p.pad,
               .precision = width_sources()[p.widths.empty() ? 0 : 1],
               .bindings = p.network->bindings,
               .set = p.set,
               .best = p.best,
               .layers = layer_rows(p),
               .totals = totals_row(p)};
  if (p.energy != nullptr)
    row.energy = EnergyOrigin{.table = p.energy->name,
                              .source = p.energy->source,
                              .node_nm = p.energy->node_nm,
                              .mac_row = p.mac_row,
                              .vector_row = p.vector_row,
                              .leaves_out = p.leaves_out,
                              .band = p.band};
  if (has_run(p)) row.run.text = run_text(view, p);
  return row;
}

}  // namespace

void write_accelerator_document(const accelerator::Study& view, const record::DocumentSink& out) {
  StudyDocument document{.subject = view.subject, .convention = view.convention};
  if (view.convention == accelerator::Convention::kOverlapped) document.objective = view.objective;
  document.points = record::Stream<PointRow>([&view](auto use) {
    for (const StudyPoint& p : view.points) use(point_row(view, p));
  });
  if (view.points.size() == 1) document.layers = layer_rows(view.points[0]);
  out.write(document);
}

}  // namespace ridge::exports
