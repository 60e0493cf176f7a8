// SPDX-License-Identifier: Apache-2.0
// Metrics end to end: models that pass their input on, so that the data are the outputs, against
// counts made here, and pycocotools run live.
#include "evaluation/answers/metrics.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <sstream>

#include "accuracy/testing.h"
#include "attribution/testing.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "evaluation/run/evaluation.h"
#include "pipeline/output_step_text.h"
#include "pipeline/step_text.h"
#include "pipeline/testing/files.h"
#include "session/testing.h"
#include "stats/random.h"

namespace ridge::evaluation {
namespace {

using attribution::testing::must;
using attribution::testing::runtime_installed;
using session::testing::ModelFile;

constexpr const char* kNoRuntime = "no ONNX Runtime: scripts/fetch_onnxruntime.sh";

/// A .npy of float32.
std::string npy_of(const std::string& shape, const std::vector<float>& elements) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + shape + "), }";
  header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 11, ' ');
  header += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(header.size() & 0xff);
  out += static_cast<char>(header.size() >> 8);
  out += header;
  out.append(reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(float));
  return out;
}

/// A model, its samples and what is true of them, in a folder.
struct MetricBench {
  TemporaryFolder folder = must(TemporaryFolder::make(::testing::TempDir()));
  session::testing::ModelFile model;

  MetricBench(std::string_view graph, const std::string& shape, const std::vector<float>& samples)
      : model(graph, "metrics") {
    write("samples.npy", npy_of(shape, samples));
  }
  std::string path(const std::string& name) const { return folder.path() + "/" + name; }
  void write(const std::string& name, const std::string& content) const {
    EXPECT_TRUE(write_file(path(name), content).ok());
  }
  Result<Evaluation> evaluated(Metric metric, const std::string& truth,
                               std::string_view post) const {
    EvaluationRequest request{.model = model.path, .spec = model.spec, .scenario = {}};
    request.data.source = path("samples.npy");
    request.data.labels = path(truth);
    request.data.metric = metric;
    request.data.post = must(pipeline::parse_output_steps(post));
    request.load = false;
    return evaluate(request, model.environment);
  }
  std::vector<NamedFigure> figures(Metric metric, const std::string& truth,
                                   std::string_view post) const {
    return must(evaluated(metric, truth, post)).points.at(0).accuracy->metrics;
  }
  std::string error(Metric metric, const std::string& truth, std::string_view post) const {
    const Result<Evaluation> e = evaluated(metric, truth, post);
    return e.ok() ? "" : e.error().message() + " | " + e.error().hint();
  }
};

/// Scores of three classes, as they are.
constexpr std::string_view kMetricScores = R"(graph main
    input x[1,3]
    Identity(x) -> y
    output y)";

TEST(EvaluationMetricsSlow, ArraysOfOtherAxesAreRefusedAndFlatOnesTaken) {
  if (!runtime_installed()) GTEST_SKIP() << kNoRuntime;
  constexpr std::string_view kGrid = "graph main\n input x[1,4,6]\n Identity(x) -> y\n output y";
  const auto error_of = [&](const std::string& shape) {
    const MetricBench bench(kGrid, shape, std::vector<float>(24, 1));
    EvaluationRequest request{
        .model = bench.model.path, .spec = bench.model.spec, .scenario = {}, .load = false};
    request.data.source = bench.path("samples.npy");
    const Result<Evaluation> e = evaluate(request, bench.model.environment);
    return e.ok() ? "" : e.error().message() + " | " + e.error().hint();
  };
  EXPECT_EQ(error_of("1, 4, 6"), "");
  EXPECT_EQ(error_of("1, 24"), "");
  EXPECT_EQ(error_of("1, 1, 4, 1, 6"), "");
  EXPECT_EQ(error_of("1, 3, 8"),
            "the samples are 3x8 float32, the input takes 1x4x6 float32 | save them as the input "
            "takes them; steps are for arrays of bytes");
  EXPECT_NE(error_of("1, 6, 4"), "");
  EXPECT_NE(error_of("1, 2, 2, 6"), "");
}

