// Manifests: what is evaluated, stated in a file, with one schema for two syntaxes.
//
//   Manifest m = TRY(read_manifest(text, syntax_of("net.yml")));
//   if (const auto* model = std::get_if<ModelManifest>(&m)) model->inputs[0].layer;
//
// TOML (64 KiB, base/toml.h) or YAML (yaml.h). A model's YAML is that of MLModelScope in both forms:
// steps in `inputs[].steps` (Li et al. 2019, arXiv 1911.08031, listing 1), or `parameters` with
// code in `preprocess` and `postprocess`, which pipeline.h recognizes. A data set and a runtime
// state `kind: dataset` or `kind: runtime`. Each key that a manifest may have is a row of
// docs/manifests.md.
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
// column; unknown keys with the nearest known one. Thread rule: pure; plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "manifest/checksum.h"
#include "manifest/step_spec.h"

namespace ridge::manifest {

/// A name and its value as text, and where it is written.
struct Setting {
  std::string name, value;
  Place place;

  bool operator==(const Setting& other) const { return name == other.name && value == other.value; }
};

const Setting* find(const std::vector<Setting>& settings, std::string_view name);

/// An input or output of the model.
struct Tensor {
  std::string type;  ///< image, classification, boundingbox, raw, ...
  std::string description;
  std::vector<Setting> parameters;             ///< rows of parameters.h, under their own names
  std::optional<std::vector<StepSpec>> steps;  ///< nullopt if the manifest states none
  Place place;

  /// Value of a parameter; "" if it is absent.
  std::string_view parameter(std::string_view name) const;
  bool operator==(const Tensor& other) const {
    return type == other.type && description == other.description &&
           parameters == other.parameters && steps == other.steps;
  }
};

/// Code of the original platform, kept as text.
struct Code {
  std::string text;
  Place place;

  bool operator==(const Code& other) const { return text == other.text; }
};

/// A file and what its content hashes to.
struct Asset {
  std::string path;
  Checksum checksum;

  bool operator==(const Asset&) const = default;
};

/// Name of the image of a container for an architecture and a device ("cpu", "gpu").
struct Container {
  std::string architecture, device, image;

  bool operator==(const Container&) const = default;
};

/// What the machine must have; nullopt and empty: anything.
struct Requirements {
  std::string architecture;
  std::vector<std::string> isa;
  std::optional<std::int64_t> memory_bytes, cores;
  std::string device;

  bool operator==(const Requirements&) const = default;
};

struct ModelManifest {
  std::string name, version;
  std::string framework, framework_version;  ///< the version is a constraint (version.h), or ""
  std::vector<Container> containers;
  std::string description, license, modality;
  std::vector<std::string> references;
  bool hidden = false;
  std::vector<Tensor> inputs, outputs;
  std::string base_url;
  Asset graph, weights, features;  ///< features: the file of labels
  bool is_archive = false;
  std::vector<Setting> attributes;
  Requirements requirements;
  Code before_preprocess, preprocess, after_preprocess;
  Code before_postprocess, postprocess, after_postprocess;

  bool operator==(const ModelManifest&) const = default;
};

enum class Loader : std::uint8_t { kImages, kNpy, kCsv, kText };

struct DataManifest {
  std::string name, version, description, license;
  std::vector<std::string> references;
  Loader loader = Loader::kImages;
  std::string folder;              ///< all samples are below it; or:
  std::vector<std::string> files;  ///< the files, each with samples
  Asset labels;                    ///< one per sample
  Asset samples;                   ///< list of the samples in order; absent: sorted names
  Checksum checksum;               ///< of folder or files, as registry.h computes it

  bool operator==(const DataManifest&) const = default;
};

struct RuntimeManifest {
  std::string name, version;  ///< the version is a constraint
  std::string description;
  std::vector<Setting> options;
  Requirements requirements;

  bool operator==(const RuntimeManifest&) const = default;
};

using Manifest = std::variant<ModelManifest, DataManifest, RuntimeManifest>;

enum class Syntax : std::uint8_t { kToml, kYaml };

/// TOML if the path ends in .toml, else YAML.
Syntax syntax_of(std::string_view path);
/// Values of a file in either syntax. Errors of both are codes of manifests.
Result<Toml> read_table(std::string_view text, Syntax syntax);
Result<Manifest> read_manifest(std::string_view text, Syntax syntax);

std::string_view name(Loader loader);
/// "model", "dataset", "runtime".
std::string_view kind_name(const Manifest& manifest);
std::string_view name_of(const Manifest& manifest);
std::string_view version_of(const Manifest& manifest);

}  // namespace ridge::manifest
