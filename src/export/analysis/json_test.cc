// SPDX-License-Identifier: Apache-2.0
#include "export/analysis/json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "analysis/testing.h"
#include "export/analysis/table.h"

namespace ridge::exports {
namespace {

using analysis::testing::resolved;

std::string document(const analysis::Resolved& r, std::optional<std::size_t> top = {}) {
  StringSink sink;
  write_analysis_document(r, {.top = top}, sink);
  return sink.text();
}

/// Text from one key up to another.
std::string between(const std::string& text, std::string_view from, std::string_view to) {
  const std::size_t begin = text.find(from);
  return text.substr(begin, text.find(to, begin) - begin);
}

constexpr std::string_view kAnalyzedModel = R"(
  graph main
    input x[batch,4]
    constant w[4,8] low[1]
    /fc/MatMul: MatMul(x, w) -> h
    /act/Clip: Clip(h, low, _) -> y
    output y
)";

TEST(AnalysisJson, ARowHasItsKeysInTheContractsOrder) {
  const std::string text = document(resolved(kAnalyzedModel));
  EXPECT_EQ(
      between(text, R"({"index":1)", "\n]"),
      R"({"index":1,"parent":null,"repeat":1,"name":"/act/Clip","op_type":"Clip","domain":"","module":"act",)"
      R"("inputs":[{"name":"h","dtype":"float32","shape":[1,8],"kind":"activation"},)"
      R"({"name":"low","dtype":"float32","shape":[1],"kind":"constant"},)"
      R"({"name":"","dtype":null,"shape":null,"kind":"absent"}],)"
      R"("outputs":[{"name":"y","dtype":"float32","shape":[1,8]}],)"
      R"("macs":0,"flops":16,"special":0,"int_ops":0,"params":0,"bytes_read":36,"bytes_written":32,)"
      R"("intensity":0.23529411764705882,"status":"counted","reason":null})");
}

TEST(AnalysisJson, TheHeadSaysWhatTheModelIsAndUnderWhichSizes) {
  const std::string text = document(resolved(kAnalyzedModel));
  EXPECT_TRUE(text.starts_with(R"({"schema":"ridge.analysis/1",)")) << text.substr(0, 80);
  EXPECT_EQ(between(text, R"("ir_version")", "\n"),
            R"("ir_version":8,"opsets":{"ai.onnx":17},"producer":""},)");
  EXPECT_EQ(between(text, R"("bindings")", "\n"),
            R"("bindings":{"batch":{"value":1,"assumed":true}},)");
  EXPECT_EQ(
      between(text, R"("totals")", "\n"),
      R"("totals":{"nodes":2,"macs":32,"flops":16,"special":0,"int_ops":0,"params":32,"weight_bytes":128,)"
      R"("bytes_read":180,"bytes_written":64,"peak_activation_bytes":64,)"
      R"("coverage":{"counted":2,"zero":0,"unknown":0},"intensity":0.32786885245901637,"incomplete":[]},)");
}

TEST(AnalysisJson, SymbolsAreTextAndWhatCannotBeKnownIsNull) {
  analysis::Bindings free;
  free.free = analysis::FreeSizes::kSymbolic;
  const auto json = nlohmann::json::parse(document(resolved(
      "graph main\n input x[n,2]\n a: Relu(x) -> b\n odd: com.acme.Odd(b) -> y\n output y", free)));
  EXPECT_EQ(json["nodes"][0]["flops"], "2*n");
  EXPECT_EQ(json["nodes"][0]["outputs"][0]["shape"], nlohmann::json({"n", 2}));
  EXPECT_EQ(json["nodes"][0]["intensity"], nullptr);
  EXPECT_EQ(json["nodes"][1]["macs"], nullptr);
  EXPECT_EQ(json["nodes"][1]["reason"], "the operator 'com.acme.Odd' is not known");
  EXPECT_EQ(json["outputs"][0]["shape"], nullptr);
  EXPECT_EQ(json["totals"]["flops"], nullptr);
  EXPECT_EQ(json["totals"]["at_least"]["flops"], "2*n");
  EXPECT_EQ(json["totals"]["incomplete"].size(), 7U);
}

TEST(AnalysisJson, ATotalWithAnUnknownPartIsNullAndSaysHowMuchItIsAtLeast) {
  const analysis::Resolved r = resolved(R"(
    graph main
      input x[2,4] m[]
      constant w[4,4]
      known: MatMul(x, w) -> h
      loop: Loop(m, _, h) {body=graph:body} -> y
      output y
    graph body
      input i[] c[] h[2,4]
      constant v[4,4]
      /inside/MatMul: MatMul(h, v) -> next
      output c next
  )");
  const auto json = nlohmann::json::parse(document(r));
  const auto& totals = json["totals"];
  EXPECT_EQ(totals["macs"], nullptr);
  EXPECT_EQ(totals["at_least"]["macs"], 2 * 4 * 4);
  EXPECT_EQ(totals["flops"], 0);  // fully known
  EXPECT_EQ(totals["intensity"], nullptr);
  for (const auto& [name, sum] : totals["at_least"].items()) EXPECT_EQ(totals[name], nullptr);
  EXPECT_EQ(totals["at_least"].size(), totals["incomplete"].size());
  for (const auto& module : json["modules"]) {
    EXPECT_EQ(module["macs"], nullptr) << module;
    EXPECT_EQ(module["at_least"]["macs"], module["path"].get<std::string>().empty() ? 2 * 4 * 4 : 0)
        << module;
  }
  StringSink text, rows;
  write_analysis_text(r, {}, text);
  EXPECT_NE(text.text().find(">= 32"), std::string::npos) << text.text();
  write_analysis_csv(r, {.table = AnalysisTables::kOperators}, rows);
  EXPECT_NE(rows.text().find("MatMul,2,,0"), std::string::npos) << rows.text();
}

TEST(AnalysisJson, RowsOfBodiesHaveParentAndRepeat) {
  const auto json = nlohmann::json::parse(document(resolved(R"(
    graph main
      input x[4]
      integers m=3
      loop: Loop(m, _, x) {body=graph:body} -> y
      output y
    graph body
      input i[] c[] h
      act: Relu(h) -> next
      output c next
  )")));
  EXPECT_EQ(json["nodes"][1]["parent"], 0);
  EXPECT_EQ(json["nodes"][1]["repeat"], 3);
  EXPECT_EQ(json["nodes"][1]["flops"], 12);
}

TEST(AnalysisJson, TopKeepsTheNodesWithMostWork) {
  const auto json = nlohmann::json::parse(document(resolved(kAnalyzedModel), 1));
  ASSERT_EQ(json["nodes"].size(), 1U);
  EXPECT_EQ(json["nodes"][0]["index"], 0);
}

TEST(AnalysisJson, HostileNamesLeaveTheDocumentValid) {
  const auto json = nlohmann::json::parse(document(
      resolved("graph main\n input x[1]\n \"</script>\x1b\xff\\: Relu(x) -> y\n output y")));
  EXPECT_EQ(json["nodes"][0]["name"], "\"</script>\x1b\xef\xbf\xbd\\");
}

TEST(AnalysisJson, AConventionStandsBesideOurFigures) {
  const analysis::Resolved r = resolved(
      "graph main\n input x[2,3]\n constant w[3,4]\n m: MatMul(x, w) -> y\n s: Sigmoid(y) -> z\n"
      " output z\n");
  const analysis::ConventionCount count =
      analysis::count_by(*analysis::find_convention("proof"), r);
  StringSink sink;
  write_analysis_document(r, {.convention = &count}, sink);
  const auto doc = nlohmann::json::parse(sink.text());
  EXPECT_EQ(doc["convention"], nlohmann::json::parse(R"({"name":"proof","unit":"FLOPs",)"
                                                     R"("total":128,"complete":true})"));
  EXPECT_EQ(doc["nodes"][0]["convention"], 48);
  EXPECT_EQ(doc["nodes"][1]["convention"], 80);
  EXPECT_EQ(doc["nodes"][1]["macs"], 0) << "ours stays ours";
  EXPECT_FALSE(nlohmann::json::parse(document(r)).contains("convention"));
}

TEST(AnalysisJson, TrafficAddsItsAssumptionsAndFigures) {
  const analysis::Resolved r = resolved(kAnalyzedModel);
  const auto moved = analysis::traffic(r, {1 << 20, analysis::Fuse::kEpilogue});
  ASSERT_TRUE(moved.ok());
  const TrafficView view{*moved, "given"};
  StringSink sink;
  write_analysis_document(r, {.traffic = &view}, sink);
  const auto json = nlohmann::json::parse(sink.text());
  EXPECT_EQ(json["traffic"].dump(),
            R"({"cache_bytes":1048576,"cache_from":"given","fuse":"epilogue","fused_nodes":1,)"
            R"("peak_activation_bytes":48})");
  EXPECT_EQ(json["totals"]["bytes_min"], 16 + 128 + 4 + 32);
  EXPECT_EQ(json["totals"]["bytes_expected"], 16 + 128 + 4 + 32);
  EXPECT_EQ(json["totals"]["bytes_max"], 16 + 128 + 4 + 32);
  EXPECT_EQ(json["nodes"][0]["bytes_expected"], 16 + 128);
  EXPECT_EQ(json["nodes"][0]["runs_with"], 1);
  EXPECT_EQ(json["nodes"][1]["bytes_max"], 4 + 32);
}

TEST(AnalysisJson, FreeSizesAddTheTotalsTermByTerm) {
  analysis::Bindings free;
  free.free = analysis::FreeSizes::kSymbolic;
  const auto json = nlohmann::json::parse(document(resolved(kAnalyzedModel, free)));
  EXPECT_EQ(json["symbolic"]["sizes"].dump(), R"([{"name":"batch","of_input":true}])");
  EXPECT_EQ(
      json["symbolic"]["totals"]["bytes_read"].dump(),
      R"({"expression":"48*batch + 132","missing_nodes":0,"reason":null,)"
      R"("terms":[{"coefficient":48,"powers":{"batch":1}},{"coefficient":132,"powers":{}}]})");
  EXPECT_FALSE(nlohmann::json::parse(document(resolved(kAnalyzedModel))).contains("symbolic"));
}

}  // namespace
}  // namespace ridge::exports
