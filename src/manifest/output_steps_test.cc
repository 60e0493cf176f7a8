// SPDX-License-Identifier: Apache-2.0
#include "manifest/output_steps.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "manifest/manifest_reader.h"
#include "manifest/pipeline.h"

namespace ridge::manifest {
namespace {

std::string steps_text(std::string_view steps) {
  const auto specs = parse_step_texts(steps);
  EXPECT_TRUE(specs.ok());
  const auto text = output_steps_text(*specs);
  return text.ok() ? *text : text.error().text();
}

TEST(OutputSteps, HaveTheWordsOfTheCommandLine) {
  for (const auto& [steps, text] :
       {std::pair{"", ""},
        {"softmax(axis=1, output=0) argsort(output=0)", "softmax argsort"},
        {"drop_first(axis=1, output=1, count=1) argsort(output=1, top=1)",
         "drop_first(1, output=1) top(1, output=1)"},
        {"argsort(labels_url=\"words.txt\")", "argsort labels(words.txt)"},
        {"argsort labels(path=\"a b\", checksum=\"md5:0\")", "argsort labels(\"a b\")"},
        {"argsort(labels_url=\"https://example.org/words.txt\")", "argsort"},
        {"boxes(order=yxyx, scores=1, classes=0, boxes=2)",
         "boxes(corners_y_first, shares, score=0, overlap=1, boxes=2, scores=1, classes=0)"},
        {"boxes(order=xyxy, scores=1, classes=0, boxes=2, skip_class=-1, height=3, width=4)",
         "boxes(corners, pixels, score=0, overlap=1, boxes=2, scores=1, classes=0)"},
        {"boxes(order=xyxy, boxes=1, scores=0, reduce=argmax, skip_class=0)",
         "boxes(corners, shares, best_class, score=0, overlap=1, first_class=1, boxes=1, "
         "scores=0)"},
        {"boxes(order=xyxy, boxes=0, classes=1, scores=2, stop_below=0.05)",
         "boxes(corners, shares, score=0, until=0.05, overlap=1, boxes=0, scores=2, classes=1)"},
        {"masks(kind=semantic, reduce=argmax, axis=1, output=0)", "masks(chw)"},
        {"image(from=CHW, order=HWC, scale=255, output=0)", "image(chw, multiply=255)"}})
    EXPECT_EQ(steps_text(steps), text) << steps;
}

TEST(OutputSteps, OthersAreRefusedWithTheirLine) {
  const StepSpec step{"masks", {{"kind", "instance"}}, {12, 3}};
  const auto text = output_steps_text({&step, 1});
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().text(),
            "error: line 12, column 3: no step here computes masks(kind=instance)\n"
            "  hint: evaluate without data, or state other steps of the outputs\n"
            "  [RIDGE-MAN-0082]\n");
  EXPECT_NE(steps_text("softmax(axis=2)").find("[RIDGE-MAN-0082]"), std::string::npos);
}

// See CatalogueSlow in pipeline_test.cc.
TEST(OutputStepsSlow, OfTheCatalogueAlmostAllHaveWords) {
  const char* folder = std::getenv("RIDGE_CATALOGUE");
  if (folder == nullptr) GTEST_SKIP() << "the public catalogue is not here";
  int written = 0, refused = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
    if (file.path().extension() != ".yml") continue;
    const auto read = read_manifest(read_file(file.path(), 1 << 20).value(), Syntax::kYaml);
    ASSERT_TRUE(read.ok());
    const auto pipeline = pipeline_of(std::get<ModelManifest>(*read), Prefer::kCode);
    if (!pipeline.ok()) continue;
    const auto text = output_steps_text(pipeline->after);
    written += text.ok();
    refused += !text.ok();
    // Masks of instances, and masks in the size of the file.
    EXPECT_TRUE(text.ok() || pipeline->after[0].name == "masks") << text.error().text();
  }
  EXPECT_EQ(written, 267);
  EXPECT_EQ(refused, 14);
}

}  // namespace
}  // namespace ridge::manifest
