// SPDX-License-Identifier: Apache-2.0
// Runs the code of manifests with Pillow and OpenCV, and what runs for it here, on photographs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <sstream>

#include "base/file.h"
#include "base/temporary_folder.h"
#include "manifest/code_forms.h"
#include "manifest/manifest_reader.h"
#include "manifest/pipeline.h"
#include "manifest/run_steps.h"
#include "pipeline/pipeline.h"

namespace ridge::manifest {
namespace {

namespace fs = std::filesystem;

std::string cache() {
  const char* folder = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  return (folder != nullptr ? std::string(folder)
          : home != nullptr ? std::string(home) + "/.cache"
                            : std::string()) +
         "/ridge";
}

/// Python of the environment that scripts/fetch_oracles.sh makes.
std::string python_of_steps() {
  const char* folder = std::getenv("RIDGE_ORACLES");
  return (folder != nullptr ? folder : cache() + "/oracles/current") + "/bin/python";
}

/// Largest difference relative to the range of the expected values; 1 for another size.
float difference(const std::vector<float>& found, std::string_view expected) {
  if (found.size() * sizeof(float) != expected.size()) return 1;
  std::vector<float> all(found.size());
  std::memcpy(all.data(), expected.data(), expected.size());
  const auto [low, high] = std::ranges::minmax(all);
  float most = 0;
  for (std::size_t i = 0; i < all.size(); ++i) most = std::max(most, std::abs(all[i] - found[i]));
  return most == 0 ? 0 : most / (high - low);
}

class RunStepsOracleSlow : public ::testing::Test {
 protected:
  RunStepsOracleSlow() : folder_(TemporaryFolder::make(::testing::TempDir()).value()) {}

  void SetUp() override {
    if (!fs::exists(python_of_steps()) || std::getenv("RIDGE_SOURCE") == nullptr)
      GTEST_SKIP() << "scripts/fetch_oracles.sh has not run";
    for (const char* name : {"rocket.jpg", "chelsea.png"}) {
      images_.push_back(fmt::format("{}/evaluation-data/photographs/{}", cache(), name));
      if (!fs::exists(images_.back()))
        GTEST_SKIP() << "scripts/fetch_evaluation_data.sh has not run";
    }
  }

  /// Adds code whose steps run; the same code only once.
  void add(const std::string& code) {
    if (std::ranges::any_of(steps_, [&](const auto& s) { return s.second.first == code; })) return;
    const auto specs = preprocess_steps(code, {1, 1});
    ASSERT_TRUE(specs.ok()) << specs.error().text();
    const auto steps = input_steps(*specs);
    ASSERT_TRUE(steps.ok()) << steps.error().text();
    const std::string name = fmt::format("{:03}", steps_.size());
    ASSERT_TRUE(write_file(fmt::format("{}/{}.py", folder_.path(), name), code).ok());
    steps_[name] = {code, *steps};
  }

  void expect_all_equal() {
    std::string command = fmt::format("{} {}/src/manifest/run_steps_oracle.py {} {} > {}/out 2>&1",
                                      python_of_steps(), std::getenv("RIDGE_SOURCE"),
                                      folder_.path(), fmt::join(images_, " "), folder_.path());
    const int status = std::system(command.c_str());
    const std::string listing = read_file(folder_.path() + "/out", 1 << 20).value();
    ASSERT_EQ(status, 0) << listing;
    std::istringstream lines(listing);
    std::string name, type;
    std::size_t image = 0, elements = 0, compared = 0;
    while (lines >> name >> image >> type >> elements) {
      compare(name, image, type);
      ++compared;
    }
    EXPECT_EQ(compared, steps_.size() * images_.size());
  }

  std::size_t count() const { return steps_.size(); }

 private:
  void compare(const std::string& name, std::size_t image, const std::string& type) {
    const auto& [code, steps] = steps_.at(name);
    const std::string file = read_file(images_[image], 1 << 24).value();
    const auto found = pipeline::preprocess(std::as_bytes(std::span(file)), steps);
    ASSERT_TRUE(found.ok()) << found.error().text() << code;
    const std::string expected =
        read_file(fmt::format("{}/{}.{}.bin", folder_.path(), name, image), 1 << 28).value();
    if (type == "uint8") {
      const auto& bytes = std::get<std::vector<std::uint8_t>>(found->elements);
      EXPECT_EQ(std::string(bytes.begin(), bytes.end()) == expected, true) << code;
      return;
    }
    ASSERT_EQ(type, "float32") << code;
    ASSERT_TRUE(found->is_float()) << code;
    EXPECT_EQ(difference(found->floats(), expected), 0) << code;
  }

