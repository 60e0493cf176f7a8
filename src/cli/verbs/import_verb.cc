// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/import_verb.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "base/text.h"
#include "cli/flags/document_options.h"
#include "cli/flags/sizes.h"
#include "cli/measuring_environment.h"
#include "export/profile/table.h"
#include "export/table.h"
#include "import/formats.h"
#include "import/import.h"
#include "profile/describe.h"
#include "report/profile/page.h"
#include "roofline/place.h"
#include "session/finish.h"
#include "session/model_source.h"
#include "session/run_recorder.h"

namespace ridge::cli {
namespace {

using profile::Profile;

std::string sources_text() {
  constexpr std::size_t kWide = 80;
  exports::Table t({{"format"},
                    {"file", exports::Align::kLeft, kWide},
                    {"written by", exports::Align::kLeft, kWide}});
  for (const imports::Format& f : imports::formats())
    t.add({std::string(f.name), std::string(f.file), std::string(f.written)});
  return t.text();
}

Result<std::optional<imports::ImportModel>> model_of(const ImportOptions& options) {
  if (options.model.empty()) {
    if (options.binds.empty() && options.shapes.empty() && options.optimized_model.empty())
      return std::optional<imports::ImportModel>();
    return usage_error("RIDGE-IMP-0006", options.optimized_model.empty()
                                             ? "--bind and --shape require --model"
                                             : "--optimized-model requires --model")
        .hint("add --model FILE");
  }
  session::OpenedModel opened = TRY(session::open_model(options.model));
  analysis::Bindings sizes = TRY(single_point(TRY(parse_sizes(options.binds, options.shapes))));
  return std::optional(
      imports::ImportModel{std::move(opened.model), std::move(sizes), std::move(opened.defaults)});
}

/// Shown with the roofs, and the number of layers in tables.
constexpr Document<const Profile&, const roofline::Roofs&, std::size_t> kImportDocument = {
    .table = [](auto& p, auto&, auto top, Sink& s) { s.write(exports::profile_text(p, top)); },
    .described = [](auto& p, auto&, auto, auto& out) { out.write(p); },
    .csv = [](auto& p, auto&, auto, Sink& s) { s.write(exports::profile_csv(p)); },
    .md = [](auto& p, auto&, auto top, Sink& s) { s.write(exports::profile_markdown(p, top)); },
    .html = [](auto& p, auto& roofs, auto, Sink& s) { s.write(report::profile_page(p, roofs)); }};

Result<int> run_import(const ImportOptions& options, Console& console) {
  if (options.list) {
    console.out.write(sources_text());
    return kDone;
  }
  if (options.files.empty())
    return usage_error("RIDGE-IMP-0007", "no file to import was given")
        .hint("ridge import FILE [--model MODEL]; ridge import --list describes the formats");
  const ConsoleEnvironment environment(console);
  std::optional<session::RunRecorder> recorder =
      TRY(session::RunRecorder::open(options.store, *environment));
  const bool has_model = !options.model.empty();
  using Unmatched = imports::ImportOptions::Unmatched;
  imports::Imported imported = TRY(imports::import_file(
      options.files[0],
      {.model = TRY(model_of(options)),
       .from = options.from,
       .further = {options.files.begin() + 1, options.files.end()},
       .layer_info = options.layer_info,
       .times = options.times,
       .exec_graph = options.exec_graph,
       .optimized_model = options.optimized_model,
       .runs = options.runs,
       .unmatched = options.allow_unmatched ? Unmatched::kAllowed : Unmatched::kRefused}));
  for (const std::string& warning : imported.warnings) warn(console, options.model, warning);
  if (!has_model) imported.profile.subject.path = options.files[0];
  const auto [p, roofs] =
      TRY(session::finish_import(std::move(imported.profile), options.machine, options.threads));
  Output output = TRY(Output::open(options.output, console));
  kImportDocument.write(options.format, p, roofs, options.top, output.sink());
  Writing writing(console);
  writing.done(output.close());
  if (!options.report.empty())
    writing.done(Output::write(options.report, report::profile_page(p, roofs), console));
  if (recorder) {
    recorder->add(p, "", session::RunRecorder::When::kAfterDocument);
    writing.done(recorder->finish({&p, 1}, {output.place(), options.format == "json"}));
  }
  // Only a table on standard output shows the notes to the user; else print them here.
  if (options.format != "table" || !options.output.empty())
    for (const std::string& note : p.notes) console.err.write("note: " + printable(note) + "\n");
  return writing.status(kDone);
}

}  // namespace

int import(const ImportOptions& options, Console& console) {
  const Result<int> status = run_import(options, console);
  return status.ok() ? *status : report(console, status.error());
}

Run setup_import(Flags& flags) {
  auto o = std::make_shared<ImportOptions>();
  flags.add("FILE", o->files, "recording of another program; several: one per rank");
  flags.add("--model", o->model, "the recorded model: an ONNX file, or zoo:NAME");
  add_size_flags(flags, o->binds, o->shapes,
                 "free sizes of the model by name: batch=8,sequence=128");
  flags.add("--from", o->from, "format of the file (detected by default); --list lists all");
  flags.add("--layer-info", o->layer_info, "output of trtexec --exportLayerInfo for the same run");
  flags.add("--times", o->times, "output of trtexec --exportTimes for the same run");
  flags.add("--exec-graph", o->exec_graph,
            "output of benchmark_app -exec_graph_path for the same run (OpenVINO)");
  flags.add("--optimized-model", o->optimized_model,
            "model written to the session's optimized_model_filepath (ONNX Runtime): makes members "
            "exact");
  flags.add("--runs", o->runs,
            "runs of a recording whose runs differ in size: prefill, decode, N, or N..M");
  flags.add("--allow-unmatched", o->allow_unmatched,
            "accept a recording even if hardly any layer matches a node of the model");
  flags.add("--machine", o->machine,
            "roofs: output of ridge machine --format json on the recorded machine");
  flags.add("--threads", o->threads, "thread count of the roofs (the highest in --machine)")
      .positive();
  flags.add("--list", o->list, "list the formats");
  add_document_options(flags, o->format, o->output, kImportDocument.formats());
  add_report_option(flags, o->report);
  flags.add("--top", o->top, "layers in the table, slowest first (15); 0 shows all");
  flags.add("--store", o->store, "store the run in this run database (ridge runs)")
      .writes(Writes::kStore);
  return [o](Console& console) { return import(*o, console); };
}

}  // namespace ridge::cli
