// SPDX-License-Identifier: Apache-2.0
// ridge profile: measures the time of each layer in a runtime on this machine, and attributes
// layers to nodes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cli/console.h"
#include "cli/flags/measuring.h"
#include "cli/verb.h"

namespace ridge::cli {

struct ProfileOptions {
  std::string model;
  MeasuringOptions measuring;
  std::string format = "table";  ///< table, json, csv, md, trace, html
  std::size_t top = 15;
  std::string output, report, store;
};

int profile(const ProfileOptions& options, Console& console);

inline constexpr std::string_view kProfileExamples =
    "ridge profile model.onnx                                     # a table, and the biggest "
    "lever\n"
    "ridge profile zoo:resnet50 --threads 2 --report report.html  # and a page to look at\n"
    "ridge profile model.onnx --bind batch=1,2,4,8 --threads 1,2  # a sweep\n"
    "ridge profile model.onnx --runtimes ort,openvino             # two runtimes\n"
    "ridge profile model.onnx --store runs.db                     # stored, for ridge runs\n"
    "ridge profile model.onnx --check-values                      # check which nodes layers stand "
    "for\n"
    "ridge profile model.onnx --input image=photo.npy --format json --output run.json\n";

Run setup_profile(Flags& flags);

}  // namespace ridge::cli
