#include "cli/compare_verb.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <map>
#include <memory>

#include "base/suggest.h"
#include "base/text.h"
#include "cli/compare_columns.h"
#include "cli/document_options.h"
#include "cli/interrupt.h"
#include "cli/name_value.h"
#include "compare/comparison.h"
#include "compare/run_labels.h"
#include "compare/run_limit.h"
#include "export/comparison_json.h"
#include "export/comparison_table.h"
#include "report/comparison_page.h"
#include "runtime/runtime.h"

namespace ridge::cli {
namespace {

using compare::Comparison;

/// "results/before.json" -> "before".
std::string stem(const std::string& source) {
  if (source == "-") return "standard input";
  const std::string file = source.substr(source.rfind('/') + 1);
  return file.ends_with(".json") ? file.substr(0, file.size() - 5) : file;
}

using Names = std::vector<std::pair<std::string, std::string>>;  ///< source, name

Result<Names> given_names(const CompareOptions& options, const std::vector<Column>& columns) {
  Names out;
  std::vector<std::string> sources;
  for (const Column& c : columns) sources.push_back(c.source);
  for (const std::string& text : options.labels) {
    auto [name, source] = TRY(name_and_value(text, "--label"));
    if (const auto* known = runtime::known_runtime(source); known && measures_alone(options))
      source = known->name;
    if (std::find(sources.begin(), sources.end(), source) == sources.end()) {
      const std::vector<std::string> near = near_names(source, sources);
      return usage_error("RIDGE-CLI-0055",
                         fmt::format("--label '{}': no run is called '{}'", text, source))
          .hint(near.empty() ? fmt::format("runs: {}", fmt::join(sources, ", "))
                             : fmt::format("did you mean '{}'?", near[0]));
    }
    out.emplace_back(std::move(source), std::move(name));
  }
  return out;
}

/// What columns are called that have no --label: by what differs, where that is brief.
constexpr std::size_t kLongestLabel = 24;

/// Runtimes as --runtimes names them, with their versions where one name has several.
void shorten_runtimes(const std::vector<Column>& columns, std::vector<compare::RunFacts>& facts,
                      const std::vector<std::size_t>& members) {
  const auto subject = [&](std::size_t k) -> const profile::Subject& {
    return columns[members[k]].profile.subject;
  };
  for (std::size_t k = 0; k < members.size(); ++k) {
    const profile::Subject& own = subject(k);
    bool versions = false;
    for (std::size_t other = 0; other < members.size(); ++other)
      versions |= subject(other).runtime == own.runtime &&
                  subject(other).runtime_version != own.runtime_version;
    std::string name = own.runtime;
    for (const runtime::KnownRuntime& known : runtime::known_runtimes())
      if (own.runtime == known.title) name = known.name;
    facts[k].runtime = versions ? name + " " + own.runtime_version : name;
  }
}

/// By column; "" of what has a --label. Empty: what differs is not brief, or nothing does.
std::vector<std::string> brief_names(const Names& names, const std::vector<Column>& columns) {
  std::vector<std::size_t> members;
  std::vector<compare::RunFacts> facts;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (std::ranges::any_of(names, [&](const auto& n) { return n.first == columns[i].source; }))
      continue;
    members.push_back(i);
    facts.push_back(columns[i].facts);
  }
  shorten_runtimes(columns, facts, members);
  const std::vector<std::string> brief = compare::brief_labels(facts, kLongestLabel);
  if (brief.empty()) return {};
  std::vector<std::string> out(columns.size());
  for (std::size_t k = 0; k < members.size(); ++k) out[members[k]] = brief[k];
  for (const auto& [source, name] : names)
    if (std::ranges::find(brief, name) != brief.end()) return {};
  return out;
}

/// A column is called by its --label, else by what differs where that is brief, else by its file;
/// of a source with several runs by that and what tells them apart.
Result<std::vector<compare::Run>> labelled(const CompareOptions& options,
                                           std::vector<Column> columns) {
  const Names names = TRY(given_names(options, columns));
  const bool measured = measures_alone(options);
  const auto called = [&](const std::string& source) {
    for (const auto& [of, name] : names)
      if (of == source) return name;
    return measured ? std::string() : stem(source);
  };
  std::map<std::string, std::vector<std::size_t>> by_name;
  for (std::size_t i = 0; i < columns.size(); ++i) by_name[called(columns[i].source)].push_back(i);
  std::vector<std::string> labels(columns.size());
  for (const auto& [name, members] : by_name) {
    std::vector<compare::RunFacts> facts;
    for (const std::size_t i : members) facts.push_back(columns[i].facts);
    const std::vector<std::string> apart = compare::distinguishing_labels(facts);
    for (std::size_t k = 0; k < members.size(); ++k)
      labels[members[k]] = name.empty()          ? apart[k]
                           : members.size() == 1 ? name
                                                 : name + " " + apart[k];
  }
  const std::vector<std::string> brief = brief_names(names, columns);
  std::vector<compare::Run> out;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool by_file = brief.empty() || brief[i].empty();
    std::string label = by_file ? labels[i] : brief[i];
    const std::string file = stem(columns[i].source);
    const bool said = measured || (by_file ? label.starts_with(file) : label == file);
    out.push_back({std::move(label), std::move(columns[i].profile),
                   said                       ? ""
                   : columns[i].source == "-" ? file
                                              : columns[i].source});
  }
  return out;
}

