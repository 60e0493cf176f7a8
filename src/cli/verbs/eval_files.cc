#include "cli/verbs/eval_files.h"

#include "base/text.h"
#include "workbench/evaluation_report.h"
#include "workbench/evaluation_trace.h"

namespace ridge::cli {

void write_eval_files(const EvalOptions& options, const workbench::Evaluation& evaluation,
                      const workbench::Environment& environment, Writing& writing,
                      Console& console) {
  if (!options.trace.empty()) {
    const workbench::EvaluationTrace trace = workbench::trace_of(evaluation);
    writing.done(Output::write(
        options.trace, [&](Sink& sink) { workbench::write_trace(trace, options.trace, sink); },
        console));
    for (const std::string& line : workbench::stack_lines(trace))
      environment.notices.status(printable(line));
  }
  if (!options.report.empty())
    writing.done(Output::write(options.report, workbench::evaluation_report(evaluation), console));
}

}  // namespace ridge::cli
