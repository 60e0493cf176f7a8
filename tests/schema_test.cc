// SPDX-License-Identifier: Apache-2.0
// Checks the documents that the program prints against the schemas that other programs rely on, and
// one document of each schema against its golden one.
#include "schema.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "golden.h"
#include "workplace.h"

namespace ridge::tests {
namespace {

using Findings = std::vector<std::string>;

/// Findings in what `command` prints: against the schema, and, where `figures` says of what kind it
/// is, against the golden document.
Findings findings_in_output(const Workplace& place, const std::string& command,
                            const std::string& schema, std::optional<Figures> figures) {
  const Outcome outcome = place.run(command);
  if (outcome.status != 0) return {command + " failed: " + outcome.err};
  const auto document = nlohmann::json::parse(outcome.out, nullptr, false);
  if (document.is_discarded()) return {command + " printed no JSON"};
  Findings out = Schemas(source_tree() / "data/schema").findings(schema, document);
  if (!figures || !out.empty()) return out;
  return golden_findings(schema, outcome.out, *figures);
}

Findings findings_in_output(const std::string& command, const std::string& schema,
                            std::optional<Figures> figures = {}) {
  return findings_in_output(Workplace(), command, schema, figures);
}

TEST(Schema, AnAnalysisIsAsDescribed) {
  EXPECT_EQ(findings_in_output("ridge analyze --format json unknown_operator.onnx --traffic",
                               "ridge.analysis.1.json", Figures::kComputed),
            Findings());
  for (const char* model : {"zoo:resnet50", "zoo:bert_base", "plain.onnx", "unknown_operator.onnx"})
    EXPECT_EQ(findings_in_output(std::string("ridge analyze --format json ") + model,
                                 "ridge.analysis.1.json"),
              Findings());
  EXPECT_EQ(findings_in_output("ridge analyze --format json --convention timm zoo:resnet18",
                               "ridge.analysis.1.json"),
            Findings());
}

TEST(Schema, ADifferenceIsAsDescribed) {
  EXPECT_EQ(findings_in_output("ridge diff --format json before.onnx after.onnx",
                               "ridge.diff.1.json", Figures::kComputed),
            Findings());
  for (const char* pair : {"zoo:resnet50 zoo:mobilenet_v2", "plain.onnx unknown_operator.onnx",
                           "before.onnx after.onnx --all"})
    EXPECT_EQ(
        findings_in_output(std::string("ridge diff --format json ") + pair, "ridge.diff.1.json"),
        Findings());
}

TEST(Schema, AnAcceleratorEstimateIsAsDescribed) {
  EXPECT_EQ(findings_in_output(
                "ridge accel --format json before.onnx --machine gemmini-16 --bind batch=1,2",
                "ridge.accelerator.1.json", Figures::kComputed),
            Findings());
  constexpr const char* kMachine = R"(cat > m.cfg <<'END'
ArrayHeight: 8
ArrayWidth: 8
IfmapSramSzkB: 4
FilterSramSzkB: 4
OfmapSramSzkB: 4
Dataflow: ws
END
)";
  for (const char* subject : {"zoo:mobilenet_v2", "before.onnx --bind batch=2",
                              "--gemm 40,50,60 --gemm 100000,100000,100000"})
    EXPECT_EQ(findings_in_output(
                  std::string(kMachine) + "ridge accel --config m.cfg --format json " + subject,
                  "ridge.accelerator.1.json"),
              Findings());
  for (const char* asked : {"zoo:mobilenet_v2 --machine edge-32 --pareto",
                            "before.onnx --machine gemmini-16 --bind "
                            "batch=1,2 --pad none,16x16x16 --set dram.gb_per_s=8,16",
                            "--gemm 40,50,60 --machine tpu-like --convention scalesim"})
    EXPECT_EQ(findings_in_output(std::string("ridge accel --format json ") + asked,
                                 "ridge.accelerator.1.json"),
              Findings());
}

TEST(Schema, AListOfPointsIsAsDescribed) {
  EXPECT_EQ(findings_in_output(
                "ridge eval plain.onnx --bind batch=1 --runtime null --dry-run --format json",
                "ridge.points.1.json", Figures::kMeasured),
            Findings());
}

TEST(Schema, AComparisonIsAsDescribed) {
  EXPECT_EQ(findings_in_output("ridge compare --format json ort.json openvino.json",
                               "ridge.comparison.1.json", Figures::kComputed),
            Findings());
  for (const char* runs :
       {"ort.json openvino.json", "ort.json means.json batch8.json renamed.json"})
    EXPECT_EQ(findings_in_output(std::string("ridge compare --format json ") + runs,
                                 "ridge.comparison.1.json"),
              Findings());
}

TEST(Schema, AnExplanationIsAsDescribed) {
  EXPECT_EQ(findings_in_output("ridge explain --format json ort.json layer:0",
                               "ridge.explanation.1.json", Figures::kComputed),
            Findings());
  for (const char* what : {"MatMul", "plain.onnx 0 --no-measure", "ort.json layer:0",
                           "ort.json '#2'", "unknown_operator.onnx swish --no-measure"})
    EXPECT_EQ(findings_in_output(std::string("ridge explain --format json ") + what,
                                 "ridge.explanation.1.json"),
              Findings());
}

TEST(Schema, AnAnalysisWithTrafficOrSymbolsIsAsDescribed) {
  for (const char* flags :
       {"zoo:mobilenet_v2 --cache 8MiB --fuse epilogue", "unknown_operator.onnx --traffic",
        "zoo:bert_base --symbolic", "unknown_operator.onnx --symbolic"})
    EXPECT_EQ(findings_in_output(std::string("ridge analyze --format json ") + flags,
                                 "ridge.analysis.1.json"),
              Findings());
}

TEST(Schema, AnAnalysisPerSizeIsAsDescribed) {
  EXPECT_EQ(findings_in_output("ridge analyze plain.onnx --bind batch=1,2 --format json",
                               "ridge.analyses.1.json", Figures::kComputed),
            Findings());
}

TEST(Schema, AnAnswerOfATraceIsAsDescribed) {
  EXPECT_EQ(findings_in_output("ridge trace list --format json", "ridge.trace_query.1.json",
                               Figures::kComputed),
            Findings());
}

TEST(Schema, TheListOfTheZooIsAsDescribed) {
  EXPECT_EQ(
      findings_in_output("ridge zoo list --format json", "ridge.zoo.1.json", Figures::kComputed),
      Findings());
}

TEST(Schema, TheDoctorsDocumentIsAsDescribed) {
  // A check of the doctor may fail on this machine (exit status 4); the document is still printed.
  EXPECT_EQ(
      findings_in_output("ridge doctor --format json || [ $? -eq 4 ]", "ridge.machine.1.json"),
      Findings());
}

TEST(SchemaSlow, ABundleIsAsDescribed) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  EXPECT_EQ(findings_in_output("ridge profile before.onnx --processes 1 --budget 100ms "
                               "--store runs.db >/dev/null && "
                               "ridge bundle seal runs.db -o r.ridge && "
                               "ridge bundle show r.ridge --format json",
                               "ridge.bundle.1.json", Figures::kMeasured),
            Findings());
}

