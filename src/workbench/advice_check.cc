#include "workbench/advice_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "advice/verdict.h"
#include "base/text.h"
#include "measure/input_specs.h"
#include "measure/material.h"
#include "measure/plain_runs.h"
#include "runtime/runtime.h"
#include "stats/change.h"
#include "stats/samples.h"

namespace ridge::workbench {
namespace {

/// A column loaded to compare its outputs.
struct LoadedModel {
  const measure::Column* column = nullptr;
  measure::Material material;
  measure::Started started;
};

Result<LoadedModel> load(const measure::Column& column) {
  constexpr auto kStatic = attribution::CanonicalOptions::Sizes::kStatic;
  measure::Material material = TRY(measure::prepare(*column.resolved, column.request, kStatic));
  measure::Started started = TRY(measure::start(column.request.runtime, material));
  return LoadedModel{&column, std::move(material), std::move(started)};
}

/// The elements of float tensors by the names that outputs have in the model.
using Values = std::map<std::string, std::vector<float>, std::less<>>;

Result<Values> run(LoadedModel& model, std::uint64_t seed) {
  const measure::Column& column = *model.column;
  const std::vector<runtime::InputSpec> specs =
      TRY(measure::input_specs(*column.resolved, model.material.copy, column.request.inputs, seed));
  const runtime::Inputs inputs = TRY(runtime::Inputs::make(specs));
  TRY(model.started.runtime.set_inputs(model.started.session, inputs));
  const runtime::Outputs outputs = TRY(model.started.runtime.outputs(model.started.session));
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

/// Why the machine was not fit to judge; "" if it was.
std::string busy_text(const std::vector<measure::PlainRuns>& columns) {
  std::size_t disturbed = 0, runs = 0;
  for (const measure::PlainRuns& c : columns) {
    disturbed += c.disturbed;
    runs += c.runs;
  }
  if (2 * disturbed <= runs) return {};
  return fmt::format("other programs used the processors in {} of {} runs", disturbed, runs);
}

profile::Estimate latency(const measure::PlainRuns& runs) {
  std::vector<double> all;
  for (const std::vector<double>& process : runs.ns)
    all.insert(all.end(), process.begin(), process.end());
  profile::Estimate out = advice::kUnknown;
  if (!all.empty()) out.median = stats::median(all);
  if (const std::optional<stats::Interval> i = stats::time_interval(runs.ns, 0.95)) {
    out.low = i->lo;
    out.high = i->hi;
  }
  return out;
}

}  // namespace

Result<advice::OutputDifference> compare_outputs(const measure::Column& before,
                                                 const measure::Column& after) {
  LoadedModel first = TRY(load(before)), second = TRY(load(after));
  advice::OutputDifference out;
  std::size_t compared = 0;
  for (std::uint64_t i = 0; i < kOutputRuns; ++i) {
    const std::uint64_t seed = before.request.seed + 1000 * i;
    const Values a = TRY(run(first, seed)), b = TRY(run(second, seed));
    for (const auto& [name, values] : b)
      if (const auto of_first = a.find(name); of_first != a.end()) {
        add_difference(of_first->second, values, out);
        ++compared;
      }
  }
  if (compared == 0)
    return input_error("RIDGE-WB-0090", "the model has no float32 output that could be compared");
  return out;
}

Result<advice::Check> check_change(const measure::Column& before, const measure::Column& after,
                                   const std::optional<profile::Estimate>& predicted) {
  const measure::Column columns[] = {before, after};
  const std::vector<measure::PlainRuns> runs = TRY(measure::plain_runs_in_turns(columns));
  const runtime::Options& options = before.request.runtime;
  if (options.interrupted != nullptr && options.interrupted->load()) {
    advice::Check out;
    out.reason = "it was interrupted";
    return out;
  }
  const stats::Change change(runs[0].ns, runs[1].ns, stats::Runs::kInTurns);
  return advice::verdict(change, latency(runs[0]), latency(runs[1]), predicted, busy_text(runs));
}

}  // namespace ridge::workbench
