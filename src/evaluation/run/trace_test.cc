// SPDX-License-Identifier: Apache-2.0
// The trace of an evaluation as a viewer reads it, beside the CSV of its queries.
#include "evaluation/run/trace.h"

#include "export/formats/chrome_trace.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "attribution/testing.h"
#include "evaluation/record/document.h"
#include "evaluation/run/evaluation.h"
#include "session/testing.h"

namespace ridge::evaluation {
namespace {

using attribution::testing::must;
using attribution::testing::runtime_installed;
using nlohmann::json;
using session::testing::ModelFile;

constexpr std::string_view kTwoLayers = R"(graph main
    input x[1,3,32,32]
    constant w[8,3,3,3]
    Conv(x, w) {pads=[1,1,1,1]} -> c
    GlobalAveragePool(c) -> y
    output y)";

EvaluationRequest server_of(const session::testing::ModelFile& model, double rate,
                            std::uint32_t workers) {
  return {.model = model.path,
          .spec = model.spec,
          .scenario = {.kind = scenario::Kind::kServer,
                       .arrivals = scenario::Poisson{.rate = rate},
                       .workers = workers,
                       .min_duration = Nanos{0},
                       .min_queries = 300},
          .bound = {}};
}

/// A complete event of a Chrome trace; times in nanoseconds.
struct TrackSlice {
  std::string name, track;
  std::int64_t begin_ns = 0, end_ns = 0;
  json args;
};

std::int64_t nanoseconds(const json& microseconds) {
  return std::llround(microseconds.get<double>() * 1000);
}

std::vector<TrackSlice> slices_of(const Evaluation& e) {
  StringSink sink;
  exports::write_chrome_trace(trace_of(e).profile, sink);
  const json document = json::parse(sink.text());
  std::map<std::int64_t, std::string> tracks;
  std::vector<TrackSlice> out;
  for (const json& event : document["traceEvents"]) {
    if (event["name"] == "thread_name") tracks[event["tid"]] = event["args"]["name"];
    if (event["ph"] != "X") continue;
    const std::int64_t begin = nanoseconds(event["ts"]);
    out.push_back({event["name"], tracks[event["tid"]], begin, begin + nanoseconds(event["dur"]),
                   event["args"]});
  }
  return out;
}

/// Slices of a track nest: each ends before those that contain it.
void expect_nested(const std::vector<TrackSlice>& slices) {
  std::map<std::string, std::vector<std::int64_t>> open;
  for (const TrackSlice& s : slices) {
    std::vector<std::int64_t>& ends = open[s.track];
    while (!ends.empty() && ends.back() <= s.begin_ns) ends.pop_back();
    if (!ends.empty()) {
      EXPECT_LE(s.end_ns, ends.back()) << s.track << ": " << s.name;
    }
    ends.push_back(s.end_ns);
    EXPECT_EQ(s.track.find("overflow"), std::string::npos) << s.track;
  }
}

/// Rows of --queries: scheduled, issued, done, late, sample, failed, warm-up.
std::vector<std::array<std::int64_t, 7>> rows_of(const Evaluation& e) {
  StringSink sink;
  write_queries(e, sink);
  std::istringstream lines(sink.text());
  std::string line, cell;
  std::getline(lines, line);
  EXPECT_EQ(line, "runtime,scheduled_ns,issued_ns,done_ns,late_ns,sample,failed,warmup");
  std::vector<std::array<std::int64_t, 7>> out;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::getline(cells, cell, ',');
    for (std::int64_t& value : out.emplace_back()) {
      std::getline(cells, cell, ',');
      value = std::stoll(cell);
    }
  }
  return out;
}

