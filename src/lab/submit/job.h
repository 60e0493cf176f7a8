// SPDX-License-Identifier: Apache-2.0
// A request (`ridge VERB --request FILE`) as a job for other machines: its verb, and the files that
// it names with their hashes.
//
//   JobSource source = TRY(read_job("matrix.toml"));
//
// Every text of the request that names a file or a folder, whole or behind "NAME=", is one that the
// job needs; so are the external data of models and what manifests name. Names are relative to the
// folder of this program, as for the verb itself, and lie below it: the job's folder on the other
// machine has the same names. What is no file here ("zoo:resnet50", "digits@1") is left to the
// other machine.
//
// Errors: input class: those of the file; RIDGE-LAB-0112 (no verb that has points), 0113 (a file
// that lies elsewhere), 0114 (more than 100,000 files). Thread rule: plain function.
#pragma once

#include <string>

#include "base/hash/hash.h"
#include "base/result.h"
#include "base/whole_file.h"
#include "lab/agent/messages.h"
#include "manifest/manifest.h"

namespace ridge::lab {

struct JobSource {
  Job job;
  /// Requirements of the manifest of its model.
  manifest::Requirements requires_of_machine;
  std::string framework, framework_version;  ///< stated by a model's manifest; ""
};

/// `watch`: told while files are hashed.
Result<JobSource> read_job(const std::string& path, const HashWatch& watch = {});

}  // namespace ridge::lab
