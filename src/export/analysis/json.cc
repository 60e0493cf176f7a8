#include "export/analysis/json.h"

#include <array>
#include <bitset>
#include <string>
#include <vector>

#include "analysis/module_work.h"
#include "analysis/sizes/symbolic_totals.h"
#include "analysis/summary.h"
#include "base/json_writer.h"
#include "export/analysis/figure_text.h"
#include "export/analysis/symbolic_text.h"

namespace ridge::exports {
namespace {

using analysis::NodeCounts;
using analysis::Resolved;
using analysis::Totals;

/// Keys, indexed by Totals::Figure.
constexpr std::array<std::string_view, 7> kFigureKeys = {
    "macs", "flops", "special", "int_ops", "bytes_read", "bytes_written", "peak_activation_bytes"};
using Sums = std::array<ops::Dim, kFigureKeys.size()>;

class AnalysisWriter {
 public:
  AnalysisWriter(JsonWriter& json, const Resolved& r, const AnalysisDocument& options)
      : r_(r),
        model_(r.model()),
        convention_(options.convention),
        traffic_(options.traffic),
        json_(json) {}

  void write_one(graph::NodeId n) { write_node(n); }

  void write(const AnalysisDocument& options) {
    json_.begin_object().key("schema").value("ridge.analysis/1").line();
    write_model();
    analysis::write_bindings(json_.line().key("bindings"), r_.bindings());
    if (!r_.given_values().empty()) {
      json_.line().key("values").begin_object();
      for (const auto& [input, source] : r_.given_values()) json_.name(input).value(source);
      json_.end_object();
    }
    json_.line().key("inputs").begin_array();
    for (const graph::ValueId v : model_.main().inputs)
      if (model_.value(v).tensor == nullptr && model_.value(v).sparse == nullptr) write_tensor(v);
    json_.end_array().line().key("outputs").begin_array();
    for (const graph::ValueId v : model_.main().outputs) write_tensor(v);
    json_.end_array();
    write_totals();
    if (convention_ != nullptr) write_convention();
    if (traffic_ != nullptr) write_traffic(json_.line(), *traffic_);
    if (analysis::any_free_size(r_)) write_symbolic(json_.line(), r_);
    write_nodes(options.top);
    write_modules(options.depth);
    json_.end_object();
  }

 private:
  void figure(std::string_view key, ops::Dim d) {
    json_.key(key);
    dim(d);
  }

  void dim(ops::Dim d) {
    if (d.known())
      json_.value(d.value());
    else if (d.unknown())
      json_.null();
    else
      json_.value(r_.dims().text(d));
  }

  /// True if the MACs are known to be fewer than their upper bound (constant sequence lengths).
  static bool fewer(ops::Dim macs, ops::Dim most) { return !most.unknown() && !macs.same(most); }

  /// A sum that lacks a node is null.
  void sum(const Sums& sums, const std::bitset<7>& incomplete, Totals::Figure which) {
    figure(kFigureKeys[which], incomplete.test(which) ? ops::Dim() : sums[which]);
  }

  /// Writes the known part of the sums that lack a node.
  void write_at_least(const Sums& sums, const std::bitset<7>& incomplete) {
    for (std::size_t i = 0; i < kFigureKeys.size(); ++i)
      if (incomplete.test(i)) figure(kFigureKeys[i], sums[i]);
  }

  void write_model() {
    const onnx::Document& document = model_.document();
    std::string producer(document.model.producer_name);
    if (!document.model.producer_version.empty())
      producer.append(" ").append(document.model.producer_version);
    json_.key("model")
        .begin_object()
        .key("path")
        .value(document.path)
        .key("graph_hash")
        .value(graph::structure_hash(model_));
    json_.key("ir_version").value(document.model.ir_version).key("opsets").begin_object();
    for (const onnx::OperatorSet& o : document.model.opsets)
      json_.name(o.domain.empty() ? "ai.onnx" : o.domain).value(o.version);
    json_.end_object().key("producer").value(producer).end_object();
  }

