#include "profile/json.h"
#include <fmt/format.h>

#include "accelerator/energy_table_file.h"
#include "accelerator/machine_file.h"
#include "base/json_writer.h"
#include "export/accelerator/estimated_run.h"
#include "export/accelerator/text.h"
#include "export/accelerator/words.h"

namespace ridge::exports {
namespace {

using accelerator::LayerCost;
using accelerator::LayerProfile;

class StudyWriter {
 public:
  StudyWriter(const accelerator::Study& view, Sink& sink) : view_(view), json_(sink) {}

  void write() {
    json_.begin_object().key("schema").value("ridge.accelerator/1").line();
    json_.key("subject").value(view_.subject).key("origin").value("modelled");
    json_.key("convention").value(name(view_.convention));
    json_.key("objective");
    if (view_.convention == accelerator::Convention::kOverlapped)
      json_.value(objective_text(view_.objective));
    else
      json_.null();
    json_.line().key("points").begin_array();
    for (const accelerator::StudyPoint& p : view_.points) point(p);
    json_.line().end_array().line().key("layers");
    if (view_.points.size() == 1)
      layers(view_.points[0]);
    else
      json_.null();
    json_.line().end_object().line();
  }

 private:
  void point(const accelerator::StudyPoint& p) {
    json_.line().begin_object();
    machine(p.machine);
    json_.line().key("pad").value(p.pad).key("precision");
    json_.value(p.widths.empty() ? "machine" : "file");
    analysis::write_bindings(json_.key("bindings"), p.network->bindings);
    json_.key("set").begin_object();
    for (const auto& [key, value] : p.set) json_.name(key).value(value);
    json_.end_object();
    energy_origin(p);
    json_.key("best").value(p.best).line().key("layers");
    layers(p);
    json_.line().key("totals");
    totals(p);
    if (has_run(p)) profile::write_profile(json_.line().key("run"), estimated_run(view_, p));
    json_.end_object();
  }

  void machine(const accelerator::StudyMachine& described) {
    json_.key("machine");
    if (const auto* m = std::get_if<accelerator::Machine>(&described)) {
      accelerator::write_machine(*m, json_);
      return;
    }
    const auto& m = std::get<accelerator::ScalesimMachine>(described);
    json_.begin_object().key("array").begin_object();
    json_.key("rows").value(m.rows).key("columns").value(m.columns).end_object();
    json_.key("dataflow").value(name(m.dataflow));
    json_.key("bandwidth")
        .value(m.bandwidth)
        .key("sparse")
        .value(m.sparse)
        .key("sram_bytes")
        .begin_object();
    json_.key("ifmap").value(m.sram_bytes.ifmap).key("filter").value(m.sram_bytes.filter);
    json_.key("ofmap").value(m.sram_bytes.ofmap).end_object().end_object();
  }

  void energy_origin(const accelerator::StudyPoint& p) {
    json_.line().key("energy");
    if (p.energy == nullptr) {
      json_.null();
      return;
    }
    json_.begin_object().key("table").value(p.energy->name).key("source");
    json_.value_or_null(p.energy->source).key("node_nm").value(p.energy->node_nm);
    json_.key("mac_row").value_or_null(p.mac_row);
    json_.key("vector_row").value_or_null(p.vector_row).key("leaves_out").begin_array();
    for (const std::string& what : p.leaves_out) json_.value(what);
    json_.end_array();
    band(p.band);
    json_.end_object();
  }

  void band(const std::optional<accelerator::EnergyBand>& b) {
    json_.key("band");
    if (!b) {
      json_.null();
      return;
    }
    json_.begin_object().key("low_pj").value(b->low_pj).key("low").value(b->low);
    json_.key("high_pj").value(b->high_pj).key("high").value(b->high).key("tables").begin_array();
    for (const std::string& table : b->tables) json_.value(table);
    json_.end_array().end_object();
  }

  void layers(const accelerator::StudyPoint& p) {
    json_.begin_array();
    for (std::size_t i = 0; i < p.estimate.layers.size(); ++i) layer(p, i);
    json_.line().end_array();
  }

