#include "cli/verbs/eval_files.h"

#include "base/text.h"
#include "workbench/evaluation_report.h"
#include "workbench/evaluation_trace.h"

namespace ridge::cli {

Result<void> write_eval_files(const EvalOptions& options, const workbench::Evaluation& evaluation,
                              const workbench::Environment& environment, Console& console) {
  if (!options.trace.empty()) {
    Output output = TRY(Output::open(options.trace, console));
    const workbench::EvaluationTrace trace = workbench::trace_of(evaluation);
    workbench::write_trace(trace, options.trace, output.sink());
    TRY(output.close());
    for (const std::string& line : workbench::stack_lines(trace))
      environment.notices.status(printable(line));
  }
  if (!options.report.empty())
    TRY(Output::write(options.report, workbench::evaluation_report(evaluation), console));
  return {};
}

}  // namespace ridge::cli