  /// Writes name, element type and shape without the enclosing object.
  void describe(graph::ValueId v) {
    const ops::Type& type = r_.type(v);
    json_.key("name").value(model_.value(v).name).key("dtype");
    const std::string_view dtype = onnx::name(type.dtype);
    switch (type.container) {
      case ops::Container::kTensor:
        if (type.dtype == onnx::DataType::kUndefined)
          json_.null();
        else
          json_.value(dtype);
        break;
      case ops::Container::kSequence:
        json_.value("sequence(" + std::string(dtype) + ")");
        break;
      case ops::Container::kOptional:
        json_.value("optional(" + std::string(dtype) + ")");
        break;
      case ops::Container::kOptionalSequence:
        json_.value("optional(sequence(" + std::string(dtype) + "))");
        break;
      case ops::Container::kMap:
        json_.value("map");
        break;
    }
    json_.key("shape");
    if (!type.shape.ranked() || type.container != ops::Container::kTensor) {
      json_.null();
      return;
    }
    json_.begin_array();
    for (const ops::Dim& d : type.shape.span()) dim(d);
    json_.end_array();
  }

  void write_tensor(graph::ValueId v) {
    json_.begin_object();
    describe(v);
    json_.end_object();
  }

  void write_totals() {
    const Totals& t = r_.totals();
    const Sums sums = {t.macs,
                       t.flops,
                       t.special,
                       t.int_ops,
                       t.bytes_read,
                       t.bytes_written,
                       t.peak_activation_bytes};
    const bool moved = traffic_ != nullptr && traffic_->traffic.totals.incomplete;
    json_.line().key("totals").begin_object().key("nodes").value(t.nodes);
    sum(sums, t.incomplete, Totals::kMacs);
    if (t.incomplete.test(Totals::kMacs) || fewer(t.macs, t.macs_max))
      figure("macs_max", t.macs_max);
    for (const Totals::Figure which : {Totals::kFlops, Totals::kSpecial, Totals::kIntOps})
      sum(sums, t.incomplete, which);
    json_.key("params").value(t.params);
    if (r_.has_experts()) json_.key("active_params").value(t.active_params);
    json_.key("weight_bytes").value(t.weight_bytes);
    for (const Totals::Figure which :
         {Totals::kBytesRead, Totals::kBytesWritten, Totals::kPeakActivationBytes})
      sum(sums, t.incomplete, which);
    if (traffic_ != nullptr) write_traffic_totals(json_, *traffic_, TrafficSums::kWhole);
    json_.key("coverage")
        .begin_object()
        .key("counted")
        .value(t.counted)
        .key("zero")
        .value(t.zero)
        .key("unknown")
        .value(t.unknown)
        .end_object();
    json_.key("intensity").value(analysis::intensity(t));
    if (moved || t.incomplete.any()) {
      json_.key("at_least").begin_object();
      write_at_least(sums, t.incomplete);
      if (moved) write_traffic_totals(json_, *traffic_, TrafficSums::kAtLeast);
      json_.end_object();
    }
    json_.key("incomplete").begin_array();
    for (std::size_t i = 0; i < kFigureKeys.size(); ++i)
      if (t.incomplete.test(i)) json_.value(kFigureKeys[i]);
    if (moved)
      for (const char* name : {"bytes_min", "bytes_expected", "bytes_max"}) json_.value(name);
    json_.end_array().end_object();
  }

  void write_convention() {
    const analysis::Convention& c = *convention_->convention;
    json_.line().key("convention").begin_object();
    json_.key("name").value(c.name).key("unit").value(c.unit);
    figure("total", convention_->complete ? convention_->total : ops::Dim());
    if (!convention_->complete) figure("at_least", convention_->total);
    json_.key("complete").value(convention_->complete).end_object();
  }

  void write_nodes(std::optional<std::size_t> top) {
    json_.line().key("nodes").begin_array();
    if (top) {
      for (const graph::NodeId n : analysis::top_nodes(r_, *top)) write_node(n);
    } else {
      for (graph::NodeId n = 0; n < model_.nodes().size(); ++n) write_node(n);
    }
    json_.line().end_array();
  }

  void write_modules(std::optional<std::uint32_t> depth) {
    const auto modules = model_.modules();
    const analysis::ModuleIndex index(model_);
    const std::uint32_t deepest = depth.value_or(UINT32_MAX);
    const analysis::WorkByModule work = analysis::work_by_module(r_, deepest);
    json_.line().key("modules").begin_array();
    for (const graph::ModuleId m : index.tree_order())
      if (modules[m].depth <= deepest) write_module(m, work[m], index.nodes(m).size());
    json_.line().end_array();
  }

