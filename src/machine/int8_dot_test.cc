// SPDX-License-Identifier: Apache-2.0
#include "machine/int8_dot.h"

#include <gtest/gtest.h>

namespace ridge::machine {
namespace {

bool dot(const kernels::Features& features) {
  Host host;
  host.features = features;
  return has_int8_dot(host);
}

TEST(Int8Dot, IsVnniOfEitherWidth) {
  EXPECT_FALSE(dot({}));
  EXPECT_FALSE(dot({.avx = true, .avx2 = true, .avx512 = true}));
  EXPECT_TRUE(dot({.avx = true, .avx2 = true, .avx_vnni = true}));
  EXPECT_TRUE(dot({.avx = true, .avx2 = true, .avx512 = true, .avx512_vnni = true}));
}

}  // namespace
}  // namespace ridge::machine
