// SPDX-License-Identifier: Apache-2.0
#include "evaluation/subject/subject.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "base/hash/sha256.h"
#include "base/temporary_folder.h"
#include "manifest/registry_add.h"
#include "pipeline/output_step_text.h"
#include "pipeline/step_text.h"

namespace ridge::evaluation {
namespace {

class NoNotices : public session::Notices {
 public:
  void warn(std::string_view, std::string_view) override {}
  void failed(const Error&) override {}
  void status(std::string_view) override {}
};

class EvaluationSubjectTest : public ::testing::Test {
 protected:
  EvaluationSubjectTest()
      : place_(TemporaryFolder::make(::testing::TempDir()).value()),
        environment_{.host = {}, .notices = notices_, .cache_folder = place_.path() + "/cache"} {
    for (const char* folder : {"/cache/few", "/here"})
      std::filesystem::create_directories(place_.path() + folder);
    write("cache/few/images.npy", "images");
    write("cache/few/labels.txt", "0\n");
    write("here/net.onnx", "net");
    write("here/names.txt", "cat\ndog\n");
    write("here/data.toml",
          "kind = \"dataset\"\nname = \"few\"\nversion = \"1.0\"\nloader = \"npy\"\n"
          "files = [\"cache:few/images.npy\"]\nlabels = \"cache:few/labels.txt\"\n");
    write("here/net.yml", manifest_text("data.toml"));
  }

  static std::string manifest_text(const std::string& dataset) {
    return "name: net\nversion: 1.2.0\nframework: {name: OpenVINO, version: '>=2025'}\ndataset: " +
           dataset +
           "\ninputs:\n  - type: image\n    steps: normalize(divide=255) layout(nchw)\n"
           "outputs: [{type: classification}]\n"
           "model: {graph_path: net.onnx, graph_checksum: " +
           sha256_of("net") + ", features_path: names.txt}\n";
  }
  void write(const std::string& name, std::string_view text) const {
    EXPECT_TRUE(write_file(place_.path() + "/" + name, text).ok());
  }
  Result<EvaluationSubject> subject(const std::string& name, const std::string& data = "",
                                    const std::string& runtime = "") const {
    return evaluation_subject({.name = name,
                               .data = data,
                               .registry = place_.path() + "/registry",
                               .runtime_manifest = runtime},
                              environment_);
  }
  std::string failure(const std::string& name, const std::string& data = "") const {
    const auto found = subject(name, data);
    if (found.ok()) return {};
    std::string text = found.error().text();
    for (std::size_t at = 0; (at = text.find(place_.path())) != std::string::npos;)
      text.erase(at, place_.path().size() + 1);
    return text;
  }

