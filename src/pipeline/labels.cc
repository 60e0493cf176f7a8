// SPDX-License-Identifier: Apache-2.0
#include "pipeline/labels.h"

#include <fmt/format.h>

#include "base/lines.h"

namespace ridge::pipeline {
namespace {

constexpr std::size_t kMaxLabelBytes = std::size_t{16} << 20, kMaxLabels = 1'000'000;
constexpr std::size_t kLongestLabel = 1000;

Error beyond(std::string message) { return input_error("RIDGE-PIPE-0030", std::move(message)); }

}  // namespace

Result<std::vector<std::string>> parse_labels(std::string_view text) {
  if (text.size() > kMaxLabelBytes)
    return beyond(
        fmt::format("the labels have {} bytes, the limit is {}", text.size(), kMaxLabelBytes));
  std::vector<std::string> labels;
  for (Lines lines(text); lines.next();) {
    const std::string_view line = lines.line();
    if (line.size() > kLongestLabel)
      return beyond(
                 fmt::format("the label has {} bytes, the limit is {}", line.size(), kLongestLabel))
          .in(lines.place());
    if (labels.size() == kMaxLabels) return beyond(fmt::format("more than {} labels", kMaxLabels));
    labels.emplace_back(line);
  }
  while (!labels.empty() && labels.back().empty()) labels.pop_back();
  if (labels.empty()) return beyond("the file has no labels");
  return labels;
}

Result<void> check_labels(std::size_t labels, std::size_t classes) {
  if (labels == classes) return {};
  Error error = input_error("RIDGE-PIPE-0031",
                            fmt::format("{} labels, the model has {} classes", labels, classes));
  if (classes == labels + 1)
    return std::move(error).hint("if class 0 is the background, put a line for it at the top");
  return std::move(error).hint("use the labels that the model was trained with");
}

Result<void> check_label(std::size_t labels, std::int64_t found) {
  if (found >= 0 && static_cast<std::uint64_t>(found) < labels) return {};
  return input_error("RIDGE-PIPE-0031",
                     fmt::format("{} labels, the model found class {}", labels, found))
      .hint("use the labels that the model was trained with, from class 0 on");
}

}  // namespace ridge::pipeline
