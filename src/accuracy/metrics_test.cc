// SPDX-License-Identifier: Apache-2.0
// Oracles: the rows' own rules, read back.
#include "accuracy/metrics.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "accuracy/coco_precision.h"

namespace ridge::accuracy {
namespace {

TEST(Metrics, HaveNamesOfTheirOwnAndDescriptions) {
  std::set<std::string_view> names;
  for (const MetricRow& m : metrics()) {
    EXPECT_TRUE(names.insert(m.name).second) << m.name;
    EXPECT_EQ(m.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), m.name.npos);
    EXPECT_EQ(find_metric(m.name), &m);
    EXPECT_FALSE(m.unit.empty());
    EXPECT_GT(m.description.size(), 20U) << m.name;
    EXPECT_NE(m.description.back(), '.') << m.name;
  }
  EXPECT_EQ(find_metric("accuracy"), nullptr);
}

TEST(Metrics, NameCocosFiguresInTheirOrder) {
  std::string names;
  for (const MetricRow& m : metrics())
    if (m.name.starts_with("coco_")) names += std::string(m.name.substr(5)) + " ";
  EXPECT_EQ(names,
            "ap ap50 ap75 ap_small ap_medium ap_large ar1 ar10 ar100 ar_small ar_medium ar_large ");
  EXPECT_EQ(static_cast<int>(CocoFigure::kArLarge), 11);
}

}  // namespace
}  // namespace ridge::accuracy
