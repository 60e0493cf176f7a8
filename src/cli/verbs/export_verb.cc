// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/export_verb.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "base/suggest.h"
#include "base/text.h"
#include "cli/flags/document_options.h"
#include "export/formats/formats.h"
#include "export/formats/profiled_model.h"
#include "export/table.h"
#include "session/model_source.h"
#include "session/run_source.h"

namespace ridge::cli {
namespace {

using exports::CopyLies;
using exports::Format;
using exports::NeedsModel;
using exports::NodeMetric;
using profile::Profile;

std::string formats_text() {
  exports::Table table(
      {{"format"}, {"file"}, {"contents"}, {"read by", exports::Align::kLeft, 64}});
  for (const Format& f : exports::formats())
    table.add(
        {std::string(f.name), std::string(f.ending), std::string(f.holds), std::string(f.viewers)});
  return table.text();
}

Result<const Format*> chosen_format(const std::string& name, const std::string& output) {
  if (name.empty()) {
    if (const Format* found = exports::format_of_file(output); found != nullptr) return found;
    return usage_error("RIDGE-EXP-0001", "no output format was given")
        .hint("add --to FORMAT; `ridge export --list` lists the formats");
  }
  if (const Format* found = exports::find_format(name); found != nullptr) return found;
  std::vector<std::string> names;
  for (const Format& f : exports::formats()) names.emplace_back(f.name);
  const std::vector<std::string> near = near_names(name, names);
  return usage_error("RIDGE-EXP-0002", fmt::format("unknown format '{}'", name))
      .hint(near.empty()
                ? "`ridge export --list` lists the formats"
                : fmt::format("did you mean {}? `ridge export --list` lists all", near.front()));
}

Result<Profile> chosen_run(const ExportOptions& options) {
  std::vector<Profile> runs = TRY(session::load_profiles(options.run));
  if (options.point > runs.size())
    return usage_error("RIDGE-EXP-0004",
                       fmt::format("--point {}, but it contains {}", options.point,
                                   counted(std::ssize(runs), "run")))
        .in_file(options.run)
        .hint(fmt::format("--point 1 to {}", runs.size()));
  if (options.point == 0 && runs.size() > 1)
    return usage_error(
               "RIDGE-EXP-0007",
               fmt::format("it contains {} runs, but an exported file has one", runs.size()))
        .in_file(options.run)
        .hint(fmt::format("select one: --point 1 to {}", runs.size()));
  return std::move(runs[options.point == 0 ? 0 : options.point - 1]);
}

NodeMetric metric_named(std::string_view name) {
  if (name == "macs") return NodeMetric::kMacs;
  return name == "roof_share" ? NodeMetric::kRoofShare : NodeMetric::kTime;
}

/// Returns whether `output` and `model` are in the same folder.
CopyLies copy_location(const std::string& output, const std::string& model) {
  namespace fs = std::filesystem;
  if (output.empty() || output == "-") return CopyLies::kElsewhere;
  const auto folder = [](const std::string& path) {
    const fs::path parent = fs::path(path).parent_path();
    return parent.empty() ? fs::path(".") : parent;
  };
  std::error_code unknown;
  return fs::equivalent(folder(output), folder(model), unknown) && !unknown
             ? CopyLies::kBesideTheModel
             : CopyLies::kElsewhere;
}

Result<int> run_export(const ExportOptions& options, Console& console) {
  if (options.list) {
    Output output = TRY(Output::open(options.output, console));
    output.sink().write(formats_text());
    TRY(output.close());
    return kDone;
  }
  const Format& format = *TRY(chosen_format(options.format, options.output));
  if (options.run.empty())
    return usage_error("RIDGE-EXP-0008", "no run was given").hint("ridge export RUN --to FORMAT");
  if (format.binary && options.output.empty() && console.out_is_terminal)
    return usage_error("RIDGE-EXP-0009",
                       fmt::format("{} is binary, and standard output is a terminal", format.name))
        .hint(fmt::format("write a file: -o run{}", format.ending));
  const Profile run = TRY(chosen_run(options));
  session::OpenedModel opened;
  const std::string path = options.model.empty() ? run.subject.path : options.model;
  if (format.model == NeedsModel::kYes) {
    opened = TRY(session::open_model(path));
    if (Result<void> same = exports::check_model(run, *opened.model); !same)
      return std::move(same).error().in_file(path);
    const std::int64_t ir = opened.model->document().model.ir_version;
    if (format.name == "netron" && ir < onnx::kNotedIrVersion)
      warn(console, path,
           fmt::format(
               "the copy has IR version {} instead of {}: earlier versions have no node metadata",
               onnx::kNotedIrVersion, ir));
  }
  Output output = TRY(Output::open(options.output, console));
  TRY(format.write({.profile = run,
                    .model = opened.model.get(),
                    .metric = metric_named(options.metric),
                    .lies = copy_location(options.output, path)},
                   output.sink()));
  TRY(output.close());
  return kDone;
}

}  // namespace

int export_run(const ExportOptions& options, Console& console) {
  const Result<int> status = run_export(options, console);
  return status.ok() ? *status : report(console, status.error());
}

Run setup_export(Flags& flags) {
  auto o = std::make_shared<ExportOptions>();
  flags.add("RUN", o->run,
            "a measured or imported run: run.json, runs.db:ID, or - (standard input)");
  flags.add("--to,--format", o->format,
            "output format (--list lists all); default: by the ending of --output");
  add_output_option(flags, o->output);
  flags.add("--model", o->model,
            "netron, model-explorer: path of the profiled model (as stored in the run)");
  flags.add("--metric", o->metric, "model-explorer: time, macs or roof_share")
      .one_of({"time", "macs", "roof_share"});
  flags.add("--point", o->point, "number of the run in a source with several, from 1").positive();
  flags.add("--list", o->list, "list the formats with their files and readers");
  return [o](Console& console) { return export_run(*o, console); };
}

}  // namespace ridge::cli
