#include "export/chrome_trace.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "export/testing.h"

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
{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"library, thread main"}},
{"name":"go","cat":"library","ph":"X","pid":1,"tid":1,"ts":0.000,"dur":2.000,"args":{"correlation":9,"grid":32}},
{"name":"launch","cat":"correlation","ph":"s","pid":1,"tid":1,"ts":0.000,"id":9},
{"name":"thread_name","ph":"M","pid":2,"tid":2,"args":{"name":"kernel"}},
{"name":"k\"1","cat":"kernel","ph":"X","pid":2,"tid":2,"ts":0.010,"dur":1234.557,"args":{"correlation":9,"shape":"1x2"}},
{"name":"launch","cat":"correlation","ph":"f","pid":2,"tid":2,"ts":0.010,"id":9,"bp":"e"}]}
)");
}

TEST(ChromeTrace, WithoutSpansMediansLieEndToEndAndSayTheyAreMade) {
  const std::string text = trace_of(two_layers());
  const auto events = nlohmann::json::parse(text)["traceEvents"];
  ASSERT_EQ(events.size(), 5U);
  EXPECT_EQ(events[0]["args"]["name"], "layers");
  EXPECT_EQ(events[2]["name"], "conv + relu");
  EXPECT_EQ(events[2]["args"]["time"], "median, profiler's part taken out");
  EXPECT_EQ(events[2]["args"]["nodes"], (nlohmann::json{0, 1}));
  EXPECT_EQ(events[3]["tid"], 2);  // the kernel
  EXPECT_EQ(events[3]["args"]["reported_ns"], 101);
  EXPECT_EQ(events[4]["name"], "(inserted by the runtime)");
  EXPECT_TRUE(events[4]["args"]["macs"].is_null());
  EXPECT_NE(text.find(R"("ts":0.100,"dur":0.050,)"), std::string::npos);
}

}  // namespace
}  // namespace ridge::exports
