// SPDX-License-Identifier: Apache-2.0
// Figures of generations against sums over records that the tests write down.
#include "scenario/generation.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ridge::scenario {
namespace {

/// A request of `tokens` after a prompt of 8 in one run: 100 us to the first, then 10 us a step,
/// 1 us more for every token in the cache.
RequestRecord request(std::uint32_t number, std::int64_t scheduled_ns, std::uint32_t tokens) {
  RequestRecord out{
      .scheduled_ns = scheduled_ns, .issued_ns = scheduled_ns + 5000, .request = number};
  std::int64_t at = out.issued_ns;
  for (std::uint32_t i = 0; i < tokens; ++i) {
    const std::int64_t took = i == 0 ? 100'000 : 10'000 + 1000 * (7 + i);
    out.steps.push_back(StepRecord{.start_ns = at,
                                   .run_ns = took - 2000,
                                   .done_ns = at + took,
                                   .cache = (i == 0 ? 0 : 7 + i) & 0x3fff'ffffU,
                                   .kind = i == 0 ? StepKind::kFirst : StepKind::kNext});
    at += took;
  }
  return out;
}

TEST(Generation, CountsFromTheScheduledMomentAndFromTheFirstToken) {
  Generated g{.requests = {request(0, 0, 5), request(1, 1'000'000, 1)}, .asked = 2};
  g.ended_ns = 2'000'000;
  const GenerationFigures f = figures_of(g, 3, 2);
  EXPECT_EQ(f.requests, 2);
  EXPECT_EQ(f.tokens, 3 * 6);
  EXPECT_DOUBLE_EQ(f.tokens_per_s.per_s, 18 / 0.002);
  EXPECT_DOUBLE_EQ(f.client_tokens_per_s.per_s, 9 / 0.002);
  EXPECT_EQ(f.first_token[0].value_ns, 105'000);
  // Steps of 18, 19, 20 and 21 us; the second request has none.
  EXPECT_EQ(f.per_token[0].value_ns, (18'000 + 19'000 + 20'000 + 21'000) / 4);
  EXPECT_EQ(f.latency[2].value_ns, 105'000 + 78'000);
  // The largest of two is no p99, and one request has a time per token.
  EXPECT_TRUE(f.latency[0].known);
  EXPECT_FALSE(f.latency[1].known);
  EXPECT_FALSE(f.latency[2].known);
  EXPECT_TRUE(f.per_token[0].known);
  EXPECT_FALSE(f.latency[2].interval);
  EXPECT_EQ(validity_of(g, f).state, State::kValid);
}

// The first run takes 8 tokens of each of 3 sequences in 105 us less what it waited, then come 4
// steps of 18 to 21 us.
TEST(Generation, PromptsAndDecodingHaveRatesOfTheirOwn) {
  Generated g{.requests = {request(0, 0, 5)}, .asked = 1};
  g.ended_ns = 2'000'000;
  const GenerationFigures f = figures_of(g, 3, 1);
  const scenario::RequestRecord& r = g.requests[0];
  const double prompt_s = static_cast<double>(r.steps[0].done_ns - r.steps[0].start_ns) * 1e-9;
  ASSERT_TRUE(f.prompt_per_s && f.decode_per_s);
  EXPECT_NEAR(*f.prompt_per_s, 3 * 8 / prompt_s, 1e-3);
  EXPECT_NEAR(*f.decode_per_s, 3 * 4 / 78e-6, 1e-3);
  Generated one{.requests = {request(0, 0, 1)}, .asked = 1};
  one.ended_ns = 1'000'000;
  EXPECT_FALSE(figures_of(one, 1, 1).decode_per_s);
  EXPECT_FALSE(figures_of(one, 1, 1).per_token[0].known);
}

TEST(Generation, PutsStepsOfOneTokenIntoBinsOfTheirCaches) {
  Generated g{.asked = 50};
  for (std::uint32_t i = 0; i < 50; ++i) g.requests.push_back(request(i, i * 1'000'000, 21));
  g.ended_ns = 60'000'000;
  const GenerationFigures f = figures_of(g, 1, 1);
  ASSERT_EQ(f.bins.size(), 5U);  // caches of 8 to 27: bins of 4
  for (std::size_t b = 0; b < 5; ++b) {
    const CacheBin& bin = f.bins[b];
    EXPECT_EQ(bin.low, 8 + 4 * b);
    EXPECT_EQ(bin.high, 11 + 4 * b);
    EXPECT_EQ(bin.steps, 200);
    EXPECT_DOUBLE_EQ(bin.mean_length, static_cast<double>(bin.low) + 1.5);
    EXPECT_EQ(bin.step.value_ns, 10'000 + 1000 * (std::int64_t{bin.low} + 1));
    EXPECT_DOUBLE_EQ(bin.run_ns, 10'000 + 1000 * (bin.low + 1.5) - 2000);
    ASSERT_TRUE(bin.step.interval);
    EXPECT_TRUE(bin.step.interval->contains(static_cast<double>(bin.step.value_ns)));
  }
}

TEST(Generation, PromptsTokenByTokenAreStepsAndNotTokens) {
  RequestRecord r = request(0, 0, 4);
  for (std::size_t i = 0; i < 4; ++i) {
    r.steps[i].cache = static_cast<std::uint32_t>(i) & 0x3fff'ffffU;
    r.steps[i].kind = i < 2 ? StepKind::kPrompt : i == 2 ? StepKind::kFirst : StepKind::kNext;
  }
  Generated g{.requests = {r}, .asked = 1};
  g.ended_ns = 1'000'000;
  const GenerationFigures f = figures_of(g, 1, 1);
  EXPECT_EQ(f.tokens, 2);
  std::int64_t steps = 0;
  for (const CacheBin& bin : f.bins) steps += bin.steps;
  EXPECT_EQ(steps, 4);
  EXPECT_EQ(f.first_token[0].value_ns, r.steps[2].done_ns);
}

TEST(Generation, ChoosesWidthsThatGiveFewBins) {
  for (std::uint32_t low = 0; low < 300; low += 7)
    for (std::uint32_t high = low; high < 5000; high += 61) {
      const std::uint32_t width = bin_width(low, high);
      EXPECT_LE(high / width - low / width + 1, kMaxBins);
      const std::uint32_t half = std::max(1U, width / 2);
      EXPECT_TRUE(width == 1 || high / half - low / half + 1 > kMaxBins);
    }
}

TEST(Generation, SaysWhyItDoesNotCount) {
  Generated g{.requests = {request(0, 0, 3), request(1, 0, 3)}, .asked = 4, .canceled = true};
  g.requests[1].failed = 1;
  g.failure = "the runtime crashed";
  g.ended_ns = 1'000'000;
  const GenerationFigures f = figures_of(g, 1, 1);
  EXPECT_EQ(f.tokens, 3);
  EXPECT_EQ(validity_of(g, f).reasons,
            (std::vector<std::string>{"the runtime crashed", "it was interrupted",
                                      "1 of 2 requests failed", "2 of 4 requests began"}));
}

}  // namespace
}  // namespace ridge::scenario
