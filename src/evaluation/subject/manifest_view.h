// SPDX-License-Identifier: Apache-2.0
// What a manifest states, and what of it holds on this machine: for people, and for checks.
//
//   const ManifestView view = TRY(view_of(file, prefer, environment));
//   for (const ManifestFact& f : view.facts) fmt::print("{}: {}\n", f.what, f.value);
//
// Errors (input class): errors of pipelines and of steps that cannot run, with line and column, and
// the file. Thread rule: plain data.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "manifest/agreement.h"
#include "manifest/manifest_file.h"
#include "session/environment.h"

namespace ridge::evaluation {

struct ManifestFact {
  std::string what;   ///< "license", "input 0", "requires cores"
  std::string value;  ///< may be of several lines

  bool operator==(const ManifestFact&) const = default;
};

struct ManifestView {
  std::string kind, name, version;
  std::vector<ManifestFact> facts;
  std::size_t steps = 0;  ///< number of steps that run before the model
  bool met = true;        ///< requirements, by this machine
};

Result<ManifestView> view_of(const manifest::ManifestFile& file, manifest::Prefer prefer,
                             const session::Environment& environment);

}  // namespace ridge::evaluation
