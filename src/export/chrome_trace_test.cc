#include "export/chrome_trace.h"

#include <gtest/gtest.h>

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

TEST(ChromeTrace, WithoutSpansMediansLieEndToEnd) {
  EXPECT_EQ(trace_of(two_layers()),
            R"({"displayTimeUnit":"ns","traceEvents":[
{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"layers"}},
{"name":"thread_name","ph":"M","pid":1,"tid":2,"args":{"name":"kernels"}},
{"name":"conv + relu","cat":"FusedConv","ph":"X","pid":1,"tid":1,"ts":0.000,"dur":0.100,"args":{"layer":0,"time":"median, profiler's part taken out","macs":20,"bound":"compute","nodes":[0,1]}},
{"name":"k","cat":"FusedConv","ph":"X","pid":1,"tid":2,"ts":0.000,"dur":0.100,"args":{"reported_ns":101}},
{"name":"(inserted by the runtime)","cat":"Reorder","ph":"X","pid":1,"tid":1,"ts":0.100,"dur":0.050,"args":{
  "layer" : 1,
      "time" : "median, profiler's part taken out", "macs" : null, "bound" : "", "nodes" : []}}]
}
)");
}

}  // namespace
}  // namespace ridge::exports