TEST(EvaluationMetricsSlow, AScoreThatIsNoNumberIsNotRight) {
  if (!runtime_installed()) GTEST_SKIP() << kNoRuntime;
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const MetricBench bench(kMetricScores, "4, 3",
                          {kNan, kNan, kNan, 3, 1, 2, kNan, 1, 2, kNan, 1, 2});
  bench.write("labels.txt", "0\n0\n0\n2\n");
  const Accuracy a = *must(bench.evaluated(Metric::kTopK, "labels.txt", "")).points.at(0).accuracy;
  EXPECT_EQ(a.correct, (std::vector<std::uint8_t>{0, 1, 0, 1}));
  EXPECT_EQ(a.predicted, (std::vector<std::int64_t>{-1, 0, 2, 2}));
}

/// Four boxes with scores of three classes each.
constexpr std::string_view kDetector = R"(graph main
    input x[1,4,7]
    integers parts[2]=4,3
    Split(x, parts) {axis=2} -> boxes, scores
    output boxes scores)";
constexpr std::size_t kSamples = 6, kBoxes = 4, kClasses = 3;

struct Scene {
  std::vector<float> samples;
  std::string annotations, csv, oracle;
};

/// Random scenes; the annotations as a file of COCO, as CSV, and as the oracle takes them.
Scene scene() {
  stats::Random random(5);
  const auto number = [&] { return static_cast<int>(random.below(40)); };
  Scene out;
  std::string truths, found, annotations, images;
  for (std::size_t i = 0; i < kSamples; ++i) {
    images += fmt::format("{}{{\"id\": {}, \"file_name\": \"{}\"}}", i == 0 ? "" : ", ", i + 10, i);
    for (std::size_t b = 0; b < kBoxes; ++b) {
      const int x = number(), y = number(), width = 8 + number(), height = 8 + number();
      const auto label = random.below(kClasses);
      const bool there = random.below(4) > 0;
      const int dx = static_cast<int>(random.below(5)), dy = static_cast<int>(random.below(5));
      for (const int v : {x + dx, y + dy, x + dx + width, y + dy + height})
        out.samples.push_back(static_cast<float>(v));
      for (std::size_t c = 0; c < kClasses; ++c) {
        const float score = static_cast<float>(1 + random.below(999)) / 1000 / (c == label ? 1 : 4);
        out.samples.push_back(score);
        found += fmt::format("{}[{}, {}, {}, {}, {}, {}, {}]", found.empty() ? "" : ", ", i, c,
                             x + dx, y + dy, width, height, score);
      }
      if (!there) continue;
      truths += fmt::format("{}[{}, {}, {}, {}, {}, {}, {}, 0]", truths.empty() ? "" : ", ", i,
                            label, x, y, width, height, width * height);
      annotations += fmt::format(
          "{}{{\"image_id\": {}, \"category_id\": {}, \"bbox\": [{}, {}, {}, {}], \"area\": {}, "
          "\"iscrowd\": 0}}",
          annotations.empty() ? "" : ", ", i + 10, label + 70, x, y, width, height, width * height);
      out.csv += fmt::format("{},{},{},{},{},{}\n", i, label, x, y, x + width - 1, y + height - 1);
    }
  }
  // Categories have other numbers than the model's classes, and are joined by name.
  out.annotations = fmt::format(
      "{{\"images\": [{}], \"annotations\": [{}], \"categories\": [{{\"id\": 70, \"name\": "
      "\"cat\"}}, {{\"id\": 71, \"name\": \"dog\"}}, {{\"id\": 72, \"name\": \"owl\"}}]}}",
      images, annotations);
  out.oracle =
      fmt::format("{{\"images\": {}, \"categories\": {}, \"truths\": [{}], \"found\": [{}]}}\n",
                  kSamples, kClasses, truths, found);
  return out;
}

TEST(EvaluationMetricsSlow, CocoIsThatOfPycocotools) {
  if (!runtime_installed()) GTEST_SKIP() << kNoRuntime;
  const Scene s = scene();
  const auto answer = accuracy::testing::run_oracle("coco_oracle.py", s.oracle);
  if (!answer) GTEST_SKIP() << accuracy::testing::kNoOracles;
  const MetricBench bench(kDetector, fmt::format("{}, 4, 7", kSamples), s.samples);
  bench.write("instances.json", s.annotations);
  bench.write("names.txt", "cat\ndog\nowl\n");
  const auto figures = bench.figures(
      Metric::kCoco, "instances.json",
      fmt::format("boxes(corners, score=0, overlap=1) labels(\"{}\")", bench.path("names.txt")));
  ASSERT_EQ(figures.size(), 12U);
  std::istringstream expected(*answer);
  for (const NamedFigure& f : figures) {
    double value = 0;
    expected >> value;
    if (value < 0)
      EXPECT_TRUE(std::isnan(f.figure.value)) << f.metric;
    else
      EXPECT_NEAR(f.figure.value, value, 1e-9) << f.metric;
    EXPECT_EQ(f.figure.samples, static_cast<std::int64_t>(kSamples));
  }
  EXPECT_GT(figures[1].figure.value, 0.1);
  EXPECT_TRUE(figures[1].figure.interval);
}

