#include "cli/import_verb.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "base/text.h"
#include "cli/model_file.h"
#include "cli/run_keeper.h"
#include "cli/sizes.h"
#include "export/profile_table.h"
#include "export/table.h"
#include "import/formats.h"
#include "import/import.h"
#include "profile/json.h"
#include "roofline/place.h"

namespace ridge::cli {
namespace {

using analysis::Resolved;
using profile::Profile;

std::string list_text() {
  constexpr std::size_t kWide = 80;
  exports::Table t({{"format"},
                    {"file", exports::Align::kLeft, kWide},
                    {"written by", exports::Align::kLeft, kWide}});
  for (const imports::Format& f : imports::formats())
    t.add({std::string(f.name), std::string(f.file), std::string(f.written)});
  return t.text();
}

Result<std::optional<Resolved>> resolve_model(const ImportOptions& options, Console& console) {
  if (options.model.empty()) {
    if (options.binds.empty() && options.shapes.empty()) return std::optional<Resolved>();
    return usage_error("RIDGE-IMP-0006", "sizes were given, and no model that has them")
        .hint("add --model FILE");
  }
  const OpenedModel opened = TRY(open_model(options.model));
  const analysis::Bindings bindings =
      TRY(single_point(TRY(parse_sizes(options.binds, options.shapes))));
  Resolved resolved = TRY(analysis::resolve(opened.model, bindings, opened.defaults));
  for (const std::string& note : resolved.notes()) warn(console, options.model, note);
  return std::optional(std::move(resolved));
}

void write_document(const Profile& p, const ImportOptions& options, Sink& sink) {
  if (options.format == "json")
    profile::write_json(p, sink);
  else if (options.format == "csv")
    sink.write(exports::profile_csv(p));
  else if (options.format == "md")
    sink.write(exports::profile_markdown(p, options.top));
  else
    sink.write(exports::profile_text(p, options.top));
}

Result<int> run_import(const ImportOptions& options, Console& console) {
  if (options.list) {
    console.out.write(list_text());
    return kDone;
  }
  if (options.file.empty())
    return usage_error("RIDGE-IMP-0007", "there is no file to import")
        .hint("ridge import FILE [--model MODEL]; ridge import --list describes the formats");
  std::optional<RunKeeper> keeper = TRY(RunKeeper::open(options.store, console));
  const std::optional<Resolved> resolved = TRY(resolve_model(options, console));
  Profile p = TRY(imports::import_file(options.file, {.resolved = resolved ? &*resolved : nullptr,
                                                      .from = options.from,
                                                      .layer_info = options.layer_info}));
  if (!resolved) p.subject.path = options.file;
  roofline::place(p, {});
  if (keeper) TRY(keeper->keep(p, ""));
  Output output = TRY(Output::open(options.output, console));
  write_document(p, options, output.sink());
  TRY(output.close());
  // The page has the notes; what is read by programs leaves them to standard error.
  if (options.format != "table" || !options.output.empty())
    for (const std::string& note : p.notes) console.err.write("note: " + printable(note) + "\n");
  return kDone;
}

}  // namespace

int import(const ImportOptions& options, Console& console) {
  const Result<int> status = run_import(options, console);
  return status.ok() ? *status : report(console, status.error());
}

Run setup_import(CLI::App& app) {
  auto o = std::make_shared<ImportOptions>();
  app.add_option("FILE", o->file, "what another program recorded");
  app.add_option("--model", o->model, "the ONNX file it is a recording of, or zoo:NAME");
  app.add_option("--bind", o->binds, "free sizes of the model by name: batch=8,sequence=128")
      ->allow_extra_args(false);
  app.add_option("--shape", o->shapes, "a whole input: input=1x3x224x224; repeatable")
      ->allow_extra_args(false);
  app.add_option("--from", o->from, "what the file is (by its content); --list has the names");
  app.add_option("--layer-info", o->layer_info, "what trtexec --exportLayerInfo wrote beside it");
  app.add_flag("--list", o->list, "describe the formats");
  app.add_option("--format", o->format, "table, json, csv or md")
      ->check(CLI::IsMember({"table", "json", "csv", "md"}));
  app.add_option("--top", o->top, "layers in the table, slowest first (15); 0 shows all");
  app.add_option("--store", o->store, "keep it in this run database (ridge runs)");
  app.add_option("--output", o->output, "write the document to this file");
  return [o](Console& console) { return import(*o, console); };
}

}  // namespace ridge::cli
