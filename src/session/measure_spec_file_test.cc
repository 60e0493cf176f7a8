// SPDX-License-Identifier: Apache-2.0
#include "session/measure_spec_file.h"

#include <gtest/gtest.h>

#include <random>

namespace ridge::session {
namespace {

MeasureSpec full_spec() {
  MeasureSpec spec;
  spec.runtimes = {"ort", "openvino"};
  spec.threads = {1, 4096};
  spec.sizes = {{}, {}, {}};
  spec.sizes[1].sizes["batch"].value = 8;
  spec.sizes[1].sizes["say \"n\""].value = INT64_MAX;
  spec.sizes[2].shapes = {{"image", {1, 3, 224, 224}}, {"scalar", {}}, {"empty", {0}}};
  spec.optimization = runtime::Optimization::kBasic;
  spec.weights = WeightSource::kAsIs;
  spec.inputs = {{"x", "/data/x.npy"}, {"ü", "y.pb"}};
  spec.runtime_library = "/opt/libonnxruntime.so";
  spec.runtime_options = {{"session.inter_op.allow_spinning", "1"}, {"NUM_STREAMS", ""}};
  spec.pin = false;
  spec.level = RecordedLevel::kCounter;
  spec.processes = 100;
  spec.budget = {0.1, false};
  spec.seed = UINT64_MAX;
  spec.refresh_roofs = true;
  spec.verify = 5;
  spec.check_values = true;
  return spec;
}

std::string spec_error(const Result<MeasureSpec>& read) {
  return read.ok() ? "fine" : read.error().text();
}

TEST(MeasureSpecFile, ASpecSurvivesTheWayThroughJson) {
  for (const MeasureSpec& spec : {MeasureSpec(), full_spec()}) {
    const std::string text = measure_spec_json(spec);
    const Result<MeasureSpec> read = read_measure_spec_json(text);
    ASSERT_TRUE(read.ok()) << read.error().text();
    EXPECT_EQ(measure_spec_json(*read), text);
    EXPECT_EQ(read->runtimes, spec.runtimes);
    EXPECT_EQ(read->threads, spec.threads);
    ASSERT_EQ(read->sizes.size(), spec.sizes.size());
    for (std::size_t i = 0; i < spec.sizes.size(); ++i)
      EXPECT_EQ(read->sizes[i].shapes, spec.sizes[i].shapes);
    EXPECT_EQ(read->inputs, spec.inputs);
    EXPECT_EQ(read->runtime_options, spec.runtime_options);
    EXPECT_EQ(read->runtime_library, "");
    EXPECT_EQ(read->level, spec.level);
    EXPECT_EQ(read->budget.seconds, spec.budget.seconds);
    EXPECT_EQ(read->budget.of_each_process, spec.budget.of_each_process);
    EXPECT_EQ(read->seed, spec.seed);
    EXPECT_EQ(read->pin, spec.pin);
    EXPECT_EQ(read->verify, spec.verify);
    EXPECT_EQ(read->check_values, spec.check_values);
  }
}

TEST(MeasureSpecFile, ASpecSurvivesTheWayThroughToml) {
  for (const MeasureSpec& spec : {MeasureSpec(), full_spec()}) {
    const Result<MeasureSpec> read = read_measure_spec_toml(measure_spec_toml(spec));
    ASSERT_TRUE(read.ok()) << read.error().text();
    EXPECT_EQ(measure_spec_json(*read), measure_spec_json(spec));
  }
}

TEST(MeasureSpecFile, TomlGivesWhatJsonGives) {
  const auto toml = read_measure_spec_toml(R"(
runtimes = ["onnxruntime", "openvino"]
threads = [1, 2]
sizes = [{ names = { batch = 8 } }, { shapes = { image = "1x3x224x224" } }]
level = "thread"
pin = false
budget = { seconds = 30, of = "all" }
[inputs]
x = "x.npy"
)");
  const auto json = read_measure_spec_json(R"({"runtimes": ["ort", "openvino"], "threads": [1, 2],
      "sizes": [{"names": {"batch": 8}}, {"shapes": {"image": "1x3x224x224"}}], "level": "thread",
      "pin": false, "budget": {"seconds": 30, "of": "all"}, "inputs": {"x": "x.npy"}})");
  ASSERT_TRUE(toml.ok()) << toml.error().text();
  ASSERT_TRUE(json.ok()) << json.error().text();
  EXPECT_EQ(measure_spec_json(*toml), measure_spec_json(*json));
  EXPECT_EQ(toml->sizes[0].sizes.at("batch").value, 8);
  EXPECT_EQ(toml->processes, MeasureSpec().processes);
}

TEST(MeasureSpecFile, ErrorsSayWhere) {
  EXPECT_EQ(spec_error(read_measure_spec_toml("threads = [1]\nthread = 2\n")),
            "error: thread, line 2, column 1: unknown key 'thread'\n"
            "  hint: did you mean 'threads'?\n"
            "  [RIDGE-REC-0003]\n");
  EXPECT_EQ(spec_error(read_measure_spec_toml("threads = [1, 0]\n")),
            "error: threads[1], line 1, column 15: integer from 1 to 4096 expected, got 0\n"
            "  hint: numbers of threads; several: a sweep\n"
            "  [RIDGE-REC-0002]\n");
  EXPECT_EQ(spec_error(read_measure_spec_toml("runtimes = [\"ort\", \"tflite\"]\n")),
            "error: runtimes, line 1, column 12: 'tflite' is no runtime: ort or openvino expected\n"
            "  [RIDGE-WB-0302]\n");
  EXPECT_EQ(spec_error(read_measure_spec_json(R"({"sizes": [{"name": {}}]})")),
            "error: sizes[0].name: unknown key 'name'\n"
            "  hint: did you mean 'names'?\n"
            "  [RIDGE-REC-0003]\n");
  EXPECT_EQ(spec_error(read_measure_spec_json(R"({"threads": []})")),
            "error: threads: at least 1 value expected, got 0\n"
            "  hint: numbers of threads; several: a sweep\n"
            "  [RIDGE-REC-0002]\n");
  EXPECT_EQ(spec_error(read_measure_spec_json("{")),
            "error: line 1, column 2: invalid JSON\n"
            "  expected a key\n"
            "  [RIDGE-REC-0001]\n");
  EXPECT_EQ(spec_error(read_measure_spec_json(std::string(70'000, ' '))),
            "error: the document has 70000 bytes, the limit is 65536\n"
            "  [RIDGE-REC-0001]\n");
}

TEST(MeasureSpecFile, NoLibraryAndNoOptionThatMayNameOneIsRead) {
  EXPECT_EQ(spec_error(read_measure_spec_toml("runtime_library = \"/tmp/x.so\"\n")),
            "error: runtime_library, line 1, column 1: no file decides 'runtime_library': it says "
            "which code is loaded\n"
            "  hint: leave it out, and state it on the command line\n"
            "  [RIDGE-REC-0006]\n");
  EXPECT_EQ(spec_error(read_measure_spec_json(
                R"({"runtime_options": {"session.optimized_model_filepath": "/home/x"}})")),
            "error: runtime_options: the runtime's option "
            "'session.optimized_model_filepath' is not taken from a file\n"
            "  it may name a library to load or a file to write, and files may be from others\n"
            "  hint: state it on the command line: --runtime-option "
            "session.optimized_model_filepath=VALUE\n"
            "  [RIDGE-RT-0090]\n");
}

TEST(MeasureSpecFile, ShapesAreWrittenAsOnTheCommandLine) {
  const auto read = read_measure_spec_json(
      R"({"sizes": [{"shapes": {"a": "1x3", "b": "1X3", "c": "1,3", "d": ""}}]})");
  ASSERT_TRUE(read.ok()) << read.error().text();
  const std::vector<std::int64_t> two = {1, 3};
  EXPECT_EQ(read->sizes[0].shapes,
            (decltype(read->sizes[0].shapes){{"a", two}, {"b", two}, {"c", two}, {"d", {}}}));
  EXPECT_EQ(spec_error(read_measure_spec_json(R"({"sizes": [{"shapes": {"a": "1x3y"}}]})")),
            "error: sizes[0]: the shape of a is no sizes as in \"1x3x224x224\", or \"\" for a "
            "scalar\n"
            "  invalid integer '3y'\n"
            "  [RIDGE-WB-0302]\n");
}

TEST(MeasureSpecFile, ValuesOutsideTheirRangeAreRefused) {
  for (const char* text : {"[]",
                           "3",
                           R"({"threads": []})",
                           R"({"threads": [1.5]})",
                           R"({"threads": ["2"]})",
                           R"({"threads": [4097]})",
                           R"({"processes": 0})",
                           R"({"processes": 101})",
                           R"({"processes": -1})",
                           R"({"runtimes": ["tflite"]})",
                           R"({"level": "deep"})",
                           R"({"budget": {"seconds": 0}})",
                           R"({"budget": {"seconds": 1e9}})",
                           R"({"budget": {"seconds": null}})",
                           R"({"budget": {"of": "each"}})",
                           R"({"seed": -1})",
                           R"({"pin": 1})",
                           R"({"verify": 101})",
                           R"({"sizes": [{"names": {"b": 0}}]})",
                           R"({"sizes": [{"shapes": {"b": "1x"}}]})",
                           R"({"sizes": [{"shapes": {"b": "1xx2"}}]})",
                           R"({"sizes": [{"shapes": {"b": "-1"}}]})",
                           R"({"inputs": {"x": 3}})"}) {
    const auto read = read_measure_spec_json(text);
    ASSERT_FALSE(read.ok()) << text;
    const std::string& code = read.error().code();
    EXPECT_TRUE(code == "RIDGE-REC-0002" || code == "RIDGE-WB-0302") << text << code;
  }
}

TEST(MeasureSpecFile, NoTextMakesItCrash) {
  const std::string whole = measure_spec_json(full_spec());
  std::mt19937 random(1);
  for (int i = 0; i < 3'000; ++i) {
    std::string text = whole;
    for (int change = 0; change < 3; ++change)
      text[random() % text.size()] = static_cast<char>(" {}[]\",:0a1-"[random() % 12]);
    const auto read = read_measure_spec_json(text);
    if (read.ok()) {
      EXPECT_TRUE(read_measure_spec_json(measure_spec_json(*read)).ok()) << text;
    }
    (void)read_measure_spec_toml(text);
  }
  EXPECT_FALSE(read_measure_spec_json(std::string(60'000, '[')).ok());
}

}  // namespace
}  // namespace ridge::session
