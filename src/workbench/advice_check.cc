#include "workbench/advice_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "advice/verdict.h"
#include "base/text.h"
#include "measure/input_specs.h"
#include "measure/material.h"
#include "measure/session.h"
#include "runtime/runtime.h"

namespace ridge::workbench {
namespace {

using profile::Profile;

/// A model loaded to compare its outputs.
struct LoadedModel {
  const analysis::Resolved* resolved = nullptr;
  measure::Material material;
  runtime::SessionId session = 0;
};

Result<LoadedModel> load(runtime::Runtime& runtime, const analysis::Resolved& resolved,
                         const measure::Request& request) {
  LoadedModel out{&resolved, {}, 0};
  out.material =
      TRY(measure::prepare(resolved, request, attribution::CanonicalOptions::Sizes::kStatic));
  const runtime::Loaded loaded = TRY(runtime.load({.model = out.material.copy.bytes,
                                                   .weights = out.material.weights,
                                                   .dump = runtime::Dump::kNothing}));
  out.session = loaded.session;
  return out;
}

/// The elements of float tensors by the names that outputs have in the model.
using Values = std::map<std::string, std::vector<float>, std::less<>>;

Result<Values> run(runtime::Runtime& runtime, LoadedModel& model, const measure::Request& request) {
  const std::vector<runtime::InputSpec> specs =
      TRY(measure::input_specs(*model.resolved, model.material.copy, request.inputs, request.seed));
  const runtime::Inputs inputs = TRY(runtime::Inputs::make(specs));
  TRY(runtime.set_inputs(model.session, inputs));
  const runtime::Outputs outputs = TRY(runtime.outputs(model.session));
  Values out;
  for (const attribution::Port& port : model.material.copy.outputs)
    for (const runtime::OutputTensor& t : outputs.tensors) {
      if (t.type.name != port.name || t.type.type != onnx::DataType::kFloat) continue;
      std::vector<float>& values = out[std::string(port.original_name)];
      values.resize(t.bytes.size() / sizeof(float));
      std::memcpy(values.data(), t.bytes.data(), values.size() * sizeof(float));
    }
  return out;
}

/// Adds the difference of two tensors. Equal infinities and two NaN are no difference.
void add_difference(const std::vector<float>& a, const std::vector<float>& b,
                    advice::OutputDifference& out) {
  if (a.size() != b.size()) {
    out.max_abs = out.max_rel = INFINITY;
    return;
  }
  double largest = 0, apart = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isfinite(a[i])) largest = std::max(largest, std::abs(static_cast<double>(a[i])));
    if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) continue;
    const double difference = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    apart = std::max(apart, std::isnan(difference) ? INFINITY : difference);
  }
  out.max_abs = std::max(out.max_abs, apart);
  if (apart > 0) out.max_rel = std::max(out.max_rel, largest > 0 ? apart / largest : INFINITY);
}

std::vector<std::vector<double>> runs_of(const Profile& p) {
  std::vector<std::vector<double>> out;
  for (const profile::Process& process : p.latency.processes)
    out.emplace_back(process.samples_ns.begin(), process.samples_ns.end());
  return out;
}

/// Why the machine was not fit to judge; "" if it was.
std::string busy_text(const Profile& before, const Profile& after) {
  std::int64_t rejected = before.latency.rejected + after.latency.rejected, kept = 0;
  for (const Profile* p : {&before, &after})
    for (const profile::Process& process : p->latency.processes)
      kept += std::ssize(process.samples_ns);
  if (rejected <= kept) return {};
  return fmt::format("other programs used the processors in {} of {} runs", rejected,
                     rejected + kept);
}

}  // namespace

Result<advice::OutputDifference> compare_outputs(const Workbench& bench, const Point& point,
                                                 const analysis::Resolved& before,
                                                 const analysis::Resolved& after) {
  measure::Request request = TRY(bench.request(point));
  runtime::Runtime runtime = TRY(runtime::Runtime::spawn(request.runtime));
  LoadedModel first = TRY(load(runtime, before, request));
  LoadedModel second = TRY(load(runtime, after, request));
  advice::OutputDifference out;
  std::size_t compared = 0;
  for (std::uint64_t i = 0; i < kOutputRuns; ++i) {
    const Values a = TRY(run(runtime, first, request)), b = TRY(run(runtime, second, request));
    for (const auto& [name, values] : b)
      if (const auto of_first = a.find(name); of_first != a.end()) {
        add_difference(of_first->second, values, out);
        ++compared;
      }
    request.seed += 1000;
  }
  if (compared == 0)
    return input_error("RIDGE-WB-0090", "the model has no float32 output that could be compared");
  return out;
}

Result<advice::Check> check_edit(const Workbench& bench, const Point& point,
                                 const analysis::Resolved& before, const analysis::Resolved& after,
                                 const std::optional<profile::Estimate>& predicted) {
  const measure::Request request = TRY(bench.request(point));
  std::vector<measure::Column> columns = {{&before, request}, {&after, request}};
  columns[0].request.label = "before";
  columns[1].request.label = "after";
  std::vector<Result<Profile>> measured = measure::profile_in_turns(columns, measure::Turns::kRuns);
  bench.environment.hide_progress();
  for (Result<Profile>& m : measured)
    if (!m.ok()) return std::move(m).error();
  if (bench.environment.stopped()) {
    advice::Check out;
    out.reason = "it was interrupted";
    return out;
  }
  const Profile &a = *measured[0], &b = *measured[1];
  const stats::Change change(runs_of(a), runs_of(b), stats::Runs::kInTurns);
  return advice::verdict(change, a.latency.ns, b.latency.ns, predicted, busy_text(a, b));
}

}  // namespace ridge::workbench
