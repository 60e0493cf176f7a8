// SPDX-License-Identifier: Apache-2.0
// examples/reframe in ReFrame itself, with its local scheduler.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "workplace.h"

namespace ridge::tests {
namespace {

namespace fs = std::filesystem;

/// ReFrame of scripts/fetch_reframe.sh; RIDGE_REFRAME names another folder. May be missing.
fs::path reframe() {
  const auto variable = [](const char* name, const fs::path& otherwise) {
    const char* value = std::getenv(name);
    return value != nullptr ? fs::path(value) : otherwise;
  };
  const fs::path cache = variable("XDG_CACHE_HOME", variable("HOME", "/") / ".cache");
  return variable("RIDGE_REFRAME", cache / "ridge/reframe/current") / "bin/reframe";
}

class ReframeSlow : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(reframe())) GTEST_SKIP() << "scripts/fetch_reframe.sh has not run";
    if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  }

  /// Runs a script with a request of two points.
  static Outcome run(const Workplace& place, const std::string& script) {
    return place.run(fmt::format(R"(
cat >matrix.toml <<'END'
verb = "bench"
model = ["plain.onnx"]
threads = ["1,2"]
processes = 1
budget = "500ms"
END
export RIDGE='{}' RIDGE_REQUEST=matrix.toml PYTHONDONTWRITEBYTECODE=1
checks() {{ '{}' --nocolor -C '{}/settings.py' -c '{}/ridgeline_checks.py' --prefix "$@" 2>&1; }}
{})",
                                 fs::absolute(program()).string(), reframe().string(), examples(),
                                 examples(), script));
  }

  static std::string examples() { return (source_tree() / "examples/reframe").string(); }
};

TEST_F(ReframeSlow, MeasuresEachPointOfTheRequest) {
  const Workplace place;
  const Outcome o = run(place, R"(
checks first -r
ridge runs merge runs.db $(find first -name runs.db)
ridge runs list runs.db --format json | grep -c '"run":')");
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_TRUE(has(o.out, "Ran 2/2 test case(s) from 2 check(s) (0 failure(s)")) << o.out;
  EXPECT_TRUE(o.out.ends_with("\n2\n")) << o.out << o.err;
}

TEST_F(ReframeSlow, ComparesLatenciesWithThoseOfAnEarlierSession) {
  const Workplace place;
  const Outcome o = run(place, R"(
sed -i 's/"1,2"/"1"/' matrix.toml
checks first -r >/dev/null
export RIDGE_REFERENCE=first
RIDGE_SLOWER=1000 checks second -r | grep Ran
sed -i 's/"median_ns":[0-9.e+-]*/"median_ns":1/' $(find first -name point.json)
checks third -r | grep -E 'Ran|latency=' || true)");
  EXPECT_TRUE(has(o.out, "Ran 1/1 test case(s) from 1 check(s) (0 failure(s)")) << o.out << o.err;
  EXPECT_TRUE(has(o.out, "Ran 1/1 test case(s) from 1 check(s) (1 failure(s)")) << o.out << o.err;
}

TEST_F(ReframeSlow, RunsOnlyWhereTheFeaturesAre) {
  const Workplace place;
  const Outcome o = run(place, R"(
RIDGE_NEEDS=avx9000 checks first -r)");
  EXPECT_TRUE(has(o.out, "Ran 0/0 test case(s) from 0 check(s)")) << o.out << o.err;
}

}  // namespace
}  // namespace ridge::tests
