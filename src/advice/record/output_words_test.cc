// SPDX-License-Identifier: Apache-2.0
#include "advice/record/output_words.h"

#include <gtest/gtest.h>

namespace ridge::advice {
namespace {

TEST(OutputWords, NothingIsLosslessBeforeItWasCompared) {
  Finding f{.id = "silu", .lossless = false, .effect = "rounding"};
  EXPECT_EQ(outputs_words(f),
            "the same up to rounding by the definition of the operators, not compared: --check");
  f.check = Check{.outputs = OutputDifference{.not_compared = {"output 'text': no elements"}}};
  EXPECT_EQ(outputs_words(f),
            "not called lossless, since not all was compared: output 'text': no elements");
  f.check->outputs->not_compared.clear();
  f.lossless = true;
  EXPECT_EQ(outputs_words(f), "the same up to rounding wherever they were compared (lossless)");
}

TEST(OutputWords, WhatChanges) {
  EXPECT_EQ(outputs_words({.id = "distance"}), "");
  EXPECT_EQ(outputs_words({.id = "softplus", .effect = "values", .effect_where = "beyond 88"}),
            "differ for some inputs: beyond 88");
  EXPECT_EQ(outputs_words({.id = "kept_outputs",
                           .effect = "interface",
                           .effect_where = "a caller no longer gets these outputs"}),
            "not those of the same interface: a caller no longer gets these outputs");
}

TEST(OutputWords, SizesAndInputs) {
  EXPECT_EQ(compared_words({.max_abs = 2e-6,
                            .max_rel = 4e-7,
                            .rounding = 1e-4,
                            .sizes = {"n=1", "n=2"},
                            .inputs = {"seeded", "some NaN"},
                            .differs_unusually = "without bound in 'y': some NaN, n=1"}),
            "differ by at most 4e-07 of their largest element (2e-06 absolute); compared at n=1; "
            "n=2; elements: seeded, some NaN; up to 0.0001 is rounding; more than rounding for "
            "unusual inputs: without bound in 'y': some NaN, n=1");
}

}  // namespace
}  // namespace ridge::advice
