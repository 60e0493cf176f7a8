#include "cli/compare_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"
#include "cli/measuring_environment.h"
#include "runtime/runtime.h"
#include "workbench/columns.h"
#include "workbench/model_source.h"
#include "workbench/run_source.h"

namespace ridge::cli {
namespace {

using profile::Profile;

std::vector<std::string> runtime_names() {
  std::vector<std::string> out;
  for (const runtime::KnownRuntime& known : runtime::known_runtimes()) out.emplace_back(known.name);
  return out;
}

Result<Columns> measured_alone(const CompareOptions& options, Console& console) {
  const workbench::MeasureSpec spec = TRY(spec_of(options.measuring));
  if (workbench::count_points(spec) < 2)
    return usage_error("RIDGE-CLI-0053", "one runtime at one point makes one column")
        .hint("give several: --runtimes ort,openvino, --threads 1,2 or --bind batch=1,8");
  const ConsoleEnvironment environment(console);
  workbench::MeasuredColumns measured =
      TRY(workbench::measure_columns(options.runs[0], spec, turns_of(options), *environment));
  Columns out{{}, measured.whole};
  for (workbench::MeasuredColumns::Column& c : measured.columns) {
    compare::RunFacts facts = compare::facts_of(c.profile);
    facts.runtime = c.runtime;
    out.all.push_back({c.runtime, std::move(facts), std::move(c.profile)});
  }
  return out;
}

/// The name of --runtimes of what a run says it ran in.
Result<std::string> runtime_of(const Profile& run, const std::string& source) {
  for (const runtime::KnownRuntime& known : runtime::known_runtimes())
    if (run.subject.runtime == known.title || run.subject.runtime == known.other_name)
      return std::string(known.name);
  return usage_error("RIDGE-CLI-0072", fmt::format("{} ran in '{}', which ridge cannot start",
                                                   source, run.subject.runtime))
      .hint(fmt::format("say what to measure in: --runtimes {}", fmt::join(runtime_names(), ",")));
}

/// Measured as the first run was.
class BesideRuns {
 public:
  BesideRuns(const CompareOptions& options, Console& console)
      : options_(options), console_(console) {}

  Result<Columns> run() {
    for (const std::string& source : options_.runs)
      if (!workbench::names_model(source)) TRY(load(source));
    for (std::size_t i = 0; i < options_.runs.size(); ++i)
      if (workbench::names_model(options_.runs[i])) TRY(measure(options_.runs[i], i));
    return std::move(out_);
  }

 private:
  Result<void> load(const std::string& source) {
    for (Profile& p : TRY(workbench::load_profiles(source)))
      out_.all.push_back({source, compare::facts_of(p), std::move(p)});
    return {};
  }

  /// Its columns stand where it was given: behind those of the `before` sources before it.
  Result<void> measure(const std::string& model, std::size_t before) {
    const std::string first = out_.all[0].source;
    const Profile& like = out_.all[0].profile;
    MeasuringOptions measuring = options_.measuring;
    if (measuring.runtimes.empty()) measuring.runtimes.push_back(TRY(runtime_of(like, first)));
    if (!options_.threads_given && like.subject.threads)
      measuring.threads = std::to_string(*like.subject.threads);
    const ConsoleEnvironment environment(console_);
    workbench::MeasuredColumns measured = TRY(workbench::measure_columns(
        model, TRY(spec_of(measuring)), measure::Turns::kProcesses, *environment, &like));
    out_.whole = measured.whole;
    auto at = std::ranges::find_if(out_.all, [&](const Column& c) {
      return static_cast<std::size_t>(std::ranges::find(options_.runs, c.source) -
                                      options_.runs.begin()) > before;
    });
    for (workbench::MeasuredColumns::Column& c : measured.columns) {
      compare::RunFacts facts = compare::facts_of(c.profile);
      console_.err.write(printable(fmt::format(
          "{} was measured as {} was, where no option says otherwise: {}, {}{}{}", model, first,
          c.runtime, facts.threads, facts.sizes.empty() ? "" : ", ", facts.sizes)));
      console_.err.write("\n");
      at = std::next(out_.all.insert(at, {model, std::move(facts), std::move(c.profile)}));
    }
    return {};
  }

  const CompareOptions& options_;
  Console& console_;
  Columns out_;
};

}  // namespace

measure::Turns turns_of(const CompareOptions& options) {
  return options.turns == "processes" ? measure::Turns::kProcesses : measure::Turns::kRuns;
}

bool measures_alone(const CompareOptions& options) {
  return !options.measuring.runtimes.empty() && options.runs.size() == 1;
}

Result<Columns> columns_of(const CompareOptions& options, Console& console) {
  TRY(workbench::check(TRY(spec_of(options.measuring))));
  if (measures_alone(options)) return measured_alone(options, console);
  const auto model = std::ranges::find_if(options.runs, workbench::names_model);
  const auto models = std::ranges::count_if(options.runs, workbench::names_model);
  if (models != 1 && !options.measuring.runtimes.empty())
    return usage_error("RIDGE-CLI-0052", "--runtimes measures one model, and several are given")
        .hint("profile each, then compare the profiles");
  if (models > 1 || (models == 1 && options.runs.size() == 1))
    return usage_error("RIDGE-CLI-0054", fmt::format("'{}' is a model, not a run", *model))
        .hint(fmt::format("measure it: ridge compare {} --runtimes {}", *model,
                          fmt::join(runtime_names(), ",")));
  return BesideRuns(options, console).run();
}

}  // namespace ridge::cli
