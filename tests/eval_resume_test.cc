// SPDX-License-Identifier: Apache-2.0
// Evaluations that end half-way, and go on.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "workplace.h"

namespace ridge::tests {
namespace {

constexpr const char* kBoth =
    "ridge eval plain.onnx --runtimes null,ort --scenario server --qps 200 --duration 3s "
    "--store runs.db";

std::string document_of(const Workplace& place, const std::string& evaluation) {
  const Outcome o =
      place.run("ridge runs show runs.db evaluation:" + evaluation + " --format json");
  EXPECT_EQ(o.status, 0) << o.err;
  return o.out;
}

TEST(EvalResumeSlow, AKilledProgramLeavesThePointsBeforeAndTheNextOneGoesOn) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const Workplace place;
  // Killed as soon as the first point is stored: the second takes at least three seconds.
  const Outcome killed =
      place.run(std::string(kBoth) +
                " > out.txt 2> log.txt & pid=$!\n"
                "for i in $(seq 600); do grep -q 'stored as evaluation 1 ' "
                "log.txt && break; sleep 0.05; done\n"
                "kill -9 $pid; wait $pid || echo $?; cat out.txt; cat log.txt >&2");
  EXPECT_EQ(killed.out, "137\n") << killed.err;  // and no document
  const std::string first = document_of(place, "1");
  EXPECT_NE(place.run("ridge runs show runs.db evaluation:2").status, 0);

  const Outcome rest = place.run(std::string(kBoth) + " || [ $? -eq 1 ]");
  EXPECT_EQ(rest.status, 0) << rest.err;
  EXPECT_NE(rest.err.find("2 points, 1 of them already in runs.db\n"), std::string::npos)
      << rest.err;
  EXPECT_NE(rest.err.find("stored as evaluation 2 in runs.db\n"), std::string::npos) << rest.err;
  EXPECT_EQ(document_of(place, "1"), first);
  EXPECT_NE(rest.out.find("ONNX Runtime"), std::string::npos) << rest.out;
  EXPECT_NE(rest.out.find("null 1:"), std::string::npos) << rest.out;

  const Outcome again = place.run(std::string(kBoth) + " --format json || [ $? -eq 1 ]");
  EXPECT_NE(again.err.find("2 points, 2 of them already in runs.db\n"), std::string::npos);
  const auto document = nlohmann::json::parse(again.out, nullptr, false);
  ASSERT_EQ(document["points"].size(), 2U);
  EXPECT_EQ(document["points"][0], nlohmann::json::parse(first)["points"][0]);
}

}  // namespace
}  // namespace ridge::tests
