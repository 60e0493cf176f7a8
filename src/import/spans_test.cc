// SPDX-License-Identifier: Apache-2.0
// Oracles: traces written out below, whose times and members are counted by hand.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "import/import.h"
#include "import/testing.h"

namespace ridge::imports {
namespace {

using profile::Profile;

std::string span(std::string_view cat, std::string_view name, int ts, int dur,
                 std::string_view args) {
  return "{\"ph\":\"X\",\"cat\":\"" + std::string(cat) + "\",\"name\":\"" + std::string(name) +
         "\",\"pid\":1,\"tid\":1,\"ts\":" + std::to_string(ts) +
         ".5,\"dur\":" + std::to_string(dur) + ",\"args\":{" + std::string(args) + "}}";
}

TEST(ImportKineto, KernelsAreChargedToTheRangeOrOperatorThatLaunchedThem) {
  const auto resolved = resolve(kModel);
  const std::string text =
      "{\"schemaVersion\":1,\"traceEvents\":[\n" + span("user_annotation", "conv1", 1000, 100, "") +
      ",\n" + span("cpu_op", "aten::conv2d", 1010, 80, "\"External id\":1") + ",\n" +
      span("cpu_op", "aten::_convolution", 1020, 60, "\"External id\":2") + ",\n" +
      span("cuda_runtime", "cudaLaunchKernel", 1030, 5, "\"correlation\":7") + ",\n" +
      span("kernel", "gemm", 1200, 40, "\"correlation\":7,\"device\":0,\"stream\":7") + ",\n" +
      span("cpu_op", "aten::add", 1110, 20, "\"External id\":3") + ",\n" +
      span("kernel", "add", 1300, 10, "\"External id\":3,\"device\":0,\"stream\":7") + ",\n" +
      span("kernel", "lost", 1400, 1, "\"device\":0,\"stream\":9") + "],\"traceName\":\"t\"}";
  const Profile p = imported(text, &resolved);
  ASSERT_EQ(p.layers.size(), 3U);
  EXPECT_EQ(p.layers[0].name, "conv1");
  EXPECT_EQ(members(p.layers[0]), "0e");
  EXPECT_EQ(p.layers[0].corrected_ns, 40'000);
  ASSERT_EQ(p.layers[0].kernels.size(), 1U);
  EXPECT_EQ(p.layers[0].kernels[0].name, "gemm");
  EXPECT_EQ(p.layers[1].name, "aten::add");  // launched by its id alone
  EXPECT_EQ(p.layers[1].corrected_ns, 10'000);
  EXPECT_EQ(p.layers[2].name, "lost");
  EXPECT_TRUE(says(p, "1 span on the device without the call that launched it"));
  const auto& spans = p.timeline.spans();
  ASSERT_EQ(spans.size(), 8U);
  EXPECT_EQ(spans[0].start_ns, 0);
  EXPECT_EQ(spans[4].start_ns, 200'000);
  EXPECT_EQ(spans[4].correlation, spans[3].correlation);
  EXPECT_EQ(p.timeline.text(spans[4].queue), "7");
  // Without the model, the outermost operator gets the time.
  EXPECT_EQ(imported(text, nullptr).layers[0].name, "aten::conv2d");
}

TEST(ImportKineto, StepsAreRunsAndTheHostCountsWhereNothingRanOnADevice) {
  std::string text = "[";
  for (int i = 0; i < 2; ++i) {
    text += span("user_annotation", "ProfilerStep#" + std::to_string(i), 100 * i, 90, "") + ",\n";
    text += span("cpu_op", "aten::mm", 100 * i + 10, 20 + i, "") + ",\n";
  }
  text += span("cpu_op", "aten::mm", 500, 1, "") + ",\n" + span("cpu_op", "odd", 520, -1, "") +
          ",\n" + span("cpu_op", "crossing", 15, 60, "") + "]";
  const Profile p = imported(text, nullptr);
  EXPECT_EQ(p.layers[0].runs_ns, (std::vector<std::int64_t>{20'000, 21'000}));
  EXPECT_EQ(p.profiling.profiled_latency_ns.value, 90'000);
  EXPECT_TRUE(says(p, "1 span outside of all steps left out"));
  EXPECT_TRUE(says(p, "1 event of negative duration dropped"));
  EXPECT_TRUE(says(p, "1 event overlapping another of the same thread, neither inside the other"));
}

TEST(ImportKineto, StepsAndOperatorsThatAreBothManyHaveMeans) {
  constexpr int kMany = 1100;
  std::string text = "[";
  for (int i = 0; i < kMany; ++i) {
    const std::string n = std::to_string(i);
    text += span("user_annotation", "ProfilerStep#" + n, 100 * i, 90, "") + ",\n";
    text += span("cpu_op", "op" + n, 100 * i + 10, 22, "") + (i + 1 < kMany ? ",\n" : "]");
  }
  const Profile p = imported(text, nullptr);
  ASSERT_EQ(p.layers.size(), 1100U);
  EXPECT_TRUE(p.layers[7].runs_ns.empty());
  EXPECT_EQ(p.layers[7].corrected_ns, 20);  // 22 µs in one of 1100 steps
  EXPECT_EQ(p.profiling.profiled_latency_ns.value, 90'000);
  EXPECT_TRUE(says(p, "1100 layers in 1100 runs are too many to keep the times of each"));
}

TEST(ImportKineto, TimesThatCannotBeAddedUpAreDropped) {
  const auto event = [](std::string_view ts) {
    return "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":" +
           std::string(ts) + ",\"dur\":2}";
  };
  const Profile p = imported("[" + event("-9223372036854775.807") + "," + event("5") + "," +
                                 event("9223372036854773.8") + "]",
                             nullptr);
  ASSERT_EQ(p.timeline.spans().size(), 1U);
  EXPECT_EQ(p.layers[0].corrected_ns, 2000);
  EXPECT_TRUE(says(p, "2 events more than 73 years from the clock's zero dropped"));
}

TEST(ImportKineto, TheSameRecordingTwiceOverHasTheSameRates) {
  const auto resolved = resolve(kModel);
  const auto run = [](int at) {
    const std::string id = std::to_string(at);
    const std::string kernel = "\"device\":0,\"stream\":7,\"correlation\":";
    return span("user_annotation", "conv1", at, 100, "") + ",\n" +
           span("cuda_runtime", "cudaLaunchKernel", at + 10, 5, "\"correlation\":1" + id) + ",\n" +
           span("kernel", "gemm", at + 20, 40, kernel + "1" + id) + ",\n" +
           span("cpu_op", "aten::other", at + 110, 20, "") + ",\n" +
           span("cuda_runtime", "cudaLaunchKernel", at + 112, 5, "\"correlation\":2" + id) + ",\n" +
           span("kernel", "other", at + 130, 10, kernel + "2" + id);
  };
  const Profile once = imported("[" + run(1000) + "]", &resolved),
                twice = imported("[" + run(1000) + ",\n" + run(2000) + "]", &resolved);
  ASSERT_EQ(once.layers.size(), 2U);
  ASSERT_EQ(twice.layers.size(), 2U);
  EXPECT_EQ(once.layers[0].work.macs, 3 * 4 * 64);
  for (std::size_t l = 0; l < 2; ++l) {
    EXPECT_EQ(twice.layers[l].corrected_ns, once.layers[l].corrected_ns);
    EXPECT_EQ(twice.layers[l].work.macs, once.layers[l].work.macs);
    EXPECT_EQ(twice.layers[l].bytes, once.layers[l].bytes);
    EXPECT_EQ(twice.layers[l].share, once.layers[l].share);
    EXPECT_EQ(twice.layers[l].executions, 1);
    EXPECT_EQ(twice.layers[l].kernels[0].time_ns.value, once.layers[l].kernels[0].time_ns.value);
  }
  EXPECT_EQ(once.layers[0].corrected_ns, 40'000);
  EXPECT_TRUE(says(twice, "by its layers of nodes it has 2, and times are divided"));
  EXPECT_FALSE(says(once, "are divided"));
}

/// Reads the nsight seed of the fuzz corpus, without the byte that selects the format.
std::string nsight_seed() {
  const char* corpus = std::getenv("RIDGE_CORPUS");
  if (corpus == nullptr) return "";
  std::ifstream file(std::string(corpus) + "/import_fuzz/nsight", std::ios::binary);
  file.get();
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ImportNsight, TheInputKeptForTheFuzzerIsReadFromAnyPath) {
  const std::string seed = nsight_seed();
  if (seed.empty()) GTEST_SKIP() << "RIDGE_SOURCE names the repository";
  EXPECT_FALSE(imported(seed, nullptr).layers.empty());
  // Paths that SQLite interprets specially.
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(::testing::TempDir());
  for (const char* path : {":memory:", "file:recording?mode=memory"}) {
    std::ofstream(path, std::ios::binary) << seed;
    EXPECT_TRUE(import_file(path, {}).ok()) << path;
    std::filesystem::remove(path);
  }
  std::filesystem::current_path(before);
}

}  // namespace
}  // namespace ridge::imports
