// SPDX-License-Identifier: Apache-2.0
#include "session/stored_points.h"

#include <gtest/gtest.h>

#include "base/temporary_folder.h"
#include "session/run_key.h"

namespace ridge::session {
namespace {

using profile::EvaluationKind;

profile::EvaluationRecord kept(EvaluationKind kind, std::string point, std::string key) {
  return {.kind = kind, .point = std::move(point), .key = std::move(key), .host = "b2, x86"};
}

/// Key of a run as a machine's store has it.
RunKey run_on(const std::string& machine, const std::string& runtime) {
  RunKey out;
  out.graph = "g";
  out.runtime = runtime;
  out.version = "1.31.0";
  out.options = {{"threads", "2"}, {"pinned", "0,2"}};
  out.host = machine;
  out.ridge = "1.0.0";
  return out;
}

TEST(StoredPoints, AreThoseOfEveryMachineByTheirKeys) {
  const auto folder = TemporaryFolder::make(::testing::TempDir());
  auto store = store::Store::open(folder->path() + "/runs.db", store::Access::kCreate);
  ASSERT_TRUE(store.ok());
  for (const char* machine : {"machine 1", "machine 2"}) {
    profile::Profile run;
    run.subject.path = machine;
    ASSERT_TRUE(store->append(run, {.point = text_of(run_on(machine, "ONNX Runtime"))}).ok());
  }
  ASSERT_TRUE(store->append(profile::Profile{}, {.point = ""}).ok());
  ASSERT_TRUE(store->append(kept(EvaluationKind::kEvaluation, "p", "k1")).ok());
  ASSERT_TRUE(store->append(kept(EvaluationKind::kGeneration, "q", "k2")).ok());
  ASSERT_TRUE(store->append(kept(EvaluationKind::kGeneration, "", "k3")).ok());
  const std::vector<StoredPoint> points = stored_points(*store).value();
  ASSERT_EQ(points.size(), 4U);
  // The request says "ort", the runtime calls itself "ONNX Runtime".
  const std::string key = point_key(run_on("here", "ort"));
  EXPECT_EQ(points[0].key, key);
  EXPECT_EQ(points[1].key, key);
  EXPECT_EQ(points[1].name, "2");
  EXPECT_EQ(points[2].key, "k1");
  EXPECT_EQ(points[2].name, "evaluation:1");
  EXPECT_EQ(points[3].name, "generation:2");
  EXPECT_EQ(points[3].machine, "b2, x86");
  PointList list{{{.key = "k2"}, {.key = "k3"}}};
  ASSERT_TRUE(add_machines(*store, list).ok());
  EXPECT_EQ(list.points[0].machines, std::vector<std::string>{"b2, x86"});
  EXPECT_TRUE(list.points[1].machines.empty());
}

}  // namespace
}  // namespace ridge::session
