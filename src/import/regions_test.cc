// SPDX-License-Identifier: Apache-2.0
// TensorRT's regions and the layers that it makes of one node, told apart by their names. Oracles:
// the members that the names state, by hand.
#include "import/regions.h"

#include <gtest/gtest.h>

#include "import/names.h"
#include "import/testing.h"

namespace ridge::imports {
namespace {

using profile::Evidence;
using profile::Profile;

/// A quantized block as PyTorch exports it; MACs: conv1 8·27·64, conv2 8·72·64.
constexpr std::string_view kQuantized = R"(graph main
  input x[1,3,8,8]
  constant s[1] w1[8,3,3,3] w2[8,8,3,3]
  q1: Mul(x, s) -> xq
  conv1: Conv(xq, w1) {pads=[1,1,1,1]} -> c1
  relu1: Relu(c1) -> r1
  q2: Mul(r1, s) -> rq
  conv2: Conv(rq, w2) {pads=[1,1,1,1]} -> c2
  cat: Concat(r1, c2) {axis=1} -> cc
  mean: GlobalAveragePool(cc) -> y
  output y
)";
constexpr std::int64_t kMacs = 8 * 27 * 64 + 8 * 72 * 64;

/// trtexec's profile of layers of 1 ms each.
std::string profile_of(std::initializer_list<std::string_view> names) {
  std::string out = "[{\"count\":10}";
  for (const std::string_view name : names)
    out += ",{\"name\":\"" + std::string(name) + "\",\"averageMs\":1}";
  return out + "]";
}

Profile allowed(const std::string& text, const analysis::Resolved& resolved) {
  return import_file(Written(text).path(), {.model = model_of(&resolved),
                                            .unmatched = ImportOptions::Unmatched::kAllowed})
      .value()
      .profile;
}

TEST(ForeignNode, ARegionThatBeginsAtAWeightBeginsAtItsReaders) {
  const auto resolved = resolve(kQuantized);
  const Profile p = imported(profile_of({"{ForeignNode[w1...mean]}"}), &resolved);
  EXPECT_EQ(members(p.layers[0]), "0e 1e 2e 3e 4e 5e 6e");
  EXPECT_EQ(p.layers[0].work.macs, kMacs);
  EXPECT_EQ(p.layers[0].members[0].evidence, Evidence::kRegion);
  EXPECT_TRUE(says(p, "1 region named after a weight"));
}

TEST(ForeignNode, AWeightWithNodesBehindItIsNoEndOfItsOwn) {
  const auto resolved = resolve(kQuantized);
  const Profile p = imported(
      profile_of({"q1", "{ForeignNode[w1 + (Unnamed Layer* 3) [Shuffle] + conv1...mean]}"}),
      &resolved);
  EXPECT_EQ(members(p.layers[0]), "0e");
  EXPECT_EQ(members(p.layers[1]), "1e 2e 3e 4e 5e 6e");
}

TEST(ForeignNode, ASharedWeightLeavesItsOtherReadersToTheirLayers) {
  const auto resolved = resolve(kQuantized);
  const Profile p = imported(
      profile_of({"q1", "conv1 + relu1", "{ForeignNode[s...conv2]}", "cat", "mean"}), &resolved);
  EXPECT_EQ(members(p.layers[0]), "0e");
  EXPECT_EQ(members(p.layers[1]), "1e 2e");
  EXPECT_EQ(members(p.layers[2]), "3e 4e");
}

TEST(ForeignNode, AnUnnamedEndIsWhatNoOtherLayerHasOrUnknown) {
  const auto resolved = resolve(kQuantized);
  constexpr std::string_view kUnnamed = "{ForeignNode[(Unnamed Layer* 9) [Shuffle]...cat]}";
  const Profile p = imported(profile_of({"q1 + conv1 + relu1", kUnnamed, "mean"}), &resolved);
  EXPECT_EQ(members(p.layers[1]), "3e 4e 5e");
  EXPECT_TRUE(says(p, "the nodes that are in no other layer"));
  // A layer that matches nothing may be any node: the region is unknown, and so is the time.
  const Profile open = allowed(profile_of({"elsewhere", kUnnamed, "mean"}), resolved);
  EXPECT_EQ(members(open.layers[1]), "");
  EXPECT_NEAR(open.unattributed_share, 2.0 / 3, 1e-9);
  EXPECT_TRUE(says(open, "which nodes they stand for is unknown"));
}

TEST(ForeignNode, AProductBesideTheRegionStaysOutWhereALayerMatchesNothing) {
  const auto resolved = resolve(kQuantized);
  const Profile p = imported(profile_of({"elsewhere", "{ForeignNode[w2...mean]}"}), &resolved);
  // relu1 is read by the region alone; conv1 may be the layer called elsewhere.
  EXPECT_EQ(members(p.layers[1]), "2e 3e 4e 5e 6e");
  EXPECT_EQ(p.layers[1].bytes, std::nullopt);
}

TEST(TensorRtNames, ClonesCopiesAndWeightsAreToldApart) {
  const auto resolved = resolve(kQuantized);
  const Profile p =
      imported(profile_of({"q1", "w1 + conv1 + relu1", "q2", "q2_clone_1", "w2 + conv2", "r1 copy",
                           "cat_/c2_output_0_clone_0 copy", "mean", "[trainStation1]",
                           "(Unnamed Layer* 718) [NMS]_1_output[DevicetoShapeHostCopy]", "x copy"}),
               &resolved);
  EXPECT_EQ(members(p.layers[1]), "1e 2e");
  EXPECT_TRUE(p.layers[1].bytes);  // the weight is no node that is missing
  EXPECT_EQ(members(p.layers[2]), "3e");
  EXPECT_EQ(members(p.layers[3]), "3p");
  EXPECT_EQ(p.layers[3].members[0].evidence, Evidence::kRenamed);
  EXPECT_EQ(members(p.layers[5]), "5e");
  EXPECT_EQ(members(p.layers[6]), "5p");
  EXPECT_EQ(p.layers[5].type, "Concat");
  for (const std::size_t own : {8, 9, 10}) EXPECT_TRUE(p.layers[own].inserted) << own;
  EXPECT_EQ(p.unattributed_layers, 0);
}

TEST(TrtexecProfile, WithoutACountSumsHaveNoRun) {
  const auto resolved = resolve(kQuantized);
  const Profile sums =
      imported(R"([{"name":"conv1","timeMs":20},{"name":"conv2","timeMs":40}])", &resolved);
  EXPECT_EQ(sums.layers[1].time_ns.value, 40e6);
  EXPECT_EQ(sums.layers[1].work.macs, std::nullopt);
  EXPECT_TRUE(says(sums, "2 layers have sums over runs that the file does not count"));
  const Profile means = imported(R"([{"name":"conv1","timeMs":20,"averageMs":2}])", &resolved);
  EXPECT_EQ(means.layers[0].time_ns.value, 2e6);
  EXPECT_EQ(means.layers[0].work.macs, 8 * 27 * 64);
  EXPECT_TRUE(says(means, "times are means over an unknown number of runs"));
}

TEST(TrtexecConsole, TheTableIsReadInBothItsForms) {
  const auto resolved = resolve(kQuantized);
  constexpr std::string_view kNew =
      "&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # trtexec --dumpProfile\n"
      "[07/10/2023-17:19:31] [I] === Profile (10 iterations ) ===\n"
      "[07/10/2023-17:19:31] [I]    Time(ms)     Avg.(ms)   Median(ms)   Time(%)   Layer\n"
      "[07/10/2023-17:19:31] [I]        0.10       0.0100       0.0200       5.0   "
      "[trainStation1]\n"
      "[07/10/2023-17:19:31] [I]        0.30       0.0300       0.0350       5.0   w1 + conv1 + "
      "PWN(relu1)\r\n"
      "[07/10/2023-17:19:31] [I]        0.40       0.0400       0.0550     100.0   Total\n"
      "[07/10/2023-17:19:31] [I] \n&&&& PASSED TensorRT.trtexec\n";
  const Profile p = imported(kNew, &resolved);
  ASSERT_EQ(p.layers.size(), 2U);
  EXPECT_TRUE(p.layers[0].inserted);
  EXPECT_EQ(p.layers[1].time_ns.value, 35'000);  // the median, not the mean
  EXPECT_EQ(members(p.layers[1]), "1e 2e");
  EXPECT_TRUE(says(p, "times are medians over 10 runs"));
  EXPECT_TRUE(says(p, "as the console shows them"));
  EXPECT_FALSE(says(p, "no row Total"));
  const Profile old = imported(
      "=== Profile (4 iterations ) ===\n"
      "                 Layer   Time (ms)   Avg. Time (ms)   Time %\n"
      "         conv1 + relu1        0.48           0.1200     75.0\n"
      "                 conv2        0.16           0.0400     25.0\n",
      &resolved);
  ASSERT_EQ(old.layers.size(), 2U);
  EXPECT_EQ(old.layers[0].time_ns.value, 120'000);
  EXPECT_EQ(members(old.layers[0]), "1e 2e");
  EXPECT_TRUE(says(old, "no row Total"));
}

TEST(TrtexecConsole, ALogWithoutATableNamesTheFlag) {
  const Written file("&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # trtexec --onnx=a.onnx\n");
  const auto refused = import_file(file.path(), {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), "RIDGE-IMP-0036");
  EXPECT_NE(refused.error().text().find("--exportProfile"), std::string::npos);
}

}  // namespace
}  // namespace ridge::imports