TEST(EvaluationMetricsSlow, VocCountsFoundAndMissedBoxes) {
  if (!runtime_installed()) GTEST_SKIP() << kNoRuntime;
  // One image: two boxes of class 1; the best found box is right, the second one is nowhere.
  const MetricBench bench(kDetector, "1, 4, 7",
                          {0, 0, 9,  9,  0, 0.9F, 0, 50, 50, 59, 59, 0, 0.8F, 0,
                           0, 0, 99, 99, 0, 0,    0, 0,  0,  99, 99, 0, 0,    0});
  bench.write("voc.csv", "0,1,0,0,9,9\n0,1,20,20,29,29\nother,1,0,0,5,5\n");
  const auto figures = bench.figures(Metric::kVoc, "voc.csv", "boxes(corners)");
  ASSERT_EQ(figures.size(), 2U);
  EXPECT_EQ(figures[0].metric, "voc_ap");
  EXPECT_NEAR(figures[0].figure.value, 0.5, 1e-12);  // precision 1 up to a recall of 1/2
  EXPECT_NEAR(figures[1].figure.value, 6.0 / 11, 1e-12);
}

TEST(EvaluationMetricsSlow, VocReadsItsOwnAnnotations) {
  if (!runtime_installed()) GTEST_SKIP() << kNoRuntime;
  const MetricBench bench(kDetector, "1, 4, 7",
                          {0, 0, 9,  9,  0, 0.9F, 0, 50, 50, 59, 59, 0, 0.8F, 0,
                           0, 0, 99, 99, 0, 0,    0, 0,  0,  99, 99, 0, 0,    0});
  bench.write("classes.txt", "cat\ndog\nowl\n");
  std::filesystem::create_directory(bench.path("xml"));
  const auto object = [](std::string_view name, int from, int to, int difficult) {
    return fmt::format(
        "<object><name>{0}</name><difficult>{3}</difficult><bndbox><ymin>{1}</ymin>"
        "<xmin>{1}</xmin><xmax>{2}</xmax><ymax>{2}</ymax></bndbox>"
        "<part><name>head</name><bndbox><xmin>1</xmin></bndbox></part></object>",
        name, from, to, difficult);
  };
  // The difficult dog counts neither as missed nor as found.
  bench.write("xml/0.xml", "<?xml version=\"1.0\"?>\n<annotation><filename>0.jpg</filename>" +
                               object("dog", 0, 9, 0) + object("dog", 20, 29, 0) +
                               object("dog", 50, 59, 1) + "</annotation>\n");
  const std::string post = fmt::format("boxes(corners) labels(\"{}\")", bench.path("classes.txt"));
  const auto figures = bench.figures(Metric::kVoc, "xml", post);
  ASSERT_EQ(figures.size(), 2U);
  EXPECT_NEAR(figures[0].figure.value, 0.5, 1e-12);
  EXPECT_EQ(bench.error(Metric::kVoc, "xml", "boxes(corners)"),
            "'dog' is no class of the model | add the names of the model's classes to --post: "
            "labels(FILE)");
  bench.write("xml/0.xml", "<annotation>\n<object>");
  EXPECT_EQ(bench.error(Metric::kVoc, "xml", post),
            "line 2: no element found | annotations are the XML files of Pascal VOC, one for each "
            "image");
}

