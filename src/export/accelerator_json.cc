#include "base/json_writer.h"
#include "export/accelerator_text.h"

namespace ridge::exports {
namespace {

using accelerator::Layer;
using accelerator::LayerCost;

class Writer {
 public:
  Writer(const AcceleratorView& view, Sink& sink) : view_(view), json_(sink) {}

  void write() {
    json_.begin_object().key("schema").value("ridge.accelerator/1").line();
    json_.key("subject").value(view_.subject).key("convention").value(name(view_.convention));
    json_.line().key("points").begin_array().line().begin_object();
    machine();
    json_.line().key("layers");
    layers();
    json_.line().key("totals");
    totals();
    json_.end_object().line().end_array();
    json_.line().key("layers");
    layers();
    json_.line().end_object().line();
  }

 private:
  void machine() {
    const accelerator::ScalesimMachine& m = view_.machine;
    json_.key("machine").begin_object().key("array").begin_object();
    json_.key("rows").value(m.rows).key("columns").value(m.columns).end_object();
    json_.key("dataflow").value(name(m.dataflow));
    json_.key("bandwidth").value(m.bandwidth).key("sram_bytes").begin_object();
    json_.key("ifmap").value(m.sram_bytes.ifmap).key("filter").value(m.sram_bytes.filter);
    json_.key("ofmap").value(m.sram_bytes.ofmap).end_object().end_object();
  }

  void layers() {
    json_.begin_array();
    for (std::size_t i = 0; i < view_.network.layers.size(); ++i)
      layer(view_.network.layers[i], view_.estimate.layers[i]);
    json_.line().end_array();
  }

  void layer(const Layer& layer, const LayerCost& cost) {
    json_.line().begin_object().key("name").value(layer.name).key("node");
    if (layer.node == graph::kNone)
      json_.null();
    else
      json_.value(layer.node);
    json_.key("op_type").value_or_null(layer.op_type).key("gemms").begin_array();
    for (const accelerator::Gemm& g : layer.gemms) {
      json_.begin_object().key("m").value(g.m).key("n").value(g.n).key("k").value(g.k);
      json_.key("count").value(g.count).end_object();
    }
    json_.end_array().key("reason").value_or_null(layer.reason);
    json_.key("macs").value(layer.macs).key("params").value(layer.params);
    json_.key("dataflow").value(name(cost.dataflow));
    const accelerator::Tile& t = cost.tile;
    json_.key("tile").begin_object().key("m").value(t.m).key("n").value(t.n).key("k").value(t.k);
    json_.end_object().key("loop_order").value(cost.loop_order);
    if (layer.gemms.empty())
      for (const char* key :
           {"folds", "compute_cycles", "stall_cycles", "total_cycles", "utilization", "sram_reads",
            "sram_writes", "dram_reads", "dram_writes"})
        json_.key(key).null();
    else
      figures(cost);
    json_.end_object();
  }

  void figures(const LayerCost& cost) {
    json_.key("folds").value(cost.folds).key("compute_cycles").value(cost.compute_cycles);
    json_.key("stall_cycles").value(cost.stall_cycles);
    json_.key("total_cycles").value(cost.total_cycles());
    json_.key("utilization").value(cost.utilization);
    reads_and_writes("sram", cost.sram);
    if (cost.dram)
      reads_and_writes("dram", *cost.dram);
    else
      json_.key("dram_reads").null().key("dram_writes").null();
  }

  void reads_and_writes(const std::string& memory, const accelerator::Traffic& w) {
    json_.key(memory + "_reads").begin_object().key("ifmap").value(w.ifmap);
    json_.key("filter").value(w.filter).key("psum").value(w.psum_reads).end_object();
    json_.key(memory + "_writes").begin_object().key("ofmap").value(w.ofmap);
    json_.key("psum").value(w.psum_writes).end_object();
  }

  void totals() {
    const accelerator::Lowered& n = view_.network;
    json_.begin_object().key("layers").value(std::ssize(n.layers)).key("macs").value(n.macs);
    json_.key("macs_without_products").value(n.without_gemms);
    figures(view_.estimate.totals);
    json_.end_object();
  }

  const AcceleratorView& view_;
  JsonWriter json_;
};

}  // namespace

void write_accelerator_json(const AcceleratorView& view, Sink& sink) { Writer(view, sink).write(); }

}  // namespace ridge::exports
