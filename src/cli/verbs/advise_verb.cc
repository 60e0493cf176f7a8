#include "cli/verbs/advise_verb.h"

#include <algorithm>
#include <memory>

#include "advice/advice_document.h"
#include "cli/flags/document_options.h"
#include "cli/interrupt.h"
#include "cli/measuring_environment.h"
#include "cli/verbs/advise_tables.h"
#include "workbench/advice.h"

namespace ridge::cli {
namespace {

using advice::Advice;

void write_document(const AdviseOptions& options, const Advice& advice, Sink& sink) {
  const exports::Table table = table_of(advice, options.format == "csv");
  if (options.format == "json") {
    advice::write_advice(advice, sink);
  } else if (options.format == "csv") {
    sink.write(table.csv());
  } else if (options.format == "md") {
    sink.write(table.markdown());
  } else {
    sink.write(figures_text(advice));
    if (!advice.findings.empty()) sink.write("\n" + table.text());
    sink.write(findings_text(advice));
    if (advice.findings.empty()) sink.write("\nno findings\n");
  }
}

/// A check whose outputs differ fails; one that was not judged does not.
bool failed(const advice::Finding& f) { return f.check && f.check->outputs && !f.lossless; }

Result<int> apply(const AdviseOptions& options, const workbench::AdviceRequest& request,
                  Console& console) {
  if (options.output.empty())
    return usage_error("RIDGE-CLI-0130", "--apply requires a file for the changed model")
        .hint("name one: --output better.onnx");
  const ConsoleEnvironment environment(console);
  TRY(workbench::apply_advice(request, options.apply, options.output, *environment));
  return kDone;
}

Result<int> run(const AdviseOptions& options, Console& console) {
  const workbench::AdviceRequest request{.model = options.model,
                                         .spec = TRY(spec_of(options.measuring)),
                                         .store = options.store,
                                         .checks = options.checks};
  if (!options.apply.empty()) return apply(options, request, console);
  Output output = TRY(Output::open(options.output, console));
  const Interruption interruption;
  const ConsoleEnvironment environment(console);
  Advice advice = TRY(workbench::advise(request, *environment));
  if (options.lossless)
    std::erase_if(advice.findings, [](const advice::Finding& f) { return !f.lossless; });
  write_document(options, advice, output.sink());
  TRY(output.close());
  return std::ranges::any_of(advice.findings, failed) ? kCheckFailed : kDone;
}

}  // namespace

int advise(const AdviseOptions& options, Console& console) {
  const Result<int> status = run(options, console);
  const int code = status.ok() ? *status : report(console, status.error());
  return Interruption::requested() ? kInterrupted : code;
}

Run setup_advise(Flags& flags) {
  auto o = std::make_shared<AdviseOptions>();
  flags.add("MODEL", o->model, "ONNX file, or zoo:NAME").required();
  flags
      .add("--check", o->checks,
           "apply this finding, measure before and after in turns and compare outputs; all: every "
           "one, and all together; repeatable")
      .shown_as("ID")
      .single();
  flags.add("--apply", o->apply, "write the model with this finding applied to --output, and stop")
      .shown_as("ID");
  flags.add("--lossless", o->lossless, "only findings that leave the outputs as they are");
  flags.add("--store", o->store,
            "run database with a run of the model, which then is not measured, and with bricks, "
            "from which gains are predicted");
  add_document_options(flags, o->format, o->output, {"table", "json", "csv", "md"},
                       "write the document, or with --apply the changed model, to this file");
  add_measuring_options(flags, o->measuring, OptionScope::kPoint);
  return [o](Console& console) { return advise(*o, console); };
}

}  // namespace ridge::cli