  NoNotices notices_;
  TemporaryFolder place_;
  session::Environment environment_;
};

TEST_F(EvaluationSubjectTest, AManifestNamesEverything) {
  const auto found = subject(place_.path() + "/here/net.yml");
  ASSERT_TRUE(found.ok()) << found.error().text();
  EXPECT_EQ(found->model.name, "net@1.2.0");
  EXPECT_EQ(*read_file(found->model.path, 9), "net");
  EXPECT_EQ(found->data.name, "few@1.0");
  EXPECT_EQ(*read_file(found->data.path, 9), "images");
  EXPECT_EQ(*read_file(found->labels.path, 9), "0\n");
  EXPECT_EQ(*read_file(found->class_names.path, 9), "cat\ndog\n");
  EXPECT_EQ(pipeline::print_steps(found->steps), "normalize(divide=255) layout(nchw)");
  ASSERT_EQ(found->runtimes.size(), 1U);
  EXPECT_EQ(found->runtimes[0], (WantedRuntime{"openvino", ">=2025", {}}));
}

TEST_F(EvaluationSubjectTest, ARegistryHasTheSame) {
  manifest::Registry registry(place_.path() + "/registry");
  write("here/net.yml", manifest_text("few@^1"));
  for (const char* name : {"/here/net.yml", "/here/data.toml"}) {
    const auto file = manifest::read_manifest_file(place_.path() + name);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(manifest::add_manifest(registry, *file, {.cache = place_.path() + "/cache"}).ok());
  }
  std::filesystem::remove_all(place_.path() + "/here");
  std::filesystem::remove_all(place_.path() + "/cache");
  const auto found = subject("net@>=1,<2");
  ASSERT_TRUE(found.ok()) << found.error().text();
  EXPECT_EQ(found->model.name, "net@1.2.0");
  EXPECT_EQ(found->model.sha256, sha256_of("net"));
  EXPECT_TRUE(found->model.path.ends_with("/net.onnx"));
  EXPECT_EQ(*read_file(found->model.path, 9), "net");
  EXPECT_EQ(*read_file(found->data.path, 9), "images");
  EXPECT_EQ(*read_file(found->labels.path, 9), "0\n");
  // A manifest of data that is in the entry stands for the entry of its name.
  EXPECT_EQ(found->data.sha256.size(), 64U);
  EXPECT_EQ(failure("net@^3"),
            "error: no version of model 'net' satisfies '^3'\n  the registry has 1.2.0\n"
            "  [RIDGE-MAN-0032]\n");
}

TEST_F(EvaluationSubjectTest, AMistypedFolderIsAFileThatIsNotThere) {
  EXPECT_EQ(failure("zoo:squeezenet1_1", "fotos"),
            "error: fotos: no such file or folder\n"
            "  the registry has no data set of that name either\n"
            "  hint: --data takes a folder of images or texts, a .npy, a .txt, a manifest, or "
            "NAME@VERSION of a registry\n  [RIDGE-WB-0198]\n");
}

TEST_F(EvaluationSubjectTest, WhatAManifestNamesByAUrlIsInTheDataRoot) {
  const std::string url = "https://example.org/models/";
  std::string text = manifest_text("data.toml");
  text.replace(text.find("graph_path: "), 12, "graph_path: " + url);
  write("here/net.yml", text);
  const std::string name = place_.path() + "/here/net.yml";
  EXPECT_NE(failure(name).find("put it there, or name a folder that has it: --data-root DIR"),
            std::string::npos)
      << failure(name);
  std::filesystem::create_directories(place_.path() + "/fetched");
  write("fetched/net.onnx", "net");
  const SubjectOptions options{.name = name, .data_root = place_.path() + "/fetched"};
  const auto found = evaluation_subject(options, environment_);
  ASSERT_TRUE(found.ok()) << found.error().text();
  EXPECT_EQ(found->model.path, place_.path() + "/fetched/net.onnx");
  write("fetched/net.onnx", "another");  // the manifest's checksum is compared
  EXPECT_EQ(evaluation_subject(options, environment_).error().code(), "RIDGE-MAN-0091");
}

TEST_F(EvaluationSubjectTest, DamagedContentOfARegistryIsNotEvaluated) {
  manifest::Registry registry(place_.path() + "/registry");
  for (const char* name : {"/here/net.yml", "/here/data.toml"}) {
    const auto file = manifest::read_manifest_file(place_.path() + name);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(manifest::add_manifest(registry, *file, {.cache = environment_.cache_folder}).ok());
  }
  ASSERT_EQ(failure("net@^1"), "");
  const auto damage = [&](manifest::EntryKind kind, const char* name, const char* version,
                          std::string_view file) {
    const manifest::RegistryEntry entry = registry.find(kind, name, version).value();
    for (const manifest::RegistryFile& f : entry.files)
      if (f.name.ends_with(file)) {
        const std::string path = registry.content(f).value();
        std::string bytes = *read_file(path, 1 << 20);
        bytes.back() = static_cast<char>(bytes.back() ^ 1);
        EXPECT_TRUE(write_file(path, bytes).ok());
      }
  };
  damage(manifest::EntryKind::kDataset, "few", "1.0", "images.npy");
  EXPECT_NE(failure("net@^1").find("[RIDGE-MAN-0071]"), std::string::npos) << failure("net@^1");
  damage(manifest::EntryKind::kDataset, "few", "1.0", "images.npy");  // as it was
  ASSERT_EQ(failure("net@^1"), "");
  damage(manifest::EntryKind::kModel, "net", "1.2.0", "net.onnx");
  EXPECT_NE(failure("net@^1").find("[RIDGE-MAN-0071]"), std::string::npos) << failure("net@^1");
}

TEST_F(EvaluationSubjectTest, FilesThatAreAbsentAreNoEntries) {
  EXPECT_EQ(failure("zoo:lenet", "none.npy"),
            "error: none.npy: cannot open it: No such file or directory\n"
            "  hint: check the spelling of the path\n  [RIDGE-IO-0001]\n");
}

TEST_F(EvaluationSubjectTest, WhatALockNamesIsFoundInAnotherRegistry) {
  write("here/net.yml", manifest_text("few@^1"));
  const auto fill_registry = [&](const std::string& folder) {
    manifest::Registry registry(folder);
    for (const char* name : {"/here/net.yml", "/here/data.toml"}) {
      const auto file = manifest::read_manifest_file(place_.path() + name);
      ASSERT_TRUE(file.ok());
      ASSERT_TRUE(
          manifest::add_manifest(registry, *file, {.cache = place_.path() + "/cache"}).ok());
    }
  };
  fill_registry(place_.path() + "/registry");
  EvaluationRequest request;
  fill(request, subject("net@^1").value());
  EXPECT_EQ(request.entries.model, "net@1.2.0");
  EXPECT_EQ(request.entries.data, "few@1.0");
  EXPECT_EQ(request.entries.labels, "few@1.0/labels.txt");
  request.data.post = *pipeline::parse_output_steps("top(1) labels(\"/gone/names.txt\")");
  const EvaluationRequest before = request;

  const std::string moved = place_.path() + "/elsewhere";
  fill_registry(moved);
  std::filesystem::remove_all(place_.path() + "/registry");
  ASSERT_TRUE(find_entries(request, moved, environment_).ok());
  EXPECT_TRUE(request.model.starts_with(moved + "/"));
  EXPECT_EQ(*read_file(request.model, 9), "net");
  EXPECT_EQ(*read_file(request.data.source, 9), "images");
  EXPECT_EQ(*read_file(request.data.labels, 9), "0\n");
  const auto& named = std::get<pipeline::Labels>(request.data.post.at(1));
  EXPECT_EQ(*read_file(named.path, 9), "cat\ndog\n");

  EvaluationRequest lost = before;
  const auto failed = find_entries(lost, place_.path() + "/empty", environment_);
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().code(), "RIDGE-MAN-0063");
  // A file that no entry names is left to what opens it.
  lost.entries = {};
  EXPECT_TRUE(find_entries(lost, place_.path() + "/empty", environment_).ok());
  EXPECT_EQ(lost.model, before.model);
}

TEST_F(EvaluationSubjectTest, TheDataOfAModelInARegistryMayBeElsewhere) {
  manifest::Registry registry(place_.path() + "/registry");
  const auto file = manifest::read_manifest_file(place_.path() + "/here/net.yml");
  ASSERT_TRUE(manifest::add_manifest(registry, *file, {.cache = environment_.cache_folder}).ok());
  const auto outside = subject("net@^1");
  ASSERT_TRUE(outside.ok()) << outside.error().text();
  EXPECT_EQ(outside->data.path, place_.path() + "/cache/few/images.npy");
  const auto data = manifest::read_manifest_file(place_.path() + "/here/data.toml");
  ASSERT_TRUE(manifest::add_manifest(registry, *data, {.cache = environment_.cache_folder}).ok());
  const auto inside = subject("net@^1");
  ASSERT_TRUE(inside.ok()) << inside.error().text();
  EXPECT_TRUE(inside->data.path.starts_with(place_.path() + "/registry/"));
}

TEST_F(EvaluationSubjectTest, TheRequestKeepsWhatItStates) {
  const auto found = subject(place_.path() + "/here/net.yml");
  ASSERT_TRUE(found.ok());
  EvaluationRequest request;
  request.data.labels = "mine.txt";
  fill(request, *found);
  EXPECT_EQ(request.model, found->model.path);
  EXPECT_EQ(request.data.source, found->data.path);
  EXPECT_EQ(request.data.labels, "mine.txt");
  EXPECT_EQ(request.data.steps.size(), 2U);
  EXPECT_EQ(request.wanted, found->runtimes);
}

TEST_F(EvaluationSubjectTest, StepsAfterTheRunAreThoseOfTheCommandLine) {
  write("here/net.yml",
        "name: net\nversion: 1.2.0\ndataset: data.toml\n"
        "outputs: [{type: classification, steps: [softmax, {argsort: {labels: names.txt}}]}]\n"
        "model: {graph_path: net.onnx, features_path: names.txt}\n");
  const auto found = subject(place_.path() + "/here/net.yml");
  ASSERT_TRUE(found.ok()) << found.error().text();
  EXPECT_EQ(pipeline::print_output_steps(found->post),
            "softmax argsort labels(\"" + place_.path() + "/here/names.txt\")");
  EvaluationRequest request;
  fill(request, *found);
  EXPECT_EQ(request.data.post, found->post);
  request.data.post = *pipeline::parse_output_steps("top(1)");
  fill(request, *found);
  EXPECT_EQ(pipeline::print_output_steps(request.data.post), "top(1)");
}

TEST_F(EvaluationSubjectTest, ARuntimesManifestHasOptions) {
  write("here/ort.toml",
        "kind = \"runtime\"\nname = \"ort\"\nversion = \"^1\"\n[options]\n"
        "\"session.set_denormal_as_zero\" = \"1\"\n");
  const auto found = subject("zoo:lenet", "", place_.path() + "/here/ort.toml");
  ASSERT_TRUE(found.ok()) << found.error().text();
  EXPECT_EQ(found->model.path, "zoo:lenet");
  ASSERT_EQ(found->runtimes.size(), 1U);
  EXPECT_EQ(found->runtimes[0],
            (WantedRuntime{"ort", "^1", {{"session.set_denormal_as_zero", "1"}}}));
}

TEST_F(EvaluationSubjectTest, ARuntimesManifestDecidesNoLibraryAndNoFile) {
  write("here/ort.toml",
        "kind = \"runtime\"\nname = \"ort\"\n[options]\n\"ep.context_file_path\" = \"x\"\n");
  const auto found = subject("zoo:lenet", "", place_.path() + "/here/ort.toml");
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code(), "RIDGE-RT-0090");
  EXPECT_NE(found.error().text().find("here/ort.toml: line 4, column "), std::string::npos)
      << found.error().text();
}

