// SPDX-License-Identifier: Apache-2.0
#include "compare/group_name.h"

#include <gtest/gtest.h>

#include "compare/run_labels.h"
#include "compare/testing.h"

namespace ridge::compare {
namespace {

std::string name_of(const std::vector<std::string>& texts) {
  const std::vector<profile::Node> nodes = testing::nodes_of(texts);
  std::vector<const profile::Node*> pointers;
  for (const profile::Node& n : nodes) pointers.push_back(&n);
  const std::string module = common_module(pointers);
  return module + " | " + group_name(pointers, module) + " | " + group_operator(pointers);
}

TEST(GroupName, IsThePathBelowTheCommonModule) {
  EXPECT_EQ(name_of({"l1/l1.0/conv1/Conv:Conv", "l1/l1.0/bn1/BN:BN", "l1/l1.0/Relu:Relu"}),
            "l1/l1.0 | conv1 + bn1 + Relu | Conv");
  EXPECT_EQ(name_of({"conv1/Conv:Conv", "conv10/Relu:Relu"}), " | conv1 + conv10 | Conv");
  EXPECT_EQ(name_of({":Relu"}), " | Relu#0 | Relu");
  EXPECT_EQ(name_of({"a/p/X:Add", "a/p/Y:Mul", "a/q/Z:Add"}), "a | p + q | Add + Mul");
  EXPECT_EQ(name_of({"a:A", "b:B", "c:C", "d:D", "e:E", "f:F", "g:G"}),
            " | a + b + c + d + e + 2 more | A + B + C + D + E + 2 more");
}

TEST(GroupName, LeavesOutStepsThatTheNextRepeats) {
  EXPECT_EQ(short_module("layer1/layer1.0/conv1"), "layer1.0/conv1");
  EXPECT_EQ(short_module("layer1/layer10/x"), "layer1/layer10/x");
  EXPECT_EQ(short_module(""), "");
}

TEST(RunLabels, SayWhatDiffers) {
  const std::vector<RunFacts> facts = {
      {.runtime = "ort", .sizes = "batch=1", .threads = "1 thread"},
      {.runtime = "ort", .sizes = "batch=8", .threads = "1 thread"},
      {.runtime = "vino", .sizes = "batch=8", .threads = "1 thread"},
      {.runtime = "vino", .sizes = "batch=8", .threads = "1 thread"}};
  EXPECT_EQ(distinguishing_labels(facts),
            (std::vector<std::string>{"ort, batch=1", "ort, batch=8", "vino, batch=8 #3",
                                      "vino, batch=8 #4"}));
  EXPECT_EQ(distinguishing_labels(std::vector<RunFacts>(2)),
            (std::vector<std::string>{"#1", "#2"}));
}

TEST(RunLabels, NameOptionsThatDifferAndNoOthers) {
  std::vector<RunFacts> facts = {{.options = "level=all, pinned=1"},
                                 {.options = "level=basic, pinned=1"}};
  facts[0].values = {{"level", "all"}, {"pinned", "1"}};
  facts[1].values = {{"level", "basic"}, {"pinned", "1"}};
  EXPECT_EQ(distinguishing_labels(facts), (std::vector<std::string>{"level=all", "level=basic"}));
  EXPECT_EQ(take_shared_options(facts), "pinned=1");
  EXPECT_EQ(facts[1].options, "level=basic");
}

TEST(RunLabels, LeaveOutPinningThatThreadsExplain) {
  std::vector<RunFacts> facts = {{.threads = "1 thread", .options = "pinned=0"},
                                 {.threads = "2 threads", .options = "pinned=0,1"}};
  facts[0].values = {{"pinned", "0"}};
  facts[1].values = {{"pinned", "0,1"}};
  EXPECT_EQ(distinguishing_labels(facts), (std::vector<std::string>{"1 thread", "2 threads"}));
  facts[1].threads = "1 thread";
  EXPECT_EQ(distinguishing_labels(facts), (std::vector<std::string>{"pinned=0", "pinned=0,1"}));
}

TEST(RunLabels, LeaveOutWhichProcessorsWereFree) {
  std::vector<RunFacts> facts = {{.sizes = "batch=1"}, {.sizes = "batch=2"}};
  facts[0].values = {{"pinned", "0"}};
  facts[1].values = {{"pinned", "1"}};
  EXPECT_EQ(distinguishing_labels(facts), (std::vector<std::string>{"batch=1", "batch=2"}));
  facts[1].values = {{"pinned", "no"}};
  EXPECT_EQ(distinguishing_labels(facts),
            (std::vector<std::string>{"batch=1, pinned=0", "batch=2, pinned=no"}));
}

TEST(RunLabels, AreBriefOrNone) {
  std::vector<RunFacts> facts = {{.runtime = "ort", .threads = "1 thread"},
                                 {.runtime = "ort", .threads = "2 threads"}};
  EXPECT_EQ(brief_labels(facts, 24), (std::vector<std::string>{"1 thread", "2 threads"}));
  facts[1].runtime = "openvino";
  EXPECT_EQ(brief_labels(facts, 24),
            (std::vector<std::string>{"ort, 1 thread", "openvino, 2 threads"}));
  EXPECT_EQ(brief_labels(facts, 12), (std::vector<std::string>{"ort", "openvino"}));
  EXPECT_EQ(brief_labels(facts, 4), std::vector<std::string>());
  EXPECT_EQ(brief_labels(std::vector<RunFacts>(2), 24), std::vector<std::string>());
}

}  // namespace
}  // namespace ridge::compare
