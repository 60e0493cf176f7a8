// SPDX-License-Identifier: Apache-2.0
// Text form of the steps after a run, by the grammar of step_text.h.
//
//   std::vector<OutputStep> steps = TRY(parse_output_steps("softmax top(5) labels(classes.txt)"));
//   print_output_steps(steps) parses to the same steps
//
//   softmax, drop_first(1), top(5), argsort        output=0
//   boxes       corners corners_y_first corner_size center_size; pixels shares; score=0.05,
//               overlap=0.5, most=100, first_class=0; boxes=0, scores=1, classes=N (positions)
//   masks       chw hwc; above=LIMIT; output=0
//   image       chw hwc; multiply=1; output=0
//   ctc, words  output=0
//   labels(FILE), or labels("a file")
//
// Bounds and errors as in step_text.h. Pure functions: labels are not read.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "pipeline/output_step.h"

namespace ridge::pipeline {

Result<std::vector<OutputStep>> parse_output_steps(std::string_view text);

std::string print_output_step(const OutputStep& step);
std::string print_output_steps(std::span<const OutputStep> steps);

}  // namespace ridge::pipeline
