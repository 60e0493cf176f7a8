// Manifests as text: our TOML, which read_manifest reads back equal, and JSON for other programs.
//
//   std::string toml = to_toml(manifest);
//   write_json(manifest, json);     // one object; keys as in TOML
//
// Absent keys are left out of TOML. Thread rule: pure.
#pragma once

#include <string>

#include "base/json_writer.h"
#include "manifest/manifest.h"

namespace ridge::manifest {

std::string to_toml(const Manifest& manifest);
void write_json(const Manifest& manifest, JsonWriter& json);

}  // namespace ridge::manifest
