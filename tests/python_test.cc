// The Python package, by its own tests (python/tests, unittest) in the environment of
// scripts/fetch_python_clients.sh, with the program that was built.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "workplace.h"

namespace ridge::tests {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Python of that environment; RIDGE_PYTHON_CLIENTS names another folder.
fs::path python() {
  const std::string named = variable("RIDGE_PYTHON_CLIENTS"), cache = variable("XDG_CACHE_HOME");
  if (!named.empty()) return fs::path(named) / "bin/python";
  const fs::path base = cache.empty() ? fs::path(variable("HOME")) / ".cache" : fs::path(cache);
  return base / "ridge/python-clients/current/bin/python";
}

void expect_passes(const std::string& suite) {
  if (!fs::exists(python())) GTEST_SKIP() << "scripts/fetch_python_clients.sh has not run";
  const Workplace place;
  const fs::path folder = source_tree() / "python";
  const Outcome o = place.run(fmt::format(
      "export RIDGE_PROGRAM='{}' PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='{}:{}'\n"
      "'{}' -m unittest {}",
      program().string(), folder.string(), (folder / "tests").string(), python().string(), suite));
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_FALSE(has(o.err, "Ran 0 tests")) << o.err;
}

TEST(Python, ColumnsFilesAreReadAsNumpyPandasPolarsAndArrow) { expect_passes("test_columns"); }
TEST(PythonSlow, ArgumentsAreModelsArraysAndSettings) { expect_passes("test_arguments"); }
TEST(PythonSlow, ResultsAreTheDocumentsOfTheProgram) { expect_passes("test_results"); }
TEST(PythonSlow, TheProgramIsFoundStartedAndEnded) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  expect_passes("test_program");
}

}  // namespace
}  // namespace ridge::tests
