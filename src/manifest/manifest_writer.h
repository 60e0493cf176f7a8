// SPDX-License-Identifier: Apache-2.0
// Manifests as text: TOML and YAML, which read_manifest reads back equal, and JSON for other
// programs.
//
//   std::string toml = to_toml(manifest);
//   std::string yaml = to_yaml(manifest);
//   write_json(manifest, json);     // one object; keys as in TOML
//
// Absent keys are left out of TOML and YAML. Thread rule: pure.
#pragma once

#include <string>

#include "base/json_writer.h"
#include "manifest/manifest.h"

namespace ridge::manifest {

std::string to_toml(const Manifest& manifest);
std::string to_yaml(const Manifest& manifest);
void write_json(const Manifest& manifest, JsonWriter& json);

}  // namespace ridge::manifest
