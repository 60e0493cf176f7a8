// SPDX-License-Identifier: Apache-2.0
#include "export/analysis/json.h"

#include "analysis/sizes/symbolic_totals.h"
#include "analysis/summary.h"
#include "export/analysis/describe.h"
#include "export/analysis/rows.h"
#include "export/analysis/symbolic_text.h"
#include "export/analysis/traffic_text.h"

namespace ridge::exports {
namespace {

using analysis::Resolved;
using analysis::Totals;

ModelFacts model_facts(const graph::Model& model) {
  const onnx::Document& document = model.document();
  ModelFacts out{.path = document.path,
                 .graph_hash = graph::structure_hash(model),
                 .ir_version = document.model.ir_version,
                 .opsets = {},
                 .producer = std::string(document.model.producer_name)};
  for (const onnx::OperatorSet& o : document.model.opsets)
    out.opsets.emplace_back(o.domain.empty() ? "ai.onnx" : o.domain, o.version);
  if (!document.model.producer_version.empty())
    out.producer.append(" ").append(document.model.producer_version);
  return out;
}

/// Inputs of the model that are no weights.
std::vector<graph::ValueId> plain_inputs(const graph::Model& model) {
  std::vector<graph::ValueId> out;
  for (const graph::ValueId v : model.main().inputs)
    if (model.value(v).tensor == nullptr && model.value(v).sparse == nullptr) out.push_back(v);
  return out;
}

}  // namespace

Analysis::Analysis(const Resolved& resolved, const AnalysisDocument& options)
    : r_(resolved), options_(options), tensors_(resolved) {
  view_.model = model_facts(r_.model());
  view_.bindings = r_.bindings();
  view_.values = r_.given_values();
  set_tensors();
  set_totals();
  if (options.convention != nullptr) set_convention();
  if (options.traffic != nullptr) view_.traffic = traffic_assumptions(*options.traffic);
  if (analysis::any_free_size(r_)) view_.symbolic = symbolic_view(r_);
  view_.nodes = node_rows(r_, options_);
  view_.modules = module_rows(r_, options_);
}

void Analysis::set_tensors() {
  for (const graph::ValueId v : plain_inputs(r_.model())) view_.inputs.push_back(tensors_.view(v));
  for (const graph::ValueId v : r_.model().main().outputs)
    view_.outputs.push_back(tensors_.view(v));
}

void Analysis::set_totals() {
  const Totals& t = r_.totals();
  TotalsView& v = view_.totals;
  const auto sum = [&](ops::Dim known, Totals::Figure which) {
    if (t.incomplete.test(which)) v.incomplete.emplace_back(figure_key(which));
    return sum_figure(tensors_, known, t.incomplete, which, v.at_least);
  };
  v.nodes = t.nodes;
  v.macs = sum(t.macs, Totals::kMacs);
  v.macs_max = tensors_.figure(t.macs_max);
  v.with_macs_max =
      t.incomplete.test(Totals::kMacs) || (!t.macs_max.unknown() && !t.macs.same(t.macs_max));
  v.flops = sum(t.flops, Totals::kFlops);
  v.special = sum(t.special, Totals::kSpecial);
  v.int_ops = sum(t.int_ops, Totals::kIntOps);
  v.params = t.params;
  if (r_.has_experts()) v.active_params = t.active_params;
  v.weight_bytes = t.weight_bytes;
  v.bytes_read = sum(t.bytes_read, Totals::kBytesRead);
  v.bytes_written = sum(t.bytes_written, Totals::kBytesWritten);
  v.peak_activation_bytes = sum(t.peak_activation_bytes, Totals::kPeakActivationBytes);
  v.coverage = {t.counted, t.zero, t.unknown};
  v.intensity = analysis::intensity(t);
  if (options_.traffic != nullptr) set_traffic_totals();
}

void Analysis::set_traffic_totals() {
  const analysis::Traffic::Totals& moved = options_.traffic->traffic.totals;
  TotalsView& v = view_.totals;
  v.with_traffic = true;
  const auto sum = [&](const char* name, std::int64_t bytes) {
    if (!moved.incomplete) return std::optional(bytes);
    v.at_least.emplace_back(name, Figure{ops::Dim(bytes)});
    v.incomplete.emplace_back(name);
    return std::optional<std::int64_t>();
  };
  v.bytes_min = sum("bytes_min", moved.least);
  v.bytes_expected = sum("bytes_expected", moved.expected);
  v.bytes_max = sum("bytes_max", moved.most);
}

void Analysis::set_convention() {
  const analysis::ConventionCount& count = *options_.convention;
  const Figure known = tensors_.figure(count.total);
  view_.convention = {.name = count.convention->name,
                      .unit = count.convention->unit,
                      .total = count.complete ? known : Figure(),
                      .at_least = known,
                      .complete = count.complete};
}

void write_analysis_document(const Resolved& resolved, const AnalysisDocument& options,
                             const record::DocumentSink& out) {
  out.write(Analysis(resolved, options).view());
}

}  // namespace ridge::exports
