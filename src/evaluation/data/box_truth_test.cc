// SPDX-License-Identifier: Apache-2.0
// Oracles: annotations written out below; the memory of a large file is limited by the kernel.
#include "evaluation/data/box_truth.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "attribution/testing.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "base/testing/limited_memory.h"
#include "base/testing/sanitized.h"

namespace ridge::evaluation {
namespace {

using attribution::testing::must;

const std::vector<std::string> kBoxFiles = {"a.jpg", "b.jpg"};

struct Annotations {
  TemporaryFolder folder = must(TemporaryFolder::make(::testing::TempDir()));
  std::string path = folder.path() + "/truth";

  explicit Annotations(std::string_view content) { EXPECT_TRUE(write_file(path, content).ok()); }
};

/// "sample class left top width height area crowd; ... | note", or the message of the error.
std::string truth_text(const Result<BoxTruth>& truth) {
  if (!truth.ok()) return truth.error().message();
  std::string out;
  for (const accuracy::TrueBox& b : truth->boxes)
    out += fmt::format("{}{} {} {} {} {} {} {} {}", out.empty() ? "" : "; ", b.image, b.category,
                       b.box.x, b.box.y, b.box.width, b.box.height, b.area.value_or(-1),
                       b.ignored ? 1 : 0);
  for (const std::string& note : truth->notes) out += " | " + note;
  return out;
}

std::string coco(std::string_view content, const std::vector<std::string>& labels = {},
                 Whole whole = Whole::kYes) {
  const Annotations file(content);
  return truth_text(read_coco_truth({file.path, kBoxFiles, labels, whole}));
}

std::string voc(std::string_view content, const std::vector<std::string>& labels = {}) {
  const Annotations file(content);
  return truth_text(read_voc_truth({file.path, kBoxFiles, labels, Whole::kYes}));
}

constexpr std::string_view kImages =
    R"("images": [{"id": 5, "license": 1, "file_name": "a.jpg"}, {"file_name": "b.jpg", "id": 7}])";
constexpr std::string_view kCategories =
    R"("categories": [{"id": 1, "name": "person"}, {"id": 90, "name": "toothbrush"}])";

std::string file_of(std::string_view annotations, std::string_view images = kImages,
                    std::string_view categories = kCategories) {
  return fmt::format(R"({{"info": {{"year": 2017, "images": [1]}}, {}, "annotations": [{}], {}}})",
                     images, annotations, categories);
}

TEST(CocoTruth, HasTheBoxesOfTheSamplesAndSkipsTheRest) {
  EXPECT_EQ(coco(file_of(
                R"({"segmentation": [[1, 2, 3, 4]], "area": 6.5, "iscrowd": 0, "image_id": 7,
              "bbox": [1, 2, 3.5, 4], "category_id": 90, "id": 1},
             {"bbox": [0, 0, 1, 1], "segmentation": {"counts": [7, 8], "size": [2, 2], "id": 9},
              "iscrowd": 1, "image_id": 5, "category_id": 1, "id": 2, "bbox_mode": [9]})")),
            "1 90 1 2 3.5 4 6.5 0; 0 1 0 0 1 1 -1 1");
  EXPECT_EQ(
      coco("\xef\xbb\xbf" + file_of(R"({"image_id": 5, "category_id": 1, "bbox": [0, 0, 2, 2]})")),
      "0 1 0 0 2 2 -1 0");
  // Parts in another order: annotations first.
  EXPECT_EQ(coco(fmt::format(
                R"({{"annotations": [{{"image_id": 5, "category_id": 90, "bbox": [0,0,2,2]}},
                {{"image_id": 8, "category_id": 1, "bbox": [0,0,1,1]}}], {}, {}}})",
                kCategories,
                R"("images": [{"id": 5, "file_name": "a.jpg"}, {"id": 7, "file_name": "b.jpg"},
                   {"id": 8, "file_name": "c.jpg"}])")),
            "0 90 0 0 2 2 -1 0 | 1 image of the annotations is not among the samples");
}

