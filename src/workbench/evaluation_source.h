// What an evaluation is of, by name: a manifest, an entry of a registry, a model's file or a network
// of the zoo, with the steps, data, labels, runtime and needs that its manifest states.
//
//   EvaluationSource source = TRY(evaluation_source({.name = "digits@>=1,<2", .registry = folder},
//                                                   environment));
//   source.model.path, source.model.name, source.steps    // "digits@1.0.0"
//   TRY(check_requirements(source.requirements, environment.host));
//   fill(request, source);                                // whatever the request leaves open
//
// A name that ends in .toml, .yml or .yaml is a manifest's file; its paths are relative to its
// folder, and those that begin with "cache:" to environment.cache_folder. A name that ends in
// .onnx or begins with zoo: is a model. Others are references to a registry (manifest/version.h).
// Nothing is downloaded.
//
// Errors (input class): those of manifests and registries with their codes; RIDGE-WB-0130 a
// manifest of something else, 0131 a file that is absent, 0132 another checksum, 0133 a framework
// that no runtime here stands for; environment class: 0134 a machine that does not meet the
// requirements, 0135 a runtime of a version that the constraint excludes. Thread rule: plain data.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "manifest/manifest.h"
#include "manifest/pipeline.h"
#include "pipeline/step.h"
#include "workbench/environment.h"
#include "workbench/evaluation.h"

namespace ridge::workbench {

/// A file or folder that a name resolved to.
struct SourcePart {
  std::string name;    ///< "digits@1.0.0" of a registry or manifest, else as it was given
  std::string path;    ///< what is opened: a file, folder or zoo:NAME; "": there is none
  std::string sha256;  ///< hash of the registry's content; "": not known yet

  bool operator==(const SourcePart&) const = default;
};

/// A runtime that a manifest asks for.
struct WantedRuntime {
  std::string name;        ///< of KnownRuntime: "ort"; "": any
  std::string constraint;  ///< on its version; "": any
  std::vector<std::pair<std::string, std::string>> options;

  bool operator==(const WantedRuntime&) const = default;
};

struct EvaluationSource {
  SourcePart model;
  SourcePart data;                    ///< samples
  SourcePart labels;                  ///< what is true of each sample
  SourcePart class_names;             ///< a line for each class of the model
  manifest::Pipeline pipeline;        ///< steps as manifests state them; empty without manifest
  std::vector<pipeline::Step> steps;  ///< those of the input, as they run
  manifest::OutputSteps outputs;      ///< those after the run
  std::vector<WantedRuntime> runtimes;
  std::vector<manifest::Requirements> requirements;  ///< of the model and of each runtime
};

struct SourceOptions {
  std::string name;
  std::string data;      ///< data set instead of the manifest's: a reference, a manifest, a path
  std::string registry;  ///< folder; "": references are errors
  std::string runtime_manifest;  ///< file; "": none
  manifest::Prefer prefer = manifest::Prefer::kNeither;
};

Result<EvaluationSource> evaluation_source(const SourceOptions& options,
                                           const Environment& environment);

/// Sets the model, and the data, labels, steps, runtimes and options that the request leaves open.
void fill(EvaluationRequest& request, const EvaluationSource& source);

}  // namespace ridge::workbench
