// SPDX-License-Identifier: Apache-2.0
#include "lab/bundle/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/percent.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "compare/comparison.h"
#include "compare/evaluation_comparison.h"
#include "compare/rows.h"
#include "evaluation/record/document.h"
#include "evaluation/repeat/lock.h"
#include "evaluation/repeat/runs.h"
#include "evaluation/run/evaluation.h"
#include "machine/describe.h"
#include "profile/summary.h"
#include "record/json_read.h"
#include "session/run_key.h"
#include "session/series.h"

namespace ridge::lab {
namespace {

using compare::Verdict;
using profile::Profile;

std::string changed(std::string_view what, std::string_view then, std::string_view now) {
  return fmt::format("{}: {} then, {} now", what, printable(then), printable(now));
}

/// Where and in what something was measured.
struct Setting {
  std::string machine, runtime, ridge;
};

Setting setting_of(const Profile& run) {
  return {profile::machine_name(run.host_json),
          run.subject.runtime + " " + run.subject.runtime_version, run.subject.ridge_version};
}

/// Begins a judgment: not comparable where machine or runtime differ.
Replay begin(const Setting& then, const Setting& now, std::vector<std::string>& differences) {
  if (then.machine != now.machine)
    differences.push_back(changed("another machine", then.machine, now.machine));
  if (then.runtime != now.runtime)
    differences.push_back(changed("another runtime", then.runtime, now.runtime));
  Replay out;
  if (!differences.empty()) out.verdict = ReplayVerdict::kNotComparable;
  if (then.ridge != now.ridge) differences.push_back(changed("ridge", then.ridge, now.ridge));
  return out;
}

void add_sentences(const std::vector<std::string>& sentences, Replay& out) {
  out.why.insert(out.why.end(), sentences.begin(), sentences.end());
}

void differ(Replay& out) {
  if (out.verdict == ReplayVerdict::kNoDifference) out.verdict = ReplayVerdict::kDifferent;
}

std::string change_text(double ratio, const std::optional<stats::Interval>& interval) {
  std::string out = signed_percent(ratio - 1);
  if (interval)
    out += fmt::format(" [{:+.1f}, {:+.1f}]", 100 * (interval->lo - 1), 100 * (interval->hi - 1));
  return out;
}

std::string figure_of(const compare::Cell& cell) {
  if (!cell.ratio) return "the latency is not known on both sides";
  std::string out = "latency " + change_text(*cell.ratio, cell.ratio_interval);
  if (cell.detectable && cell.verdict != Verdict::kDrift)
    out += fmt::format("; a difference of {:.0f} % could have been shown", 100 * *cell.detectable);
  return out;
}

/// A ratio of evaluations: shown to differ where its interval lies apart from 1.
void add_ratio(std::string_view what, const stats::Estimate& ratio, Replay& out) {
  out.why.push_back(fmt::format("{} {}", what, change_text(ratio.value, ratio.interval)));
  if (ratio.interval && (ratio.interval->lo > 1 || ratio.interval->hi < 1)) differ(out);
}

void add_answers(const compare::EvaluationDifference& d, Replay& out) {
  if (!d.changed) return;
  out.why.push_back(
      fmt::format("{} of {} have another answer", d.answers.size(), counted(d.samples, "sample")));
  if (!d.answers.empty()) differ(out);
}

/// The one run of a database that holds no other.
Result<store::RunId> only_run(const store::Store& store, const Bundle& bundle) {
  const auto id = TRY(store.last());
  if (id && bundle.index().result == "run") return *id;
  return input_error("RIDGE-LAB-0018", "the bundle has no run").in_file(bundle.path());
}

}  // namespace

std::vector<std::string> less_fit(std::string_view then, const std::vector<machine::Check>& now) {
  using Checks = std::vector<machine::Check>;
  const Result<Checks> before = record::read_json<Checks>(then);
  if (!before.ok()) return {"how fit the machine was then is not known"};
  std::vector<std::string> out;
  for (const machine::Check& check : now) {
    const auto same = std::ranges::find(*before, check.check, &machine::Check::check);
    if (check.ok == false && same != before->end() && same->ok != false)
      out.push_back(fmt::format("this machine is less fit than then ({}): {}, then {}", check.check,
                                check.finding, printable(same->finding)));
  }
  return out;
}

Result<Replay> judge(Profile sealed, Profile now) {
  std::vector<std::string> differences;
  Replay out = begin(setting_of(sealed), setting_of(now), differences);
  const auto processes = std::ssize(sealed.latency.processes);
  const compare::Comparison compared =
      TRY(compare::compare_runs({{"sealed", std::move(sealed)}, {"now", std::move(now)}}));
  const compare::Cell& cell = compared.latency.cells[1];
  out.why.push_back(figure_of(cell));
  if (const auto& drift = compared.drifts[1]; drift && cell.verdict == Verdict::kDrift)
    out.why.push_back(
        fmt::format("drift of the machine between then and now may explain up to {:.1f} %",
                    100 * drift->share(cell.scatter)));
  if (cell.verdict == Verdict::kNotJudged) {
    out.verdict = ReplayVerdict::kNotComparable;
    out.why.push_back(cell.reason);
    if (processes < compare::kProcesses)
      out.why.push_back(fmt::format("the sealed run has {}", counted(processes, "process")));
  }
  if (cell.verdict == Verdict::kFaster || cell.verdict == Verdict::kSlower) differ(out);
  add_sentences(differences, out);
  return out;
}

Result<Replay> judge(evaluation::Evaluation sealed, evaluation::Evaluation now) {
  const auto setting = [](const evaluation::Evaluation& e) {
    const std::string runtime =
        e.points.empty() ? "" : e.points[0].runtime.name + " " + e.points[0].runtime.version;
    return Setting{e.host, runtime, e.ridge};
  };
  std::vector<std::string> differences;
  Replay out = begin(setting(sealed), setting(now), differences);
  std::vector<compare::EvaluationRun> runs = TRY(evaluation::runs_of(std::move(sealed), "sealed"));
  for (compare::EvaluationRun& run : TRY(evaluation::runs_of(std::move(now), "now")))
    runs.push_back(std::move(run));
  const auto compared = TRY(compare::compare_evaluations(std::move(runs)));
  const compare::EvaluationDifference& d = compared.differences.front();
  add_answers(d, out);
  for (const compare::LatencyRatio& latency : d.latency)
    if (latency.percentile == 50) add_ratio("median latency", latency.ratio.ratio, out);
  if (d.completed) add_ratio("queries per second", d.completed->ratio, out);
  add_sentences(differences, out);
  add_sentences(compared.notes, out);
  return out;
}

Result<ReplayedRun> replay_run(const Bundle& bundle, const session::Environment& environment) {
  const TemporaryFolder folder = TRY(TemporaryFolder::make());
  const store::Store store = TRY(bundle.unpack_store(folder.path()));
  const store::RunId id = TRY(only_run(store, bundle));
  Profile sealed = TRY(store.read(id));
  const store::Stamp stamp = TRY(store.stamp(id));
  session::MeasureSpec spec = TRY(session::spec_of_run(sealed, stamp.point));
  spec.processes = std::max(spec.processes, compare::kProcesses);
  const Unpacked files = TRY(bundle.unpack_files(folder.path()));
  for (const BundledFile& file : bundle.index().files)
    if (file.role.starts_with(kInputRole))
      spec.inputs[file.role.substr(kInputRole.size())] = files.at(file.name);
  const std::vector<machine::Check> fitness =
      machine::assess(machine::observe(environment.host, machine::live_files()), {});
  std::string key;
  session::Series now = TRY(session::measure_series(
      files.at(bundle.index().model), spec, environment,
      [&](const Profile&, const std::string& of_point) { key = of_point; }));
  ReplayedRun out{.judged = {}, .now = now.sweep.profiles.front(), .key = std::move(key)};
  out.judged = TRY(judge(std::move(sealed), std::move(now.sweep.profiles.front())));
  add_sentences(less_fit(stamp.fitness, fitness), out.judged);
  return out;
}

Result<Replay> replay_evaluation(const Bundle& bundle, store::Store* store,
                                 const session::Environment& environment) {
  const TemporaryFolder folder = TRY(TemporaryFolder::make());
  manifest::Lock here = TRY(bundle.lock());
  const Unpacked files = TRY(bundle.unpack_files(folder.path()));
  for (manifest::Lock::Item* item : {&here.model, &here.data, &here.labels})
    item->name = files.at(item->name);
  for (manifest::Lock::File& file : here.files) file.name = files.at(file.name);
  const evaluation::EvaluationRequest request = TRY(evaluation::request_of(here));
  TRY(evaluation::check_given(here, request));
  evaluation::Evaluation now =
      TRY(evaluation::evaluate(request, environment,
                               {.store = store,
                                .locked = &here,
                                .different = evaluation::DifferentContent::kAllow,
                                .points = evaluation::Stored::kRepeat}));
  if (now.store_error) return *now.store_error;
  return judge(TRY(bundle.evaluation()), std::move(now));
}

}  // namespace ridge::lab