  void write_module(graph::ModuleId m, const analysis::ModuleWork& w, std::size_t own_nodes) {
    const graph::Module& module = model_.modules()[m];
    json_.line().begin_object().key("path").value(module.path);
    json_.key("depth").value(module.depth).key("output");
    if (w.output == graph::kNone)
      json_.null();
    else
      write_tensor(w.output);
    json_.key("nodes").value(w.nodes);
    json_.key("own_nodes").value(static_cast<std::int64_t>(own_nodes));
    const Sums sums = {w.macs,       w.flops,         w.special,  w.int_ops,
                       w.bytes_read, w.bytes_written, ops::Dim(0)};
    for (const Totals::Figure which :
         {Totals::kMacs, Totals::kFlops, Totals::kSpecial, Totals::kIntOps})
      sum(sums, w.incomplete, which);
    json_.key("params").value(w.params);
    sum(sums, w.incomplete, Totals::kBytesRead);
    sum(sums, w.incomplete, Totals::kBytesWritten);
    json_.key("unknown").value(w.unknown);
    if (w.incomplete.any()) {
      json_.key("at_least").begin_object();
      write_at_least(sums, w.incomplete);
      json_.end_object();
    }
    json_.end_object();
  }

  void write_node(graph::NodeId n) {
    const graph::Node& node = model_.node(n);
    const NodeCounts& c = r_.counts(n);
    json_.line().begin_object().key("index").value(n).key("parent");
    if (node.parent == graph::kNone)
      json_.null();
    else
      json_.value(node.parent);
    figure("repeat", r_.repeat(n));
    json_.key("name")
        .value(node.name)
        .key("op_type")
        .value(node.op_type)
        .key("domain")
        .value(node.domain);
    json_.key("module").value(model_.modules()[node.module].path);
    json_.key("inputs").begin_array();
    for (const graph::ValueId v : node.inputs) write_input(v);
    json_.end_array().key("outputs").begin_array();
    for (const graph::ValueId v : node.outputs)
      if (v != graph::kNone) write_tensor(v);
    json_.end_array();
    figure("macs", c.macs);
    const ops::Dim most = r_.macs_max(n);
    if (!most.unknown() && (c.macs.unknown() || fewer(c.macs, most))) figure("macs_max", most);
    figure("flops", c.flops);
    figure("special", c.special);
    figure("int_ops", c.int_ops);
    if (convention_ != nullptr) figure("convention", convention_->nodes[n]);
    json_.key("params").value(c.params);
    if (r_.active_params(n) != c.params) json_.key("active_params").value(r_.active_params(n));
    figure("bytes_read", c.bytes_read);
    figure("bytes_written", c.bytes_written);
    if (traffic_ != nullptr) {
      figure("bytes_expected", traffic_->traffic.expected[n]);
      figure("bytes_max", traffic_->traffic.most[n]);
      json_.key("runs_with").value(traffic_->traffic.runs_with[n]);
    }
    json_.key("intensity").value(analysis::intensity(c));
    json_.key("status").value(name(c.status));
    json_.key("reason").value_or_null(c.reason).end_object();
  }

  void write_input(graph::ValueId v) {
    if (v == graph::kNone) {
      json_.begin_object()
          .key("name")
          .value("")
          .key("dtype")
          .null()
          .key("shape")
          .null()
          .key("kind")
          .value("absent")
          .end_object();
      return;
    }
    json_.begin_object();
    describe(v);
    json_.key("kind").value(kind_text(r_, v)).end_object();
  }

  const Resolved& r_;
  const graph::Model& model_;
  const analysis::ConventionCount* convention_;
  const TrafficView* traffic_;
  JsonWriter& json_;
};

}  // namespace

void write_analysis(JsonWriter& json, const Resolved& resolved, const AnalysisDocument& options) {
  AnalysisWriter(json, resolved, options).write(options);
}

void write_node(JsonWriter& json, const Resolved& resolved, graph::NodeId node) {
  AnalysisWriter(json, resolved, {}).write_one(node);
}

void write_analysis_json(const Resolved& resolved, const AnalysisDocument& options, Sink& sink) {
  {
    JsonWriter json(sink);
    write_analysis(json, resolved, options);
    json.line();
  }
  sink.write("\n");
}

}  // namespace ridge::exports
