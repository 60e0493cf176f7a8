// SPDX-License-Identifier: Apache-2.0
#include "export/formats/otlp_trace.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "export/profile/testing.h"

namespace ridge::exports {
namespace {

std::vector<nlohmann::json> batches_of(const profile::Profile& p) {
  StringSink sink;
  write_otlp_lines(p, sink);
  std::vector<nlohmann::json> out;
  std::string_view text = sink.text();
  for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos;
       text.remove_prefix(end + 1))
    out.push_back(nlohmann::json::parse(text.substr(0, end)));
  return out;
}

nlohmann::json spans_of(const nlohmann::json& batch) {
  return batch["resourceSpans"][0]["scopeSpans"][0]["spans"];
}

TEST(OtlpTrace, TimesAreTextFromTheFirstStartAndAKernelLinksToItsLaunch) {
  const auto spans = spans_of(batches_of(launched()).at(0));
  ASSERT_EQ(spans.size(), 2U);
  EXPECT_EQ(spans[0]["startTimeUnixNano"], "0");
  EXPECT_EQ(spans[0]["endTimeUnixNano"], "2000");
  EXPECT_EQ(spans[1]["startTimeUnixNano"], "10");
  EXPECT_EQ(spans[0]["spanId"], "0000000000000001");
  EXPECT_EQ(spans[1]["links"][0]["spanId"], spans[0]["spanId"]);
  EXPECT_EQ(spans[0]["traceId"].get<std::string>().size(), 32U);
  EXPECT_NE(spans[0]["traceId"], spans[1]["traceId"]);  // neither is an ancestor of the other
}

TEST(OtlpTrace, ALineHoldsABatch) {
  profile::Profile p;
  for (int i = 0; i < 513; ++i) p.timeline.add({.parent = i == 0 ? profile::kNoSpan : 0U});
  const auto batches = batches_of(p);
  ASSERT_EQ(batches.size(), 2U);
  EXPECT_EQ(spans_of(batches[0]).size(), 512U);
  EXPECT_EQ(spans_of(batches[1]).size(), 1U);
  EXPECT_EQ(spans_of(batches[1])[0]["traceId"], spans_of(batches[0])[0]["traceId"]);
}

TEST(OtlpTrace, ParentsInACircleEndSomewhere) {
  profile::Profile p;
  p.timeline.add({.parent = 1});
  p.timeline.add({.parent = 2});
  p.timeline.add({.parent = 0});
  p.timeline.add({.parent = 77});  // does not exist
  std::set<std::string> traces;
  std::size_t without_parent = 0;
  for (const auto& span : spans_of(batches_of(p).at(0))) {
    traces.insert(span["traceId"]);
    without_parent += !span.contains("parentSpanId");
  }
  EXPECT_EQ(traces.size(), 2U);
  EXPECT_EQ(without_parent, 2U);
}

}  // namespace
}  // namespace ridge::exports
