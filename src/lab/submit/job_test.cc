// SPDX-License-Identifier: Apache-2.0
#include "lab/submit/job.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/temporary_folder.h"

namespace ridge::lab {
namespace {

namespace fs = std::filesystem;

/// A folder in which the test runs: names are relative to it.
class JobFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(folder_.path() + "/in");
    fs::current_path(folder_.path() + "/in");
  }
  void TearDown() override { fs::current_path(before_); }

  static void write(const std::string& path, const std::string& text) {
    if (const fs::path above = fs::path(path).parent_path(); !above.empty())
      fs::create_directories(above);
    ASSERT_TRUE(write_file(path, text).ok());
  }
  static std::vector<std::string> paths(const JobSource& source) {
    std::vector<std::string> out;
    for (const JobFile& file : source.job.files) out.push_back(file.path);
    std::ranges::sort(out);
    return out;
  }
  static std::string refusal(const std::string& request) {
    write("m.toml", request);
    const auto job = read_job("m.toml");
    return job.ok() ? "" : job.error().text();
  }

 private:
  fs::path before_ = fs::current_path();
  TemporaryFolder folder_ = TemporaryFolder::make().value();
};

TEST_F(JobFolder, HasTheFilesThatTheRequestNames) {
  write("data/1.npy", "abc");
  write("data/deep/2.npy", "");
  write("labels.txt", "1\n");
  write("x.npy", "xyz");
  write(
      "m.toml",
      "verb = \"eval\"\nmodel = \"zoo:squeezenet1_1\"\ndata = \"data\"\nlabels = \"./labels.txt\"\n"
      "input = [\"x=x.npy\", \"y=none.npy\"]\n");
  const JobSource source = read_job("m.toml").value();
  EXPECT_EQ(source.job.verb, "eval");
  EXPECT_EQ(paths(source),
            (std::vector<std::string>{"data/1.npy", "data/deep/2.npy", "labels.txt", "x.npy"}));
  const auto abc = std::ranges::find(source.job.files, "data/1.npy", &JobFile::path);
  EXPECT_EQ(abc->bytes, 3);
  EXPECT_EQ(abc->sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_F(JobFolder, TakesNeedsAndFilesOfAManifest) {
  write("net/labels.txt", "a\nb\n");
  write("net/net.yml",
        "name: net\nversion: 1.0.0\nframework: {name: ONNX Runtime, version: '>=1.20'}\n"
        "inputs: [{type: raw, layer: x}]\noutputs: [{type: raw, layer: y}]\n"
        "model: {graph_path: zoo:squeezenet1_1}\nrequirements: {isa: [avx512_vnni], cores: 4}\n");
  write("m.json", R"({"verb": "eval", "model": "net/net.yml", "labels": "net/labels.txt"})");
  const JobSource source = read_job("m.json").value();
  EXPECT_TRUE(source.job.is_json);
  EXPECT_EQ(source.framework_version, ">=1.20");
  EXPECT_EQ(source.requires_of_machine.isa, std::vector<std::string>{"avx512_vnni"});
  EXPECT_EQ(source.requires_of_machine.cores, 4);
  EXPECT_EQ(paths(source), (std::vector<std::string>{"net/labels.txt", "net/net.yml"}));
}

TEST_F(JobFolder, FilesElsewhereAreRefused) {
  EXPECT_EQ(refusal("verb = \"eval\"\ndata = \"/etc/passwd\"\n"),
            "error: /etc/passwd: the file lies outside of this folder\n"
            "  hint: run ridge submit in a folder above all files of the request, and name them "
            "from there: on the other machine they have the same names\n"
            "  [RIDGE-LAB-0113]\n");
  write("../outside.txt", "x");
  EXPECT_NE(refusal("verb = \"eval\"\ndata = \"../outside.txt\"\n").find("0113"),
            std::string::npos);
}

TEST_F(JobFolder, ARequestSaysAVerbWithPoints) {
  EXPECT_EQ(refusal("model = \"a.onnx\"\n"),
            "error: m.toml: the request does not say its verb\n"
            "  hint: verb = \"bench\", \"eval\", \"generate\"\n"
            "  [RIDGE-LAB-0112]\n");
  EXPECT_NE(refusal("verb = \"runs\"\n").find("'runs' is no verb whose points can be submitted"),
            std::string::npos);
  EXPECT_NE(refusal("verb = \n").find("m.toml: line 1"), std::string::npos);
}

}  // namespace
}  // namespace ridge::lab
