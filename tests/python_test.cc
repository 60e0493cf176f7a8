// SPDX-License-Identifier: Apache-2.0
// The Python package, by its own tests (python/tests, unittest) in the environment of
// scripts/fetch_python_clients.sh, with the program that was built.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "workplace.h"

namespace ridge::tests {
namespace {

void expect_passes(const std::string& suite) {
  const std::filesystem::path python = python_of_clients();
  if (!std::filesystem::exists(python))
    GTEST_SKIP() << "scripts/fetch_python_clients.sh has not run";
  const Workplace place;
  const std::filesystem::path folder = source_tree() / "python";
  const Outcome o = place.run(fmt::format(
      "export RIDGE_PROGRAM='{}' PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='{}:{}'\n"
      "'{}' -m unittest {}",
      program().string(), folder.string(), (folder / "tests").string(), python.string(), suite));
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_FALSE(has(o.err, "Ran 0 tests")) << o.err;
}

TEST(Python, ColumnsFilesAreReadAsNumpyPandasPolarsAndArrow) { expect_passes("test_columns"); }
TEST(PythonSlow, ArgumentsAreModelsArraysAndSettings) { expect_passes("test_arguments"); }
TEST(PythonSlow, ResultsAreTheDocumentsOfTheProgram) { expect_passes("test_results"); }
TEST(PythonSlow, ABarOfTqdmShowsWhatACallbackGets) { expect_passes("test_bar"); }
TEST(PythonSlow, FilesOfARunDatabaseAreReadByDuckDbAndPandas) { expect_passes("test_export"); }
TEST(PythonSlow, TheProgramIsFoundStartedAndEnded) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  expect_passes("test_program");
}
TEST(PythonSlow, EnvironmentsWithoutARuntimeReadOnlyAndOfAnyLetters) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  expect_passes("test_environment");
}

}  // namespace
}  // namespace ridge::tests