Result<double> threshold_of(const std::string& text) {
  if (text.empty()) return compare::kThreshold;
  double percent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (error != std::errc() || (rest != "%" && !rest.empty()) || !(percent >= 0 && percent < 100))
    return usage_error("RIDGE-CLI-0056", fmt::format("--threshold '{}' is no percentage", text))
        .hint("write --threshold 1%");
  return percent / 100;
}

exports::CompareBy by_of(const std::string& text) {
  if (text == "module") return exports::CompareBy::kModule;
  return text == "op" ? exports::CompareBy::kOperator : exports::CompareBy::kGroup;
}

/// `report`: the page, where one was asked for.
void write_document(const Comparison& c, const CompareOptions& options, const std::string& report,
                    Sink& sink) {
  const exports::ComparisonPage page{by_of(options.by), options.top};
  if (options.format == "json")
    exports::write_comparison_json(c, sink);
  else if (options.format == "csv")
    exports::write_comparison_csv(c, page.by, sink);
  else if (options.format == "html")
    sink.write(report);
  else if (options.format == "md")
    exports::write_comparison_markdown(c, page, sink);
  else
    exports::write_comparison_text(c, page, sink);
}

Result<std::vector<compare::Checked>> checked(const std::vector<compare::RunLimit>& limits,
                                              const CompareOptions& options, const Comparison& c) {
  const auto uncertain =
      options.fail_on_uncertain ? compare::Uncertain::kFails : compare::Uncertain::kPasses;
  std::vector<compare::Checked> out;
  for (const compare::RunLimit& limit : limits)
    for (compare::Checked& check : TRY(compare::check(limit, c, uncertain)))
      out.push_back(std::move(check));
  return out;
}

Result<int> run_compare(const CompareOptions& options, Console& console) {
  std::vector<compare::RunLimit> limits;
  for (const std::string& text : options.fail_on)
    limits.push_back(TRY(compare::parse_run_limit(text)));
  const double threshold = TRY(threshold_of(options.threshold));
  Output output = TRY(Output::open(options.output, console));
  const Interruption gentle;
  Columns columns = TRY(columns_of(options, console));
  const bool in_turns = measures_alone(options) && turns_of(options) == measure::Turns::kRuns;
  const auto measuring = in_turns ? compare::Measuring::kInterleaved : compare::Measuring::kApart;
  const Comparison c = TRY(compare::compare_runs(TRY(labelled(options, std::move(columns.all))),
                                                 {.threshold = threshold, .measuring = measuring}));
  const std::vector<compare::Checked> checks = TRY(checked(limits, options, c));
  const bool wants_page = options.format == "html" || !options.report.empty();
  const std::string page = wants_page ? report::comparison_page(c) : "";
  write_document(c, options, page, output.sink());
  TRY(output.close());
  if (!options.report.empty()) TRY(Output::write(options.report, page, console));
  bool holds = columns.whole;
  for (const compare::Checked& check : checks) {
    console.err.write((check.fails ? "check failed: " : "check passed: ") + printable(check.text) +
                      "\n");
    holds &= !check.fails;
  }
  if (Interruption::requested()) return kInterrupted;
  return holds ? kDone : kCheckFailed;
}

}  // namespace

int compare_runs(const CompareOptions& options, Console& console) {
  const Result<int> status = run_compare(options, console);
  if (status.ok()) return *status;
  const int code = report(console, status.error());
  return Interruption::requested() ? kInterrupted : code;
}

Run setup_compare(CLI::App& app) {
  auto o = std::make_shared<CompareOptions>();
  app.add_option("RUN", o->runs,
                 "profiles to compare, the first is the baseline; one may be a model to measure")
      ->required();
  app.add_option("--turns", o->turns,
                 "what takes turns: runs (all models loaded at once) or processes (one at a time)")
      ->check(CLI::IsMember({"runs", "processes"}));
  app.add_option("--by", o->by, "rows: group (the smallest groups of nodes), module or op")
      ->check(CLI::IsMember({"group", "module", "op"}));
  app.add_option("--top", o->top, "rows in tables, most time apart first (20); 0 shows all");
  app.add_option("--threshold", o->threshold,
                 "smaller differences are not called faster or slower (0%)");
  app.add_option("--label", o->labels, "call a run otherwise: NAME=RUN; repeatable")
      ->allow_extra_args(false);
  app.add_option("--fail-on", o->fail_on,
                 "exit 1 where surely slower: 'latency>5%', 'group>10%', 'module:layer1>5%', "
                 "'latency>3ms'; repeatable")
      ->allow_extra_args(false);
  app.add_flag("--fail-on-uncertain", o->fail_on_uncertain,
               "exit 1 also where the bound of --fail-on lies in the interval");
  add_document_options(app, o->format, o->output, {"table", "json", "csv", "md", "html"});
  add_report_option(app, o->report);
  o->measuring.processes = compare::kProcesses;
  o->measuring.runtimes.clear();
  add_measuring_options(app, o->measuring, Asked::kColumns);
  return [o, &app](Console& console) {
    o->threads_given = app.count("--threads") > 0;
    return compare_runs(*o, console);
  };
}

}  // namespace ridge::cli
