// SPDX-License-Identifier: Apache-2.0
// Oracles: tables written out below.
#include "import/counter_table.h"

#include <gtest/gtest.h>

#include "import/testing.h"

namespace ridge::imports {
namespace {

using profile::Profile;

/// Name and nanoseconds of each layer: "a 1, b 2, ".
std::string layers(const Profile& p) {
  std::string out;
  for (const profile::Layer& l : p.layers)
    out += l.name + " " + std::to_string(static_cast<std::int64_t>(l.time_ns.value)) + ", ";
  return out;
}

std::string refusal(std::string_view text) {
  const Written file(text);
  const auto out = import_file(file.path(), {});
  return out.ok() ? "" : out.error().code();
}

TEST(CounterTable, ColumnsAreFoundByTheirTitles) {
  const Profile p = imported(
      "layerName;execStatus;layerType;execType;numaId;realTime (ms);cpuTime (ms);\n"
      "a;EXECUTED;Relu;jit_f32;7;0.250;0.1;\nTotal;;;;;0.25;0.1;\n",
      nullptr);
  EXPECT_EQ(layers(p), "a 250000, ");
  EXPECT_FALSE(says(p, "cut off"));
  EXPECT_EQ(layers(imported("cpuTime (ms);realTime (ms);execType;layerType;execStatus;layerName\n"
                            "9;0.5;jit_f32;Relu;EXECUTED;a\n",
                            nullptr)),
            "a 500000, ");
}

TEST(CounterTable, UnitsAreTheHeaders) {
  const auto in = [](const std::string& unit, const std::string& time) {
    return layers(imported("layerName;execStatus;layerType;execType;realTime" + unit +
                               "\na;EXECUTED;Relu;x;" + time + "\n",
                           nullptr));
  };
  EXPECT_EQ(in(" (ms)", "1.5"), "a 1500000, ");
  EXPECT_EQ(in(" (us)", "1.5"), "a 1500, ");
  EXPECT_EQ(in(" (\xc2\xb5s)", "1.5"), "a 1500, ");
  EXPECT_EQ(in("(ns)", "15"), "a 15, ");
}

TEST(CounterTable, DecimalCommasAndQuotedCellsAreRead) {
  EXPECT_EQ(layers(imported("layerName;execStatus;layerType;execType;realTime (ms)\r\n"
                            "a;EXECUTED;Relu;x;0,086\r\nb;EXECUTED;Relu;x;1.234,5\r\n"
                            "\"c;\"\"d\"\"\";EXECUTED;Relu;x;\"2,5\"\r\ne;f;EXECUTED;Relu;x;1\r\n",
                            nullptr)),
            "a 86000, b 1234500000, c;\"d\" 2500000, e;f 1000000, ");
  EXPECT_EQ(layers(imported("\"layerName\",\"execStatus\",\"layerType\",\"execType\",\"realTime "
                            "(ms)\"\n\"a,b\",\"EXECUTED\",\"Relu\",\"x\",\"0.5\"\n",
                            nullptr)),
            "a,b 500000, ");
  EXPECT_EQ(layers(imported("layerName\texecStatus\tlayerType\texecType\trealTime (ms)\n"
                            "a\tEXECUTED\tRelu\tx\t0,5\n",
                            nullptr)),
            "a 500000, ");
}

TEST(CounterTable, WhatCannotBeToldIsRefused) {
  EXPECT_EQ(refusal("layerName;execStatus;layerType;execType;cpuTime (ms)\na;EXECUTED;R;x;1\n"),
            "RIDGE-IMP-0024");
  EXPECT_EQ(refusal("layerName;execStatus;layerType;execType;realTime\na;EXECUTED;R;x;1\n"),
            "RIDGE-IMP-0024");
  // A decimal comma between commas: two cells or one?
  const Profile p = imported(
      "layerName,execStatus,layerType,execType,realTime (ms)\na,EXECUTED,Relu,x,0,5\n"
      "b,EXECUTED,Relu,x,0.5\n",
      nullptr);
  EXPECT_EQ(layers(p), "b 500000, ");
  EXPECT_TRUE(says(p, "1 row could not be read and is dropped"));
}

TEST(CounterTable, PrintedCountersNameTheFlagThatWritesAFile) {
  for (const std::string_view line :
       {"/features/featur... Status.EXECUTED      layerType: Convolution          execType: "
        "brgconv_f32  realTime (ms): 0.493      cpuTime (ms): 0.493     \n",
        "conv1   EXECUTED   layerType: Convolution  realTime: 493  cpu: 493  execType: jit\n"}) {
    const Written file("[ INFO ] Performance counts for 0-th infer request:\n" + std::string(line));
    const auto refused = import_file(file.path(), {});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code(), "RIDGE-IMP-0025");
    EXPECT_NE(refused.error().text().find("-report_type detailed_counters"), std::string::npos);
  }
}

TEST(TextFiles, AMarkOfUtf8IsPassedOverInEveryFormatAndCompanion) {
  const std::string mark = "\xef\xbb\xbf";
  for (
      const std::string_view text :
      {"layerName;execStatus;layerType;execType;realTime (ms)\na;EXECUTED;Relu;x;1\n",
       R"({"report_type":"average","avg_performance":{"nodes":[{"name":"a","node_type":"Relu",
            "status":"EXECUTED","real_time":"1","exec_type":"x"}]}})",
       R"([{"count":1},{"name":"a","averageMs":1}])",
       "=== Profile (1 iterations ) ===\nTime(ms) Avg.(ms) Layer\n1.0 1.0 a\n",
       R"({"traceEvents":[{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":0,"dur":1000}]})",
       R"([{"cat":"Node","tid":1,"dur":1000,"ts":0,"ph":"X","name":"a_kernel_time",
            "args":{"op_name":"Relu"}}])"})
    EXPECT_EQ(layers(imported(mark + std::string(text), nullptr)), "a 1000000, ") << text;
  const std::string info = ::testing::TempDir() + "imported_marked_layers.json";
  std::ofstream(info) << mark + R"({"Layers":[{"Name":"a","LayerType":"Conv"}]})";
  const Written file(mark + R"([{"count":1},{"name":"a","averageMs":1}])");
  EXPECT_EQ(import_file(file.path(), {.layer_info = info}).value().profile.layers[0].type, "Conv");
  std::filesystem::remove(info);
  EXPECT_EQ(refusal(std::string("\xff\xfel\0a\0y\0", 8)), "RIDGE-IO-0012");
}

}  // namespace
}  // namespace ridge::imports
