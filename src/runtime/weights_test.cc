// SPDX-License-Identifier: Apache-2.0
#include "runtime/weights.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "base/temporary_folder.h"
#include "onnx/reader.h"
#include "onnx/testing.h"
#include "runtime/testing/expect.h"

namespace ridge::runtime {
namespace {

using onnx::DataType;
using Source = WeightEntry::Source;

constexpr char kFileName[] = "ridge-weights-test.bin";

std::vector<ipc::Descriptor> file_with(const std::string& content) {
  const std::string path = ::testing::TempDir() + kFileName;
  expect_ok(write_file(path, content));
  std::vector<ipc::Descriptor> files;
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
  const auto* elements = static_cast<const float*>(store.view().items[0].data);
  EXPECT_EQ(std::vector<float>(elements, elements + 15), expected);
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

constexpr std::int64_t kLarge = std::int64_t{64} << 10;  // bytes; large enough for a file

/// Locations of the tensors in the rewritten model: "location+offset", one per line.
std::string named(const WeightStore& store, const std::vector<std::string>& names) {
  std::string graph;
  for (const std::string& name : names)
    graph += fmt::format(
        "initializer {{ dims: {} data_type: 1 name: \"{}\" data_location: 1 external_data {{ key: "
        "\"location\" value: \"ridge\" }} }} ",
        kLarge / 4, name);
  const std::string model =
      onnx::testing::wire("ir_version: 8 graph { " + graph + " } opset_import { version: 17 }");
  const std::string bytes = store.name_files(model);
  if (bytes.empty()) return "as it was";
  const onnx::Document document = expect_ok(onnx::read_bytes(bytes, "m.onnx"));
  std::string lines;
  for (const onnx::Tensor& tensor : document.model.graph.initializers)
    lines += fmt::format("{}+{}\n", tensor.location, tensor.offset);
  return lines;
}

TEST(WeightStore, NamesTheUsersFileWhereItIsAligned) {
  const TemporaryFolder folder = expect_ok(TemporaryFolder::make("/dev/shm"));
  const std::string content(3 * kLarge, 'w');
  const WeightEntry aligned{
      .name = "a", .dims = {kLarge / 4}, .source = Source::kFile, .offset = 128, .length = kLarge};
  WeightEntry odd = aligned, small = aligned;
  odd.name = "b", odd.offset = 132;
  small.name = "c", small.dims = {1}, small.length = 4;
  const WeightStore store =
      expect_ok(WeightStore::make({aligned, odd, small}, file_with(content), folder.path()));
  const std::string users =
      (std::filesystem::path(::testing::TempDir()) / kFileName).relative_path();
  const std::string lines = named(store, {"a", "b", "c"});
  EXPECT_TRUE(lines.starts_with(users + "+128\n")) << lines;
  EXPECT_NE(lines.find("\n" + folder.path().substr(1) + "/weight-"), std::string::npos) << lines;
  EXPECT_TRUE(lines.ends_with("\nridge+0\n")) << lines;
  ASSERT_EQ(store.in_memory().count, 1U);
  EXPECT_STREQ(store.in_memory().items[0].name, "c");
  EXPECT_EQ(store.view().count, 3U);
}

TEST(WeightStore, WithoutRoomOrReasonNoFileIsNamed) {
  const WeightEntry seeded{.name = "a", .dims = {kLarge / 4}, .source = Source::kSeeded};
  for (const char* folder : {"", "/nowhere", "/proc"}) {
    const WeightStore store = expect_ok(WeightStore::make({seeded}, {}, folder));
    EXPECT_EQ(named(store, {"a"}), "as it was");
    EXPECT_EQ(store.in_memory().count, 1U);
  }
  const TemporaryFolder folder = expect_ok(TemporaryFolder::make("/dev/shm"));
  const WeightStore store = expect_ok(WeightStore::make({seeded}, {}, folder.path()));
  EXPECT_EQ(store.name_files("no model"), "");
}

TEST(PackedWeights, NameEachFileOnce) {
  const std::string path = ::testing::TempDir() + kFileName;
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
