// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/runs_verb.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "base/file.h"
#include "base/file_writer.h"
#include "base/text.h"
#include "cli/flags/document_options.h"
#include "cli/flags/run_filter_flags.h"
#include "cli/verbs/eval/evaluations_list.h"
#include "cli/verbs/generate/generations_list.h"
#include "cli/verbs/runs_baseline.h"
#include "cli/verbs/runs_experiments.h"
#include "cli/verbs/runs_list.h"
#include "export/profile/table.h"
#include "profile/describe.h"
#include "profile/describe_sweep.h"
#include "session/run_recorder.h"
#include "session/run_source.h"
#include "store/source.h"

namespace ridge::cli {
namespace {

using profile::EvaluationKind;
using profile::Profile;
using store::Access;
using store::Store;

Error missing_argument(const RunsOptions& options, std::string_view what) {
  return usage_error("RIDGE-CLI-0032",
                     fmt::format("ridge runs {} requires {}", options.action, what))
      .hint("ridge runs --help shows each action");
}

Result<void> list_runs(const RunsOptions& options, Console& console) {
  if (!options.others.empty())
    return usage_error("RIDGE-CLI-0033", "ridge runs list takes one run database")
        .hint("ridge runs merge combines several into one");
  const Store store = TRY(Store::open(options.store, Access::kRead));
  StoreContent content;
  content.runs = TRY(store.list());
  content.failures = TRY(store.failures());
  content.evaluations = TRY(store.evaluations());
  for (store::EvaluationRow& row : TRY(store.evaluations(EvaluationKind::kGeneration)))
    content.generations.push_back({std::move(row)});
  const store::RunFilter only = with_runtime_titles(options.only);
  std::erase_if(content.runs, [&](const auto& run) { return !store::takes(only, run); });
  std::erase_if(content.failures, [&](const auto& f) { return !store::takes(only, f); });
  std::erase_if(content.evaluations, [&](const auto& e) { return !store::takes(only, e.record); });
  std::erase_if(content.generations, [&](const auto& g) { return !store::takes(only, g.record); });
  Output output = TRY(Output::open(options.output, console));
  kRunListDocument.write(options.format, content, output.sink());
  return output.close();
}

/// Runs to show: of "runs.db:7", or those of the database that the further arguments name.
Result<std::vector<Profile>> shown(const RunsOptions& options) {
  std::vector<Profile> out;
  const auto at = store::named_run(options.store);
  const bool one = at && !at->run.empty();
  if (one && options.others.empty()) return session::load_profiles(options.store);
  if (options.others.empty()) return missing_argument(options, "a run: its number, or last");
  const Store store = TRY(Store::open(options.store, Access::kRead));
  for (const std::string& run : options.others)
    out.push_back(TRY(store.read(TRY(session::run_number(store, run)))));
  return out;
}

/// The only evaluation of a kind to show; nullopt where something else is named.
Result<std::optional<store::EvaluationId>> shown_evaluation(const RunsOptions& options,
                                                            EvaluationKind kind) {
  if (options.others.size() != 1) return std::optional<store::EvaluationId>();
  return evaluation_number(options.others[0], kind);
}

using Profiles = std::vector<Profile>;

void write_shown_text(const Profiles& runs, std::size_t top, Sink& sink) {
  for (const Profile& p : runs)
    sink.write(exports::profile_text(p, top) + (runs.size() > 1 ? "\n" : ""));
}

void write_shown_document(const Profiles& runs, std::size_t, const record::DocumentSink& out) {
  if (runs.size() > 1) return out.write(profile::Sweep{runs});
  for (const Profile& p : runs) out.write(p);
}

void write_shown_csv(const Profiles& runs, std::size_t, Sink& sink) {
  for (const Profile& p : runs) sink.write(exports::profile_csv(p));
}

void write_shown_markdown(const Profiles& runs, std::size_t top, Sink& sink) {
  for (const Profile& p : runs) sink.write(exports::profile_markdown(p, top));
}

/// Shown with the number of layers in tables.
constexpr Document<const Profiles&, std::size_t> kShownRunsDocument = {
    .table = write_shown_text,
    .described = write_shown_document,
    .csv = write_shown_csv,
    .md = write_shown_markdown};
static_assert(kShownRunsDocument.formats() == kUsualFormats);

Result<void> show_runs(const RunsOptions& options, Console& console) {
  for (const EvaluationKind kind : profile::kEvaluationKinds) {
    const auto id = TRY(shown_evaluation(options, kind));
    if (!id) continue;
    const auto show = kind == EvaluationKind::kEvaluation ? &show_evaluation : &show_generation;
    const Store store = TRY(Store::open(options.store, Access::kRead));
    Output output = TRY(Output::open(options.output, console));
    TRY(show(store, *id, options.format, output.sink()));
    return output.close();
  }
  const std::vector<Profile> profiles = TRY(shown(options));
  Output output = TRY(Output::open(options.output, console));
  kShownRunsDocument.write(options.format, profiles, options.top, output.sink());
  return output.close();
}

/// Modification time of a document, the best available estimate of when its run was measured.
std::int64_t written_s(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mtime : session::seconds_now();
}

Result<void> add_runs(const RunsOptions& options, Console& console) {
  if (options.others.empty())
    return missing_argument(options, "documents of ridge profile or ridge accel --format json");
  Store store = TRY(Store::open(options.store, Access::kCreate));
  for (const std::string& path : options.others)
    for (const Profile& p : TRY(session::load_profiles(path))) {
      const store::Appended kept =
          TRY(store.append(p, {.recorded_s = written_s(path), .point = {}, .fitness = {}}));
      console.out.write(fmt::format("{}: {} run {}\n", printable(path),
                                    kept.added ? "stored as" : "already stored as", kept.id));
    }
  return {};
}

Result<void> remove_runs(const RunsOptions& options, Console& console) {
  if (options.others.empty()) return missing_argument(options, "the numbers of the runs to delete");
  Store store = TRY(Store::open(options.store, Access::kWrite));
  std::set<store::RunId> runs;
  std::map<EvaluationKind, std::set<store::EvaluationId>> evaluations;
  for (const std::string& name : options.others) {
    bool named = false;
    for (const EvaluationKind kind : profile::kEvaluationKinds)
      if (const auto id = TRY(evaluation_number(name, kind))) {
        evaluations[kind].insert(*id);
        named = true;
      }
    if (!named) runs.insert(TRY(session::run_number(store, name)));
  }
  for (const store::RunId id : runs) TRY(store.stamp(id));  // delete none if one is missing
  for (const auto& [kind, ids] : evaluations)
    for (const store::EvaluationId id : ids) TRY(store.evaluation(id, kind));
  for (const store::RunId id : runs) TRY(store.remove(id));
  for (const auto& [kind, ids] : evaluations)
    for (const store::EvaluationId id : ids) TRY(store.remove_evaluation(id, kind));
  const auto report = [&](std::int64_t deleted, std::string_view what, std::size_t left) {
    if (deleted > 0)
      console.out.write(fmt::format("{} deleted, {} remaining\n", counted(deleted, what), left));
  };
  report(std::ssize(runs), "run", TRY(store.list()).size());
  for (const auto& [kind, ids] : evaluations)
    report(std::ssize(ids), word(kind), TRY(store.evaluations(kind)).size());
  return {};
}

Result<void> merge(const RunsOptions& options, Console& console) {
  if (options.others.empty()) return missing_argument(options, "the run databases to add");
  Store store = TRY(Store::open(options.store, Access::kCreate));
  for (const std::string& path : options.others) {
    const Store other = TRY(Store::open(path, Access::kRead));
    const store::Merged merged = TRY(store.merge(other, runtime_title));
    console.out.write(fmt::format("{}: {} added, {} already stored\n", printable(path),
                                  counted(merged.added, "run"), merged.duplicates));
    if (merged.suites > 0)
      console.out.write(fmt::format("{}: {} with measured bricks added\n", printable(path),
                                    counted(merged.suites, "process")));
    if (merged.evaluations > 0)
      console.out.write(fmt::format("{}: {} added\n", printable(path),
                                    counted(merged.evaluations, "evaluation")));
    if (merged.generations > 0)
      console.out.write(fmt::format("{}: {} added\n", printable(path),
                                    counted(merged.generations, "generation")));
    if (merged.checks > 0)
      console.out.write(fmt::format("{}: {} added\n", printable(path),
                                    counted(merged.checks, "checked finding")));
    if (merged.experiments > 0)
      console.out.write(fmt::format("{}: {} added\n", printable(path),
                                    counted(merged.experiments, "experiment")));
  }
  return {};
}

/// Path of a view's file in the folder.
std::string file_of(const store::View& view, const std::string& folder) {
  return fmt::format("{}/{}.csv", folder, view.name);
}

Result<void> check_export(const RunsOptions& options) {
  if (options.folder.empty()) return missing_argument(options, "a folder for its files: --out DIR");
  if (!options.others.empty())
    return usage_error("RIDGE-CLI-0033", "ridge runs export takes one run database")
        .hint("ridge runs merge combines several into one");
  if (options.format != "csv" && options.format != "table")
    return usage_error("RIDGE-CLI-0036",
                       fmt::format("ridge runs export writes CSV, not {}", options.format))
        .hint("--format csv, or without --format");
  for (const store::View& view : store::views())
    if (const std::string path = file_of(view, options.folder); file_exists(path))
      return usage_error("RIDGE-CLI-0037", "the file is already there")
          .hint("name a new folder, or delete the earlier files")
          .in_file(path);
  return {};
}

Result<void> export_runs(const RunsOptions& options, Console& console) {
  TRY(check_export(options));
  const Store store = TRY(Store::open(options.store, Access::kRead));
  TRY(make_folder(options.folder));
  const store::Transaction seen = TRY(store.snapshot());
  for (const store::View& view : store::views()) {
    Output output = TRY(Output::open(file_of(view, options.folder), console));
    TRY(store.write_csv(view, output.sink()));
    TRY(output.close());
  }
  return {};
}

Result<void> baseline_of_runs(const RunsOptions& options, Console& console) {
  if (!options.others.empty())
    return usage_error("RIDGE-CLI-0033", "ridge runs baseline takes one run database")
        .hint("ridge runs merge combines several into one");
  return make_baseline({.store = options.store,
                        .rows = options.rows,
                        .columns = options.columns,
                        .threshold = options.threshold,
                        .only = with_runtime_titles(options.only),
                        .format = options.format,
                        .output = options.output,
                        .report = options.report},
                       console);
}

Result<void> experiments_of(const RunsOptions& options, Console& console) {
  if (options.others.size() > 1)
    return usage_error("RIDGE-CLI-0038", "ridge runs experiments shows one experiment")
        .hint("name it by its number or name, or none for the list");
  return show_experiments({.store = options.store,
                           .which = options.others.empty() ? "" : options.others[0],
                           .format = options.format,
                           .output = options.output},
                          console);
}

Result<void> run_action(const RunsOptions& options, Console& console) {
  if (options.action == "list") return list_runs(options, console);
  if (options.action == "show") return show_runs(options, console);
  if (options.action == "add") return add_runs(options, console);
  if (options.action == "delete") return remove_runs(options, console);
  if (options.action == "export") return export_runs(options, console);
  if (options.action == "baseline") return baseline_of_runs(options, console);
  if (options.action == "experiments") return experiments_of(options, console);
  return merge(options, console);
}

}  // namespace

int runs(const RunsOptions& options, Console& console) {
  const Result<void> done = run_action(options, console);
  return done.ok() ? static_cast<int>(kDone) : report(console, done.error());
}

Run setup_runs(Flags& flags) {
  auto o = std::make_shared<RunsOptions>();
  flags.add("ACTION", o->action, "list, show, add, delete, merge, export, baseline or experiments")
      .required()
      .one_of({"list", "show", "add", "delete", "merge", "export", "baseline", "experiments"});
  flags.add("STORE", o->store, "the run database").required();
  flags.add("WHAT", o->others,
            "show, delete: runs by number, or last, or evaluation:N, generation:N; add: documents; "
            "merge: run "
            "databases; experiments: one by number or name");
  add_document_options(flags, o->format, o->output, kUsualFormats,
                       "list, show, baseline, experiments: write the document to this file");
  flags.add("--out", o->folder, "export: folder for the CSV files, new or empty")
      .writes(Writes::kFolder)
      .shown_as("DIR");
  add_run_filter(flags, o->only, "list, baseline: ");
  flags
      .add("--rows", o->rows,
           "baseline: what is compared: model (roofs, and latencies and layers of each model) or "
           "roof")
      .one_of({"model", "roof"});
  flags.add("--columns", o->columns, "baseline: what has one vote: host").one_of({"host"});
  flags.add("--threshold", o->threshold,
            "baseline: a machine that is slower by less is not named (10%)");
  add_report_option(flags, o->report);
  flags.add("--top", o->top, "show: layers in the table, slowest first (15); 0 shows all");
  return [o](Console& console) { return runs(*o, console); };
}

}  // namespace ridge::cli
