// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/eval/files.h"

#include "base/text.h"
#include "evaluation/run/trace.h"
#include "export/formats/chrome_trace.h"
#include "export/formats/perfetto_trace.h"
#include "report/evaluation/report.h"

namespace ridge::cli {

void write_eval_files(const EvalOptions& options, const evaluation::Evaluation& evaluation,
                      const session::Environment& environment, Writing& writing, Console& console) {
  if (!options.trace.empty()) {
    const evaluation::EvaluationTrace trace = evaluation::trace_of(evaluation);
    writing.done(Output::write(
        options.trace,
        [&](Sink& sink) {
          options.trace.ends_with(".pftrace") ? exports::write_perfetto_trace(trace.profile, sink)
                                              : exports::write_chrome_trace(trace.profile, sink);
        },
        console));
    for (const std::string& line : evaluation::stack_lines(trace))
      environment.notices.status(printable(line));
  }
  if (!options.report.empty())
    writing.done(Output::write(options.report, report::evaluation_report(evaluation), console));
}

}  // namespace ridge::cli
