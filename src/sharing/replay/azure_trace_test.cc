// SPDX-License-Identifier: Apache-2.0
#include "sharing/replay/azure_trace.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace ridge::sharing {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

Result<Trace> read_all(std::initializer_list<std::string_view> files,
                       const AzureOptions& options = {}) {
  AzureTraceReader reader(options);
  for (const std::string_view file : files) TRY(reader.add(file));
  return std::move(reader).finish();
}

std::string error_of(std::initializer_list<std::string_view> files,
                     const AzureOptions& options = {}) {
  const Result<Trace> trace = read_all(files, options);
  return trace.ok() ? "read" : trace.error().text();
}

// Each invocation began at its end less its duration; times count from the first.
TEST(AzureTrace, ReadsInvocationsOf2021) {
  const Trace trace = read_all({"app,func,end_timestamp,duration\r\n"
                                "a,f,79.5,0.25\r\n"
                                "b,f,80.000000001,2\r\n"
                                "a,f,78,1e-1\r\n"})
                          .value();
  ASSERT_EQ(trace.models, (std::vector<std::string>{"a/f", "b/f"}));
  ASSERT_EQ(trace.requests.size(), 3u);
  std::string rows;
  for (const Request& r : trace.requests)
    rows += fmt::format("{} {} {}\n", r.at_ns, r.run_ns, r.model);
  EXPECT_EQ(rows, "0 100000000 0\n100000001 2000000000 1\n1350000000 250000000 0\n");
}

// Minute 1 has two invocations, minute 3 of the second day one.
TEST(AzureTrace, ReadsMinutesOf2019AsOneDayAfterTheOther) {
  constexpr std::string_view kHead = "HashOwner,HashApp,HashFunction,Trigger,1,2,3\n";
  const std::string first = std::string(kHead) + "o,a,f,http,2,0,0\no,a,g,timer,0,0,0\n";
  const std::string second = std::string(kHead) + "o,a,g,http,0,0,1\n";
  const Trace trace = read_all({first, second}).value();
  EXPECT_EQ(trace.models, (std::vector<std::string>{"o/a/f", "o/a/g"}));
  ASSERT_EQ(trace.requests.size(), 3u);
  EXPECT_EQ(trace.requests[0].at_ns, 0);
  EXPECT_LT(trace.requests[1].at_ns, 60 * kSecond);
  EXPECT_GE(trace.requests[2].at_ns, 4 * 60 * kSecond);  // of six minutes, counted from the first
  EXPECT_LT(trace.requests[2].at_ns, 6 * 60 * kSecond);
  EXPECT_EQ(trace.requests[2].model, 1u);
  EXPECT_EQ(trace.requests[0].run_ns, Request::kRunOfModel);
}

TEST(AzureTrace, AShareHasTheSameFunctionsInEveryFile) {
  std::string file = "app,func,end_timestamp,duration\n";
  for (int i = 0; i < 4000; ++i) file += fmt::format("a{},f,{},1\n", i % 1000, 10 + i);
  const Trace all = read_all({file}).value();
  const Trace tenth = read_all({file}, {.share = 0.1}).value();
  EXPECT_EQ(all.models.size(), 1000u);
  EXPECT_NEAR(static_cast<double>(tenth.models.size()), 100, 45);
  EXPECT_EQ(tenth.requests.size(), 4 * tenth.models.size());
  EXPECT_NE(tenth.models, read_all({file}, {.share = 0.1, .seed = 2}).value().models);
}

TEST(AzureTrace, NamesLineAndColumnOfWhatItRefuses) {
  EXPECT_EQ(error_of({"time,model\n1,a\n"}),
            "error: line 1, column 1: 'time' begins no known header\n  hint: the traces of Azure "
            "Functions begin with HashOwner,HashApp,HashFunction,Trigger,1,... (2019) or "
            "app,func,end_timestamp,duration (2021)\n  [RIDGE-SHARE-0201]\n");
  EXPECT_EQ(error_of({"HashOwner,HashApp,HashFunction,Trigger,1,3\n"}),
            "error: line 1, column 6: '3' is not minute 2\n  [RIDGE-SHARE-0201]\n");
  EXPECT_EQ(error_of({"HashOwner,HashApp,HashFunction,Trigger,1,2\no,a,f,http,1,-2\n"}),
            "error: line 2, column 6: '-2' is no number of invocations from 0 to 100000000\n  "
            "[RIDGE-SHARE-0201]\n");
  EXPECT_EQ(error_of({"HashOwner,HashApp,HashFunction,Trigger,1,2\n\no,a,f,http,1\n"}),
            "error: line 3, column 5: the line has 5 fields, its header 6\n  "
            "[RIDGE-SHARE-0201]\n");
  EXPECT_EQ(error_of({"app,func,end_timestamp,duration\na,f,soon,1\n"}),
            "error: line 2, column 3: 'soon' is no time from 0 to 10^9 seconds\n  "
            "[RIDGE-SHARE-0201]\n");
  EXPECT_EQ(error_of({"app,func,end_timestamp,duration\na,f,1,-1\n"}),
            "error: line 2, column 4: '-1' is no duration from 0 to 10^6 seconds\n  "
            "[RIDGE-SHARE-0201]\n");
  EXPECT_EQ(error_of({"app,func,end_timestamp,duration\na,f,1\n"}),
            "error: line 2, column 3: the line has 3 fields, its header 4\n  "
            "[RIDGE-SHARE-0201]\n");
}

TEST(AzureTrace, RefusesFilesWithoutInvocationsAndOfBothForms) {
  EXPECT_EQ(error_of({"app,func,end_timestamp,duration\n"}),
            "error: the trace has no invocation\n  hint: give a file with its header and a line "
            "for each function\n  [RIDGE-SHARE-0201]\n");
  EXPECT_EQ(error_of({"app,func,end_timestamp,duration\na,f,5,1\n"}, {.share = 1e-9}),
            "error: the trace has no invocation\n  hint: replay a larger share of its functions\n  "
            "[RIDGE-SHARE-0201]\n");
  EXPECT_EQ(
      error_of({"app,func,end_timestamp,duration\n", "HashOwner,HashApp,HashFunction,Trigger,1\n"}),
      "error: line 1, column 1: the files before have the other form of these traces\n  "
      "hint: replay them apart\n  [RIDGE-SHARE-0201]\n");
}

TEST(AzureTrace, HasBounds) {
  EXPECT_EQ(error_of({"HashOwner,HashApp,HashFunction,Trigger,1\no,a,f,http,99999999\n"}),
            "error: line 2: more than 16777216 requests\n  hint: replay a share of the functions: "
            "--share 5%\n  [RIDGE-SHARE-0202]\n");
  EXPECT_EQ(error_of({"app,func,end_timestamp,duration\n" + std::string(70'000, 'x')}),
            "error: line 2: the line has 70000 bytes, the limit is 65536\n  "
            "[RIDGE-SHARE-0201]\n");
  EXPECT_EQ(error_of({"app,func,end_timestamp,duration\n" + std::string(2000, 'x') + ",f,1,1\n"}),
            "error: line 2, column 1: the names have 2002 bytes, the limit is 1024\n  "
            "[RIDGE-SHARE-0201]\n");
}

}  // namespace
}  // namespace ridge::sharing
