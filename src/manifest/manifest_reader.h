// SPDX-License-Identifier: Apache-2.0
// Reader of manifests: one schema, two syntaxes.
//
//   Manifest m = TRY(read_manifest(text, syntax_of("net.yml")));
//
// TOML (64 KiB, base/toml.h) or YAML (yaml.h). A model's YAML is MLModelScope's in both forms:
// steps in `inputs[].steps` (Li et al. 2019, arXiv 1911.08031, listing 1), or `parameters` with
// code in `preprocess` and `postprocess`, which pipeline.h recognizes. A data set and a runtime
// state `kind: dataset` or `kind: runtime`.
//
//   name: digits
//   version: 1.0.0
//   framework: {name: ONNX Runtime, version: ">=1.12, <2"}
//   inputs:
//     - type: image
//       layer: data
//       steps: [{decode: {library: pillow, color_mode: RGB}}, {resize: {height: 28, width: 28}}]
//   outputs: [{type: classification, layer: scores}]
//   model: {graph_path: digits.onnx, graph_checksum: "sha256:..."}
//
// All input is hostile: sizes are bounded by the readers. Errors: input class, with line and
// column; unknown keys with the nearest known one. Thread rule: pure.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "base/toml.h"
#include "manifest/manifest.h"

namespace ridge::manifest {

enum class Syntax : std::uint8_t { kToml, kYaml };

/// TOML if the path ends in .toml, else YAML.
Syntax syntax_of(std::string_view path);

/// Values of a file in either syntax. Errors of both are codes of manifests.
Result<Toml> read_table(std::string_view text, Syntax syntax);

Result<Manifest> read_manifest(std::string_view text, Syntax syntax);

}  // namespace ridge::manifest
