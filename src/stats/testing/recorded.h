// SPDX-License-Identifier: Apache-2.0
// Recordings in the repository, for tests; the environment variable RIDGE_SOURCE, set by ctest,
// names the repository.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "stats/testing/replay.h"

namespace ridge::stats::testing {

inline Noise recorded() {
  const char* source = std::getenv("RIDGE_SOURCE");
  return source == nullptr ? Noise() : Noise::load(std::string(source) + "/tests/data/noise");
}

#define SKIP_WITHOUT_NOISE(noise)                                                                  \
  if (std::getenv("RIDGE_SOURCE") == nullptr) GTEST_SKIP() << "RIDGE_SOURCE names the repository"; \
  ASSERT_GE((noise).series(), 20U) << "of tests/data/noise"

}  // namespace ridge::stats::testing