TEST(EvaluationMetricsSlow, MasksAreComparedPixelByPixel) {
  if (!runtime_installed()) GTEST_SKIP() << kNoRuntime;
  // Two classes; the found mask is 0 1 / 1 1, the true one twice as large, with a pixel not judged.
  const MetricBench bench("graph main\n input x[1,2,2,2]\n Identity(x) -> y\n output y",
                          "1, 2, 2, 2", {1, 0, 0, 0, 0, 1, 1, 1});
  std::filesystem::create_directory(bench.path("masks"));
  bench.write("masks/0.png", pipeline::testing::png_file(
                                 {4, 4, 1, {0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 255, 1, 1, 0}}));
  const auto figures = bench.figures(Metric::kMeanIou, "masks", "masks(chw)");
  ASSERT_EQ(figures.size(), 1U);
  // Class 0: 4 in both, 2 in the truth alone. Class 1: 9 in both, 2 found alone.
  EXPECT_NEAR(figures[0].figure.value, (4.0 / 6 + 9.0 / 11) / 2, 1e-12);
}

TEST(EvaluationMetricsSlow, ImagesAreComparedWithReferences) {
  if (!runtime_installed()) GTEST_SKIP() << kNoRuntime;
  std::vector<float> found, truth;
  double squares = 0;
  for (int i = 0; i < 256; ++i) {
    const float value = static_cast<float>(i * 37 % 256);
    truth.push_back(value);
    found.push_back((value + static_cast<float>(i % 5)) / 255);
    squares += (i % 5) * (i % 5);
  }
  const MetricBench bench("graph main\n input x[1,1,16,16]\n Identity(x) -> y\n output y",
                          "1, 1, 16, 16", found);
  std::filesystem::create_directory(bench.path("references"));
  bench.write("references/0.npy", npy_of("16, 16, 1", truth));
  const auto psnr = bench.figures(Metric::kPsnr, "references", "image(chw, multiply=255)");
  EXPECT_NEAR(psnr.at(0).figure.value, 10 * std::log10(255 * 255 / (squares / 256)), 1e-3);
  const auto ssim = bench.figures(Metric::kSsim, "references", "image(chw, multiply=255)");
  EXPECT_GT(ssim.at(0).figure.value, 0.98);
  EXPECT_LT(ssim.at(0).figure.value, 1);
}

/// Scores of four positions and three symbols; the best of each are those given.
std::vector<float> written(const std::vector<std::vector<int>>& texts) {
  std::vector<float> out;
  for (const std::vector<int>& text : texts)
    for (const int at : text)
      for (int c = 0; c < 3; ++c) out.push_back(c == at ? 1.F : 0.F);
  return out;
}
constexpr std::string_view kReader = "graph main\n input x[1,4,3]\n Identity(x) -> y\n output y";

TEST(EvaluationMetricsSlow, TextsAreComparedByCharactersAndWords) {
  if (!runtime_installed()) GTEST_SKIP() << kNoRuntime;
  const MetricBench bench(kReader, "2, 4, 3", written({{1, 0, 1, 2}, {2, 2, 0, 1}}));  // aab, ba
  bench.write("symbols.txt", "-\na\nb\n");
  bench.write("texts.txt", "aab\nbb\n");
  const std::string symbols = fmt::format("labels(\"{}\")", bench.path("symbols.txt"));
  const auto cer = bench.figures(Metric::kCer, "texts.txt", "ctc " + symbols);
  EXPECT_EQ(cer.at(0).metric, "cer");
  EXPECT_NEAR(cer.at(0).figure.value, 1.0 / 5, 1e-12);
  bench.write("answers.csv", "1,b b - x\n1,a b\n0,nothing\n");
  const auto exact = bench.figures(Metric::kExact, "answers.csv", "words " + symbols);
  EXPECT_NEAR(exact.at(0).figure.value, 0, 1e-12);
  // Words of sample 1: b b - a; the dash and the article go; of the truth b b x. F1 = 2 * 2 / 5.
  EXPECT_NEAR(exact.at(1).figure.value, 0.8 / 2, 1e-12);
}

