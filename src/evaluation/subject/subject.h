// SPDX-License-Identifier: Apache-2.0
// What an evaluation is of, by name: a manifest, an entry of a registry, a model's file or a
// network of the zoo, with the steps, data, labels, runtime and needs that its manifest states.
//
//   EvaluationSubject subject = TRY(evaluation_subject(
//       {.name = "digits@>=1,<2", .registry = folder}, environment));
//   subject.model.path, subject.model.name, subject.steps    // "digits@1.0.0"
//   fill(request, subject);                                  // whatever the request leaves open
//
// A name that ends in .toml, .yml or .yaml is a manifest's file (manifest/manifest_file.h). One
// that ends in .onnx or begins with zoo: is a model. Others are references to a registry
// (manifest/version.h). The data set is the one asked for, else the one of the manifest's key
// `dataset`: a manifest, a folder, a .npy or a reference. Checksums are compared; nothing is
// downloaded.
//
// Errors: as manifests and registries with their codes; input class: RIDGE-WB-0190 a manifest
// of something else or without a graph, 0191 a name that stands for nothing, 0192 data that are not
// read here, 0193 (wanted_runtime.h), 0197 a graph that is not ONNX, 0198
// data that are neither a file nor in the registry; environment class: 0194
// (requirements.h). Thread rule: plain data.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "evaluation/record/request.h"
#include "evaluation/subject/wanted_runtime.h"
#include "manifest/agreement.h"
#include "manifest/pipeline.h"
#include "pipeline/output_step.h"
#include "pipeline/step.h"
#include "session/environment.h"

namespace ridge::evaluation {

/// A file or folder that a name resolved to.
struct SubjectPart {
  std::string name;    ///< "digits@1.0.0" of a manifest or registry, else as it was given
  std::string path;    ///< file, folder or zoo:NAME to open; "": there is none
  std::string sha256;  ///< hash of the registry's content; "": not known yet

  bool operator==(const SubjectPart&) const = default;
};

struct EvaluationSubject {
  SubjectPart model;
  SubjectPart data;                        ///< samples
  SubjectPart labels;                      ///< the class of each sample
  SubjectPart class_names;                 ///< a line for each class of the model
  manifest::Pipeline pipeline;             ///< steps as manifests state them
  std::vector<pipeline::Step> steps;       ///< steps from a file to the input, as they run
  std::vector<pipeline::OutputStep> post;  ///< steps after the run, where there is data
  std::vector<WantedRuntime> runtimes;     ///< stated by the model's manifest, or by a runtime's
  std::vector<manifest::Requirements> requirements;  ///< needs of all manifests, which are met
};

struct SubjectOptions {
  std::string name;
  std::string data;              ///< data set instead of the manifest's
  std::string registry;          ///< folder; "": references are errors
  std::string runtime_manifest;  ///< file; "": none
  manifest::Prefer prefer = manifest::Prefer::kNeither;
  std::string data_root = {};  ///< folder with what manifests name by a URL; "": none
};

Result<EvaluationSubject> evaluation_subject(const SubjectOptions& options,
                                             const session::Environment& environment);

/// Sets the model, and the data, labels and steps that the request leaves open.
void fill(EvaluationRequest& request, const EvaluationSubject& subject);

/// Takes from a registry what a lock's request names and is not where it was (another machine, a
/// registry that moved). Files that no entry names stay as they are. Errors: the registry's.
Result<void> find_entries(EvaluationRequest& request, const std::string& registry,
                          const session::Environment& environment);

}  // namespace ridge::evaluation