TEST(SchemaSlow, AMachineIsAsDescribed) {
  EXPECT_EQ(
      findings_in_output("ridge machine --format json", "ridge.machine.1.json", Figures::kMeasured),
      Findings());
}

TEST(SchemaSlow, AnAdviceIsAsDescribed) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  // Two findings, so that there is a joint check.
  EXPECT_EQ(findings_in_output("ridge advise spelled_out.onnx --processes 2 --budget 8s --check "
                               "all --store advice.db --format json",
                               "ridge.advice.1.json", Figures::kMeasured),
            Findings());
  EXPECT_EQ(findings_in_output("ridge advise plain.onnx --processes 1 --budget 0.5 --check threads "
                               "--store own.db >/dev/null 2>&1; "
                               "ridge advise --scoreboard own.db --format json",
                               "ridge.advice_scoreboard.1.json", Figures::kMeasured),
            Findings());
  EXPECT_EQ(findings_in_output("ridge advise plain.onnx --processes 1 --budget 0.1 --format json",
                               "ridge.advice.1.json"),
            Findings());
}

TEST(SchemaSlow, AnEvaluationIsAsDescribed) {
  const std::string null = "ridge eval plain.onnx --runtime null --duration 100ms --format json ";
  for (const char* load :
       {"", "--scenario server --qps 2000 --bound p99=1s", "--scenario offline",
        "--scenario server --find-peak --bound p90=500us --budget 1s", "--mlperf-logs out",
        "--scenario offline --mlperf-logs out --audit test01",
        "--qps 1000000 --mlperf-logs out --audit test04"})
    EXPECT_EQ(
        findings_in_output(null + load + " 2>/dev/null || [ $? -eq 1 ]", "ridge.evaluation.1.json"),
        Findings())
        << load;
  EXPECT_EQ(
      findings_in_output(null + "--scenario server --qps 1000 --bound p99=1s 2>/dev/null || [ "
                                "$? -eq 1 ]",
                         "ridge.evaluation.1.json", Figures::kMeasured),
      Findings());
}

