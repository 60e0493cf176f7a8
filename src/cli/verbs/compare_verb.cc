// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/compare_verb.h"

#include <fmt/format.h>

#include <memory>

#include "base/text.h"
#include "cli/flags/document_options.h"
#include "cli/flags/name_value.h"
#include "cli/flags/percentage.h"
#include "cli/interrupt.h"
#include "cli/measuring_environment.h"
#include "compare/comparison.h"
#include "compare/run_limit.h"
#include "export/comparison/json.h"
#include "export/comparison/table.h"
#include "report/comparison/page.h"
#include "session/comparison.h"

namespace ridge::cli {
namespace {

using compare::Comparison;

Result<double> threshold_of(const std::string& text) {
  if (text.empty()) return compare::kThreshold;
  return parse_percentage("--threshold", text);
}

exports::CompareBy by_of(const std::string& text) {
  if (text == "module") return exports::CompareBy::kModule;
  return text == "op" ? exports::CompareBy::kOperator : exports::CompareBy::kGroup;
}

constexpr Document<const Comparison&, const exports::ComparisonPage&> kComparisonDocument = {
    .table = exports::write_comparison_text,
    .described = [](auto& c, auto&, auto& out) { exports::write_comparison_document(c, out); },
    .csv = [](auto& c, auto& page, Sink& sink) { exports::write_comparison_csv(c, page.by, sink); },
    .md = exports::write_comparison_markdown,
    .html = [](auto& c, auto&, Sink& sink) { sink.write(report::comparison_page(c)); }};

Result<std::vector<compare::Checked>> checked_limits(const std::vector<compare::RunLimit>& limits,
                                                     const CompareOptions& options,
                                                     const Comparison& c) {
  const auto uncertain =
      options.fail_on_uncertain ? compare::Uncertain::kFails : compare::Uncertain::kPasses;
  std::vector<compare::Checked> out;
  for (const compare::RunLimit& limit : limits)
    for (compare::Checked& check : TRY(compare::check(limit, c, uncertain)))
      out.push_back(std::move(check));
  return out;
}

Result<session::CompareSources> compared_sources(const CompareOptions& options) {
  session::CompareSources out;
  out.runs = options.runs;
  out.spec = TRY(spec_of(options.measuring));
  if (!options.threads_given) out.spec.threads.clear();
  if (options.turns == "processes") out.turns = measure::Turns::kProcesses;
  for (const std::string& text : options.labels)
    out.labels.push_back(TRY(name_and_value(text, "--label")));
  return out;
}

Result<int> run_compare(const CompareOptions& options, Console& console) {
  std::vector<compare::RunLimit> limits;
  for (const std::string& text : options.fail_on)
    limits.push_back(TRY(compare::parse_run_limit(text)));
  const double threshold = TRY(threshold_of(options.threshold));
  Output output = TRY(Output::open(options.output, console));
  const Interruption interruption;
  const ConsoleEnvironment environment(console);
  const auto [c, complete] =
      TRY(session::compare_sources(TRY(compared_sources(options)), threshold, *environment));
  const std::vector<compare::Checked> checks = TRY(checked_limits(limits, options, c));
  kComparisonDocument.write(options.format, c, {by_of(options.by), options.top}, output.sink());
  Writing writing(console);
  writing.done(output.close());
  if (!options.report.empty())
    writing.done(Output::write(options.report, report::comparison_page(c), console));
  bool holds = complete;
  for (const compare::Checked& check : checks) {
    console.err.write((check.fails ? "check failed: " : "check passed: ") + printable(check.text) +
                      "\n");
    holds &= !check.fails;
  }
  if (Interruption::requested()) return kInterrupted;
  return writing.status(holds ? kDone : kCheckFailed);
}

}  // namespace

int compare_runs(const CompareOptions& options, Console& console) {
  const Result<int> status = run_compare(options, console);
  if (status.ok()) return *status;
  const int code = report(console, status.error());
  return Interruption::requested() ? kInterrupted : code;
}

Run setup_compare(Flags& flags) {
  auto o = std::make_shared<CompareOptions>();
  flags
      .add("RUN", o->runs,
           "runs or models to compare, the first is the baseline; models are measured in turns")
      .required();
  flags
      .add("--turns", o->turns,
           "what alternates: runs (all models loaded at once) or processes (one model at a time)")
      .one_of({"runs", "processes"});
  flags.add("--by", o->by, "rows: group (the smallest groups of nodes), module or op")
      .one_of({"group", "module", "op"});
  flags.add("--top", o->top, "rows in tables, largest time difference first (20); 0 shows all");
  flags.add("--threshold", o->threshold,
            "smallest difference that is reported as faster or slower (0%)");
  flags.add("--label", o->labels, "label of a run: NAME=RUN; repeatable").single();
  flags
      .add("--fail-on", o->fail_on,
           "exit with 1 if significantly slower: 'latency>5%', 'group>10%', 'module:layer1>5%', "
           "'latency>3ms'; repeatable")
      .single();
  flags.add("--fail-on-uncertain", o->fail_on_uncertain,
            "exit with 1 also if a limit of --fail-on lies in the interval");
  add_document_options(flags, o->format, o->output, kComparisonDocument.formats());
  add_report_option(flags, o->report);
  o->measuring.processes = compare::kProcesses;
  o->measuring.runtimes.clear();
  add_measuring_options(flags, o->measuring, OptionScope::kColumns);
  return [o, &flags](Console& console) {
    o->threads_given = flags.given("threads");
    return compare_runs(*o, console);
  };
}

}  // namespace ridge::cli
