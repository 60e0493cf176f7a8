// SPDX-License-Identifier: Apache-2.0
// Runs the code itself, with OpenCV and NumPy, beside the steps that were recognized in it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "base/file.h"
#include "base/temporary_folder.h"
#include "manifest/code_forms.h"
#include "manifest/manifest_reader.h"

namespace ridge::manifest {
namespace {

namespace fs = std::filesystem;

/// Python of the environment that scripts/fetch_oracles.sh makes.
std::string python_of_forms() {
  if (const char* folder = std::getenv("RIDGE_ORACLES")) return std::string(folder) + "/bin/python";
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  const std::string base = cache != nullptr  ? cache
                           : home != nullptr ? std::string(home) + "/.cache"
                                             : std::string();
  return base + "/ridge/oracles/current/bin/python";
}

class CodeOracleSlow : public ::testing::Test {
 protected:
  CodeOracleSlow() : folder_(TemporaryFolder::make(::testing::TempDir()).value()) {}

  /// Adds code; the same code only once. Torchvision is not at hand.
  void add(const std::string& code) {
    const auto steps = preprocess_steps(code, {1, 1});
    if (!steps.ok() || *(*steps)[0].find("library") != "opencv" || !codes_.insert(code).second)
      return;
    std::string text;
    for (const StepSpec& s : *steps) text += step_text(s) + "\n";
    const std::string name = fmt::format("{}/{:03}", folder_.path(), codes_.size());
    ASSERT_TRUE(write_file(name + ".py", code).ok());
    ASSERT_TRUE(write_file(name + ".steps", text).ok());
  }

  void expect_all_equal() {
    const std::string script =
        std::string(std::getenv("RIDGE_SOURCE")) + "/src/manifest/code_forms_oracle.py";
    const std::string out = folder_.path() + "/out";
    const std::string command =
        fmt::format("{} {} {} > {} 2>&1", python_of_forms(), script, folder_.path(), out);
    const int status = std::system(command.c_str());
    const auto text = read_file(out, 1 << 20);
    ASSERT_TRUE(text.ok());
    ASSERT_EQ(status, 0) << *text;
    std::string expected;
    for (std::size_t i = 1; i <= codes_.size(); ++i) expected += fmt::format("{:03} equal\n", i);
    EXPECT_EQ(*text, expected);
  }

  bool ready() const {
    return fs::exists(python_of_forms()) && std::getenv("RIDGE_SOURCE") != nullptr;
  }
  std::size_t count() const { return codes_.size(); }

 private:
  TemporaryFolder folder_;
  std::set<std::string> codes_;
};

TEST_F(CodeOracleSlow, StepsComputeWhatTheCodeComputes) {
  if (!ready()) GTEST_SKIP() << "scripts/fetch_oracles.sh has not run";
  const std::string seed = std::string(std::getenv("RIDGE_CORPUS")) + "/manifest_fuzz/opencv.py";
  const auto in_proportion = read_file(seed, 1 << 20);
  ASSERT_TRUE(in_proportion.ok());
  add(in_proportion->substr(1));
  for (const std::string_view body :
       {"  img = cv2.cvtColor(img, cv2.COLOR_BGR2RGB)\n  img = cv2.resize(img, (40, 30))\n"
        "  img = np.asarray(img, dtype='float32') / 255\n  m = np.array([0.1, 0.2, 0.3])\n"
        "  s = np.array([0.3, 0.7, 0.9])\n  img = (img - m) / s\n"
        "  img = img.transpose([2, 0, 1])\n",
        "  img = np.asarray(img, dtype='float32')\n  m = np.array([0.1, 0.2, 0.3])\n"
        "  s = np.array([3, 5, 7])\n  img -= m\n  img /= s\n",
        "  img = np.asarray(img, dtype=np.float32)\n  img /= 255.0\n  img -= 0.5\n"
        "  img *= 2\n",
        "  img = np.asarray(img, dtype=np.float32)\n"
        "  m = np.array([0.1, 0.2, 0.3], dtype=np.float32)\n"
        "  s = np.array([0.3, 0.7, 0.9], dtype=np.float32)\n  img = img / 255. - m\n"
        "  img = img / s\n",
        "  img = np.array(img, dtype=np.float32)\n  img = cv2.resize(img, (41, 29))\n"
        "  img = np.asarray(img, dtype=np.uint8)\n"})
    for (const std::string_view call : {"f(img)", "np.ascontiguousarray(f(img), dtype=np.float32)"})
      add(
          fmt::format("import numpy as np\nimport cv2\ndef f(img):\n{}  return img\n"
                      "def preprocess(ctx, data):\n  img = cv2.imread(dataset[int(data)])\n"
                      "  return {}\n",
                      body, call));
  EXPECT_EQ(count(), 10U);
  expect_all_equal();
}

// See CatalogueSlow in pipeline_test.cc.
TEST_F(CodeOracleSlow, StepsOfTheCatalogueComputeWhatItsCodeComputes) {
  const char* catalogue = std::getenv("RIDGE_CATALOGUE");
  if (catalogue == nullptr) GTEST_SKIP() << "the public catalogue is not here";
  if (!ready()) GTEST_SKIP() << "scripts/fetch_oracles.sh has not run";
  for (const auto& file : fs::recursive_directory_iterator(catalogue)) {
    if (file.path().extension() != ".yml") continue;
    const auto text = read_file(file.path(), 1 << 20);
    ASSERT_TRUE(text.ok());
    const auto read = read_manifest(*text, Syntax::kYaml);
    ASSERT_TRUE(read.ok());
    add(std::get<ModelManifest>(*read).preprocess.text);
  }
  EXPECT_EQ(count(), 25U);
  expect_all_equal();
}

}  // namespace
}  // namespace ridge::manifest
