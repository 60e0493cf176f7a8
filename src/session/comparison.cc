// SPDX-License-Identifier: Apache-2.0
#include "session/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"
#include "runtime/paths.h"
#include "session/column_labels.h"
#include "session/columns.h"
#include "session/model_source.h"
#include "session/run_source.h"

namespace ridge::session {
namespace {

using profile::Profile;

std::vector<std::string> runtime_names() {
  std::vector<std::string> out;
  for (const runtime::KnownRuntime& known : runtime::known_runtimes()) out.emplace_back(known.name);
  return out;
}

Result<Columns> measure_models(const CompareSources& sources, const Environment& environment) {
  MeasureSpec spec = sources.spec;
  if (spec.runtimes.empty()) spec.runtimes = MeasureSpec().runtimes;
  if (spec.threads.empty()) spec.threads = MeasureSpec().threads;
  if (sources.runs.size() * count_points(spec) < 2)
    return usage_error("RIDGE-WB-0053", "nothing to compare: one model in one runtime at one point")
        .hint("give a second model, or --runtimes ort,openvino, --threads 1,2 or --bind batch=1,8");
  MeasuredColumns measured = TRY(measure_columns(sources.runs, spec, sources.turns, environment));
  Columns out{{}, measured.complete};
  for (MeasuredColumns::Column& c : measured.columns) {
    compare::RunFacts facts = compare::facts_of(c.profile);
    facts.runtime = c.runtime;
    out.all.push_back({sources.is_single_model() ? c.runtime : sources.runs[c.model],
                       std::move(facts), std::move(c.profile)});
  }
  return out;
}

/// Name in --runtimes of the runtime in which `run` was measured.
Result<std::string> runtime_of(const Profile& run, const std::string& source) {
  for (const runtime::KnownRuntime& known : runtime::known_runtimes())
    if (run.subject.runtime == known.title || run.subject.runtime == known.other_name)
      return std::string(known.name);
  return usage_error("RIDGE-WB-0072", fmt::format("{} ran in '{}', which ridge cannot start",
                                                  source, run.subject.runtime))
      .hint(fmt::format("name the runtime to measure in: --runtimes {}, or the path of its plug-in",
                        fmt::join(runtime_names(), ",")));
}

/// Loads the runs, and measures the model with the settings of the first run.
class ColumnLoader {
 public:
  ColumnLoader(const CompareSources& sources, const Environment& environment)
      : sources_(sources), environment_(environment) {}

  Result<Columns> run() {
    for (const std::string& source : sources_.runs)
      if (!is_model_name(source)) TRY(load(source));
    for (std::size_t i = 0; i < sources_.runs.size(); ++i)
      if (is_model_name(sources_.runs[i])) TRY(measure(sources_.runs[i], i));
    return std::move(out_);
  }

 private:
  Result<void> load(const std::string& source) {
    for (Profile& p : TRY(load_profiles(source)))
      out_.all.push_back({source, compare::facts_of(p), std::move(p)});
    return {};
  }

  /// Inserts the model's columns after the columns of the `before` sources that precede it.
  Result<void> measure(const std::string& model, std::size_t before) {
    const std::string first = out_.all[0].source;
    const Profile& like = out_.all[0].profile;
    MeasureSpec spec = sources_.spec;
    if (spec.runtimes.empty()) spec.runtimes.push_back(TRY(runtime_of(like, first)));
    if (spec.threads.empty()) spec.threads = {like.subject.threads.value_or(1)};
    MeasuredColumns measured =
        TRY(measure_columns({&model, 1}, spec, measure::Turns::kProcesses, environment_, &like));
    out_.complete = measured.complete;
    auto at = std::ranges::find_if(out_.all, [&](const Column& c) {
      return static_cast<std::size_t>(std::ranges::find(sources_.runs, c.source) -
                                      sources_.runs.begin()) > before;
    });
    for (MeasuredColumns::Column& c : measured.columns) {
      compare::RunFacts facts = compare::facts_of(c.profile);
      environment_.notices.status(printable(fmt::format(
          "{} was measured with the settings of {}, except where options override them: {}, {}{}{}",
          model, first, c.runtime, facts.threads, facts.sizes.empty() ? "" : ", ", facts.sizes)));
      at = std::next(out_.all.insert(at, {model, std::move(facts), std::move(c.profile)}));
    }
    return {};
  }

  const CompareSources& sources_;
  const Environment& environment_;
  Columns out_;
};

}  // namespace

bool CompareSources::are_models() const {
  return std::ranges::all_of(runs, is_model_name) || (runs.size() == 1 && !spec.runtimes.empty());
}

Result<Columns> columns_of(const CompareSources& sources, const Environment& environment) {
  TRY(check(sources.spec));
  if (sources.are_models()) return measure_models(sources, environment);
  const auto models = std::ranges::count_if(sources.runs, is_model_name);
  if (models == 0 && !sources.spec.runtimes.empty())
    return usage_error("RIDGE-WB-0052", "--runtimes requires a model to measure")
        .hint("give a model, or leave --runtimes out");
  if (models > 1)
    return usage_error("RIDGE-WB-0054",
                       fmt::format("{} models beside earlier runs: one can be measured", models))
        .hint("compare the models alone, which measures them in turns, or profile each first");
  return ColumnLoader(sources, environment).run();
}

Result<Compared> compare_sources(const CompareSources& sources, double threshold,
                                 const Environment& environment) {
  Columns columns = TRY(columns_of(sources, environment));
  const bool in_turns = sources.are_models() && sources.turns == measure::Turns::kRuns;
  const auto measuring = in_turns ? compare::Measuring::kInterleaved : compare::Measuring::kApart;
  return Compared{TRY(compare::compare_runs(TRY(label_columns(sources, std::move(columns.all))),
                                            {.threshold = threshold, .measuring = measuring})),
                  columns.complete};
}

}  // namespace ridge::session