  TemporaryFolder folder_;
  std::vector<std::string> images_;
  std::map<std::string, std::pair<std::string, std::vector<pipeline::Step>>> steps_;
};

TEST_F(RunStepsOracleSlow, WhatRunsComputesWhatTheCodeComputes) {
  const auto corpus =
      read_file(std::string(std::getenv("RIDGE_CORPUS")) + "/manifest_fuzz/opencv.py", 1 << 20);
  ASSERT_TRUE(corpus.ok());
  add(corpus->substr(1));
  for (const std::string_view transforms :
       {"transforms.Resize(288), transforms.CenterCrop(257), transforms.ToTensor(),\n"
        "transforms.Normalize(mean=[.4, .5, .6], std=[.2, .2, .4])",
        "transforms.Resize((33, 47)), transforms.ToTensor()",
        "transforms.Resize(64), transforms.CenterCrop(61), transforms.ToTensor()"})
    add(
        fmt::format("from torchvision import transforms\nfrom PIL import Image\n"
                    "chain = transforms.Compose([\n{}\n])\ndef preprocess(ctx, data):\n"
                    "    img = Image.open(dataset[int(data)]).convert('RGB')\n"
                    "    return chain(img).numpy()\n",
                    transforms));
  for (const std::string_view body :
       {"  img = cv2.cvtColor(img, cv2.COLOR_BGR2RGB)\n  img = cv2.resize(img, (40, 30))\n"
        "  img = np.asarray(img, dtype='float32') / 255\n  m = np.array([0.1, 0.2, 0.3])\n"
        "  s = np.array([0.3, 0.7, 0.9])\n  img = (img - m) / s\n"
        "  img = img.transpose([2, 0, 1])\n",
        "  img = np.asarray(img, dtype='float32')\n  m = np.array([0.1, 0.2, 0.3])\n"
        "  s = np.array([3, 5, 7])\n  img -= m\n  img /= s\n",
        "  img = np.asarray(img, dtype=np.float32)\n  img /= 255.0\n  img -= 0.5\n  img *= 2\n",
        "  img = np.array(img, dtype=np.float32)\n  img = cv2.resize(img, (41, 29))\n"
        "  img = np.asarray(img, dtype=np.uint8)\n",
        "  img = np.array(img, dtype=np.float32)\n  img = cv2.resize(img, (91, 129))\n"})
    add(
        fmt::format("import numpy as np\nimport cv2\ndef f(img):\n{}  return img\n"
                    "def preprocess(ctx, data):\n  img = cv2.imread(dataset[int(data)])\n"
                    "  return np.ascontiguousarray(f(img), dtype=np.float32)\n",
                    body));
  EXPECT_EQ(count(), 9U);
  expect_all_equal();
}

// See CatalogueSlow in pipeline_test.cc. The catalogue's commit is 3f6cf2a.
TEST_F(RunStepsOracleSlow, StepsOfTheCatalogueRunAsItsCode) {
  const char* catalogue = std::getenv("RIDGE_CATALOGUE");
  if (catalogue == nullptr) GTEST_SKIP() << "the public catalogue is not here";
  int files = 0, run = 0;
  std::map<std::string, int> refused;
  for (const auto& file : fs::recursive_directory_iterator(catalogue)) {
    if (file.path().extension() != ".yml") continue;
    ++files;
    const auto read = read_manifest(read_file(file.path(), 1 << 20).value(), Syntax::kYaml);
    ASSERT_TRUE(read.ok()) << file.path();
    const auto& model = std::get<ModelManifest>(*read);
    const auto pipeline = pipeline_of(model, Prefer::kCode);
    if (!pipeline.ok()) {
      ++refused[pipeline.error().code()];
      continue;
    }
    for (const auto& specs : pipeline->before) {
      const auto steps = input_steps(specs);
      ASSERT_TRUE(steps.ok()) << file.path() << steps.error().text();
    }
    ++run;
    if (!model.preprocess.text.empty()) add(model.preprocess.text);
  }
  EXPECT_EQ(files, 286);
  EXPECT_EQ(run, 281);
  EXPECT_EQ(refused, (std::map<std::string, int>{{"RIDGE-MAN-0043", 5}}));
  RecordProperty("codes", static_cast<int>(count()));
  expect_all_equal();
}

}  // namespace
}  // namespace ridge::manifest
