// A step of a pipeline as a manifest states it: a name and parameters as text. src/pipeline turns
// it into a step that runs.
//
//   StepSpec resize{"resize", {{"short", "256"}, {"method", "pillow_bilinear"}}, {}};
//   *resize.find("short");    // "256"
//
// As text, in TOML and in the lock: `resize short=256 method=pillow_bilinear`; lists of numbers
// without blanks (`mean=1,2.5,3`), and other values with blanks in double quotes, in which \" is a
// quote and \\ a backslash. In memory lists are separated by ", ". Names and parameters:
// code_forms.h. Plain data, no thread rule.
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

/// Inverse of step_text. Errors: input class.
Result<StepSpec> parse_step(std::string_view text);

}  // namespace ridge::manifest
