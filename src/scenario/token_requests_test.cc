// SPDX-License-Identifier: Apache-2.0
#include "scenario/token_requests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace ridge::scenario {
namespace {

TEST(TokenRequests, ReadsAndWritesLengths) {
  for (const char* text : {"128", "uniform:64,256", "lognormal:200,0.5", "lognormal:200,0.5,900"}) {
    const Result<Lengths> lengths = parse_lengths(text);
    ASSERT_TRUE(lengths.ok()) << text;
    EXPECT_EQ(text_of(*lengths), text);
  }
  for (const char* text : {"", "0", "-3", "uniform:5", "uniform:9,4", "lognormal:5,0", "normal:1,2",
                           "lognormal:5,1,2", "uniform:1,2,3,4,5", "2000000", "uniform:1,x"}) {
    const Result<Lengths> lengths = parse_lengths(text);
    ASSERT_FALSE(lengths.ok()) << text;
    EXPECT_EQ(lengths.error().code(), "RIDGE-SCEN-0111");
  }
  EXPECT_EQ(parse_lengths("many").error().text(),
            "error: 'many' is no length in tokens\n"
            "  hint: write 128, uniform:64,256, or lognormal:MEDIAN,SPREAD[,LARGEST], each length "
            "from 1 to 1048576\n"
            "  [RIDGE-SCEN-0111]\n");
}

TEST(TokenRequests, DrawsTheDistributionsThatAreAskedFor) {
  Workload w{.prompt = {10, 20}, .tokens = {100, kMaxLength, 0.5}, .count = 20'000};
  const std::vector<TokenRequest> drawn = requests_of(w).value();
  ASSERT_EQ(drawn.size(), 20'000U);
  double mean = 0, log_mean = 0, log_squares = 0;
  for (const TokenRequest& r : drawn) {
    ASSERT_TRUE(r.prompt >= 10 && r.prompt <= 20);
    mean += r.prompt / 20'000.0;
    log_mean += std::log(r.tokens / 100.0) / 20'000;
    log_squares += std::pow(std::log(r.tokens / 100.0), 2) / 20'000;
  }
  // Four standard errors: for a uniform of variance 10, and for a normal of deviation 0.5.
  EXPECT_NEAR(mean, 15, 4 * std::sqrt(10 / 20'000.0));
  EXPECT_NEAR(log_mean, 0, 4 * 0.5 / std::sqrt(20'000));
  EXPECT_NEAR(std::sqrt(log_squares), 0.5, 4 * 0.5 / std::sqrt(40'000));
  EXPECT_EQ(drawn[0].prompt, requests_of(w).value()[0].prompt);
  w.tokens = {100, 100};
  w.prompt = {7, 7};
  EXPECT_EQ(requests_of(w).value()[3].prompt, 7U);
}

TEST(TokenRequests, ReadsTracesWithAndWithoutMoments) {
  const TokenTrace trace = read_token_trace(
                               "# recorded\n"
                               "TIMESTAMP,ContextTokens,GeneratedTokens\r\n"
                               "3.5,374,44\n\n"
                               "4.25,396,109\n")
                               .value();
  EXPECT_TRUE(trace.timed);
  ASSERT_EQ(trace.requests.size(), 2U);
  EXPECT_EQ(trace.requests[0].after_ns, 0);
  EXPECT_EQ(trace.requests[1].after_ns, 750'000'000);
  EXPECT_EQ(trace.requests[1].prompt, 396U);
  EXPECT_EQ(trace.requests[1].tokens, 109U);
  const TokenTrace plain = read_token_trace("tokens,user,prompt\n5,x,6\n7,y,8").value();
  EXPECT_FALSE(plain.timed);
  EXPECT_EQ(plain.requests[1].prompt, 8U);
  Workload w{.trace = plain.requests, .count = 5};
  ASSERT_EQ(requests_of(w).value().size(), 5U);  // as many as are asked for, in turn
  EXPECT_EQ(requests_of(w).value()[2].tokens, 5U);
  w.timed = true;
  EXPECT_EQ(requests_of(w).value().size(), 2U);  // moments are played once
  w.timed = false;
  w.arrivals = Constant{.rate = 10};
  const std::vector<TokenRequest> again = requests_of(w).value();
  ASSERT_EQ(again.size(), 5U);
  EXPECT_EQ(again[4].prompt, 6U);
  EXPECT_EQ(again[4].after_ns, 400'000'000);
}

// Requests that all arrive at once are no closed loop, and the column of moments may be any.
TEST(TokenRequests, MomentsAreThoseOfTheirColumn) {
  const TokenTrace at_once = read_token_trace("time_s,prompt,tokens\n0,5,6\n0,7,8").value();
  EXPECT_TRUE(at_once.timed);
  const TokenTrace last =
      read_token_trace("prompt,tokens,latency_ms,arrival_ms\n5,6,9,1\n7,8,9,4").value();
  EXPECT_TRUE(last.timed);
  EXPECT_EQ(last.requests[1].after_ns, 3'000'000);
  EXPECT_FALSE(read_token_trace("prompt,tokens,latency_ms\n5,6,9").value().timed);
}

TEST(TokenRequests, NamesTheLineOfAFault) {
  const auto fault = [](std::string_view text) { return read_token_trace(text).error().text(); };
  EXPECT_EQ(fault("prompt,x\n1,2\n"),
            "error: line 1: the header names no column of prompts and none of tokens\n"
            "  hint: begin with a line such as prompt_tokens,output_tokens\n"
            "  [RIDGE-SCEN-0110]\n");
  EXPECT_EQ(fault("prompt,tokens\n1,2\n3\n"),
            "error: line 3: '' is no number of tokens from 1 to 1048576\n  [RIDGE-SCEN-0110]\n");
  EXPECT_EQ(fault("time_ms,prompt,tokens\n1e13,2,3\n"),
            "error: line 2: '1e13' is no time from 0 to 10^9 seconds\n  [RIDGE-SCEN-0110]\n");
  EXPECT_EQ(fault("time_ms,prompt,tokens\n5,2,3\n4,2,3\n"),
            "error: line 3: the time is before that of the request above\n"
            "  hint: sort the lines\n"
            "  [RIDGE-SCEN-0110]\n");
  EXPECT_EQ(fault("prompt,tokens\n"), "error: the trace has no requests\n  [RIDGE-SCEN-0110]\n");
}

}  // namespace
}  // namespace ridge::scenario
