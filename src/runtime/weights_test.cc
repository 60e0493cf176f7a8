#include "runtime/weights.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cstring>

#include "runtime/testing/expect.h"

namespace ridge::runtime {
namespace {

using onnx::DataType;
using Source = WeightEntry::Source;

std::vector<Descriptor> file_with(const std::string& content) {
  const std::string path = testing::TempDir() + "ridge-weights-test.bin";
  expect_ok(write_file(path, content));
  std::vector<Descriptor> files;
  files.emplace_back(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return files;
}

std::string error_of(const WeightEntry& entry, const std::string& content = "0123456789") {
  return WeightStore::make({entry}, file_with(content)).error().summary();
}

TEST(WeightStore, UsesAlignedRangesInPlaceAndCopiesOthers) {
  const WeightEntry aligned{
      .name = "a", .dims = {1}, .source = Source::kFile, .offset = 4, .length = 4};
  const WeightEntry odd{
      .name = "b", .dims = {1}, .source = Source::kFile, .offset = 5, .length = 4};
  const WeightStore store = expect_ok(WeightStore::make({aligned, odd}, file_with("0123456789")));
  const RidgeTensor* tensors = store.view().items;
  EXPECT_EQ(std::memcmp(tensors[0].data, "4567", 4), 0);
  EXPECT_EQ(std::memcmp(tensors[1].data, "5678", 4), 0);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensors[1].data) % 4, 0U);
}

TEST(WeightStore, SeededElementsAreThoseOfTheRecipe) {
  const SeededTensor recipe{.seed = 9, .mean = 1, .scale = 0.5F};
  const WeightEntry entry{.name = "w", .dims = {3, 5}, .source = Source::kSeeded, .recipe = recipe};
  const WeightStore store = expect_ok(WeightStore::make({entry}, {}));
  std::vector<float> expected(15);
  fill(recipe, 0, expected);
  EXPECT_EQ(store.view().items[0].bytes, 60U);
  EXPECT_EQ(std::memcmp(store.view().items[0].data, expected.data(), 60), 0);
}

TEST(WeightStore, RefusesRangesThatDoNotFit) {
  WeightEntry entry{.name = "w", .dims = {2}, .source = Source::kFile, .offset = 0, .length = 8};
  EXPECT_EQ((entry.offset = 3, error_of(entry)),
            "weight 'w': its bytes at 3 lie outside the file of 10 bytes");
  entry.offset = -1;
  EXPECT_EQ(error_of(entry), "weight 'w': its bytes at -1 lie outside the file of 10 bytes");
  entry.offset = std::numeric_limits<std::int64_t>::max();
  EXPECT_NE(error_of(entry).find("outside the file"), std::string::npos);
  entry.offset = 0;
  entry.length = 7;
  EXPECT_EQ(error_of(entry), "weight 'w': 7 bytes are there, its shape needs 8");
  entry.dims = {std::int64_t{1} << 40, std::int64_t{1} << 40};
  EXPECT_EQ(error_of(entry), "weight 'w': its shape or type has no storage");
  entry.dims = {-1};
  EXPECT_EQ(error_of(entry), "weight 'w': its shape or type has no storage");
  entry = {.name = "w", .dims = {2}, .source = Source::kInline, .bytes = "123"};
  EXPECT_EQ(error_of(entry), "weight 'w': 3 bytes are there, its shape needs 8");
  entry = {.name = "w", .dims = {2}, .source = Source::kFile, .file = 7, .length = 8};
  EXPECT_NE(error_of(entry).find("not sent"), std::string::npos);
}

TEST(PackedWeights, NameEachFileOnce) {
  const std::string path = testing::TempDir() + "ridge-weights-test.bin";
  expect_ok(write_file(path, "0123456789"));
  const auto file = std::make_shared<const File>(expect_ok(File::open(path)));
  const std::vector<Weight> weights = {{"a", DataType::kFloat, {1}, onnx::WeightRange{file, 0, 4}},
                                       {"b", DataType::kFloat, {1}, SeededTensor{}},
                                       {"c", DataType::kFloat, {1}, onnx::WeightRange{file, 4, 4}}};
  const PackedWeights packed = pack(weights);
  EXPECT_EQ(packed.files, (std::vector<int>{file->descriptor()}));
  EXPECT_EQ(packed.entries[1].source, Source::kSeeded);
  EXPECT_EQ(packed.entries[2].offset, 4);
}

}  // namespace
}  // namespace ridge::runtime
