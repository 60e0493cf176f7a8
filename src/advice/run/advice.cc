// SPDX-License-Identifier: Apache-2.0
#include "advice/run/advice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "advice/outputs/calibrate.h"
#include "advice/run/checked.h"
#include "advice/run/setting.h"
#include "base/version.h"
#include "onnx/annotate.h"
#include "onnx/writer.h"
#include "rewrite/rewritten.h"
#include "rewrite/rule.h"
#include "session/processor_choice.h"
#include "session/workbench.h"

namespace ridge::advice {
namespace {

using analysis::Resolved;
using rewrite::Rule;

/// Findings that are no edits.
std::vector<std::string> other_ids() {
  std::vector<std::string> out = setting_ids();
  out.insert(out.end(), {"runtime", "layout", "slower_kernels", "distance", "inserted",
                         "shape_arithmetic", "outside_layers", "weights_reread", "second_readers"});
  return out;
}

Error unknown_finding(const std::string& id) {
  std::vector<std::string> names;
  for (const Rule& rule : rewrite::rules()) names.push_back(rule.name);
  names.emplace_back(kInt8);
  for (std::string& name : other_ids()) names.push_back(std::move(name));
  return usage_error("RIDGE-WB-0091", fmt::format("there is no finding '{}'", id))
      .hint(fmt::format("findings are: {}", fmt::join(names, ", ")));
}

const Rule* rule_named(const std::string& name) {
  const auto found = std::ranges::find(rewrite::rules(), name, &Rule::name);
  return found == rewrite::rules().end() ? nullptr : &*found;
}

/// Writes weights into the model's file, or beside it if they do not fit there or the model has
/// some in other files. Fields of the file that no edit concerns stay.
Result<void> write_edited(const Resolved& original, const Resolved& edited,
                          const std::string& path) {
  const onnx::Document& from = original.model().document();
  const onnx::Document& to = edited.model().document();
  const std::vector<std::string_view> taken = onnx::external_locations(from.model);
  const std::string name = path.substr(path.rfind('/') == path.npos ? 0 : path.rfind('/') + 1);
  std::string data = name + ".data";
  for (int i = 2; std::ranges::find(taken, data) != taken.end(); ++i)
    data = fmt::format("{}.{}.data", name, i);
  const onnx::Weights weights =
      taken.empty() ? onnx::Weights::kWhereItFits : onnx::Weights::kExternal;
  return onnx::write_file(to, path, {.weights = weights, .location = data, .original = &from});
}

/// Advice without findings: the run and its bounds.
Advice advice_on(const AdviceSubject& subject, const MeasuredModel& measured) {
  const profile::Profile& run = measured.run;
  return {.ridge = std::string(version()),
          .model = subject.request.model,
          .runtime = measured.runtime.name,
          .runtime_version = measured.runtime.version,
          .host = subject.bricks.host_name,
          .threads = static_cast<std::uint32_t>(subject.point.threads),
          .measured_ns = run.latency.ns,
          .kernel_bound = measured.kernel_bound,
          .model_bound = measured.model_bound,
          .simulated_ns = run.profiling.corrected_sum_ns + run.profiling.outside_layers_ns};
}

bool is_no_edit(const std::string& id) {
  const std::vector<std::string> ids = other_ids();
  return std::ranges::find(ids, id) != ids.end();
}

}  // namespace

Result<Advised> advise(const AdviceRequest& request, const session::Environment& environment) {
  TRY(bricks::check_single_points({{request.model, request.spec}}));
  for (const std::string& id : request.checks)
    if (id != "all" && id != kInt8 && rule_named(id) == nullptr && !is_no_edit(id))
      return unknown_finding(id);
  const session::ProcessorScope scope(environment,
                                      request.spec.pin ? request.spec.threads : std::vector<int>());
  const session::Workbench bench =
      TRY(session::make_workbench(request.model, request.spec, environment));
  const session::Point point =
      TRY(session::with_arrays(session::points_of(request.spec), request.spec, *bench.opened.model))
          .at(0);
  const Resolved resolved = TRY(bench.resolve(point));
  const bricks::BricksPoint bricks = TRY(bricks::bricks_point(request.spec, environment));
  const AdviceBudget budget(request.spec, !request.checks.empty() || request.measure_bricks);
  bricks::Loader loader(bricks.loading);
  std::optional<session::RunRecorder> recorder =
      TRY(session::RunRecorder::open(request.store, environment));
  const AdviceSubject subject{request, bench,  point,  resolved,
                              bricks,  budget, loader, recorder ? &*recorder : nullptr};
  MeasuredModel measured = TRY(measure_model(subject));
  const ModelChanges changes = TRY(find_changes(subject, measured));
  PricedFindings priced = TRY(price_changes(subject, measured, changes));
  Advice out = advice_on(subject, measured);
  out.achievable = std::move(priced.achievable);
  for (const std::vector<std::string>& notes : {measured.notes, changes.notes, priced.notes})
    out.notes.insert(out.notes.end(), notes.begin(), notes.end());
  CheckedFindings checked = TRY(check_findings(subject, measured, changes, std::move(priced)));
  out.findings = std::move(checked.findings);
  out.joint = std::move(checked.joint);
  environment.hide_progress();
  return Advised{std::move(out), std::move(measured.run), std::move(measured.roofs)};
}

Result<void> apply_advice(const AdviceRequest& request, const std::string& id,
                          const std::string& path, const session::Environment& environment) {
  if (is_no_edit(id))
    return usage_error("RIDGE-WB-0094", fmt::format("'{}' is no change of the model", id))
        .hint("ridge advise shows what to do instead");
  const Rule* const rule = rule_named(id);
  if (rule == nullptr && id != kInt8) return unknown_finding(id);
  const session::Workbench bench =
      TRY(session::make_workbench(request.model, request.spec, environment));
  const session::Point point = session::points_of(request.spec).at(0);
  const Resolved resolved = TRY(bench.resolve(point));
  if (rule == nullptr) {
    const measure::Request own = TRY(bench.request(point));
    Result<Resolved> copy = int8_copy({&resolved, own});
    if (!copy.ok()) return std::move(copy).error().in_file(request.model);
    return write_edited(resolved, *copy, path);
  }
  const std::vector<rewrite::Site> sites = rule->find(resolved);
  if (sites.empty())
    return input_error("RIDGE-WB-0092", fmt::format("'{}' applies nowhere in this model", id))
        .hint("findings of this model: ridge advise " + request.model)
        .in_file(request.model);
  const Resolved better = TRY(rewrite::rewritten(resolved, *rule, sites));
  return write_edited(resolved, better, path);
}

}  // namespace ridge::advice
