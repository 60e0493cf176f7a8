// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as the document of an evaluation, for tables and for comparisons. What a
// comparison reads has as many answers and times as samples, and can be compared with itself and
// printed.
#include "compare/evaluation_run.h"

#include "base/sink.h"
#include "check.h"
#include "cli/verbs/eval/tables.h"
#include "compare/evaluation_comparison.h"
#include "compare/evaluation_describe.h"
#include "evaluation/record/document.h"
#include "evaluation/repeat/runs.h"
#include "export/evaluation/comparison_table.h"
#include "record/json_write.h"
#include "report/evaluation/comparison_page.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using ridge::fuzz::check;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto shown = ridge::evaluation::read_evaluation(text);
  if (!shown.ok()) return 0;
  (void)ridge::cli::table_of(*shown, true).csv();
  auto runs = ridge::evaluation::runs_of(std::move(*shown), "fuzzed");
  if (!runs.ok()) {
    check(runs.error().code() == "RIDGE-CMP-0020");
    return 0;
  }
  for (const ridge::compare::EvaluationRun& run : *runs) {
    check(run.predicted.empty() || run.predicted.size() == run.samples.size());
    check(run.correct.empty() || run.correct.size() == run.samples.size());
    check(run.prepare_ns.empty() || run.prepare_ns.size() == run.samples.size());
  }
  runs->push_back(runs->front());
  const auto compared = ridge::compare::compare_evaluations(std::move(*runs));
  if (!compared.ok()) return 0;
  ridge::StringSink sink;
  ridge::record::write_json(*compared, sink);
  ridge::exports::write_evaluation_comparison_text(*compared, {20}, sink);
  (void)ridge::report::evaluation_comparison_page(*compared);
  return 0;
}