TEST(SchemaSlow, AComparisonOfEvaluationsIsAsDescribed) {
  const std::string null = "ridge eval plain.onnx --runtime null --duration 100ms --output ";
  EXPECT_EQ(findings_in_output(null + "a.json 2>/dev/null; " + null +
                                   "b.json 2>/dev/null; ridge eval compare a.json b.json --format "
                                   "json",
                               "ridge.evaluation_comparison.1.json", Figures::kMeasured),
            Findings());
}

TEST(SchemaSlow, AProfileIsAsDescribed) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  EXPECT_EQ(
      findings_in_output(
          "ridge profile zoo:mobilenet_v2 --format json --processes 1 --budget 0.1 --verify 1",
          "ridge.profile.1.json", Figures::kMeasured),
      Findings());
}

TEST(SchemaSlow, ARooflineIsAsDescribed) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  EXPECT_EQ(findings_in_output("ridge roofline plain.onnx --bind batch=1,2 --format json "
                               "--processes 1 --budget 0.1",
                               "ridge.roofline.1.json", Figures::kMeasured),
            Findings());
}

TEST(SchemaSlow, ASweepIsAsDescribed) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  EXPECT_EQ(findings_in_output("ridge profile plain.onnx --bind batch=1,2 --format json "
                               "--processes 1 --budget 0.1",
                               "ridge.profiles.1.json", Figures::kMeasured),
            Findings());
}

TEST(SchemaSlow, ASweepOverRuntimesIsAsDescribedAndSaysWhatTheyDid) {
  const Workplace place;
  if (place.run("ridge doctor | grep 'OpenVINO *20'").status != 0)
    GTEST_SKIP() << "no OpenVINO: scripts/fetch_openvino.sh";
  const Outcome outcome = place.run(
      "ridge profile plain.onnx --runtimes openvino,ort --format json --processes 1 --budget 0.2");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto document = nlohmann::json::parse(outcome.out, nullptr, false);
  ASSERT_FALSE(document.is_discarded());
  EXPECT_EQ(Schemas(source_tree() / "data/schema").findings("ridge.profiles.1.json", document),
            Findings());
  const auto& effects = document["sweep"]["effects"];
  ASSERT_EQ(effects.size(), 1U);
  EXPECT_EQ(effects[0]["axis"], "runtime");
  EXPECT_EQ(effects[0]["base"], "OpenVINO");
  EXPECT_EQ(effects[0]["steps"][0]["value"], "ONNX Runtime");
  EXPECT_EQ(document["sweep"]["points"][0]["label"], "OpenVINO, batch=1, 1 thread");
}

TEST(SchemaSlow, AListOfRunsIsAsDescribed) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  EXPECT_EQ(findings_in_output("{ ridge bench plain.onnx free_sizes.onnx --processes 1 --budget 1s "
                               "--store runs.db >/dev/null || true; } && "
                               "ridge runs list runs.db --format json",
                               "ridge.runs.1.json", Figures::kMeasured),
            Findings());
}

TEST(Schema, AGridIsAsDescribed) {
  EXPECT_EQ(findings_in_output(
                "touch -d @1772368200 run.json batch8.json; ridge runs add runs.db run.json "
                "batch8.json >added; ridge report runs.db --base example --price "
                "example=1 --format json",
                "ridge.grid.1.json", Figures::kComputed),
            Findings());
}

TEST(Schema, ABaselineIsAsDescribed) {
  EXPECT_EQ(
      findings_in_output(
          "for i in 1 2 3 4 5 6 7; do sed \"s/\\\"hostname\\\":\\\"[^\\\"]*/&$i/\" run.json > "
          "$i.json; done; ridge runs add lab.db ?.json > added; ridge runs baseline lab.db "
          "--format json",
          "ridge.baseline.1.json", Figures::kComputed),
      Findings());
}

TEST(Schema, AReplayIsAsDescribed) {
  EXPECT_EQ(findings_in_output("ridge share replay --generate zipf,pareto:2 --requests 2000 "
                               "--model-count 20 --memory 1G,4G --clients 1,3 --share 50%,100% "
                               "--policies lru,ttl:10m,histogram --format json",
                               "ridge.share_replay.1.json", Figures::kComputed),
            Findings());
}

