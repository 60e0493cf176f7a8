// SPDX-License-Identifier: Apache-2.0
#include "store/run_filter.h"

#include <gtest/gtest.h>

namespace ridge::store {
namespace {

RunRow run() {
  RunRow r;
  r.recorded_s = 1000;
  r.path = "models/resnet50.onnx";
  r.runtime = "ONNX Runtime";
  r.threads = "2";
  r.machine = "bench, AMD EPYC, 2 processors";
  return r;
}

TEST(RunFilter, TakesAllWhereNothingIsAsked) { EXPECT_TRUE(takes({}, run())); }

TEST(RunFilter, TakesRunsThatHoldForEveryMember) {
  const RunFilter all{.model = "resnet",
                      .runtimes = {"openvino", "ONNX Runtime"},
                      .threads = {1, 2},
                      .host = "ben",
                      .since_s = 1000,
                      .before_s = 1001};
  EXPECT_TRUE(takes(all, run()));
  RunFilter f = all;
  f.model = "vgg";
  EXPECT_FALSE(takes(f, run()));
  f = all, f.runtimes = {"ort"};
  EXPECT_FALSE(takes(f, run()));
  f = all, f.threads = {1};
  EXPECT_FALSE(takes(f, run()));
  f = all, f.host = "lab";
  EXPECT_FALSE(takes(f, run()));
  f = all, f.since_s = 1001;
  EXPECT_FALSE(takes(f, run()));
  f = all, f.before_s = 1000;
  EXPECT_FALSE(takes(f, run()));
}

TEST(RunFilter, TakesFailuresByWhatTheySay) {
  const Failure failure{
      .recorded_s = 5, .path = "a.onnx", .label = "", .runtime = "ort", .error = ""};
  EXPECT_TRUE(takes({.model = "a", .runtimes = {"ort"}}, failure));
  EXPECT_FALSE(takes({.threads = {1}}, failure));
  EXPECT_FALSE(takes({.since_s = 6}, failure));
}

TEST(RunFilter, TakesEvaluationsByEveryMember) {
  const profile::EvaluationRecord e{
      .recorded_s = 5, .model = "a.onnx", .runtime = "ONNX Runtime", .threads = 2, .host = "ben"};
  EXPECT_TRUE(takes({}, e));
  EXPECT_TRUE(takes({.model = "a",
                     .runtimes = {"ONNX Runtime"},
                     .threads = {1, 2},
                     .host = "e",
                     .since_s = 5,
                     .before_s = 6},
                    e));
  EXPECT_FALSE(takes({.model = "b"}, e));
  EXPECT_FALSE(takes({.runtimes = {"ort"}}, e));
  EXPECT_FALSE(takes({.threads = {1}}, e));
  EXPECT_FALSE(takes({.host = "lab"}, e));
  EXPECT_FALSE(takes({.since_s = 6}, e));
  EXPECT_FALSE(takes({.before_s = 5}, e));
}

}  // namespace
}  // namespace ridge::store
