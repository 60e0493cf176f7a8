// SPDX-License-Identifier: Apache-2.0
#include "pipeline/step_text.h"

#include "pipeline/step_arguments.h"
#include "pipeline/step_reader.h"

namespace ridge::pipeline {

Result<std::vector<Step>> parse_steps(std::string_view text) {
  std::vector<StepCall> calls = TRY(read_calls(text));
  std::vector<Step> steps;
  for (StepCall& call : calls) steps.push_back(TRY(step_of(call)));
  return steps;
}

}  // namespace ridge::pipeline
