// SPDX-License-Identifier: Apache-2.0
#include "evaluation/subject/subject.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/hash/sha256.h"
#include "base/text.h"
#include "evaluation/subject/requirements.h"
#include "manifest/manifest_file.h"
#include "manifest/output_steps.h"
#include "manifest/registry_add.h"
#include "manifest/run_steps.h"
#include "pipeline/output_step_text.h"
#include "runtime/read_options.h"
#include "session/model_source.h"

namespace ridge::evaluation {
namespace {

namespace fs = std::filesystem;

using manifest::EntryKind;
using manifest::ManifestFile;
using manifest::RegistryEntry;

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::string reference_of(const manifest::Manifest& manifest) {
  return fmt::format("{}@{}", name_of(manifest), version_of(manifest));
}

/// A manifest with its surroundings, and its entry if it comes from a registry.
struct Found {
  ManifestFile file;
  manifest::Surroundings around;
  std::optional<RegistryEntry> entry;

  /// A file of the manifest, whose checksum is compared unless the registry vouches for it.
  Result<SubjectPart> part(const manifest::Asset& asset) const {
    SubjectPart out;
    if (asset.path.empty()) return out;
    const manifest::NamedFile named = named_file(file, asset, around);
    out.name = entry ? fmt::format("{}/{}", entry->reference(), named.name) : named.path;
    out.path = named.path;
    if (entry)
      for (const manifest::RegistryFile& f : entry->files)
        if (f.name == named.name) out.sha256 = f.sha256;
    if (!entry) TRY(manifest::check(named));
    return out;
  }
};

class Resolver {
 public:
  Resolver(const SubjectOptions& options, const session::Environment& environment)
      : options_(options), environment_(environment) {}

  Result<EvaluationSubject> run() {
    if (session::is_model_name(options_.name))
      out_.model = {options_.name, options_.name, {}};
    else
      TRY(from_model_manifest());
    const std::string& data = options_.data.empty() ? dataset_ : options_.data;
    if (!data.empty()) TRY(from_data(data, options_.data.empty() ? dataset_folder_ : ""));
    if (!options_.runtime_manifest.empty()) TRY(from_runtime_manifest());
    if (!out_.data.path.empty()) TRY(add_post());
    for (const manifest::Requirements& r : out_.requirements)
      TRY(check_requirements(r, environment_.host));
    return std::move(out_);
  }

 private:
  Result<Found> in_registry(EntryKind kind, const std::string& name) {
    if (options_.registry.empty())
      return input_error("RIDGE-WB-0191",
                         fmt::format("'{}' is no file, and there is no registry", printable(name)))
          .hint("name the registry's folder: --registry DIR");
    const manifest::Registry registry(options_.registry, {.say = [this](const std::string& line) {
                                        environment_.notices.status(line);
                                      }});
    const manifest::Reference reference = TRY(manifest::parse_reference(name));
    RegistryEntry entry = TRY(registry.resolve(kind, reference));
    TRY(registry.verify(entry));
    ManifestFile file = TRY(manifest_of(registry, entry));
    return Found{std::move(file), {.cache = {}, .in_registry = true}, std::move(entry)};
  }

  Result<Found> find(EntryKind kind, const std::string& name) {
    if (!manifest::is_manifest_name(name)) return in_registry(kind, name);
    ManifestFile file = TRY(manifest::read_manifest_file(name));
    return Found{std::move(file),
                 {.cache = environment_.cache_folder,
                  .root = options_.data_root,
                  .root_flag = "--data-root DIR"},
                 {}};
  }

  template <typename Wanted>
  static Result<const Wanted*> of_kind(const ManifestFile& file, std::string_view kind) {
    if (const auto* wanted = std::get_if<Wanted>(&file.manifest)) return wanted;
    return input_error("RIDGE-WB-0190", fmt::format("the manifest is of a {}, not of a {}",
                                                    kind_name(file.manifest), kind))
        .in_file(file.path);
  }

  Result<void> from_model_manifest() {
    const Found found = TRY(find(EntryKind::kModel, options_.name));
    const auto* model = TRY(of_kind<manifest::ModelManifest>(found.file, "model"));
    if (model->graph.path.empty())
      return input_error("RIDGE-WB-0190", "the manifest names no graph to evaluate")
          .hint("add graph_path to its table `model`: an ONNX file beside it, or zoo:NAME")
          .in_file(found.file.path);
    auto done = add_model(found, *model);
    if (!done.ok()) return std::move(done).error().in_file(found.file.path);
    return {};
  }

