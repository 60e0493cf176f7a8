#include "cli/compare_verb.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <map>
#include <memory>

#include "base/file.h"
#include "base/suggest.h"
#include "base/text.h"
#include "cli/interrupt.h"
#include "cli/measured_columns.h"
#include "cli/name_value.h"
#include "cli/profile_source.h"
#include "compare/comparison.h"
#include "compare/run_labels.h"
#include "compare/run_limit.h"
#include "export/comparison_json.h"
#include "export/comparison_table.h"
#include "report/comparison_page.h"
#include "runtime/runtime.h"

namespace ridge::cli {
namespace {

/// Of each column: how much processes differ from each other is known by their number, and three
/// tell it too badly for the many rows of a table (docs/measuring.md).
constexpr std::uint32_t kComparedProcesses = 5;

using compare::Comparison;
using profile::Profile;

/// A column, where it came from, and what tells it from others of the same source.
struct Column {
  std::string source;  ///< as given: a RUN, or the name of a runtime
  compare::RunFacts facts;
  Profile profile;
};

struct Columns {
  std::vector<Column> all;
  bool whole = true;  ///< false: a column could not be measured
};

measure::Turns turns_of(const CompareOptions& options) {
  return options.turns == "processes" ? measure::Turns::kProcesses : measure::Turns::kRuns;
}

Result<Columns> measured_columns(const CompareOptions& options, Console& console) {
  TRY(check_own_options(options.measuring, options.runtimes));
  if (options.runs.size() != 1)
    return usage_error("RIDGE-CLI-0052", "--runtimes measures one model, and several are given")
        .hint("profile each, then compare the profiles");
  const std::size_t points = TRY(count_points(options.measuring));
  if (options.runtimes.size() * points < 2)
    return usage_error("RIDGE-CLI-0053", "one runtime at one point makes one column")
        .hint("give several: --runtimes ort,openvino, --threads 1,2 or --bind batch=1,8");
  MeasuredColumns measured = TRY(measure_columns(options.runs[0], options.measuring,
                                                 options.runtimes, turns_of(options), console));
  Columns out{{}, measured.whole};
  for (MeasuredColumns::Column& c : measured.columns) {
    compare::RunFacts facts = compare::facts_of(c.profile);
    facts.runtime = c.runtime;
    out.all.push_back({c.runtime, std::move(facts), std::move(c.profile)});
  }
  return out;
}

std::vector<std::string> runtime_names() {
  std::vector<std::string> out;
  for (const runtime::KnownRuntime& known : runtime::known_runtimes()) out.emplace_back(known.name);
  return out;
}

bool is_model(const std::string& run) { return run.starts_with("zoo:") || run.ends_with(".onnx"); }

Result<Columns> loaded_columns(const CompareOptions& options) {
  for (const std::string& run : options.runs)
    if (is_model(run))
      return usage_error("RIDGE-CLI-0054", fmt::format("'{}' is a model, not a run", run))
          .hint(fmt::format("measure it: ridge compare {} --runtimes {}", run,
                            fmt::join(runtime_names(), ",")));
  Columns out;
  for (const std::string& run : options.runs)
    for (Profile& p : TRY(load_profiles(run)))
      out.all.push_back({run, compare::facts_of(p), std::move(p)});
  return out;
}

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

/// A column is called by its --label, else by its file, else by what tells it from the others; of
/// a source with several runs by that and what tells them apart.
Result<std::vector<compare::Run>> labelled(const CompareOptions& options,
                                           std::vector<Column> columns) {
  const Names names = TRY(given_names(options, columns));
  const bool measured = !options.runtimes.empty();
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
  std::vector<compare::Run> out;
  for (std::size_t i = 0; i < columns.size(); ++i)
    out.push_back({std::move(labels[i]), std::move(columns[i].profile)});
  return out;
}

Result<double> threshold_of(const std::string& text) {
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

void write_document(const Comparison& c, const CompareOptions& options, Sink& sink) {
  const exports::ComparisonPage page{by_of(options.by), options.top};
  if (options.format == "json")
    exports::write_comparison_json(c, sink);
  else if (options.format == "csv")
    exports::write_comparison_csv(c, page.by, sink);
  else if (options.format == "md")
    exports::write_comparison_markdown(c, page, sink);
  else
    exports::write_comparison_text(c, page, sink);
}

Result<std::vector<std::string>> failed_checks(const std::vector<compare::RunLimit>& limits,
                                               const Comparison& c) {
  std::vector<std::string> out;
  for (const compare::RunLimit& limit : limits)
    for (std::string& why : TRY(compare::violations(limit, c))) out.push_back(std::move(why));
  return out;
}

Result<int> run_compare(const CompareOptions& options, Console& console) {
  std::vector<compare::RunLimit> limits;
  for (const std::string& text : options.fail_on)
    limits.push_back(TRY(compare::parse_run_limit(text)));
  const double threshold = TRY(threshold_of(options.threshold));
  Output output = TRY(Output::open(options.output, console));
  const bool measure = !options.runtimes.empty();
  const Interruption gentle;
  Columns columns =
      measure ? TRY(measured_columns(options, console)) : TRY(loaded_columns(options));
  const bool in_turns = measure && turns_of(options) == measure::Turns::kRuns;
  const auto measuring = in_turns ? compare::Measuring::kInterleaved : compare::Measuring::kApart;
  const Comparison c = TRY(compare::compare_runs(TRY(labelled(options, std::move(columns.all))),
                                                 {.threshold = threshold, .measuring = measuring}));
  const std::vector<std::string> failed = TRY(failed_checks(limits, c));
  write_document(c, options, output.sink());
  TRY(output.close());
  if (!options.report.empty()) TRY(write_file(options.report, report::comparison_page(c)));
  for (const std::string& why : failed) console.err.write("check failed: " + printable(why) + "\n");
  if (Interruption::requested()) return kInterrupted;
  return failed.empty() && columns.whole ? kDone : kCheckFailed;
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
  app.add_option("RUN", o->runs, "profiles to compare, the first is the baseline; or one model")
      ->required();
  app.add_option("--runtimes", o->runtimes,
                 "measure the model in these runtimes, in turns, and compare: ort,openvino")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(runtime_names()));
  app.add_option("--turns", o->turns,
                 "what takes turns: runs (all models loaded at once) or processes (one at a time)")
      ->check(CLI::IsMember({"runs", "processes"}));
  app.add_option("--by", o->by, "rows: group (the smallest groups of nodes), module or op")
      ->check(CLI::IsMember({"group", "module", "op"}));
  app.add_option("--top", o->top, "rows in tables, most time apart first (20); 0 shows all");
  app.add_option("--threshold", o->threshold, "a difference that matters (1%)");
  app.add_option("--label", o->labels, "call a run otherwise: NAME=RUN; repeatable")
      ->allow_extra_args(false);
  app.add_option("--fail-on", o->fail_on,
                 "exit 1 where surely slower: 'latency>5%', 'group>10%', 'module:layer1>5%', "
                 "'latency>3ms'; repeatable")
      ->allow_extra_args(false);
  app.add_option("--format", o->format, "table, json, csv or md")
      ->check(CLI::IsMember({"table", "json", "csv", "md"}));
  app.add_option("--output", o->output, "write the document to this file");
  app.add_option("--report", o->report, "write the report, one HTML file, to this path");
  o->measuring.processes = kComparedProcesses;
  add_measuring_options(app, o->measuring, Asked::kColumns);
  return [o](Console& console) { return compare_runs(*o, console); };
}

}  // namespace ridge::cli
