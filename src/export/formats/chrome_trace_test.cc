// SPDX-License-Identifier: Apache-2.0
#include "export/formats/chrome_trace.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "export/profile/testing.h"

namespace ridge::exports {
namespace {

std::string trace_of(const profile::Profile& p) {
  StringSink sink;
  write_chrome_trace(p, sink);
  return sink.text();
}

TEST(ChromeTrace, RecordedSpansAreRelativeMicrosecondsOnTracksOfTheirDevice) {
  EXPECT_EQ(trace_of(launched()),
            R"({"displayTimeUnit":"ns","traceEvents":[
{"name":"process_name","ph":"M","pid":1,"tid":0,"args":{"name":"host"}},
{"name":"process_name","ph":"M","pid":2,"tid":0,"args":{"name":"GPU"}},
{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"library, main"}},
{"name":"go","cat":"library","ph":"X","pid":1,"tid":1,"ts":0.000,"dur":2.000,"args":{"correlation":9,"grid":32}},
{"name":"launch","cat":"correlation","ph":"s","pid":1,"tid":1,"ts":0.000,"id":9},
{"name":"thread_name","ph":"M","pid":2,"tid":2,"args":{"name":"kernel"}},
{"name":"k\"1","cat":"kernel","ph":"X","pid":2,"tid":2,"ts":0.010,"dur":1234.557,"args":{"correlation":9,"shape":"1x2"}},
{"name":"launch","cat":"correlation","ph":"f","pid":2,"tid":2,"ts":0.010,"id":9,"bp":"e"}]}
)");
}

TEST(ChromeTrace, WithoutSpansMediansLieEndToEndAndSayTheyAreMade) {
  const auto events = nlohmann::json::parse(trace_of(two_layers()))["traceEvents"];
  std::vector<nlohmann::json> slices;
  for (const auto& event : events)
    if (event["ph"] == "X") slices.push_back(event);
  ASSERT_EQ(slices.size(), 4U);
  EXPECT_EQ(slices[0]["cat"], "model");
  EXPECT_EQ(slices[1]["name"], "conv + relu");
  EXPECT_EQ(slices[1]["args"]["time"], "median, profiler's part taken out");
  EXPECT_EQ(slices[1]["args"]["nodes"], "0 1");
  EXPECT_EQ(slices[2]["name"], "(inserted by the runtime)");
  EXPECT_EQ(slices[2]["ts"], 0.1);
  EXPECT_EQ(slices[2]["dur"], 0.05);
  EXPECT_FALSE(slices[2]["args"].contains("macs"));  // its work is unknown
  EXPECT_EQ(slices[3]["cat"], "kernel");
  EXPECT_EQ(slices[3]["args"]["reported_ns"], 101);
}

}  // namespace
}  // namespace ridge::exports
