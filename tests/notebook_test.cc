// SPDX-License-Identifier: Apache-2.0
// The notebooks of examples/notebook: committed without outputs, and executed as a newcomer's
// Jupyter would, in an empty folder and an empty home. What the cells show is compared with the
// documents of the program by notebook_oracle.py.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "workplace.h"

namespace ridge::tests {
namespace {

namespace fs = std::filesystem;

fs::path notebooks() { return source_tree() / "examples/notebook"; }

TEST(Notebook, IsCommittedWithoutOutputs) {
  const std::vector<fs::path> found = files_in(notebooks(), ".ipynb");
  ASSERT_FALSE(found.empty());
  for (const fs::path& notebook : found)
    for (const std::string& line : lines_of(read_text(notebook))) {
      EXPECT_FALSE(has(line, "\"output_type\"")) << notebook << line;
      EXPECT_TRUE(!has(line, "\"execution_count\"") || has(line, "null")) << notebook << line;
    }
}

TEST(NotebookSlow, ShowsWhatTheDocumentsOfItsRunsSay) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const fs::path python = python_of_clients();
  if (!fs::exists(python)) GTEST_SKIP() << "scripts/fetch_python_clients.sh has not run";
  const Workplace place;
  const Outcome o = place.run(fmt::format(
      "mkdir home work; cd work\n"
      "unset XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME\n"
      "export HOME=\"$PWD/../home\" RIDGE_PROGRAM='{}' PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='{}'\n"
      "'{}' '{}' '{}'",
      fs::absolute(program()).string(), (source_tree() / "python").string(), python.string(),
      (source_tree() / "tests/notebook_oracle.py").string(),
      (notebooks() / "first_profile.ipynb").string()));
  ASSERT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_TRUE(has(o.out, "10 cells ran, ")) << o.out;
}

}  // namespace
}  // namespace ridge::tests
