// SPDX-License-Identifier: Apache-2.0
#include "manifest/manifest_writer.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "manifest/manifest_reader.h"
#include "manifest/pipeline.h"

namespace ridge::manifest {
namespace {

Manifest yaml(std::string_view text) {
  const auto read = read_manifest(text, Syntax::kYaml);
  EXPECT_TRUE(read.ok()) << read.error().text();
  return read.ok() ? *read : Manifest{};
}

void expect_round_trip(const Manifest& manifest) {
  const std::string toml = to_toml(manifest);
  const auto again = read_manifest(toml, Syntax::kToml);
  ASSERT_TRUE(again.ok()) << again.error().text() << toml;
  EXPECT_TRUE(*again == manifest) << toml;
  const std::string yaml = to_yaml(manifest);
  const auto same = read_manifest(yaml, Syntax::kYaml);
  ASSERT_TRUE(same.ok()) << same.error().text() << yaml;
  EXPECT_EQ(*same == manifest, true) << yaml;
}

constexpr std::string_view kModel = R"(name: net
version: 1.0
description: "two\nlines, a \"quote\", a \\ and \u00e9"
framework: {name: TensorFlow, version: ^1.4}
container: {amd64: {cpu: a, gpu: b}, arm64: {cpu: c}}
references: [r1, r2]
hidden: true
dataset: wines@^1
inputs:
  - type: image
    parameters: {layer: x, dimensions: [3, 8, 9], mean: 0.5, keep_aspect_ratio: false}
    steps: [{decode: {color_mode: RGB}}, {normalize: {mean: [1, 2.5, 3]}}, layout]
  - type: raw
    steps: []
outputs: [{type: classification, labels: 'my labels.txt'}]
model: {graph_path: g, weights_path: w, is_archive: true, graph_checksum: 00000000000000000000000000000000}
attributes: {top1: 71.20, data: [{name: A}, {name: B}]}
requirements: {memory: 8 GiB, isa: [avx2]}
)";

TEST(ManifestWriter, TomlIsThis) {
  EXPECT_EQ(to_toml(yaml(kModel)), R"toml(kind = "model"
name = "net"
version = "1.0"
description = "two\nlines, a \"quote\", a \\ and é"
references = [
  "r1",
  "r2",
]
hidden = true
dataset = "wines@^1"

[framework]
name = "TensorFlow"
version = "^1.4"

[[inputs]]
type = "image"
layer = "x"
dimensions = [3, 8, 9]
mean = 0.5
keep_aspect_ratio = false
steps = [
  "decode(color_mode=RGB)",
  "normalize(mean=[1, 2.5, 3])",
  "layout",
]

[[inputs]]
type = "raw"
steps = []

[[outputs]]
type = "classification"
labels = "my labels.txt"

[model]
graph_path = "g"
graph_checksum = "md5:00000000000000000000000000000000"
weights_path = "w"
is_archive = true

[attributes]
top1 = "71.20"
"data.name" = "A"
"data.name.2" = "B"

[requirements]
isa = [
  "avx2",
]
memory = 8589934592

[container]

[container.amd64]
cpu = "a"
gpu = "b"

[container.arm64]
cpu = "c"
)toml");
}

TEST(ManifestWriter, TomlAndYamlReadBackEqual) {
  expect_round_trip(yaml(kModel));
  expect_round_trip(
      yaml("kind: dataset\nname: d\nversion: 1.2.3\nloader: npy\nfiles: [a, b]\n"
           "labels: l\nlabels_checksum: " +
           std::string(64, '1') + "\n"));
  expect_round_trip(yaml("kind: runtime\nname: r\nversion: '>=1'\noptions: {a b: 1, c: {d: x}}\n"));
}

// Each member differs from its default, so that none can be left out.
TEST(ManifestWriter, EveryMemberOfAModelIsWritten) {
  ModelManifest m;
  m.name = "n";
  m.version = "1.0";
  m.framework = "f";
  m.framework_version = "^1";
  m.containers = {{"amd64", "gpu", "i"}};
  m.description = "d";
  m.license = "l";
  m.modality = "general";
  m.references = {"r"};
  m.hidden = true;
  Tensor input;
  input.type = "image";
  input.description = "in";
  input.parameters = {{"layer", "x", {}}, {"layout", "CHW", {}}, {"crop_ratio", "0.5", {}}};
  input.steps = {{"layout", {{"order", "CHW"}}, {}}};
  m.inputs = {input};
  Tensor output;
  output.type = "raw";
  output.parameters = {{"labels", "l", {}}, {"background_index", "0", {}}};
  m.outputs = {output};
  m.base_url = "u";
  m.graph = {"g", {Checksum::Kind::kMd5, std::string(32, 'a')}};
  m.weights = {"w", {Checksum::Kind::kSha256, std::string(64, 'b')}};
  m.features = {"p", {Checksum::Kind::kMd5, std::string(32, 'c')}};
  m.is_archive = true;
  m.attributes = {{"a b", "1", {}}};
  m.requirements = {"x86_64", {"avx2"}, 5, 4, "cpu"};
  int i = 0;
  for (Code* code : {&m.before_preprocess, &m.preprocess, &m.after_preprocess,
                     &m.before_postprocess, &m.postprocess, &m.after_postprocess})
    code->text = "x = " + std::to_string(++i) + "\n";
  expect_round_trip(m);
  DataManifest d{"n",
                 "1.0",
                 "d",
                 "l",
                 {"r"},
                 Loader::kCsv,
                 "",
                 {"f"},
                 m.graph,
                 m.weights,
                 m.features.checksum};
  expect_round_trip(d);
  expect_round_trip(RuntimeManifest{"n", "^1", "d", {{"o", "1", {}}}, m.requirements});
}

TEST(ManifestWriter, YamlKeepsCodeReadable) {
  ModelManifest m;
  m.name = "n";
  m.version = "1.0";
  m.preprocess.text = "def f(x):\n  return x  # \"y\"\n";
  m.postprocess.text = "a\tb\n";
  m.inputs = {
      {"image", "", {{"layer", "x", {}}, {"mean", "1, 2.5", {}}}, {{{"layout", {}, {}}}}, {}}};
  EXPECT_EQ(to_yaml(m),
            "kind: \"model\"\nname: \"n\"\nversion: \"1.0\"\n"
            "preprocess: |\n  def f(x):\n    return x  # \"y\"\n"
            "postprocess: \"a\\x09b\\n\"\n"
            "inputs:\n  - type: \"image\"\n    layer: \"x\"\n    mean: [1, 2.5]\n"
            "    steps:\n      - \"layout\"\nmodel:\n");
  for (const std::string_view text :
       {"a\nb", "a\n\n", "a\n  \n b", " a\nb", "\na\n", "a\n#b\n", "- a\n- b", "a \n"}) {
    m.preprocess.text = text;
    expect_round_trip(m);
  }
}

TEST(ManifestWriter, LongTextStaysWithinTheReadersLines) {
  DataManifest data;
  data.name = "d";
  data.version = "1";
  data.folder = "f";
  // The last are blanks beyond ASCII: no-break, em, ideographic, and of no width.
  for (const std::string_view part : {"word ", "      ", "\n\n", "x", "\"\\", "\x01", "é", "\u00a0",
                                      "\u2003", "\u3000", "\ufeff", "\U0001F600 "}) {
    data.description.clear();
    for (int i = 0; i < 700; ++i) data.description += part;
    expect_round_trip(data);
  }
}

TEST(ManifestWriter, JsonHasTheSameKeys) {
  StringSink sink;
  JsonWriter json(sink);
  write_json(yaml("kind: runtime\nname: r\nversion: '>=1'\noptions: {a: 1}\n"), json);
  EXPECT_EQ(sink.text(),
            "{\n\"kind\":\"runtime\",\n\"name\":\"r\",\n\"version\":\">=1\",\n"
            "\"options\":{\n\"a\":\"1\"}\n}");
}

// See CatalogueSlow in pipeline_test.cc.
TEST(ManifestWriterSlow, TheCatalogueReadsBackEqual) {
  const char* folder = std::getenv("RIDGE_CATALOGUE");
  if (folder == nullptr) GTEST_SKIP() << "the public catalogue is not here";
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
    if (file.path().extension() != ".yml") continue;
    const auto text = read_file(file.path(), 1 << 20);
    ASSERT_TRUE(text.ok());
    const Manifest manifest = yaml(*text);
    expect_round_trip(manifest);
    const auto steps = with_steps(std::get<ModelManifest>(manifest), Prefer::kCode);
    if (steps.ok()) expect_round_trip(*steps);
  }
}

}  // namespace
}  // namespace ridge::manifest
