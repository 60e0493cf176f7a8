// SPDX-License-Identifier: Apache-2.0
#include "accelerator/nests/closed_form_profile.h"

#include <gtest/gtest.h>

#include <fmt/ranges.h>

#include "analysis/testing.h"

namespace ridge::accelerator {
namespace {

using analysis::testing::resolved;

std::string shown_closed_form(std::string_view model) {
  const analysis::Resolved r = resolved(model);
  std::string out;
  for (const LayerProfile& layer :
       closed_form_profiles(lower(r, {.fuse = analysis::Fuse::kEpilogue}), r).layers) {
    out += fmt::format("{}: {} parameters, {} allocated {}\n", layer.node, layer.param_bytes,
                       layer.allocated_bytes, layer.reason);
    for (const BufferProfile& b : layer.buffers)
      out += fmt::format("  {} {} {} [{}] {}\n", name(b.role), b.name, b.dtype,
                         fmt::join(b.shape, ","), b.bytes);
  }
  return out;
}

TEST(ClosedFormProfile, NamesEachTensorThatCrossesALayerOnce) {
  EXPECT_EQ(shown_closed_form(R"(
    graph main
      input x[1,3,4,4]
      constant w[8,3,1,1] b[8]
      conv: Conv(x, w, b) -> y
      square: MatMul(y, y) -> z
      output z
  )"),
            "0: 128 parameters, 512 allocated \n"
            "  input x float32 [1,3,4,4] 192\n"
            "  parameter w float32 [8,3,1,1] 96\n"
            "  parameter b float32 [8] 32\n"
            "  output y float32 [1,8,4,4] 512\n"
            "1: 0 parameters, 512 allocated \n"
            "  input y float32 [1,8,4,4] 512\n"
            "  output z float32 [1,8,4,4] 512\n");
}

TEST(ClosedFormProfile, HandsOnWhatTheLastRiderMakes) {
  EXPECT_EQ(shown_closed_form(R"(
    graph main
      input x[1,4,2,2] s[1,4,2,2]
      constant w[4,4,1,1]
      conv: Conv(x, w) -> y
      sum: Add(y, s) -> z
      output z
  )"),
            "0: 64 parameters, 64 allocated \n"
            "  input x float32 [1,4,2,2] 64\n"
            "  parameter w float32 [4,4,1,1] 64\n"
            "  input s float32 [1,4,2,2] 64\n"
            "  output z float32 [1,4,2,2] 64\n");
}

}  // namespace
}  // namespace ridge::accelerator
