// SPDX-License-Identifier: Apache-2.0
#include "evaluation/subject/requirements.h"

#include <gtest/gtest.h>

namespace ridge::evaluation {
namespace {

machine::Host small_host() {
  machine::Host host;
  host.features.avx2 = true;
  host.features.avx512 = true;
  host.memory_bytes = std::int64_t{8} << 30;
  host.cgroup_memory_bytes = std::int64_t{4} << 30;
  host.allowed = {{0, 0, 0}, {1, 0, 0}, {2, 1, 0}};
  return host;
}

std::string failure(const manifest::Requirements& requirements) {
  const auto checked = check_requirements(requirements, small_host());
  return checked.ok() ? "" : checked.error().message();
}

TEST(Requirements, AreComparedWithTheMachine) {
  EXPECT_EQ(failure({}), "");
  EXPECT_EQ(failure({.architecture = {},
                     .isa = {"avx2", "fma", "avx512f", "avx512"},
                     .memory_bytes = std::int64_t{4} << 30,
                     .cores = 2,
                     .device = "cpu"}),
            "");
  EXPECT_EQ(failure({.architecture = "riscv64"}).substr(0, 59),
            "the manifest requires architecture riscv64, this machine ha");
  EXPECT_EQ(failure({.isa = {"amx_int8"}}),
            "the manifest requires isa amx_int8, this machine has avx2 fma avx512 avx512f avx512bw "
            "avx512dq avx512vl");
  EXPECT_EQ(failure({.memory_bytes = std::int64_t{5} << 30}),
            "the manifest requires memory 5.0 GiB, this machine has 4.0 GiB");
  EXPECT_EQ(failure({.cores = 3}), "the manifest requires cores 3, this machine has 2");
  EXPECT_EQ(failure({.device = "gpu"}), "the manifest requires device gpu, this machine has cpu");
}

TEST(Requirements, EveryStatedValueIsChecked) {
  const auto checks = checks_of({.isa = {"avx2", "sve"}, .cores = 1}, small_host());
  ASSERT_EQ(checks.size(), 3U);
  EXPECT_TRUE(checks[0].met);
  EXPECT_FALSE(checks[1].met);
  EXPECT_EQ(checks[2].what, "cores");
}

}  // namespace
}  // namespace ridge::evaluation