TEST(EvaluationMetricsSlow, AMarkOfUtf8ChangesNoFigure) {
  if (!runtime_installed()) GTEST_SKIP() << kNoRuntime;
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  const MetricBench reader(kReader, "2, 4, 3", written({{1, 0, 1, 2}, {2, 2, 0, 1}}));  // aab, ba
  for (const std::string_view mark : {std::string_view(), kMark}) {
    reader.write("symbols.txt", fmt::format("{}-\r\na\r\nb\r\n", mark));
    reader.write("texts.txt", fmt::format("{}aab\r\nbb\r\n", mark));
    reader.write("named.txt", fmt::format("{}1,bb\r\n0,aab\r\n", mark));
    for (const char* truth : {"texts.txt", "named.txt"}) {
      const auto cer = reader.figures(
          Metric::kCer, truth, fmt::format("ctc labels(\"{}\")", reader.path("symbols.txt")));
      EXPECT_NEAR(cer.at(0).figure.value, 1.0 / 5, 1e-12) << mark << truth;
    }
  }
  const MetricBench detector(kDetector, "1, 4, 7",
                             {0, 0, 9,  9,  0, 0.9F, 0, 50, 50, 59, 59, 0, 0.8F, 0,
                              0, 0, 99, 99, 0, 0,    0, 0,  0,  99, 99, 0, 0,    0});
  for (const std::string_view mark : {std::string_view(), kMark}) {
    detector.write("voc.csv", fmt::format("{}0,1,0,0,9,9\r\n", mark));
    EXPECT_NEAR(detector.figures(Metric::kVoc, "voc.csv", "boxes(corners)").at(0).figure.value, 1,
                1e-12)
        << mark;
  }
}

TEST(EvaluationMetricsSlow, ClassesThatAModelLacksAreRefused) {
  if (!runtime_installed()) GTEST_SKIP() << kNoRuntime;
  const MetricBench detector(kDetector, "1, 4, 7",
                             {0, 0, 9,  9,  0, 0.9F, 0, 50, 50, 59, 59, 0, 0.8F, 0,
                              0, 0, 99, 99, 0, 0,    0, 0,  0,  99, 99, 0, 0,    0});
  const auto coco = [&](int id) {
    detector.write(
        "coco.json",
        fmt::format("{{\"images\": [{{\"id\": 1, \"file_name\": \"0\"}}], \"categories\": "
                    "[{{\"id\": 1, \"name\": \"a\"}}, {{\"id\": {0}, \"name\": \"b\"}}], "
                    "\"annotations\": [{{\"image_id\": 1, \"category_id\": {0}, \"bbox\": "
                    "[0, 0, 9, 9]}}]}}",
                    id));
    return detector.error(Metric::kCoco, "coco.json", "boxes(corners)");
  };
  EXPECT_EQ(coco(2), "");
  EXPECT_EQ(coco(3).substr(0, 66),
            "a category has the number 3, the model's classes are 0 to 2 | join");
  detector.write("voc.csv", "0,3,0,0,9,9\n");
  EXPECT_EQ(detector.error(Metric::kVoc, "voc.csv", "boxes(corners)").substr(0, 66),
            "a category has the number 3, the model's classes are 0 to 2 | join");
  detector.write("two.txt", "a\nb\n");
  EXPECT_EQ(detector.error(Metric::kVoc, "voc.csv",
                           fmt::format("boxes(corners) labels(\"{}\")", detector.path("two.txt"))),
            "line 1: '3' is no class of the model | write numbers, or add labels(FILE) to --post");
  detector.write("named.csv", "0,b,0,0,9,9\n");
  EXPECT_EQ(
      detector.error(Metric::kVoc, "named.csv",
                     fmt::format("boxes(corners) labels(\"{}\")", detector.path("two.txt"))),
      "2 labels, the model has 3 classes | if class 0 is the background, put a line for it at "
      "the top");
  const MetricBench scores(kMetricScores, "1, 3", {3, 1, 2});
  scores.write("labels.txt", "3\n");
  EXPECT_EQ(scores.error(Metric::kTopK, "labels.txt", ""),
            "a label is class 3, the model has 3 classes | classes are counted from 0: are the "
            "labels counted from 1?");
}