  void layer(const accelerator::StudyPoint& p, std::size_t i) {
    const accelerator::Layer& layer = p.network->lowered.layers[i];
    const LayerCost& cost = p.estimate.layers[i];
    json_.line().begin_object().key("name").value(layer.name).key("node");
    if (layer.node == graph::kNone)
      json_.null();
    else
      json_.value(layer.node);
    json_.key("op_type").value_or_null(layer.op_type).key("gemms").begin_array();
    for (const accelerator::Gemm& g : layer.gemms) {
      json_.begin_object().key("m").value(g.m).key("n").value(g.n).key("k").value(g.k);
      json_.key("count").value(g.count);
      if (!g.sparsity.dense())
        json_.key("sparsity").value(fmt::format("{}:{}", g.sparsity.kept, g.sparsity.of));
      json_.end_object();
    }
    json_.end_array().key("reason").value_or_null(layer.reason);
    json_.key("move").value_or_null(name(layer.move));
    json_.key("move_reason").value_or_null(layer.move_reason);
    precision(p, i);
    json_.key("macs").value(layer.macs).key("params");
    json_.value(layer.node == graph::kNone ? std::nullopt : std::optional(layer.params));
    memory(p, i);
    if (layer.gemms.empty())
      for (const char* key : {"dataflow", "tile", "loop_order"}) json_.key(key).null();
    else
      mapping(cost);
    if (costed(p, i))
      figures(p, cost);
    else
      no_figures();
    json_.key("bound").value_or_null(name(cost.bound));
    if (!p.fronts.empty()) front(p.fronts[i]);
    json_.end_object();
  }

  void precision(const accelerator::StudyPoint& p, std::size_t i) {
    json_.key("precision");
    if (p.described() == nullptr) {
      json_.null();
      return;
    }
    const accelerator::Widths& w = p.widths_of_layer(i);
    json_.begin_object().key("format").value(accelerator::format_name(w.floating));
    json_.key("ifmap_bits").value(w.bits.ifmap).key("filter_bits").value(w.bits.filter);
    json_.key("ofmap_bits").value(w.bits.ofmap);
    json_.key("accumulator_bits").value(w.accumulator_bits).end_object();
  }

  void memory(const accelerator::StudyPoint& p, std::size_t i) {
    const accelerator::Layer& layer = p.network->lowered.layers[i];
    const LayerProfile* known =
        layer.node == graph::kNone ? nullptr : p.network->memory.find(layer.node);
    if (known == nullptr || !known->reason.empty()) {
      for (const char* key :
           {"param_bytes", "allocated_bytes", "padded_param_bytes", "padded_allocated_bytes",
            "buffers", "profiled_macs", "profiled_squares", "hooked_macs"})
        json_.key(key).null();
      json_.key("profile_remark").value_or_null(known == nullptr ? "" : known->reason);
      return;
    }
    json_.key("param_bytes").value(known->param_bytes);
    json_.key("allocated_bytes").value(known->allocated_bytes);
    const std::optional<accelerator::PaddedBytes>& padded = p.padded[i];
    json_.key("padded_param_bytes");
    json_.value(padded ? std::optional(padded->parameters) : std::nullopt);
    json_.key("padded_allocated_bytes");
    json_.value(padded ? std::optional(padded->allocated) : std::nullopt);
    json_.key("buffers").begin_array();
    for (const accelerator::BufferProfile& b : known->buffers) {
      json_.begin_object().key("name").value(b.name).key("role").value(name(b.role));
      json_.key("shape").begin_array();
      for (const std::int64_t n : b.shape) json_.value(n);
      json_.end_array().key("dtype").value(b.dtype).key("bytes").value(b.bytes);
      json_.key("reads").value(b.reads).key("writes").value(b.writes).end_object();
    }
    json_.end_array();
    json_.key("profiled_macs").value(known->macs).key("profiled_squares").value(known->squares);
    json_.key("hooked_macs").value(known->hooked_macs);
    json_.key("profile_remark").value_or_null(known->remark);
  }

  void mapping(const LayerCost& cost) {
    json_.key("dataflow").value(name(cost.dataflow));
    tile(cost.tile);
    json_.key("loop_order").value_or_null(cost.loop_order);
  }

  void tile(const accelerator::Tile& t) {
    json_.key("tile").begin_object().key("m").value(t.m).key("n").value(t.n).key("k").value(t.k);
    json_.key("products").value(t.products).end_object();
  }

