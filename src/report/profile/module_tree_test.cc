// SPDX-License-Identifier: Apache-2.0
#include "report/profile/module_tree.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace ridge::report {
namespace {

profile::Module module(std::string path, double ns, std::int64_t macs) {
  profile::Module m{.path = std::move(path), .time_ns = ns, .share = ns / 100, .bytes = 8};
  m.work.macs = macs;
  m.layers = 1;
  return m;
}

/// Rows as "depth label", the tags left out.
std::vector<std::string> texts(const std::vector<TreeRow>& rows) {
  std::vector<std::string> out;
  for (const TreeRow& row : rows) {
    std::string text;
    bool tag = false;
    for (const char c : row.line.substr(0, row.line.find("</span>"))) {
      tag = c == '<' || (tag && c != '>');
      if (!tag && c != '>') text += c;
    }
    out.push_back(fmt::format("{} {}", row.depth, text));
  }
  return out;
}

TEST(ModuleTree, FoldsEqualBlocksAndKeepsTheirCopiesBelow) {
  std::vector<profile::Module> modules = {module("", 100, 0)};
  for (const int i : {0, 1, 2}) {
    modules.push_back(module(fmt::format("layer.{}", i), 10 + i, 50));
    modules.push_back(module(fmt::format("layer.{}/fc", i), 4, 50));
  }
  modules.push_back(module("head", 20, 7));
  EXPECT_EQ(
      texts(module_tree(modules)),
      (std::vector<std::string>{"0 head", "0 layer.0 .. 2 ×3 each 10 ns to 12 ns", "1 layer.0",
                                "2 fc", "1 layer.1", "2 fc", "1 layer.2", "2 fc"}));
  EXPECT_NE(module_tree(modules)[1].line.find(">33 ns<"), std::string::npos);
  EXPECT_NE(module_tree(modules)[1].line.find(">150 MACs<"), std::string::npos);
}

TEST(ModuleTree, DoesNotFoldBlocksOfOtherWork) {
  const std::vector<profile::Module> modules = {module("", 100, 0), module("b.0", 10, 50),
                                                module("b.1", 10, 51), module("b.10", 10, 52),
                                                module("b.2", 10, 53)};
  EXPECT_EQ(texts(module_tree(modules)),
            (std::vector<std::string>{"0 b.0", "0 b.1", "0 b.2", "0 b.10"}));
}

TEST(ModuleTree, StandsAPathOfManyLevels) {
  std::string path = "a";
  std::vector<profile::Module> modules;
  for (int i = 0; i < 2000; ++i, path += "/a") modules.push_back(module(path, 1, 1));
  EXPECT_EQ(module_tree(modules).size(), 2000U);
}

}  // namespace
}  // namespace ridge::report