TEST_F(EvaluationSubjectTest, WhatStandsForNothingIsRefused) {
  EXPECT_EQ(failure("mine"),
            "error: the registry has no model 'mine'\n"
            "  hint: `ridge registry list` shows what there is\n  [RIDGE-MAN-0063]\n");
  EXPECT_EQ(failure(place_.path() + "/here/data.toml"),
            "error: here/data.toml: the manifest is of a dataset, not of a model\n"
            "  [RIDGE-WB-0190]\n");
  write("here/net.onnx", "other");
  EXPECT_NE(failure(place_.path() + "/here/net.yml").find("[RIDGE-MAN-0091]"), std::string::npos);
  write("here/net.yml",
        "name: a\nversion: 1.0\noutputs: [{type: boundingbox, steps: [boxes]}]\n"
        "model: {graph_path: zoo:lenet}\n");
  EXPECT_EQ(failure(place_.path() + "/here/net.yml"), "");
  write("here/net.yml",
        "name: a\nversion: 1.0\nframework: {name: MXNet}\nmodel: {graph_path: "
        "a.json}\n");
  EXPECT_EQ(failure(place_.path() + "/here/net.yml"),
            "error: here/net.yml: the graph 'a.json' is no ONNX file\n"
            "  hint: convert the model to ONNX, and state the framework ONNX Runtime or OpenVINO\n"
            "  [RIDGE-WB-0197]\n");
  write("here/data.toml",
        "kind = \"dataset\"\nname = \"few\"\nversion = \"1.0\"\n"
        "loader = \"csv\"\nfiles = [\"a.csv\"]\n");
  EXPECT_EQ(failure("zoo:lenet", place_.path() + "/here/data.toml"),
            "error: here/data.toml: data sets are a folder of images or texts, one .npy, or one "
            ".txt of lines, in the order of their names\n"
            "  hint: state loader images or text with a folder, or npy or text with one file, and "
            "no list of samples\n"
            "  [RIDGE-WB-0192]\n");
}

}  // namespace
}  // namespace ridge::evaluation
