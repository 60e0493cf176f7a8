// SPDX-License-Identifier: Apache-2.0
// A step of a pipeline as a manifest states it: a name and arguments as text. run_steps.h turns it
// into a step that runs.
//
//   StepSpec resize{"resize", {{"short", "256"}, {"method", "pillow_bilinear"}}, {}};
//   *resize.find("short");    // "256"
//   step_text(resize);        // "resize(short=256, method=pillow_bilinear)"
//
// The text has the form of pipeline/step_text.h, so that one form serves manifests, locks and
// --steps; values that are no words stand in double quotes, in which \" is a quote and \\ a
// backslash. In memory lists are separated by ", ", and an argument without key has the name "".
// Names and arguments: pipeline/step_text.h, and code_forms.h for what follows the run. Plain data,
// no thread rule.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/toml.h"

namespace ridge::manifest {

struct StepParameter {
  std::string name, value;

  bool operator==(const StepParameter&) const = default;
};

struct StepSpec {
  std::string name;
  std::vector<StepParameter> parameters;  ///< in the order in which they are written
  Place place;                            ///< where the manifest states it

  const std::string* find(std::string_view parameter) const {
    for (const StepParameter& p : parameters)
      if (p.name == parameter) return &p.value;
    return nullptr;
  }
  /// Equality of what the step does; places do not count.
  bool operator==(const StepSpec& other) const {
    return name == other.name && parameters == other.parameters;
  }
};

std::string step_text(const StepSpec& step);

/// Steps of a text, separated by blanks: the inverse of step_text. At most 64 steps. Errors: input
/// class.
Result<std::vector<StepSpec>> parse_step_texts(std::string_view text);

/// The only step of a text.
Result<StepSpec> parse_step(std::string_view text);

}  // namespace ridge::manifest
