// SPDX-License-Identifier: Apache-2.0
#include "scenario/trace_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "stats/random.h"

namespace ridge::scenario {
namespace {

using Times = std::vector<std::int64_t>;
using Samples = std::vector<std::uint32_t>;

Trace trace_of(std::string_view text) {
  auto trace = read_trace(text);
  EXPECT_TRUE(trace.ok()) << (trace.ok() ? "" : trace.error().text());
  return trace.ok() ? std::move(*trace) : Trace();
}

std::string trace_fault(std::string_view text) {
  const auto trace = read_trace(text);
  return trace.ok() ? "read" : trace.error().text();
}

TEST(TraceFile, ReadsSecondsAndNanoseconds) {
  EXPECT_EQ(trace_of("0\n1500\n1500\n").times_ns, (Times{0, 1500, 1500}));
  EXPECT_EQ(trace_of("0.1\n0.0125e2\n25E-1\n").times_ns,
            (Times{100000000, 1250000000, 2500000000}));
  EXPECT_EQ(trace_of("time\n3\n3.0000000019\n").times_ns, (Times{3000000000, 3000000001}));
  EXPECT_EQ(trace_of("arrival_ms\r\n1\r\n\r\n# late\r\n2.5").times_ns, (Times{1000000, 2500000}));
  EXPECT_EQ(trace_of("t_us\n1.25e-2\n7\n").times_ns, (Times{12, 7000}));
}

TEST(TraceFile, ReadsTheSamplesOfQueries) {
  EXPECT_EQ(trace_of("0,17\n1,4\n").samples, (Samples{17, 4}));
  const Trace trace = trace_of("\xef\xbb\xbftimestamp_s,tokens,index\n0.5,9,\"3\"\n0.75,9,1\n");
  EXPECT_EQ(trace.times_ns, (Times{500000000, 750000000}));
  EXPECT_EQ(trace.samples, (Samples{3, 1}));
  EXPECT_TRUE(trace_of("time,tokens\n1,2\n").samples.empty());
}

TEST(TraceFile, NamesTheLineAtFault) {
  EXPECT_EQ(trace_fault(""),
            "error: the trace has no queries\n"
            "  hint: give one line per query, its time in seconds first\n  [RIDGE-SCEN-0010]\n");
  EXPECT_EQ(trace_fault("when\n1\n"),
            "error: line 1: 'when' names no column of times\n"
            "  hint: name it time_s, time_ms, time_us or time_ns\n"
            "  [RIDGE-SCEN-0010]\n");
  EXPECT_EQ(trace_fault("5\n\n4\n"),
            "error: line 3: the time is before that of the query above\n"
            "  hint: sort the lines\n  [RIDGE-SCEN-0010]\n");
  const char* kNoTimes[] = {"1\n-2\n",
                            "1\nnan\n",
                            "1\n1..2\n",
                            "1\n.\n",
                            "1\n1e\n",
                            "1\n1e99\n",
                            "1\n1000000000000000001\n",
                            "1\n99999999999999999999999\n",
                            "1\n0x10\n",
                            "1\n1 2\n",
                            "1\n,5\n"};
  for (const char* text : kNoTimes)
    EXPECT_NE(trace_fault(text).find("line 2: '"), std::string::npos) << text << trace_fault(text);
  EXPECT_EQ(trace_fault("1,2\n2\n"),
            "error: line 2: '' is no index of a sample\n  [RIDGE-SCEN-0010]\n");
  EXPECT_EQ(trace_fault("1,4294967296\n"),
            "error: line 1: '4294967296' is no index of a sample\n  [RIDGE-SCEN-0010]\n");
}

TEST(TraceFile, FractionsAmongNanosecondsAreRefused) {
  EXPECT_EQ(trace_fault("0\n0.1\n0.2\n"),
            "error: line 2: '0.1' is no whole number, but the times above are nanoseconds\n"
            "  hint: begin with a line that names the unit: time_s, time_ms, time_us or time_ns\n"
            "  [RIDGE-SCEN-0010]\n");
  EXPECT_EQ(trace_of("time_ns\n0\n0.9\n1\n").times_ns, (Times{0, 0, 1}));  // stated: digits are cut
  EXPECT_EQ(trace_of("0.0\n1\n2.5\n").times_ns, (Times{0, 1'000'000'000, 2'500'000'000}));
}

TEST(TraceFile, IsBounded) {
  EXPECT_EQ(trace_fault("1," + std::string(5000, '7')),
            "error: line 1: the line has 5002 bytes, the limit is 4096\n  [RIDGE-SCEN-0010]\n");
  EXPECT_EQ(trace_of("1000000000000000000\n").times_ns, (Times{1'000'000'000'000'000'000}));
}

// What is read is ascending and complete, whatever the text.
TEST(TraceFile, SurvivesChangedBytes) {
  const std::string good = "time_s,sample\n0.5,1\n0.75e0,2\n# x\n1.25,\"3\"\n2e1,4\n";
  stats::Random random(9);
  std::size_t read_well = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = good;
    for (std::size_t i = 0; i <= random.below(3); ++i)
      text[random.below(text.size())] = static_cast<char>(
          random.below(2) == 0 ? random.below(256) : "0123456789.e-,\n\""[random.below(16)]);
    const auto trace = read_trace(text);
    if (!trace.ok()) continue;
    ++read_well;
    EXPECT_TRUE(std::is_sorted(trace->times_ns.begin(), trace->times_ns.end()));
    EXPECT_GE(trace->times_ns.front(), 0);
    EXPECT_TRUE(trace->samples.empty() || trace->samples.size() == trace->times_ns.size());
  }
  EXPECT_GT(read_well, 1000U);
}

TEST(TraceFile, TheColumnOfMomentsMayBeAny) {
  const Trace trace = read_trace("sample,latency_ms,arrival_ms\n3,8,10\n4,9,12\n").value();
  EXPECT_EQ(trace.times_ns, (std::vector<std::int64_t>{10'000'000, 12'000'000}));
  EXPECT_EQ(trace.samples, (std::vector<std::uint32_t>{3, 4}));
}

}  // namespace
}  // namespace ridge::scenario