  Result<void> add_model(const Found& found, const manifest::ModelManifest& model) {
    const bool zoo = model.graph.path.starts_with("zoo:");
    if (!zoo && !model.graph.path.ends_with(".onnx"))
      return input_error("RIDGE-WB-0197",
                         fmt::format("the graph '{}' is no ONNX file", printable(model.graph.path)))
          .hint("convert the model to ONNX, and state the framework ONNX Runtime or OpenVINO");
    if (!model.framework.empty())
      out_.runtimes.push_back(TRY(wanted_runtime(model.framework, model.framework_version)));
    if (!zoo) {
      TRY(files_of(found.file, found.around));
      out_.model = TRY(found.part(model.graph));
      TRY(found.part(model.weights));
    } else {
      out_.model.path = model.graph.path;
    }
    out_.model.name = reference_of(found.file.manifest);
    out_.pipeline = TRY(manifest::pipeline_of(model, options_.prefer));
    manifest::Asset names = model.features;
    if (names.path.empty()) names.path = manifest::class_names_of(out_.pipeline.after);
    out_.class_names = TRY(found.part(names));
    TRY(add_steps(found));
    out_.requirements.push_back(model.requirements);
    dataset_ = model.dataset;
    if (manifest::is_manifest_name(dataset_))
      dataset_ = named_file(found.file, {model.dataset, {}}, found.around).path;
    else
      dataset_folder_ = found.entry ? "" : found.file.folder;
    prefers_registry_ = found.entry.has_value();
    return {};
  }

  /// Steps of the only input that states any; a text makes several inputs of a model.
  Result<void> add_steps(const Found& found) {
    std::vector<const std::vector<manifest::StepSpec>*> stated;
    for (const auto& steps : out_.pipeline.before)
      if (!steps.empty()) stated.push_back(&steps);
    if (stated.size() != 1) return {};
    out_.steps = TRY(manifest::input_steps(*stated[0]));
    for (pipeline::Step& step : out_.steps)
      if (auto* tokens = std::get_if<pipeline::Tokens>(&step))
        tokens->file = TRY(found.part(manifest::tokenizer_of(*stated[0]))).path;
    return {};
  }

  /// `folder`: where the manifest stands which names the data; "": none.
  Result<void> from_data(const std::string& data, const std::string& folder) {
    const std::string path = folder.empty() ? data : (fs::path(folder) / data).string();
    if (!manifest::is_manifest_name(path) && exists(path)) {
      out_.data = {data, path, {}};
      return {};
    }
    if (data.ends_with(".npy") || data.find('/') != std::string::npos) TRY(File::open(path));
    Result<Found> sought = find_data(manifest::is_manifest_name(path) ? path : data);
    if (!sought.ok() && is_mistyped(path, data, sought.error())) return not_there(path);
    const Found found = TRY(std::move(sought));
    const auto* set = TRY(of_kind<manifest::DataManifest>(found.file, "data set"));
    auto done = add_data(found, *set);
    if (!done.ok()) return std::move(done).error().in_file(found.file.path);
    return {};
  }

  /// True if a name that a registry does not have may as well name a file.
  bool is_mistyped(const std::string& path, std::string_view data, const Error& error) const {
    const bool content = error.error_class() == ErrorClass::kInput || !exists(options_.registry);
    return content && !options_.data.empty() && !manifest::is_manifest_name(path) &&
           data.find('@') == std::string_view::npos;
  }
  static Error not_there(const std::string& path) {
    return input_error("RIDGE-WB-0198", "no such file or folder")
        .evidence("the registry has no data set of that name either")
        .hint(
            "--data takes a folder of images or texts, a .npy, a .txt, a manifest, or NAME@VERSION "
            "of a registry")
        .in_file(path);
  }

  /// A manifest that came with a model of a registry stands for the entry of its name there, if
  /// there is one.
  Result<Found> find_data(const std::string& name) {
    Found found = TRY(find(EntryKind::kDataset, name));
    if (found.entry || !prefers_registry_ || !options_.data.empty()) return found;
    auto added = in_registry(EntryKind::kDataset, reference_of(found.file.manifest));
    // A registry that lacks the entry is no fault; one whose content is damaged is.
    const bool absent = !added.ok() && added.error().error_class() == ErrorClass::kInput;
    return absent ? Result<Found>(std::move(found)) : std::move(added);
  }

  Result<void> add_data(const Found& found, const manifest::DataManifest& set) {
    using manifest::Loader;
    const bool folder =
        (set.loader == Loader::kImages || set.loader == Loader::kText) && !set.folder.empty();
    const bool file =
        (set.loader == Loader::kNpy || set.loader == Loader::kText) && set.files.size() == 1;
    if (!(folder || file) || !set.samples.path.empty())
      return input_error("RIDGE-WB-0192",
                         "data sets are a folder of images or texts, one .npy, or one .txt of "
                         "lines, in the order of their names")
          .hint(
              "state loader images or text with a folder, or npy or text with one file, and no "
              "list of samples");
    TRY(files_of(found.file, found.around));
    out_.data = TRY(found.part({folder ? set.folder : set.files[0], {}}));
    out_.data.name = reference_of(found.file.manifest);
    if (found.entry) out_.data.sha256 = found.entry->digest();
    out_.labels = TRY(found.part(set.labels));
    return {};
  }

