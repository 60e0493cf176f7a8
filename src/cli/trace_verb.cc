#include "cli/trace_verb.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iterator>
#include <memory>

#include "base/text.h"
#include "cli/profile_source.h"
#include "export/trace_table.h"
#include "trace/queries.h"
#include "trace/show.h"

namespace ridge::cli {
namespace {

/// Runs with their views; views point into the runs.
struct Runs {
  std::vector<profile::Profile> profiles;
  std::vector<trace::View> views;
};

Result<Runs> load(const std::vector<std::string>& sources, std::size_t first) {
  Runs out;
  for (std::size_t i = first; i < sources.size(); ++i) {
    std::vector<profile::Profile> loaded = TRY(load_profiles(sources[i]));
    out.profiles.insert(out.profiles.end(), std::make_move_iterator(loaded.begin()),
                        std::make_move_iterator(loaded.end()));
  }
  for (profile::Profile& p : out.profiles) out.views.emplace_back(p);
  return out;
}

Error wrong_arguments(const TraceOptions& options, std::string_view usage) {
  return usage_error("RIDGE-TRACE-0004", fmt::format("'ridge trace {}' with {} arguments",
                                                     options.action, options.arguments.size()))
      .hint(fmt::format("ridge trace {}", usage));
}

Result<trace::Table> answer(const TraceOptions& options) {
  const std::size_t count = options.arguments.size();
  if (options.action == "list") {
    if (count != 0) return wrong_arguments(options, "list");
    return trace::list_queries();
  }
  if (options.action == "query") {
    if (count < 2) return wrong_arguments(options, "query NAME RUN [RUN...]");
    TRY(trace::find_query(options.arguments[0]));  // before a large file is read
    const Runs runs = TRY(load(options.arguments, 1));
    return trace::run_query(options.arguments[0], runs.views);
  }
  if (options.action == "diff") {
    if (count != 2) return wrong_arguments(options, "diff RUN RUN");
    const Runs runs = TRY(load(options.arguments, 0));
    return trace::run_query("diff", runs.views);
  }
  if (count == 0) return wrong_arguments(options, "show RUN [RUN...]");
  const Runs runs = TRY(load(options.arguments, 0));
  return trace::show(runs.views);
}

Result<void> run_trace(const TraceOptions& options, Console& console) {
  const trace::Table table = TRY(answer(options));
  Output output = TRY(Output::open(options.output, console));
  const bool whole = options.action == "list" || options.action == "show";
  if (options.format == "json")
    exports::write_trace_json(table, options.top.value_or(0), output.sink());
  else if (options.format == "csv")
    exports::write_trace_csv(table, options.top.value_or(0), output.sink());
  else if (options.format == "md")
    exports::write_trace_markdown(table, options.top.value_or(whole ? 0 : 20), output.sink());
  else
    exports::write_trace_text(table, options.top.value_or(whole ? 0 : 20), output.sink());
  return output.close();
}

}  // namespace

int trace(const TraceOptions& options, Console& console) {
  const Result<void> done = run_trace(options, console);
  return done.ok() ? kDone : report(console, done.error());
}

Run setup_trace(CLI::App& app) {
  auto options = std::make_shared<TraceOptions>();
  app.add_option("ACTION", options->action, "query, list, show or diff")
      ->required()
      ->check(CLI::IsMember({"query", "list", "show", "diff"}));
  app.add_option("ARGUMENTS", options->arguments,
                 "query: a query's name and runs; show: runs; diff: two runs. A run is a document "
                 "of ridge profile, - for standard input, or runs.db:ID");
  app.add_option("--format", options->format, "table, json, csv or md")
      ->check(CLI::IsMember({"table", "json", "csv", "md"}));
  app.add_option("--top", options->top, "rows; 0: all (20 in tables, else all)");
  app.add_option("--output", options->output, "write the document to this file");
  return [options](Console& console) { return trace(*options, console); };
}

}  // namespace ridge::cli