TEST(CocoTruth, FaultsAreSaidWithTheirPlace) {
  EXPECT_EQ(coco(file_of(R"({"image_id": 5, "category_id": 3, "bbox": [0, 0, 2, 2]})")),
            "it has no annotations of COCO: it lacks category_id of a category at /annotations/0");
  EXPECT_EQ(coco(file_of(R"({"image_id": 5, "category_id": 1, "bbox": [0, 0, 2, 2]},
                            {"image_id": 6, "category_id": 1, "bbox": [0, 0, 2, 2]})")),
            "it has no annotations of COCO: it lacks image_id of an image at /annotations/1");
  EXPECT_EQ(coco(file_of(R"({"image_id": 5, "category_id": 1, "bbox": [0, 0, 2]})")),
            "it has no annotations of COCO: it lacks bbox of four numbers at /annotations/0");
  EXPECT_EQ(coco(file_of(R"({"image_id": 5, "category_id": 1, "bbox": [0, 0, -2, 2]})")),
            "it has no annotations of COCO: it lacks bbox of a width and height from 0 at "
            "/annotations/0");
  EXPECT_EQ(coco(file_of(R"({"image_id": 18446744073709551615, "category_id": 1,
                             "bbox": [0, 0, 2, 2]})")),
            "it has no annotations of COCO: it lacks integer image_id at /annotations/0");
  EXPECT_EQ(coco("{\"images\": []"), "it has no annotations: this is not valid JSON");
  EXPECT_EQ(coco("[]"), "it has no annotations: this is not a JSON object");
  EXPECT_EQ(coco("{}"), "it has no annotations of COCO: it lacks value at /categories");
  EXPECT_EQ(coco(std::string_view("\xff\xfe{\0", 4)),
            "the file is UTF-16, and texts are read as UTF-8");
  EXPECT_EQ(coco("{\"a\": " + std::string(100, '[')),
            "brackets are nested more than 64 levels deep");
}

TEST(CocoTruth, DuplicatesAreRefused) {
  EXPECT_EQ(coco(file_of("", R"("images": [{"id": 5, "file_name": "a.jpg"},
                                           {"id": 5, "file_name": "b.jpg"}])")),
            "two images have the id 5");
  EXPECT_EQ(coco(file_of("", R"("images": [{"id": 5, "file_name": "a.jpg"},
                                           {"id": 6, "file_name": "a.jpg"}])")),
            "two images have the file_name 'a.jpg'");
  EXPECT_EQ(coco(file_of("", kImages, R"("categories": [{"id": 1, "name": "a"},
                                                        {"id": 1, "name": "b"}])")),
            "two categories have the id 1");
  EXPECT_EQ(coco(file_of(R"({"id": 3, "image_id": 5, "category_id": 1, "bbox": [0, 0, 2, 2]},
                            {"id": 3, "image_id": 7, "category_id": 1, "bbox": [0, 0, 2, 2]})")),
            "two annotations have the id 3");
  EXPECT_EQ(coco(file_of(""), {"person", "toothbrush", "person"}),
            "two of the labels are 'person'");
}

TEST(BoxTruth, NumbersOfCategoriesAreNotThoseOfClasses) {
  const Annotations file(file_of(""));
  const BoxTruth by_number = must(read_coco_truth({file.path, kBoxFiles, {}, Whole::kYes}));
  EXPECT_TRUE(check_classes(by_number, 91).ok());
  const Result<void> eighty = check_classes(by_number, 80);
  ASSERT_FALSE(eighty.ok());
  EXPECT_EQ(eighty.error().text(),
            fmt::format("error: {}: a category has the number 90, the model's classes are 0 to 79\n"
                        "  2 category numbers from 1 to 90, 80 classes of the model\n"
                        "  hint: join them by name: add labels(FILE) to --post, the names of the "
                        "model's classes in its order\n  [RIDGE-WB-0118]\n",
                        file.path));
  EXPECT_TRUE(check_found(by_number, 90).ok());
  ASSERT_FALSE(check_found(by_number, 0).ok());
  EXPECT_EQ(check_found(by_number, 0).error().message(),
            "the model found class 0, and no category has this number");
  const std::vector<std::string> labels = {"toothbrush", "person"};
  const BoxTruth by_name = must(read_coco_truth({file.path, kBoxFiles, labels, Whole::kYes}));
  EXPECT_TRUE(check_classes(by_name, 80).ok());
  EXPECT_TRUE(check_found(by_name, 0).ok());
}

/// Annotations of one sample among `count` boxes with outlines, as COCO has them.
std::string many(std::size_t count) {
  std::string boxes;
  for (std::size_t i = 0; i < count; ++i)
    boxes += fmt::format(
        "{}{{\"segmentation\": [[{}.5, 2, 3.25, 4, 5, 6, 7.75, 8]], \"area\": 4, \"iscrowd\": 0, "
        "\"image_id\": {}, \"bbox\": [1, 2, 3, 4], \"category_id\": 1, \"id\": {}}}",
        i == 0 ? "" : ", ", i, i == count / 2 ? 5 : 9, i);
  return fmt::format(
      R"({{"images": [{{"id": 5, "file_name": "a.jpg"}}, {{"id": 7, "file_name": "b.jpg"}},
      {{"id": 9, "file_name": "c.jpg"}}], "annotations": [{}], {}}})",
      boxes, kCategories);
}

TEST(CocoTruth, IsReadInLessMemoryThanItsFileHas) {
  if (kSanitized) GTEST_SKIP() << "sanitizers map memory of their own";
  const Annotations file(many(120'000));
  const std::int64_t bytes = must(File::open(file.path)).size();
  ASSERT_GT(bytes, std::int64_t{15} << 20);
  EXPECT_TRUE(ridge::testing::holds_within(bytes / 2, [&] {
    const std::vector<std::string> labels;
    const auto truth = read_coco_truth({file.path, kBoxFiles, labels, Whole::kNo});
    return truth.ok() && truth->boxes.size() == 1;
  }));
}

TEST(VocTruth, LinesHaveBoxesOfSamplesAlone) {
  EXPECT_EQ(voc("\xef\xbb\xbf"
                "a.jpg,1,1,1,2,3\r\nb,0,1,1,1,1,1\r\n"),
            "0 1 1 1 2 3 -1 0; 1 0 1 1 1 1 -1 1");
  EXPECT_EQ(voc("a.jpg,1,1,1,2,3\nc.jpg,1,1,1,2,3\n"),
            "0 1 1 1 2 3 -1 0 | 1 line of samples that the data does not have is passed over: "
            "'c.jpg' | 1 sample has no box");
  EXPECT_EQ(voc("c.jpg,1,1,1,2,3\n"), "no line names a sample: 'c.jpg' is none");
  EXPECT_EQ(voc("a.jpg,-1,1,1,2,3\n"), "line 1: '-1' is no class of the model");
  const Annotations file("a.jpg,20,1,1,2,3\n");
  const BoxTruth truth = must(read_voc_truth({file.path, kBoxFiles, {}, Whole::kYes}));
  EXPECT_FALSE(check_classes(truth, 20).ok());
  EXPECT_TRUE(check_classes(truth, 21).ok());
  EXPECT_TRUE(check_found(truth, 3).ok());  // no box of the class, perhaps
}

}  // namespace
}  // namespace ridge::evaluation
