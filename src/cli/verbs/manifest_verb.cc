// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/manifest_verb.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/text.h"
#include "cli/flags/document_options.h"
#include "cli/measuring_environment.h"
#include "evaluation/subject/manifest_view.h"
#include "manifest/manifest_reader.h"
#include "manifest/manifest_writer.h"
#include "manifest/pipeline.h"

namespace ridge::cli {
namespace {

using evaluation::ManifestView;
using manifest::ManifestFile;

manifest::Prefer preferred_manifest(const ManifestOptions& options) {
  if (options.prefer.empty()) return manifest::Prefer::kNeither;
  return options.prefer == "code" ? manifest::Prefer::kCode : manifest::Prefer::kParameters;
}

Result<ManifestView> checked_view(const std::string& path, const ManifestOptions& options,
                                  const session::Environment& environment) {
  const ManifestFile file = TRY(manifest::read_manifest_file(path));
  ManifestView view = TRY(evaluation::view_of(file, preferred_manifest(options), environment));
  if (!options.compares_files) return view;
  for (const manifest::NamedFile& named : TRY(files_of(file, {.cache = environment.cache_folder})))
    TRY(manifest::check(named));
  return view;
}

/// All files are checked; the status is that of the last fault.
int check_manifests(const ManifestOptions& options, Console& console) {
  const ConsoleEnvironment environment(console);
  int status = kDone;
  for (const std::string& path : options.files) {
    const Result<ManifestView> view = checked_view(path, options, *environment);
    if (!view.ok()) {
      status = report(console, view.error());
      continue;
    }
    const std::string steps =
        view->kind == "model" ? ", " + counted(static_cast<std::int64_t>(view->steps), "step") : "";
    console.out.write(fmt::format("{}: {} {}{}{}\n", printable(path), view->kind, view->name,
                                  view->version.empty() ? "" : "@" + view->version, steps));
  }
  return status;
}

Result<void> one_file(const ManifestOptions& options) {
  if (options.files.size() == 1) return {};
  return usage_error("RIDGE-CLI-0190",
                     fmt::format("ridge manifest {} takes one file", options.action))
      .hint("ridge manifest check takes several");
}

Result<int> convert(const ManifestOptions& options, Console& console) {
  TRY(one_file(options));
  ManifestFile file = TRY(manifest::read_manifest_file(options.files[0]));
  if (const auto* model = std::get_if<manifest::ModelManifest>(&file.manifest);
      model != nullptr && options.states_steps)
    file.manifest = TRY_IN(file.path, manifest::with_steps(*model, preferred_manifest(options)));
  const bool from_toml = manifest::syntax_of(file.path) == manifest::Syntax::kToml;
  const bool to_toml = manifest::is_manifest_name(options.output)
                           ? manifest::syntax_of(options.output) == manifest::Syntax::kToml
                           : !from_toml;
  TRY(Output::write(options.output,
                    to_toml ? manifest::to_toml(file.manifest) : manifest::to_yaml(file.manifest),
                    console));
  return kDone;
}

std::string text_of(const ManifestView& view) {
  std::string out = fmt::format("{} {}{}\n\n", view.kind, view.name,
                                view.version.empty() ? "" : "@" + view.version);
  std::size_t width = 0;
  for (const auto& fact : view.facts) width = std::max(width, fact.what.size());
  for (const auto& fact : view.facts) {
    std::string_view rest = fact.value;
    for (std::string_view what = fact.what; !rest.empty() || what == fact.what; what = {}) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      out += fmt::format("{:<{}}  {}\n", printable(what), width, printable(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (rest.empty()) break;
    }
  }
  return out;
}

Result<int> show_manifest(const ManifestOptions& options, Console& console) {
  TRY(one_file(options));
  const ManifestFile file = TRY(manifest::read_manifest_file(options.files[0]));
  const ConsoleEnvironment environment(console);
  if (options.format == "json") {
    Output output = TRY(Output::open(options.output, console));
    JsonWriter json(output.sink());
    write_json(file.manifest, json);
    output.sink().write("\n");
    TRY(output.close());
    return kDone;
  }
  const ManifestView view =
      TRY(evaluation::view_of(file, preferred_manifest(options), *environment));
  TRY(Output::write(options.output, text_of(view), console));
  return kDone;
}

}  // namespace

int manifest(const ManifestOptions& options, Console& console) {
  if (options.action == "check") return check_manifests(options, console);
  const Result<int> status =
      options.action == "convert" ? convert(options, console) : show_manifest(options, console);
  return status.ok() ? *status : report(console, status.error());
}

Run setup_manifest(Flags& flags) {
  auto o = std::make_shared<ManifestOptions>();
  flags
      .add("ACTION", o->action,
           "check: read manifests and report faults; convert: write TOML as YAML and YAML as TOML; "
           "show: what a manifest states, the steps as they run, requirements on this machine")
      .required()
      .one_of({"check", "convert", "show"});
  flags.add("FILE", o->files, "manifests: .toml, .yml, .yaml").required();
  flags.add("--files", o->compares_files, "check: compare the files with their checksums too");
  flags.add("--steps", o->states_steps,
            "convert: state steps in place of the code they are known from");
  flags
      .add("--prefer", o->prefer,
           "which to believe where code and parameters contradict each other")
      .one_of({"code", "parameters"});
  flags.add("--format", o->format, "show: format of the document").one_of({"table", "json"});
  add_output_option(flags, o->output);
  return [o](Console& console) { return manifest(*o, console); };
}

}  // namespace ridge::cli
