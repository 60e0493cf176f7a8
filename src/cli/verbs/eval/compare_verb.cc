// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/eval/compare_verb.h"

#include <algorithm>
#include <memory>

#include "base/text.h"
#include "cli/flags/document_options.h"
#include "cli/flags/name_value.h"
#include "compare/evaluation_describe.h"
#include "compare/evaluation_limit.h"
#include "evaluation/repeat/comparison.h"
#include "export/evaluation/comparison_table.h"
#include "report/evaluation/comparison_page.h"

namespace ridge::cli {
namespace {

using compare::EvaluationComparison;

Result<std::vector<evaluation::EvaluationSource>> evaluation_sources(
    const EvalCompareOptions& options) {
  std::vector<evaluation::EvaluationSource> out;
  for (const std::string& path : options.documents) out.push_back({"", path});
  for (const std::string& text : options.labels) {
    const auto [label, path] = TRY(name_and_value(text, "--label"));
    const auto named = std::ranges::find(out, path, &evaluation::EvaluationSource::path);
    if (named == out.end())
      return usage_error("RIDGE-CLI-0170", "--label names no document that is compared")
          .hint("--label NAME=DOCUMENT, with a document of the command line");
    named->label = label;
  }
  return out;
}

constexpr Document<const EvaluationComparison&, const exports::EvaluationComparisonPage&>
    kEvaluationComparisonDocument = {
        .table = exports::write_evaluation_comparison_text,
        .described = [](auto& c, auto&, auto& out) { out.write(c); },
        .csv = [](auto& c, auto&,
                  Sink& sink) { exports::write_evaluation_comparison_csv(c, sink); },
        .md = exports::write_evaluation_comparison_markdown,
        .html = [](auto& c, auto&,
                   Sink& sink) { sink.write(report::evaluation_comparison_page(c)); }};

Result<int> run_eval_compare(const EvalCompareOptions& options, Console& console) {
  std::vector<compare::EvaluationLimit> limits;
  for (const std::string& text : options.fail_on)
    limits.push_back(TRY(compare::parse_evaluation_limit(text)));
  Output output = TRY(Output::open(options.output, console));
  const EvaluationComparison c =
      TRY(evaluation::compare_documents(TRY(evaluation_sources(options))));
  kEvaluationComparisonDocument.write(options.format, c, {options.top}, output.sink());
  Writing writing(console);
  writing.done(output.close());
  if (!options.report.empty())
    writing.done(Output::write(options.report, report::evaluation_comparison_page(c), console));
  const auto uncertain =
      options.fail_on_uncertain ? compare::Uncertain::kFails : compare::Uncertain::kPasses;
  bool holds = true;
  for (const compare::EvaluationLimit& limit : limits)
    for (const compare::Checked& check : compare::check(limit, c, uncertain)) {
      console.err.write((check.fails ? "check failed: " : "check passed: ") +
                        printable(check.text) + "\n");
      holds &= !check.fails;
    }
  return writing.status(holds ? kDone : kCheckFailed);
}

}  // namespace

int eval_compare(const EvalCompareOptions& options, Console& console) {
  const Result<int> status = run_eval_compare(options, console);
  return status.ok() ? *status : report(console, status.error());
}

Run setup_eval_compare(Flags& flags) {
  auto o = std::make_shared<EvalCompareOptions>();
  flags
      .add("DOCUMENT", o->documents,
           "documents of ridge eval --format json, the first is the baseline; each runtime of a "
           "document counts")
      .required();
  flags.add("--label", o->labels, "label of a document: NAME=DOCUMENT; repeatable").single();
  flags
      .add("--fail-on", o->fail_on,
           "exit with 1 if significantly worse: 'accuracy<0%', 'changed>5%', 'latency>5%', "
           "'p99>5%', 'throughput<-5%', 'preprocessing>5%', or outputs: 'agreement<99%', "
           "'kl>0.01', 'js>0.01', 'difference>1e-3'; repeatable")
      .single();
  flags.add("--fail-on-uncertain", o->fail_on_uncertain,
            "exit with 1 also if a limit of --fail-on lies in the interval");
  flags.add("--top", o->top, "changed samples in tables (20); 0 shows all");
  add_document_options(flags, o->format, o->output, kEvaluationComparisonDocument.formats());
  add_report_option(flags, o->report);
  return [o](Console& console) { return eval_compare(*o, console); };
}

}  // namespace ridge::cli