  void no_figures() {
    for (const char* key :
         {"padded_macs", "vector_operations", "folds", "compute_cycles", "stall_cycles",
          "total_cycles", "cycles_with_prefetch", "utilization", "sram_used_bytes", "sram_reads",
          "sram_writes", "dram_reads", "dram_writes", "dram_read_bytes", "dram_write_bytes",
          "latency_ns", "energy_pj", "edp_pj_ns"})
      json_.key(key).null();
    json_.key("sensitivity").begin_object().end_object();
  }

  void figures(const accelerator::StudyPoint& p, const LayerCost& cost) {
    json_.key("padded_macs").value(cost.padded_macs);
    json_.key("vector_operations").value(cost.vector_operations);
    json_.key("folds").value(cost.folds).key("compute_cycles").value(cost.compute_cycles);
    json_.key("stall_cycles").value(cost.stall_cycles);
    json_.key("total_cycles").value(cost.total_cycles());
    json_.key("cycles_with_prefetch").value(cost.cycles_with_prefetch);
    json_.key("utilization").value(cost.utilization);
    json_.key("sram_used_bytes").value(cost.sram_used_bytes);
    reads_and_writes("sram", cost.sram);
    if (cost.dram)
      reads_and_writes("dram", *cost.dram);
    else
      json_.key("dram_reads").null().key("dram_writes").null();
    json_.key("dram_read_bytes");
    json_.value(cost.dram ? std::optional(cost.dram_read_bytes) : std::nullopt);
    json_.key("dram_write_bytes");
    json_.value(cost.dram ? std::optional(cost.dram_write_bytes) : std::nullopt);
    json_.key("latency_ns").value(cost.latency_ns);
    energy(p.energy != nullptr ? cost.energy : std::nullopt);
    json_.key("edp_pj_ns");
    json_.value(p.energy != nullptr ? cost.edp_pj_ns() : std::nullopt);
    json_.key("sensitivity").begin_object();
    for (const auto& [key, share] : cost.sensitivity) json_.name(key).value(share);
    json_.end_object();
  }

  void energy(const std::optional<accelerator::Energy>& e) {
    json_.key("energy_pj");
    if (!e) {
      json_.null();
      return;
    }
    json_.begin_object().key("mac").value(e->mac).key("register").value(e->register_file);
    json_.key("vector").value(e->vector).key("sram").value(e->sram).key("dram").value(e->dram);
    json_.key("leakage").value(e->leakage).key("total").value(e->total()).end_object();
  }

  void reads_and_writes(const std::string& memory, const accelerator::Traffic& w) {
    json_.key(memory + "_reads").begin_object().key("ifmap").value(w.ifmap);
    json_.key("filter").value(w.filter).key("psum").value(w.psum_reads).end_object();
    json_.key(memory + "_writes").begin_object().key("ofmap").value(w.ofmap);
    json_.key("psum").value(w.psum_writes).end_object();
  }

  void front(const std::vector<accelerator::Found>& found) {
    json_.key("front").begin_array();
    for (const accelerator::Found& f : found) {
      json_.begin_object();
      mapping(f.cost);
      json_.key("total_cycles").value(f.cost.total_cycles());
      json_.key("latency_ns").value(f.cost.latency_ns).key("energy_pj");
      json_.value(f.cost.energy ? std::optional(f.cost.energy->total()) : std::nullopt);
      json_.end_object();
    }
    json_.end_array();
  }

  void totals(const accelerator::StudyPoint& p) {
    const accelerator::Lowered& n = p.network->lowered;
    json_.begin_object().key("layers").value(std::ssize(n.layers)).key("macs").value(n.macs);
    json_.key("macs_without_products").value(n.without_gemms);
    const auto memory = memory_of(p);
    json_.key("padded_param_bytes");
    json_.value(memory ? std::optional(memory->parameters) : std::nullopt);
    json_.key("padded_allocated_bytes");
    json_.value(memory ? std::optional(memory->allocated) : std::nullopt);
    figures(p, p.estimate.totals);
    json_.end_object();
  }

  const accelerator::Study& view_;
  JsonWriter json_;
};

}  // namespace

void write_accelerator_json(const accelerator::Study& view, Sink& sink) {
  StudyWriter(view, sink).write();
}

}  // namespace ridge::exports
