// SPDX-License-Identifier: Apache-2.0
#include "session/measure_spec.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace ridge::session {
namespace {

TEST(MeasureSpec, APlugInIsCalledAsItsFile) {
  MeasureSpec spec;
  EXPECT_EQ(*name_runtime("ort", spec), "ort");
  EXPECT_TRUE(spec.plugins.empty());
  EXPECT_EQ(*name_runtime("/opt/a/../mine.so", spec), "mine.so");
  EXPECT_EQ(*name_runtime("/opt/mine.so", spec), "mine.so");
  EXPECT_EQ(*name_runtime("./other", spec), "other");
  EXPECT_EQ(spec.plugins.at("mine.so"), "/opt/mine.so");
  EXPECT_EQ(spec.plugins.at("other"), (std::filesystem::current_path() / "other").string());
  EXPECT_EQ(*plugin_of(spec, "mine.so"), "/opt/mine.so");
  EXPECT_EQ(plugin_of(spec, "abacus").error().code(), "RIDGE-RT-0002");
  EXPECT_EQ(name_runtime("/usr/mine.so", spec).error().code(), "RIDGE-WB-0057");
  for (const char* path : {"/opt/a b.so", "/opt/", "/", "./..", "x/\033[31m.so", "\xff.so"})
    EXPECT_EQ(name_runtime(path, spec).error().code(), "RIDGE-WB-0056") << path;
}

}  // namespace
}  // namespace ridge::session
