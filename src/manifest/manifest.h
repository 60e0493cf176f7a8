// SPDX-License-Identifier: Apache-2.0
// Manifests as plain data: what is evaluated. manifest_reader.h reads them, manifest_writer.h
// writes them, pipeline.h derives the steps of a model.
//
//   if (const auto* model = std::get_if<ModelManifest>(&manifest)) model->inputs[0].layer;
//
// Thread rule: plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/hash/checksum.h"
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

/// Needs of the model or runtime; nullopt and empty: anything will do.
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
  std::string dataset;  ///< its data: a manifest's file, or name and versions in a registry
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
  Checksum checksum;               ///< hash of the content (RegistryEntry::digest)

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

std::string_view name(Loader loader);
/// "model", "dataset", "runtime".
std::string_view kind_name(const Manifest& manifest);
std::string_view name_of(const Manifest& manifest);
std::string_view version_of(const Manifest& manifest);

}  // namespace ridge::manifest
