// SPDX-License-Identifier: Apache-2.0
#include "evaluation/subject/wanted_runtime.h"

#include <gtest/gtest.h>

namespace ridge::evaluation {
namespace {

TEST(WantedRuntime, FrameworksStandForRuntimes) {
  for (const char* name : {"ONNX Runtime", "onnxruntime", "Onnx-Runtime", "ort"})
    EXPECT_EQ(wanted_runtime(name, "")->name, "ort") << name;
  EXPECT_EQ(wanted_runtime("OpenVINO", "")->name, "openvino");
  EXPECT_EQ(wanted_runtime("MXNet", "1.7").error().text(),
            "error: no runtime here stands for the framework 'MXNet'\n"
            "  hint: convert the model to ONNX, and state the framework ONNX Runtime or OpenVINO\n"
            "  [RIDGE-WB-0193]\n");
}

TEST(WantedRuntime, OnlyNumbersOfTheVersionCount) {
  const auto accepts = [](const char* constraint, const char* version) {
    return check_version({"openvino", constraint, {}}, {.name = "OpenVINO", .version = version})
        .ok();
  };
  EXPECT_TRUE(accepts("", "no version"));
  EXPECT_TRUE(accepts(">=2025, <2027", "2026.2.1-19807-44526285f24-releases/2026/2"));
  EXPECT_FALSE(accepts("^2025", "2026.2.1-19807-44526285f24-releases/2026/2"));
  EXPECT_TRUE(accepts("~1.31", "1.31.1"));
  EXPECT_FALSE(accepts(">=1", "unknown"));
  EXPECT_EQ(check_version({"ort", "<1.2", {}}, {.name = "ONNX Runtime", .version = "1.31.1"})
                .error()
                .text(),
            "error: ONNX Runtime <1.2 is asked for, this is 1.31.1\n"
            "  hint: use another with --runtime-library, or state other versions: "
            "--runtime-version any\n"
            "  [RIDGE-WB-0195]\n");
}

}  // namespace
}  // namespace ridge::evaluation
