// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/explain_verb.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "base/suggest.h"
#include "base/text.h"
#include "cli/flags/document_options.h"
#include "cli/flags/sizes.h"
#include "cli/measuring_environment.h"
#include "cli/verbs/explain_target.h"
#include "export/explanation.h"
#include "export/profile/layer_text.h"
#include "ops/describe.h"
#include "session/model_source.h"
#include "session/run_source.h"
#include "session/series.h"

namespace ridge::cli {
namespace {

/// Versions of an operator by name: "Conv", "ai.onnx.Conv", "com.microsoft.Attention".
std::vector<const ops::Operator*> operator_named(std::string_view text) {
  std::vector<const ops::Operator*> rows = ops::versions("", text);
  const std::size_t dot = text.rfind('.');
  if (!rows.empty() || dot == std::string_view::npos) return rows;
  const std::string_view domain = text.substr(0, dot);
  return ops::versions(domain == "ai.onnx" ? "" : domain, text.substr(dot + 1));
}

/// Hint for an unknown operator: the same name in another domain, else a similar name.
std::string operator_hint(const std::string& text) {
  std::vector<std::string> names;
  for (const ops::Operator* row : ops::all()) {
    const std::string full = row->domain.empty()
                                 ? std::string(row->name)
                                 : std::string(row->domain) + "." + std::string(row->name);
    if (row->name == text) return fmt::format("did you mean '{}'?", full);
    if (names.empty() || names.back() != full) names.push_back(full);
  }
  const std::vector<std::string> near = near_names(text, names);
  return near.empty() ? "ridge operators lists the operators; to explain a node of a model: ridge "
                        "explain MODEL NODE"
                      : fmt::format("did you mean '{}'?", near[0]);
}

constexpr Document<const exports::Explanation&> kExplanationDocument = {
    .table = exports::write_explanation_text,
    .described = exports::write_explanation_document,
    .md = exports::write_explanation_markdown};

Result<void> write_explanation(const exports::Explanation& explanation,
                               const ExplainOptions& options, Console& console) {
  Output output = TRY(Output::open(options.output, console));
  kExplanationDocument.write(options.format, explanation, output.sink());
  return output.close();
}

Result<void> explain_operator(const ExplainOptions& options, Console& console) {
  const std::vector<const ops::Operator*> rows = operator_named(options.source);
  if (rows.empty() && session::is_run_source(options.source))
    return usage_error("RIDGE-CLI-0205",
                       fmt::format("'{}' is a run; expected also a layer or node", options.source))
        .hint(fmt::format("name the layer or node: ridge explain {} layer:0", options.source));
  if (rows.empty())
    return usage_error("RIDGE-CLI-0203", fmt::format("unknown operator '{}'", options.source))
        .hint(operator_hint(options.source));
  return write_explanation({.subject = options.source, .versions = rows}, options, console);
}

Result<void> explain_run(const ExplainOptions& options, Console& console) {
  const std::vector<profile::Profile> runs = TRY(session::load_profiles(options.source));
  if (runs.size() > 1)
    return usage_error("RIDGE-CLI-0206", fmt::format("{} contains {}, expected one", options.source,
                                                     counted(std::ssize(runs), "run")))
        .hint("name one run: STORE:NUMBER, or a document with a single run");
  const Target target = TRY(find_in_run(options.what, runs[0]));
  return write_explanation(
      {.subject = options.source, .node = target.node, .run = &runs[0], .layers = target.layers},
      options, console);
}

/// Resolves the model at the only point of the options.
Result<analysis::Resolved> resolved_model(const ExplainOptions& options,
                                          const session::OpenedModel& opened) {
  const SizeFlags flags = TRY(parse_sizes(options.measuring.binds, options.measuring.shapes));
  const session::MeasureSpec spec = TRY(spec_of(options.measuring));
  const std::vector<session::Point> points =
      TRY(session::with_arrays({{TRY(single_point(flags))}}, spec, *opened.model));
  return analysis::resolve(opened.model, points[0].bindings, opened.defaults);
}

Result<profile::Profile> measured_model(const ExplainOptions& options, Console& console) {
  const ConsoleEnvironment environment(console);
  session::Series measured =
      TRY(session::measure_series(options.source, TRY(spec_of(options.measuring)), *environment));
  if (measured.roof_error) return std::move(*measured.roof_error);
  return std::move(measured.sweep.profiles.front());
}

Result<void> explain_model(const ExplainOptions& options, Console& console) {
  const session::OpenedModel opened = TRY(session::open_model(options.source));
  exports::Explanation explanation{.subject = options.source};
  if (is_layer_name(options.what) && !options.measure)
    return usage_error("RIDGE-CLI-0207", "the layers of a model are only known after measuring it")
        .hint("omit --no-measure, or name a run: ridge explain run.json layer:0");
  if (!is_layer_name(options.what)) explanation.node = TRY(find_node(options.what, *opened.model));
  const analysis::Resolved resolved = TRY(resolved_model(options, opened));
  explanation.resolved = &resolved;
  if (!options.measure) {  // measuring reports the notes itself
    for (const std::string& note : resolved.notes()) warn(console, options.source, note);
    return write_explanation(explanation, options, console);
  }
  const Result<profile::Profile> run = measured_model(options, console);
  if (!run.ok()) {
    if (explanation.node) TRY(write_explanation(explanation, options, console));
    return run.error();
  }
  explanation.run = &*run;
  explanation.layers = explanation.node ? exports::layers_of(*run, *explanation.node)
                                        : TRY(find_in_run(options.what, *run)).layers;
  return write_explanation(explanation, options, console);
}

Result<void> run_explain(const ExplainOptions& options, Console& console) {
  if (options.what.empty()) return explain_operator(options, console);
  return session::is_run_source(options.source) ? explain_run(options, console)
                                                : explain_model(options, console);
}

}  // namespace

int explain(const ExplainOptions& options, Console& console) {
  const Result<void> done = run_explain(options, console);
  return done.ok() ? kDone : report(console, done.error());
}

Run setup_explain(Flags& flags) {
  auto options = std::make_shared<ExplainOptions>();
  flags
      .add("SOURCE", options->source,
           "an ONNX file, zoo:NAME, or a run (run.json, runs.db:7); alone: an operator's name")
      .required();
  flags.add("WHAT", options->what,
            "a layer as in tables (layer:7), or a node's index, name or part of its name");
  // A short measurement suffices for one node.
  options->measuring.processes = 1;
  options->measuring.process_s = 1;
  add_measuring_options(flags, options->measuring, OptionScope::kPoint);
  flags.add(
      "--no-measure", [options] { options->measure = false; },
      "analyze only; do not run the model");
  add_document_options(flags, options->format, options->output, kExplanationDocument.formats());
  return [options](Console& console) { return explain(*options, console); };
}

}  // namespace ridge::cli