TEST(EvaluationMetricsSlow, DamagedImagesAreNoted) {
  if (!runtime_installed()) GTEST_SKIP() << kNoRuntime;
  const MetricBench bench("graph main\n input x[1,3,64,64]\n Identity(x) -> y\n output y", "1, 3",
                          {1, 2, 3});
  std::filesystem::create_directory(bench.path("images"));
  const std::string good = pipeline::testing::jpeg_file(pipeline::testing::waves(64, 64, 3));
  const std::size_t scan = good.find("\xff\xda");
  const std::string cut = good.substr(0, scan + (good.size() - scan) / 2);
  bench.write("images/a.jpg", good);
  for (const char* name : {"b.jpg", "c.jpg", "d.jpg", "e.jpg"})
    bench.write(fmt::format("images/{}", name), cut + "\xff\xd9");
  EvaluationRequest request{
      .model = bench.model.path, .spec = bench.model.spec, .scenario = {}, .load = false};
  request.data.source = bench.path("images");
  request.data.steps =
      must(pipeline::parse_steps("decode(rgb) normalize(divide=255) layout(nchw)"));
  const Evaluation e = must(evaluate(request, bench.model.environment));
  EXPECT_EQ(e.data->notes,
            std::vector<std::string>{"4 images are damaged, so pixels may be wrong: b.jpg, c.jpg, "
                                     "d.jpg, ... (Corrupt JPEG data: premature end of data "
                                     "segment)"});
  bench.write("images/b.jpg", cut);  // ends within the image
  const Result<Evaluation> ended = evaluate(request, bench.model.environment);
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().code(), "RIDGE-PIPE-0003");
}

TEST(EvaluationMetricsSlow, TruthThatIsFaultyIsRefused) {
  if (!runtime_installed()) GTEST_SKIP() << kNoRuntime;
  const MetricBench bench(kReader, "2, 4, 3", written({{0, 1, 2, 0}, {1, 1, 1, 1}}));
  bench.write("one.txt", "a\n");
  EXPECT_EQ(bench.error(Metric::kCer, "one.txt", "ctc"),
            "sample '1' has no text | write a line for each sample, or lines NAME,TEXT");
  EXPECT_EQ(bench.error(Metric::kCer, "one.txt", "top(2)"),
            "sample '1' has no text | write a line for each sample, or lines NAME,TEXT");
  bench.write("two.txt", "a\nb\n");
  EXPECT_EQ(bench.error(Metric::kCer, "two.txt", "top(2)"),
            "the metric cer takes another kind of answers | add steps after the run: --post 'ctc "
            "labels(FILE)'");
  bench.write("boxes.csv", "0,1,2,3\n");
  EXPECT_EQ(bench.error(Metric::kVoc, "boxes.csv", "top(1)"),
            "line 1: it is not NAME,CLASS,X_MIN,Y_MIN,X_MAX,Y_MAX | ");
  bench.write("boxes.csv", "0,1,2,3,4,x\n");
  EXPECT_EQ(bench.error(Metric::kVoc, "boxes.csv", "top(1)"), "line 1: 'x' is no number | ");
  bench.write("boxes.csv", "0,1,2,3,2,4\n0,1,5,5,1,1\n");
  EXPECT_EQ(bench.error(Metric::kVoc, "boxes.csv", "top(1)"),
            "line 2: its second corner is before its first | ");
  bench.write("boxes.csv", "0,1,2,3,4,5,7\n");
  EXPECT_EQ(bench.error(Metric::kVoc, "boxes.csv", "top(1)"),
            "line 1: the last field, difficult, is not 0 or 1 | ");
  bench.write("boxes.csv", "0,cat,2,3,4,5\n");
  EXPECT_EQ(
      bench.error(Metric::kVoc, "boxes.csv", "top(1)"),
      "line 1: 'cat' is no class of the model | write numbers, or add labels(FILE) to --post");
  bench.write("coco.json", "{\"images\": []}");
  EXPECT_EQ(bench.error(Metric::kCoco, "coco.json", "top(1)"),
            "it has no annotations of COCO: it lacks value at /categories | ");
  bench.write("coco.json", "{\"images\": [], \"categories\": [], \"annotations\": []}");
  EXPECT_EQ(bench.error(Metric::kCoco, "coco.json", "top(1)"),
            "sample '0' is not among the images | images are joined by \"file_name\"");
  bench.write(
      "coco.json",
      "{\"images\": [{\"id\": 1, \"file_name\": \"0\"}, {\"id\": 2, \"file_name\": \"1\"}], "
      "\"categories\": [], \"annotations\": [{\"image_id\": 1, \"category_id\": 9, "
      "\"bbox\": [0, 0, 1, 1]}]}");
  EXPECT_EQ(
      bench.error(Metric::kCoco, "coco.json", "top(1)"),
      "it has no annotations of COCO: it lacks category_id of a category at /annotations/0 | ");
  EXPECT_EQ(bench.error(Metric::kPsnr, "two.txt", "image(hwc)"),
            "sample '0' has no reference | it needs a .png, .jpg or .npy of the same name");
}

}  // namespace
}  // namespace ridge::evaluation
