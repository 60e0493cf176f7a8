// SPDX-License-Identifier: Apache-2.0
// Output of `ridge export`, read by each format's own reader (scripts/fetch_export_readers.sh) and
// compared with the run by tests/export/read_exports.py.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "workplace.h"

namespace ridge::tests {
namespace {

namespace fs = std::filesystem;

fs::path readers_folder() {
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  const fs::path root = cache != nullptr  ? fs::path(cache)
                        : home != nullptr ? fs::path(home) / ".cache"
                                          : fs::path();
  return root / "ridge" / "export-readers" / "1";
}

/// Format, and the requirements of its reader besides the run and the export.
struct Case {
  std::string format;
  std::string more = {};
  fs::path needs = {};  ///< program besides the Python packages
};

std::string exported_name(const ::testing::TestParamInfo<Case>& info) {
  std::string name;
  for (const char c : info.param.format)
    if (c != '-') name += c;
  return name;
}

class ReaderSlow : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (!fs::exists(readers_folder() / "python"))
      GTEST_SKIP() << "no readers of exports: scripts/fetch_export_readers.sh";
    if (!GetParam().needs.empty() && !fs::exists(GetParam().needs))
      GTEST_SKIP() << "no " << GetParam().needs.string() << ": scripts/fetch_export_readers.sh";
  }
};

TEST_P(ReaderSlow, ReadsWhatTheRunSays) {
  const Workplace place;
  const Case& c = GetParam();
  const fs::path script = source_tree() / "tests/export/read_exports.py";
  for (const std::string run : {"run", "spans"}) {
    const Outcome outcome = place.run(
        "ridge export " + run + ".json --to " + c.format + " --output " + run + ".out\n" +
        "export PYTHONPATH='" + (readers_folder() / "python").string() + "' RIDGE_PPROF='" +
        (readers_folder() / "bin/pprof").string() + "'\n" + "python3 '" + script.string() + "' " +
        c.format + " " + run + ".json " + run + ".out " + c.more);
    EXPECT_EQ(outcome.status, 0) << c.format << " of " << run << "\n" << outcome.err;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Exports, ReaderSlow,
    ::testing::Values(Case{"chrome"},
                      Case{"google-benchmark", "run.out", "/usr/share/benchmark/compare.py"},
                      Case{"model-explorer", "before.onnx"}, Case{"netron", "before.onnx"},
                      Case{"otlp"}, Case{"perfetto"},
                      Case{"pprof", "", readers_folder() / "bin/pprof"}, Case{"spans-csv"}),
    exported_name);

}  // namespace
}  // namespace ridge::tests