  Result<void> add_post() {
    const std::string text = TRY(manifest::output_steps_text(out_.pipeline.after));
    if (text.empty()) return {};
    out_.post = TRY(pipeline::parse_output_steps(text));
    for (pipeline::OutputStep& step : out_.post)
      if (auto* labels = std::get_if<pipeline::Labels>(&step);
          labels && !out_.class_names.path.empty())
        labels->path = out_.class_names.path;
    return {};
  }

  Result<void> from_runtime_manifest() {
    const ManifestFile file = TRY(manifest::read_manifest_file(options_.runtime_manifest));
    const auto* stated = TRY(of_kind<manifest::RuntimeManifest>(file, "runtime"));
    auto wanted = wanted_runtime(stated->name, stated->version);
    if (!wanted.ok()) return std::move(wanted).error().in_file(file.path);
    for (const manifest::Setting& s : stated->options) {
      auto allowed = runtime::check_read_option(s.name);
      if (!allowed.ok()) return std::move(allowed).error().in(s.place.text()).in_file(file.path);
      wanted->options.emplace_back(s.name, s.value);
    }
    out_.runtimes = {std::move(*wanted)};
    out_.requirements.push_back(stated->requirements);
    return {};
  }

  const SubjectOptions& options_;
  const session::Environment& environment_;
  EvaluationSubject out_;
  std::string dataset_, dataset_folder_;
  bool prefers_registry_ = false;
};

}  // namespace

Result<EvaluationSubject> evaluation_subject(const SubjectOptions& options,
                                             const session::Environment& environment) {
  return Resolver(options, environment).run();
}

void fill(EvaluationRequest& request, const EvaluationSubject& subject) {
  request.model = subject.model.path;
  request.data.source = subject.data.path;
  if (request.data.labels.empty()) request.data.labels = subject.labels.path;
  if (request.data.steps.empty() && !subject.data.path.empty()) request.data.steps = subject.steps;
  if (request.data.post.empty()) request.data.post = subject.post;
  request.class_names = subject.class_names.path;
  request.wanted = subject.runtimes;
  const auto entry_of = [](const SubjectPart& part) {
    return part.name == part.path ? std::string() : part.name;
  };
  request.entries.model = entry_of(subject.model);
  if (request.data.source == subject.data.path) request.entries.data = entry_of(subject.data);
  if (request.data.labels == subject.labels.path) request.entries.labels = entry_of(subject.labels);
}

Result<void> find_entries(EvaluationRequest& request, const std::string& registry,
                          const session::Environment& environment) {
  const EvaluationEntries& entries = request.entries;
  const auto moved = [](const std::string& path, const std::string& entry) {
    return !entry.empty() && !path.starts_with("zoo:") && !exists(path);
  };
  const bool model = moved(request.model, entries.model);
  const bool data = moved(request.data.source, entries.data);
  const bool labels = moved(request.data.labels, entries.labels);
  std::vector<pipeline::Labels*> names;  // whose file of classes moved
  for (pipeline::OutputStep& step : request.data.post)
    if (auto* named = std::get_if<pipeline::Labels>(&step);
        named && moved(named->path, entries.model))
      names.push_back(named);
  std::vector<pipeline::Tokens*> tokens;  // whose file moved
  for (pipeline::Step& step : request.data.steps)
    if (auto* own = std::get_if<pipeline::Tokens>(&step); own && moved(own->file, entries.model))
      tokens.push_back(own);
  const bool of_model = model || !names.empty() || !tokens.empty();
  if (!of_model && !data && !labels) return {};
  const EvaluationSubject found =
      TRY(evaluation_subject({.name = of_model ? entries.model : request.model,
                              .data = data || labels ? entries.data : "",
                              .registry = registry},
                             environment));
  if (model) request.model = found.model.path;
  if (data) request.data.source = found.data.path;
  if (labels) request.data.labels = found.labels.path;
  for (pipeline::Labels* named : names)
    if (!found.class_names.path.empty()) named->path = found.class_names.path;
  for (pipeline::Tokens* own : tokens)
    for (const pipeline::Step& step : found.steps)
      if (const auto* there = std::get_if<pipeline::Tokens>(&step)) own->file = there->file;
  return {};
}

}  // namespace ridge::evaluation
