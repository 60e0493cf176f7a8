// SPDX-License-Identifier: Apache-2.0
// ridge eval on texts of real files, beside the package whose network it runs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "analysis/testing/packaged.h"
#include "workplace.h"

namespace ridge::tests {
namespace {

TEST(TextsSlow, NameWhatFilesContainAsMagikaDoes) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const std::filesystem::path cache = analysis::testing::cache_folder();
  const std::filesystem::path network = cache / "evaluation-data/magika";
  const std::filesystem::path python = cache / "oracles/current/bin/python";
  if (!std::filesystem::exists(network / "model.onnx"))
    GTEST_SKIP() << "scripts/fetch_evaluation_data.sh has not run";
  if (!std::filesystem::exists(python)) GTEST_SKIP() << "scripts/fetch_oracles.sh has not run";
  const Workplace place;
  const Outcome o = place.run(fmt::format(
      R"sh(mkdir files
cd files
cp '{0}/src/text/unicode.cc' '{0}/tests/serve_client.py' '{0}/LICENSE' '{0}/web/serve.js' '{0}/scripts/fetch.sh' .
printf '\n\n\n   {{"key": [1, 2, 3]}}  \n\n' >spaces.json
head -c 6000 /dev/zero >zeros
printf 'SELECT name FROM people WHERE age > 30;\n' >short.sql
(head -c 3000 /dev/zero | tr '\0' ' '; cat '{0}/src/text/unicode.cc') >indented.cc
cd ..
ridge eval '{0}/examples/magika/magika.toml' --data files --scenario accuracy --save-outputs outputs --format json --output e.json
'{1}' '{0}/tests/magika_oracle.py' e.json files '{2}/classes.txt')sh",
      source_tree().string(), python.string(), network.string()));
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.out, R"(LICENSE txt
fetch.sh shell
indented.cc cpp
serve.js javascript
serve_client.py python
short.sql sql
spaces.json jsonl
unicode.cc cpp
zeros iso
scores differ by less than 0.0001
)") << o.err;
}

}  // namespace
}  // namespace ridge::tests
