// SPDX-License-Identifier: Apache-2.0
#include "sharing/record/costs_file.h"

#include <gtest/gtest.h>

#include "record/toml.h"
#include "sharing/record/describe_costs.h"

namespace ridge::sharing {
namespace {

constexpr std::string_view kFile = R"(
ask_ns = 150_000
[sharing]
bytes_per_s = 1.2e9
export_ns = 20_000
open_ns = 30_000
[[model]]
name = "resnet50"
bytes = 102_000_000
objects = 107
own_load_ns = 383_000_000
prepared_load_ns = 34_000_000
lease_ns = 3_300_000
)";

TEST(Costs, AreReadFromAFileOfPeople) {
  const CostTable costs = parse_costs(kFile).value();
  ASSERT_EQ(costs.models.size(), 1u);
  EXPECT_EQ(costs.ask, Nanos{150'000});
  EXPECT_EQ(costs.sharing->open_cost, Nanos{30'000});
  EXPECT_EQ(costs.models[0].bytes, Bytes{102'000'000});
  EXPECT_EQ(costs.models[0].lease, Nanos{3'300'000});
  EXPECT_EQ(costs.models[0].run, Nanos{0});
}

TEST(Costs, WhatIsWrittenIsReadAgain) {
  const CostTable costs = parse_costs(record::toml_text(example_costs())).value();
  ASSERT_EQ(costs.models.size(), 5u);
  EXPECT_EQ(costs.models[4].lease, Nanos{600'000});
}

std::string fault_of(std::string_view toml) { return parse_costs(toml).error().text(); }

TEST(Costs, SayWhatIsWrongWithAFile) {
  EXPECT_EQ(fault_of("ask_ns = 1"),
            "error: the file has no model\n  hint: add a [[model]] with name, bytes, own_load_ns "
            "and prepared_load_ns\n  [RIDGE-SHARE-0203]\n");
  EXPECT_EQ(parse_costs("[[model]]\nname = \"a\"\nbytes = 0\nown_load_ns = 1\nprepared_load_ns = 1")
                .error()
                .code(),
            "RIDGE-REC-0002");
}

}  // namespace
}  // namespace ridge::sharing
