// SPDX-License-Identifier: Apache-2.0
#include "roofline/point_roof.h"

#include <gtest/gtest.h>

namespace ridge::roofline {
namespace {

Roofs point_roofs() {
  Roofs r;
  r.compute.push_back({.kind = "compute", .dtype = "float32", .unit = "FLOP/s", .value = 100e9});
  r.compute.push_back({.kind = "compute", .dtype = "int8", .unit = "FLOP/s", .value = 1000e9});
  return r;
}

TEST(PointRoof, OfSeveralTypesIsTheTimeThatEachNeedsAtItsRoof) {
  profile::ModelPoint p;
  p.by_type = {{"int8", 90e9, 45e9}, {"float32", 10e9, 5e9}};
  EXPECT_DOUBLE_EQ(*compute_roof(p, point_roofs()), 100e9 / (90.0 / 1000 + 10.0 / 100));
  EXPECT_EQ(main_type(p), "int8");
  p.by_type = {{"int8", 90e9, 45e9}};
  EXPECT_DOUBLE_EQ(*compute_roof(p, point_roofs()), 1000e9);
}

TEST(PointRoof, IsUnknownWhereProductsRunInATypeWithoutARoof) {
  profile::ModelPoint p;
  p.by_type = {{"float16", 90e9, 45e9}};
  EXPECT_FALSE(compute_roof(p, point_roofs()));
  p.by_type = {{"float32", 90e9, 45e9}, {"int64", 100, 0}};
  EXPECT_NEAR(*compute_roof(p, point_roofs()), 100e9, 1);
}

}  // namespace
}  // namespace ridge::roofline
