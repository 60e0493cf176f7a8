// SPDX-License-Identifier: Apache-2.0
// Experiments and agents as a live `ridge serve` shows them, asked by serve_client.py.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "workplace.h"

namespace ridge::tests {
namespace {

/// Text that the client prints of a case.
std::string client_said(std::string_view name) {
  const Workplace place;
  const Outcome o = place.run(fmt::format(
      "python3 '{}' {} lab.db", (source_tree() / "tests/serve_client.py").string(), name));
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.err, "");
  return o.out;
}

TEST(ServeExperimentSlow, ShowsPointsFailuresAndAgents) {
  EXPECT_EQ(client_said("experiments"), R"(list: True
2 bad done True
  plain.onnx, batch=1, 1 thread, null failed None None
1 <two> done True
  plain.onnx, batch=1, 1 thread, null measured here 1
  plain.onnx, batch=1, 1 thread, null measured here 2
here ended 2 True ['plain.onnx'] ['ONNX Runtime', 'OpenVINO']
/api/v1/experiments/9 404 RIDGE-STORE-0022
/api/v1/experiments/x 404 RIDGE-SERVE-0020
/experiments/9 404 RIDGE-STORE-0022
experiment=1 2 0
experiment=2 0 0
experiment=0 400 RIDGE-REC-0009 None
<h1>Experiment &lt;two&gt;</h1> 2 of 2 points measured
plain.onnx, batch=1, 1 thread, null evaluation 1 , evaluation 2
here ended N s ago
plain.onnx, batch=1, 1 thread, null here why: True
listed: True True
ridge_experiments{state="running"} 0
ridge_experiments{state="done"} 2
ridge_experiments{state="stopped"} 0
ridge_experiment_points{state="waiting"} 0
ridge_experiment_points{state="measured"} 2
ridge_experiment_points{state="failed"} 1
ridge_agents{state="connecting"} 0
ridge_agents{state="idle"} 0
ridge_agents{state="measuring"} 0
ridge_agents{state="unfit"} 0
ridge_agents{state="gone"} 0
ridge_agents{state="ended"} 1
ridge_agents_silent 0
)");
}

TEST(ServeBrowserSlow, FollowsAnExperimentThatGoesOn) {
  if (Workplace().run("command -v chromium").status != 0) GTEST_SKIP() << "no chromium";
  EXPECT_EQ(client_said("followed"), "asks again: True\n");
}

}  // namespace
}  // namespace ridge::tests
