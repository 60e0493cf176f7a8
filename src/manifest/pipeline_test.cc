// SPDX-License-Identifier: Apache-2.0
#include "manifest/pipeline.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "manifest/manifest_reader.h"

namespace ridge::manifest {
namespace {

std::string shown_steps(const std::vector<StepSpec>& steps) {
  std::string out;
  for (const StepSpec& s : steps) {
    out += s.name;
    for (const StepParameter& p : s.parameters) out += fmt::format(" {}={}", p.name, p.value);
    out += "\n";
  }
  return out;
}

ModelManifest pipeline_model(std::string_view text) {
  const auto read = read_manifest(text, Syntax::kYaml);
  EXPECT_TRUE(read.ok()) << read.error().text();
  return read.ok() ? std::get<ModelManifest>(*read) : ModelManifest{};
}

std::string first_input(std::string_view text, Prefer prefer = Prefer::kNeither) {
  const auto pipeline = pipeline_of(pipeline_model(text), prefer);
  return pipeline.ok() ? shown_steps(pipeline->before[0]) : pipeline.error().text();
}

std::string with_parameters(std::string_view parameters) {
  return fmt::format(
      "name: a\nversion: 1.0\ninputs:\n  - type: image\n    parameters: {{{}}}\n"
      "outputs:\n  - type: classification\nmodel: {{features_path: labels.txt}}\n"
      "preprocess: |\n"
      "  from torchvision import transforms\n"
      "  chain = transforms.Compose([transforms.Resize(288), transforms.CenterCrop(256),\n"
      "    transforms.ToTensor(), transforms.Normalize(mean=[.4, .5, .6], std=[.2, .2, .4])])\n"
      "  def preprocess(ctx, data):\n"
      "    img = Image.open(dataset[int(data)]).convert('RGB')\n"
      "    return chain(img).numpy()\n"
      "postprocess: |\n"
      "  def postprocess(ctx, data):\n"
      "    return softmax(data[0], axis = 1).tolist()\n",
      parameters);
}

constexpr std::string_view kDecode = "decode library=pillow color_mode=RGB orientation=stored\n";
constexpr std::string_view kResize = "resize short=288 method=pillow_bilinear rounding=truncate\n";

// 0.4 * 255 = 102, 0.2 * 255 = 51.
TEST(Pipeline, ParametersMayRepeatTheCode) {
  const std::string expected = fmt::format(
      "{}{}crop height=256 width=256 rounding=half_even\ncast type=float32\n"
      "normalize divide=255 mean=0.4, 0.5, 0.6 std=0.2, 0.2, 0.4 arithmetic=float32\n"
      "layout order=CHW\n",
      kDecode, kResize);
  EXPECT_EQ(first_input(with_parameters("layout: CHW, color_mode: RGB, element_type: float32, "
                                        "dimensions: [3, 256, 256], mean: [102, 127.5, 153], "
                                        "scale: [51, 51, 102]")),
            expected);
  EXPECT_EQ(first_input(with_parameters("")), expected);
}

TEST(Pipeline, ContradictionsMustBeDecided) {
  const std::string wrong = with_parameters("color_mode: BGR");
  EXPECT_EQ(first_input(wrong),
            "error: line 5, column 30: parameter 'color_mode' is BGR, the code means RGB\n"
            "  hint: correct one of them, or choose with --prefer code or --prefer parameters\n"
            "  [RIDGE-MAN-0050]\n");
  EXPECT_TRUE(first_input(wrong, Prefer::kCode).starts_with(kDecode));
  EXPECT_TRUE(first_input(wrong, Prefer::kParameters)
                  .starts_with("decode library=pillow color_mode=BGR orientation=stored\n"));
  for (const auto& [parameters, message] :
       {std::pair{"layout: HWC", "parameter 'layout' is HWC, the code means CHW"},
        {"dimensions: [3, 256, 255]",
         "parameter 'dimensions' is 3, 256, 255, the code means height 256, width 256"},
        {"element_type: uint8", "parameter 'element_type' is uint8, the code means float32"},
        {"mean: [102, 127, 153]",
         "parameter 'mean' is 102, 127, 153, the code means 102, 127.5, 153"},
        {"scale: 51", "parameter 'scale' is 51, the code means 51, 51, 102"}})
    EXPECT_NE(first_input(with_parameters(parameters)).find(message), std::string::npos)
        << parameters;
}

TEST(Pipeline, PreferredParametersReplaceTheValuesOfTheCode) {
  EXPECT_EQ(first_input(with_parameters("layout: NHWC, dimensions: [224, 240, 3], mean: 9"),
                        Prefer::kParameters),
            fmt::format("{}{}crop height=224 width=240 rounding=half_even\ncast type=float32\n"
                        "normalize mean=9 std=51, 51, 102 arithmetic=float32\nlayout order=HWC\n",
                        kDecode, kResize));
}

TEST(Pipeline, ClassificationsAreRankedAndLabeled) {
  const auto pipeline = pipeline_of(pipeline_model(with_parameters("")), Prefer::kNeither);
  ASSERT_TRUE(pipeline.ok());
  EXPECT_EQ(shown_steps(pipeline->after),
            "softmax axis=1 output=0\nargsort output=0\nlabels path=labels.txt\n");
}

// Steps that rank get the names of the manifest; names that a step states stay, scores get none.
TEST(Pipeline, StatedStepsAreLabeledWhereTheyRank) {
  const auto after = [](std::string_view steps) {
    const auto pipeline =
        pipeline_of(pipeline_model(fmt::format("name: a\nversion: 1.0\ninputs:\n  - type: tensor\n"
                                               "outputs:\n  - type: classification\n    steps: {}\n"
                                               "model: {{features_path: labels.txt}}\n",
                                               steps)),
                    Prefer::kNeither);
    return pipeline.ok() ? shown_steps(pipeline->after) : pipeline.error().text();
  };
  EXPECT_EQ(after("argsort"), "argsort output=0\nlabels path=labels.txt\n");
  EXPECT_EQ(after("argsort labels(path=own.txt)"),
            "argsort output=0\nlabels path=own.txt output=0\n");
  EXPECT_EQ(after("argsort(labels=own.txt)"), "argsort labels=own.txt output=0\n");
  EXPECT_EQ(after("softmax(axis=1)"), "softmax axis=1 output=0\n");
}

TEST(Pipeline, ParametersAloneNeedAMethodOfResizing) {
  const std::string_view form =
      "name: a\nversion: 1.0\ninputs:\n  - type: image\n    parameters:\n"
      "      {{element_type: float32, layout: HWC, color_mode: BGR, dimensions: [3, 8, 9], "
      "mean: 5, scale: 2{}}}\n";
  EXPECT_EQ(first_input(fmt::format(fmt::runtime(form), "")),
            "error: line 4, column 5: the parameters do not say how the image is resized\n"
            "  hint: add resize_method (pillow_bilinear, opencv_linear, ...), or state `steps:`\n"
            "  [RIDGE-MAN-0053]\n");
  EXPECT_EQ(first_input(fmt::format(fmt::runtime(form), ", resize_method: opencv_linear")),
            "decode library=opencv color_mode=BGR orientation=exif\n"
            "resize height=8 width=9 method=opencv_linear\ncast type=float32\n"
            "normalize mean=5 std=2 arithmetic=float32\nlayout order=HWC\n");
  EXPECT_EQ(first_input(fmt::format(fmt::runtime(form), ", crop_ratio: 0.875")),
            "error: line 6, column 115: parameter 'crop_ratio' does not say which arithmetic it "
            "means\n  hint: state `steps:` with resize and crop\n  [RIDGE-MAN-0052]\n");
}

TEST(Pipeline, DimensionsOfParametersAreThoseOfAnImage) {
  const auto resized = [](std::string_view dimensions) {
    const std::string text =
        first_input(fmt::format("name: a\nversion: 1.0\ninputs:\n  - type: image\n    parameters:\n"
                                "      {{resize_method: opencv_linear, dimensions: {}}}\n",
                                dimensions));
    const std::size_t at = text.find("resize "), end = text.find(" method", at);
    return at == text.npos ? text : text.substr(at, end - at);
  };
  EXPECT_EQ(resized("[3, 8, 9]"), "resize height=8 width=9");
  EXPECT_EQ(resized("[8, 9, 3]"), "resize height=8 width=9");
  EXPECT_EQ(resized("[1, 3, 8, 9]"), "resize height=8 width=9");
  EXPECT_EQ(resized("[1, 8, 9]"), "resize height=8 width=9");
  for (const char* bad : {"[8, 9]", "8", "[2, 3, 8, 9]", "[8, 3, 9]", "[3.5, 8, 9]", "[5, 8, 9]",
                          "[3, 0, 9]", "[3, 8, -9]"})
    EXPECT_NE(resized(bad).find("[RIDGE-MAN-0056]"), std::string::npos) << bad << resized(bad);
}

TEST(Pipeline, StepsTakeThePlaceOfCode) {
  const ModelManifest before = pipeline_model(with_parameters(""));
  const auto after = with_steps(before, Prefer::kNeither);
  ASSERT_TRUE(after.ok());
  EXPECT_TRUE(after->preprocess.text.empty());
  const auto same = pipeline_of(*after, Prefer::kNeither);
  const auto pipeline = pipeline_of(before, Prefer::kNeither);
  ASSERT_TRUE(same.ok());
  EXPECT_EQ(same->before, pipeline->before);
  EXPECT_EQ(same->after[0], pipeline->after[0]);
}

// The public catalogue has no license, so it is not part of this tree: RIDGE_CATALOGUE is a folder
// with a checkout of c3sr/dlmodel (3f6cf2a).
TEST(CatalogueSlow, EveryFileIsReadAndAlmostAllBecomePipelines) {
  const char* folder = std::getenv("RIDGE_CATALOGUE");
  if (folder == nullptr) GTEST_SKIP() << "the public catalogue is not here";
  int files = 0, agree = 0, decided = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
    if (file.path().extension() != ".yml") continue;
    ++files;
    const auto text = read_file(file.path(), 1 << 20);
    ASSERT_TRUE(text.ok());
    const auto read = read_manifest(*text, Syntax::kYaml);
    ASSERT_TRUE(read.ok()) << file.path() << read.error().text();
    const auto& of = std::get<ModelManifest>(*read);
    agree += pipeline_of(of, Prefer::kNeither).ok();
    const auto chosen = pipeline_of(of, Prefer::kCode);
    decided += chosen.ok();
    EXPECT_TRUE(chosen.ok() || chosen.error().code() == "RIDGE-MAN-0043") << file.path();
  }
  EXPECT_EQ(files, 286);
  EXPECT_EQ(agree, 257);
  EXPECT_EQ(decided, 281);
}

}  // namespace
}  // namespace ridge::manifest