TEST(SchemaSlow, ACheckByABaselineIsAsDescribed) {
  const std::string oracle = (source_tree() / "tests/baseline_oracle.py").string();
  EXPECT_EQ(findings_in_output("ridge doctor --format json > host.json || test $? -eq 4\n"
                               "RIDGE_SOURCE='" +
                                   source_tree().string() + "' python3 '" + oracle +
                                   "' fleet . host.json\n"
                                   "ridge runs add lab.db ?-?.json > added\n"
                                   "ridge runs baseline lab.db -o b.json 2> said\n"
                                   "ridge doctor --baseline b.json lab.db --format json || test $? "
                                   "-eq 4",
                               "ridge.baseline_check.1.json", Figures::kMeasured),
            Findings());
}

TEST(Schema, ASubmissionIsAsDescribed) {
  EXPECT_EQ(findings_in_output("echo 'verb = \"eval\"\nmodel = \"plain.onnx\"\n"
                               "runtime = [\"null\"]' > m.toml\n"
                               "echo '[[host]]\nname = \"here\"' > lab.toml\n"
                               "ridge submit m.toml --on lab.toml --dry-run --format json",
                               "ridge.submission.1.json", Figures::kMeasured),
            Findings());
}

TEST(SchemaSlow, AnExperimentIsAsDescribed) {
  const Workplace place;
  const Outcome o = place.run(
      "printf '[[host]]\\nname = \"here\"\\n' >lab.toml\nexport XDG_CACHE_HOME=$PWD/cache\n"
      "printf 'verb = \"eval\"\\nmodel = \"plain.onnx\"\\nruntime = [\"null\"]\\nduration = "
      "\"50ms\"\\n' "
      ">m.toml\nridge submit m.toml --on lab.toml --store runs.db");
  ASSERT_EQ(o.status, 0) << o.err;
  for (const auto& [one, schema] :
       {std::pair("", "ridge.experiments.1.json"), std::pair("m", "ridge.experiment.1.json")})
    EXPECT_EQ(findings_in_output(place,
                                 std::string("ridge runs experiments runs.db --format json ") + one,
                                 schema, Figures::kMeasured),
              Findings());
}

TEST(SchemaSlow, ABenchIsAsDescribed) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  EXPECT_EQ(findings_in_output("ridge bench plain.onnx free_sizes.onnx --processes 1 --budget 1s "
                               "--store runs.db --format json || [ $? -eq 1 ]",
                               "ridge.bench.1.json", Figures::kMeasured),
            Findings());
}

TEST(SchemaSlow, BricksAreAsDescribed) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  EXPECT_EQ(
      findings_in_output("ridge bricks plan before.onnx after.onnx --bind batch=2 --out suite "
                         "--format json",
                         "ridge.bricks.1.json", Figures::kMeasured),
      Findings());
}

TEST(SchemaSlow, AnEstimateFromBricksAndItsCheckAreAsDescribed) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const Workplace place;
  EXPECT_EQ(findings_in_output(place,
                               "ridge bricks check plain.onnx --bind batch=2 --processes 2 --width "
                               "95% --store bricks.db --format json 2>/dev/null || [ $? -eq 1 ]",
                               "ridge.bricks_check.1.json", Figures::kMeasured),
            Findings());
  EXPECT_EQ(findings_in_output(place,
                               "ridge bricks estimate plain.onnx --bind batch=2 --store bricks.db "
                               "--format json",
                               "ridge.estimate.1.json", Figures::kMeasured),
            Findings());
}

TEST(SchemaSlow, AGenerationIsAsDescribed) {
  EXPECT_EQ(findings_in_output("ridge generate zoo:llama_decode --runtime null --prompt 4 --tokens "
                               "2 --requests 1 --format json 2>/dev/null || [ $? -eq 1 ]",
                               "ridge.generation.1.json", Figures::kMeasured),
            Findings());
}

TEST(SchemaSlow, DamagedBricksAreNotAsDescribed) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  constexpr const char* kDamaged =
      "ridge bricks plan before.onnx --bind batch=2 --out suite >plan.txt && "
      "sed 's/\"layout\":\"plain\"/\"layout\":\"rows\"/; s/\"threads\":1/\"threads\":0/; "
      "s/,\"left_over\":/,\"rest\":/' suite/manifest.json";
  const Findings findings = findings_in_output(kDamaged, "ridge.bricks.1.json");
  EXPECT_EQ(std::ranges::count(findings, "threads: 0 is below 1"), 1);
  EXPECT_EQ(std::ranges::count(findings, "document: 'left_over' is missing"), 1);
  EXPECT_EQ(std::ranges::count(findings, R"(bricks[0].ports[0].layout: "rows" is none of )"
                                         R"(["plain","blocked","channels_last"])"),
            1);
}

