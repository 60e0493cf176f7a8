// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/trace_verb.h"

#include <fmt/format.h>

#include <memory>
#include <set>

#include "base/text.h"
#include "cli/flags/document_options.h"
#include "compare/run_labels.h"
#include "export/trace/table.h"
#include "session/run_source.h"
#include "store/source.h"
#include "trace/build_view.h"
#include "trace/queries.h"
#include "trace/show.h"

namespace ridge::cli {
namespace {

/// Runs with their views; views point into the runs.
struct Runs {
  std::vector<profile::Profile> profiles;
  std::vector<trace::View> views;
};

/// Labels that distinguish the runs; "" for runs with the same facts.
std::vector<std::string> run_labels(const std::vector<profile::Profile>& profiles) {
  std::vector<compare::RunFacts> facts;
  for (const profile::Profile& p : profiles) facts.push_back(compare::facts_of(p));
  std::vector<std::string> out = compare::distinguishing_labels(facts);
  for (std::string& label : out)
    if (label.starts_with('#')) label.clear();
  return out;
}

/// Loads the runs of `sources` from position `first`. If all are from one store, they are numbered
/// by their ids.
Result<Runs> load(const std::vector<std::string>& sources, std::size_t first) {
  Runs out;
  std::vector<store::RunId> ids;
  std::set<std::string> stores;
  for (std::size_t i = first; i < sources.size(); ++i) {
    const auto stored = store::named_run(sources[i]);
    stores.insert(stored ? stored->database : "");
    for (session::LoadedRun& run : TRY(session::load_runs(sources[i]))) {
      out.profiles.push_back(std::move(run.profile));
      ids.push_back(run.id);
    }
  }
  const std::vector<std::string> labels = run_labels(out.profiles);
  for (std::size_t i = 0; i < out.profiles.size(); ++i) {
    trace::View& view = out.views.emplace_back(trace::build_view(out.profiles[i]));
    if (stores.size() == 1) view.number = ids[i];
    view.label = labels[i];
  }
  return out;
}

Error argument_error(const TraceOptions& options, std::string_view usage) {
  return usage_error("RIDGE-TRACE-0004",
                     fmt::format("ridge trace {}: wrong number of arguments: {}", options.action,
                                 options.arguments.size()))
      .hint(fmt::format("ridge trace {}", usage));
}

Result<trace::Table> query_table(const TraceOptions& options) {
  const std::size_t count = options.arguments.size();
  if (options.action == "list") {
    if (count != 0) return argument_error(options, "list");
    return trace::list_queries();
  }
  if (options.action == "query") {
    if (count < 2) return argument_error(options, "query NAME RUN [RUN...]");
    TRY(trace::find_query(options.arguments[0]));  // fails before a large file is read
    const Runs runs = TRY(load(options.arguments, 1));
    return trace::run_query(options.arguments[0], runs.views);
  }
  if (options.action == "diff") {
    if (count != 2) return argument_error(options, "diff RUN RUN");
    const Runs runs = TRY(load(options.arguments, 0));
    return trace::run_query("diff", runs.views);
  }
  if (count == 0) return argument_error(options, "show RUN [RUN...]");
  const Runs runs = TRY(load(options.arguments, 0));
  return trace::show(runs.views);
}

/// Rows of a table for people: all of what the program or a run consists of, 20 of an answer.
std::size_t rows_shown(const TraceOptions& options) {
  const bool whole = options.action == "list" || options.action == "show";
  return options.top.value_or(whole ? 0 : 20);
}

constexpr Document<const trace::Table&, const TraceOptions&> kTraceDocument = {
    .table = [](auto& t, auto& o,
                Sink& sink) { exports::write_trace_text(t, rows_shown(o), sink); },
    .described = [](auto& t, auto& o,
                    auto& out) { exports::write_trace_document(t, o.top.value_or(0), out); },
    .csv = [](auto& t, auto& o,
              Sink& sink) { exports::write_trace_csv(t, o.top.value_or(0), sink); },
    .md = [](auto& t, auto& o,
             Sink& sink) { exports::write_trace_markdown(t, rows_shown(o), sink); }};

Result<void> run_trace(const TraceOptions& options, Console& console) {
  const trace::Table table = TRY(query_table(options));
  Output output = TRY(Output::open(options.output, console));
  kTraceDocument.write(options.format, table, options, output.sink());
  return output.close();
}

}  // namespace

int trace(const TraceOptions& options, Console& console) {
  const Result<void> done = run_trace(options, console);
  return done.ok() ? kDone : report(console, done.error());
}

Run setup_trace(Flags& flags) {
  auto options = std::make_shared<TraceOptions>();
  flags.add("ACTION", options->action, "query, list, show or diff")
      .required()
      .one_of({"query", "list", "show", "diff"});
  flags.add("ARGUMENTS", options->arguments,
            "query: name of a query, then runs; show: runs; diff: two runs. A run is a document of "
            "ridge profile, - for standard input, or runs.db:ID");
  add_document_options(flags, options->format, options->output, kTraceDocument.formats());
  flags.add("--top", options->top, "rows; 0: all (20 in tables, else all)");
  return [options](Console& console) { return trace(*options, console); };
}

}  // namespace ridge::cli
