// SPDX-License-Identifier: Apache-2.0
#include "manifest/manifest_reader.h"

#include <gtest/gtest.h>

namespace ridge::manifest {
namespace {

std::string fault(std::string_view text, Syntax syntax = Syntax::kYaml) {
  const auto read = read_manifest(text, syntax);
  return read.ok() ? "" : read.error().text();
}

ModelManifest model_manifest(std::string_view text, Syntax syntax = Syntax::kYaml) {
  const auto read = read_manifest(text, syntax);
  EXPECT_TRUE(read.ok()) << read.error().text();
  return read.ok() ? std::get<ModelManifest>(*read) : ModelManifest{};
}

// The form of listing 1 of the paper, with every key of the schema.
constexpr std::string_view kListing = R"(name: wine_net
version: 1.2.0
kind: model
description: >
  Tells wines apart.
framework:
  name: TensorFlow
  version: '>=1.12.x <2.0'
  container:
    amd64: {cpu: lab/tf:cpu, gpu: lab/tf:gpu}
references: [https://example.org/wine]
license: MIT
modality: image_classification
hidden: true
inputs:
  - type: image
    layer_name: input_tensor
    element_type: float32
    steps:
      - decode:
          data_layout: NHWC
          color_mode: RGB
      - resize:
          dimensions: [3, 96, 128]
          method: bilinear
          keep_aspect_ratio: true
      - normalize: {mean: [120.5, 110, 100], rescale: 1.0}
outputs:
  - type: probability
    layer_name: prob
    steps:
      - argsort: {labels_url: 'https://example.org/labels.txt'}
model:
  base_url: https://example.org/
  graph_path: net.pb
  checksum: d41d8cd98f00b204e9800998ecf8427e
attributes:
  training_dataset:
    - name: Wines
    - version: 1.0
  top1: 71.20
requirements:
  architecture: x86_64
  isa: [avx2, fma]
  memory: 1.5 GiB
  cores: 4
  device: cpu
)";

TEST(ModelManifest, ListingOfThePaperIsRead) {
  const ModelManifest m = model_manifest(kListing);
  EXPECT_EQ(m.name, "wine_net");
  EXPECT_EQ(m.version, "1.2.0");
  EXPECT_EQ(m.description, "Tells wines apart.\n");
  EXPECT_EQ(m.framework, "TensorFlow");
  EXPECT_EQ(m.framework_version, ">=1.12.x <2.0");
  ASSERT_EQ(m.containers.size(), 2U);
  EXPECT_EQ(m.containers[1], (Container{"amd64", "gpu", "lab/tf:gpu"}));
  EXPECT_TRUE(m.hidden);
  ASSERT_EQ(m.inputs.size(), 1U);
  EXPECT_EQ(m.inputs[0].parameter("layer"), "input_tensor");
  ASSERT_TRUE(m.inputs[0].steps);
  ASSERT_EQ(m.inputs[0].steps->size(), 3U);
  const StepSpec& resize = (*m.inputs[0].steps)[1];
  EXPECT_EQ(
      resize,
      (StepSpec{
          "resize",
          {{"dimensions", "3, 96, 128"}, {"method", "bilinear"}, {"keep_aspect_ratio", "true"}},
          {}}));
  EXPECT_EQ(resize.place.line, 23U);
  EXPECT_EQ(m.outputs[0].parameter("layer"), "prob");
  EXPECT_EQ(m.graph.checksum.text(), "md5:d41d8cd98f00b204e9800998ecf8427e");
  ASSERT_EQ(m.attributes.size(), 3U);
  EXPECT_EQ(m.attributes[1], (Setting{"training_dataset.version", "1.0", {}}));
  EXPECT_EQ(m.attributes[2], (Setting{"top1", "71.20", {}}));
  EXPECT_EQ(m.requirements.memory_bytes, 1'610'612'736);
  EXPECT_EQ(m.requirements.cores, 4);
  EXPECT_EQ(m.requirements.isa, (std::vector<std::string>{"avx2", "fma"}));
}

// The forms of MLModelScope's catalogue, whose first manifests have one `output`.
TEST(ModelManifest, ParametersAreRead) {
  const ModelManifest m = model_manifest(R"(name: old
version: 1.0
framework: {name: MXNet, version: 1.4}
container: {ppc64le: {cpu: lab/mx}}
inputs:
  - type: image
    parameters:
      element_type: float32
      input_layer: 0
      layout: CHW
      color_mode: BGR
      dimensions: [3, 224, 224]
      mean: [123.680, 116, 104]
      scale: 58
output:
  type: classification
  parameters: {element_type: float32, probabilities_layer: prob, features_url: l.txt}
model: {base_url: , graph_path: g.json, weights_path: w.params, is_archive: false,
        weights_checksum: 'md5:D41D8CD98F00B204E9800998ECF8427E'}
preprocess: |
  def preprocess(ctx, data):
    return 1
attributes: {kind: CNN, top5: }
)");
  ASSERT_EQ(m.version, "1.0");
  EXPECT_EQ(m.framework_version, "1.4");
  EXPECT_EQ(m.inputs[0].parameter("layer"), "0");
  EXPECT_EQ(m.inputs[0].parameter("mean"), "123.68, 116, 104");
  EXPECT_EQ(m.inputs[0].parameter("scale"), "58");
  EXPECT_FALSE(m.inputs[0].steps);
  EXPECT_EQ(m.outputs[0].parameter("labels"), "l.txt");
  EXPECT_EQ(m.weights.checksum.text(), "md5:d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(m.preprocess.place.text(), "line 21, column 3");
  EXPECT_EQ(m.attributes.size(), 1U);
}

TEST(ModelManifest, TomlHasTheSameSchema) {
  const ModelManifest m = model_manifest(R"toml(name = "net"
version = "1.0"
framework = {name = "ONNX Runtime", version = "^1.12"}
[[inputs]]
type = "image"
layer = "data"
dimensions = [3, 8, 8]
steps = ["decode", "normalize(mean=[1, 2, 3], divide=255)"]
[[outputs]]
type = "classification"
[model]
graph_path = "net.onnx"
)toml",
                                         Syntax::kToml);
  EXPECT_EQ(m.inputs[0].parameter("dimensions"), "3, 8, 8");
  EXPECT_EQ((*m.inputs[0].steps)[1],
            (StepSpec{"normalize", {{"mean", "1, 2, 3"}, {"divide", "255"}}, {}}));
}

TEST(DataManifest, IsRead) {
  const auto read = read_manifest(
      "kind: dataset\nname: photos\nversion: 2.0.1\nlicense: CC0\nloader: images\nfolder: img\n"
      "labels: l.txt\nsamples: order.txt\nchecksum: sha256:" +
          std::string(64, 'a') + "\n",
      Syntax::kYaml);
  ASSERT_TRUE(read.ok()) << read.error().text();
  const auto& data = std::get<DataManifest>(*read);
  EXPECT_EQ(data.loader, Loader::kImages);
  EXPECT_EQ(data.folder, "img");
  EXPECT_EQ(data.labels.path, "l.txt");
  EXPECT_EQ(data.checksum.kind, Checksum::Kind::kSha256);
  EXPECT_EQ(kind_name(*read), "dataset");
  EXPECT_EQ(name_of(*read), "photos");
  EXPECT_EQ(fault("kind: dataset\nname: p\nversion: 1.0\nloader: csv\n"),
            "error: line 1, column 1: a data set has either a folder or files\n"
            "  hint: state one of the keys 'folder' and 'files'\n  [RIDGE-MAN-0025]\n");
  EXPECT_EQ(fault("kind: dataset\nname: p\nversion: 1.0\nloader: image\nfolder: x\n"),
            "error: line 4, column 9: 'loader' cannot be 'image'\n"
            "  hint: did you mean 'images'?\n  [RIDGE-MAN-0023]\n");
}

TEST(RuntimeManifest, IsRead) {
  const auto read = read_manifest(
      "kind: runtime\nname: ort\nversion: '>=1.18,<2'\noptions: {threads: 4, graph: all}\n",
      Syntax::kYaml);
  ASSERT_TRUE(read.ok()) << read.error().text();
  const auto& runtime = std::get<RuntimeManifest>(*read);
  EXPECT_EQ(runtime.version, ">=1.18,<2");
  ASSERT_EQ(runtime.options.size(), 2U);
  EXPECT_EQ(runtime.options[0], (Setting{"threads", "4", {}}));
}

TEST(ManifestFaults, NameLineColumnAndTheNearestKey) {
  EXPECT_EQ(fault("name: a\nversion: 1.0\nframwork: {name: x}\n"),
            "error: line 3, column 1: unknown key 'framwork'\n"
            "  hint: did you mean 'framework'?\n  [RIDGE-MAN-0020]\n");
  EXPECT_EQ(fault("version: 1.0\n"),
            "error: line 1, column 1: the key 'name' is missing\n  [RIDGE-MAN-0021]\n");
  EXPECT_EQ(fault("name: [a]\nversion: 1.0\n"),
            "error: line 1, column 7: 'name' is an array, expected text\n  [RIDGE-MAN-0022]\n");
  EXPECT_EQ(fault("name: a\nversion: one\n"),
            "error: line 2, column 10: invalid version 'one'\n"
            "  hint: a version is MAJOR.MINOR.PATCH, for example 1.2.0 or 1.2.0-rc.1\n"
            "  [RIDGE-MAN-0030]\n");
  EXPECT_EQ(fault("name: a\nversion: 1.0\ninputs:\n  - type: image\n    parameters:\n"
                  "      layout: CHWN\n"),
            "error: line 6, column 15: 'layout' cannot be 'CHWN'\n"
            "  hint: did you mean 'CHW'?\n  [RIDGE-MAN-0023]\n");
  EXPECT_EQ(
      fault("name: a\nversion: 1.0\ninputs:\n  - type: image\n    layer: x\n    layer_name: y\n"),
      "error: line 6, column 17: 'layer_name' states 'layer' a second time\n"
      "  hint: keep one of them\n  [RIDGE-MAN-0027]\n");
  EXPECT_EQ(fault("name: a\nversion: 1.0\ninputs:\n  - type: image\n    steps:\n"
                  "      - resise: {height: 2}\n"),
            "error: line 6, column 9: 'step' cannot be 'resise'\n"
            "  hint: did you mean 'resize'?\n  [RIDGE-MAN-0023]\n");
  EXPECT_EQ(fault("name: a\nversion: 1.0\ninputs:\n  - type: image\n    steps:\n"
                  "      - resize:\n        height: 2\n"),
            "error: line 7, column 9: the step 'resize' is followed by 'height'\n"
            "  hint: indent the parameters of a step; begin each step with '-'\n"
            "  [RIDGE-MAN-0026]\n");
  EXPECT_EQ(fault("name: a\nversion: 1.0\nmodel: {graph_checksum: abc}\n"),
            "error: line 3, column 25: invalid checksum 'abc'\n"
            "  hint: expected sha256: and 64 hexadecimal digits, or md5: and 32\n"
            "  [RIDGE-MAN-0024]\n");
  EXPECT_EQ(fault("- a\n"),
            "error: line 1, column 1: 'manifest' is an array, expected a table\n"
            "  [RIDGE-MAN-0022]\n");
}

TEST(ManifestFaults, AttributesAreBounded) {
  std::string many = "name: a\nversion: 1.0\nattributes:\n";
  for (int i = 0; i < 501; ++i) many += "  k" + std::to_string(i) + ": 1\n";
  EXPECT_EQ(fault(many),
            "error: line 504, column 9: a table has more than 500 values\n  [RIDGE-MAN-0034]\n");
  EXPECT_EQ(fault("name: a\nversion: 1.0\nattributes: {" + std::string(101, 'k') + ": 1}\n"),
            "error: line 3, column 117: a name has 101 bytes, the limit is 100\n"
            "  [RIDGE-MAN-0029]\n");
}

TEST(ManifestFaults, TomlErrorsSpeakOfManifests) {
  EXPECT_EQ(fault("name = \"a\"\nversion = 1.0\n", Syntax::kToml),
            "error: line 2, column 11: 'version' is a number, expected text; put it in quotes\n"
            "  [RIDGE-MAN-0022]\n");
  EXPECT_EQ(fault("[[inputs]]\n[[inputs.steps]]\nstep = \"normalize\"\nmean = 1\n", Syntax::kToml),
            "error: line 4, column 8: tables and arrays nest more than 4 deep\n"
            "  hint: write steps as text: steps = \"resize(256, short) layout(nchw)\"\n"
            "  [RIDGE-MAN-0014]\n");
}

}  // namespace
}  // namespace ridge::manifest