TEST(SchemaSlow, AMeasuredComparisonIsAsDescribedAndAddsUp) {
  if (!has_runtime()) GTEST_SKIP() << "no ONNX Runtime: scripts/fetch_onnxruntime.sh";
  const Workplace place;
  const Outcome outcome = place.run(
      "ridge compare plain.onnx --runtimes ort --bind batch=1,4 --format json --processes 2 "
      "--budget 0.1");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto document = nlohmann::json::parse(outcome.out, nullptr, false);
  ASSERT_FALSE(document.is_discarded());
  EXPECT_EQ(Schemas(source_tree() / "data/schema").findings("ridge.comparison.1.json", document),
            Findings());
  for (const auto& run : document["totals"]) {
    const auto& time = run["time"];
    double sum = 0;
    for (const char* part :
         {"groups_ns", "inserted_ns", "unattributed_ns", "outside_layers_ns", "unexplained_ns"})
      sum += time[part].get<double>();
    EXPECT_NEAR(sum, time["latency_ns"].get<double>(), 1e-3);
  }
}

// The validator itself

Findings judged(const std::string& schema, const std::string& document) {
  return Schemas({{"s.json", schema}}).findings("s.json", nlohmann::json::parse(document));
}

TEST(Validator, ReportsWhatIsMissingWrongOrNotDescribed) {
  const std::string schema =
      R"({"type":"object","required":["a"],
          "properties":{"a":{"type":["integer","null"]},"b":{"enum":["x"]}}})";
  EXPECT_EQ(judged(schema, R"({"a":1,"b":"x"})"), Findings());
  EXPECT_EQ(judged(schema, R"({"a":null})"), Findings());
  EXPECT_EQ(judged(schema, R"({"a":1.5,"b":"y","c":0})"),
            (Findings{R"(a: 1.5 is not of type ["integer","null"])", R"(b: "y" is none of ["x"])",
                      "c: the schema does not describe this key"}));
  EXPECT_EQ(judged(schema, R"({})"), Findings{"document: 'a' is missing"});
}

TEST(Validator, LooksIntoArraysMapsAndReferences) {
  const std::string schema =
      R"({"properties":{"rows":{"type":"array","minItems":1,"items":{"$ref":"#/$defs/row"}},
          "map":{"type":"object","additionalProperties":{"type":"string"}}},
          "$defs":{"row":{"type":"number","minimum":0}}})";
  EXPECT_EQ(judged(schema, R"({"rows":[1,2.5],"map":{"k":"v"}})"), Findings());
  EXPECT_EQ(judged(schema, R"({"rows":[1,-2],"map":{"k":3}})"),
            (Findings{R"(map.k: 3 is not of type "string")", "rows[1]: -2 is below 0"}));
  EXPECT_EQ(judged(schema, R"({"rows":[]})"), Findings{"rows: 0 items are too few"});
}

TEST(Validator, TakesWhatSatisfiesOneOfSeveral) {
  const std::string schema = R"({"anyOf":[{"$ref":"#/$defs/row"},{"type":"null"}],
          "$defs":{"row":{"type":"object","properties":{"a":{"type":"integer"}}}}})";
  EXPECT_EQ(judged(schema, R"({"a":1})"), Findings());
  EXPECT_EQ(judged(schema, "null"), Findings());
  EXPECT_EQ(judged(schema, R"({"a":"x"})"), Findings{R"(a: "x" is not of type "integer")"});
}

TEST(Validator, ComparesBounds) {
  const std::string schema = R"({"type":"number","exclusiveMinimum":0,"maximum":1})";
  EXPECT_EQ(judged(schema, "1"), Findings());
  EXPECT_EQ(judged(schema, "0"), Findings{"document: 0 is not above 0"});
  EXPECT_EQ(judged(schema, "2"), Findings{"document: 2 is above 1"});
}

TEST(Validator, AKeywordThatNobodyChecksIsAFinding) {
  EXPECT_EQ(judged(R"({"pattern":"x"})", "1"),
            Findings{"document: the schema's keyword 'pattern' is not checked"});
}

}  // namespace
}  // namespace ridge::tests