TEST(EvaluationTrace, QueriesOfTheTraceAreThoseOfTheCsv) {
  session::testing::ModelFile model(kTwoLayers, "trace");
  model.spec.runtimes = {"null"};
  model.spec.runtime_options = {{"ridge.service", "exponential:300"}, {"ridge.fail_every", "50"}};
  const Evaluation e = must(evaluate(server_of(model, 4000, 2), model.environment));
  const std::vector<TrackSlice> slices = slices_of(e);
  expect_nested(slices);
  const auto rows = rows_of(e);
  ASSERT_EQ(rows.size(), 300U);
  std::map<std::int64_t, const TrackSlice*> queries, waits, runs;
  std::int64_t first = 0;
  for (const TrackSlice& s : slices) {
    if (s.name == "query") queries[s.args["query"]] = &s;
    if (s.name == "run") runs[s.args["query"]] = &s;
    if (s.name == "query" && s.args["query"] == 0) first = s.begin_ns - rows[0][0];
  }
  ASSERT_EQ(runs.size(), rows.size());
  std::size_t without_query = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto number = static_cast<std::int64_t>(i);
    const TrackSlice& run = *runs.at(number);
    EXPECT_EQ(run.begin_ns - first, rows[i][1]);
    EXPECT_EQ(run.end_ns - first, rows[i][2]);
    EXPECT_EQ(run.args["late_ns"], rows[i][3]);
    EXPECT_EQ(run.args["sample"], rows[i][4]);
    EXPECT_EQ(run.args.contains("failed"), rows[i][5] == 1);
    if (!queries.contains(number)) {
      ++without_query;
      EXPECT_EQ(run.args["scheduled_ns"], rows[i][0] - rows[i][1]);
      continue;
    }
    EXPECT_EQ(queries[number]->begin_ns - first, rows[i][0]);
    EXPECT_EQ(queries[number]->end_ns - first, rows[i][2]);
  }
  EXPECT_EQ(queries.size() + without_query, rows.size());
}

TEST(EvaluationTrace, SaysWhichRuntimeHasNoLayers) {
  session::testing::ModelFile model(kTwoLayers, "no-layers");
  model.spec.runtimes = {"null"};
  EvaluationRequest request = server_of(model, 4000, 1);
  request.profiled_queries = 2;
  const Evaluation e = must(evaluate(request, model.environment));
  const std::vector<std::string> lines = stack_lines(trace_of(e));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(lines[0].starts_with("query: 300 spans, ")) << lines[0];
  EXPECT_TRUE(lines[0].ends_with(" in sum, 0.0 % of it in nothing below")) << lines[0];
  EXPECT_EQ(lines[1], "no layers of null: it reports no layers");
}

TEST(EvaluationTraceSlow, LayersStandBelowTheRunsOfProfiledQueries) {
  if (!runtime_installed()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  session::testing::ModelFile model(kTwoLayers, "layers");
  EvaluationRequest request = server_of(model, 200, 1);
  request.scenario.min_queries = 20;
  request.profiled_queries = 2;
  const Evaluation e = must(evaluate(request, model.environment));
  const std::vector<TrackSlice> slices = slices_of(e);
  expect_nested(slices);
  std::vector<const TrackSlice*> runs, layers;
  std::int64_t loaded = 0;
  for (const TrackSlice& s : slices) {
    if (s.name == "run" && s.args.contains("recorded")) runs.push_back(&s);
    if (s.name == "run" && !s.args.contains("recorded")) loaded = std::max(loaded, s.end_ns);
    if (s.args.contains("nodes")) layers.push_back(&s);
  }
  ASSERT_EQ(runs.size(), 2U);
  ASSERT_GE(layers.size(), 4U);  // both nodes in both runs
  std::map<std::string, int> nodes;
  for (const TrackSlice* layer : layers) {
    const bool inside = std::ranges::any_of(runs, [&](const TrackSlice* run) {
      return run->begin_ns <= layer->begin_ns && layer->end_ns <= run->end_ns;
    });
    EXPECT_TRUE(inside) << layer->name;
    const json& node = layer->args["nodes"];
    ++nodes[node.is_string() ? node.get<std::string>() : node.dump()];
  }
  EXPECT_EQ(nodes["0"], 2);
  EXPECT_EQ(nodes["1"], 2);
  for (const TrackSlice* run : runs)
    EXPECT_GT(run->begin_ns, loaded);  // after the load, on its clock
  for (const trace::StackLevel& level : trace_of(e).stack) {
    EXPECT_EQ(level.exceeding, 0U) << level.name;
    EXPECT_LE(level.children_ns, level.time_ns) << level.name;
  }
}

}  // namespace
}  // namespace ridge::evaluation
