// SPDX-License-Identifier: Apache-2.0
#include "export/formats/google_benchmark.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "export/profile/testing.h"

namespace ridge::exports {
namespace {

nlohmann::json benchmarks_of(const profile::Profile& p) {
  StringSink sink;
  write_google_benchmark(p, sink);
  return nlohmann::json::parse(sink.text())["benchmarks"];
}

TEST(GoogleBenchmark, SamplesAreRepetitionsWithMeanMedianAndDeviation) {
  const auto rows = benchmarks_of(two_layers());
  EXPECT_EQ(rows[0]["run_type"], "iteration");
  EXPECT_EQ(rows[2]["real_time"], 170);
  EXPECT_EQ(rows[2]["repetition_index"], 2);
  EXPECT_EQ(rows[2]["repetitions"], 3);
  EXPECT_EQ(rows[3]["name"], "m.onnx_mean");
  EXPECT_EQ(rows[3]["run_name"], "m.onnx");
  EXPECT_EQ(rows[4]["aggregate_name"], "median");
  EXPECT_EQ(rows[4]["real_time"], 160);
  EXPECT_EQ(rows[5]["aggregate_name"], "stddev");
  EXPECT_EQ(rows[5]["real_time"], 10);  // sample deviation of 150, 160, 170
  EXPECT_EQ(rows[6]["name"], "m.onnx/0 FusedConv conv + relu");
}

TEST(GoogleBenchmark, ALayerWithoutRunsHasItsMedianAlone) {
  const auto rows = benchmarks_of(two_layers());
  const auto& last = rows.back();
  EXPECT_EQ(last["name"], "m.onnx/1 Reorder (inserted by the runtime)_median");
  EXPECT_EQ(last["real_time"], 50);
  EXPECT_EQ(rows[rows.size() - 2]["run_name"], "m.onnx/0 FusedConv conv + relu");
}

}  // namespace
}  // namespace ridge::exports
