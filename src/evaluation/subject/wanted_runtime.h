// SPDX-License-Identifier: Apache-2.0
// A runtime that a manifest asks for, by name and version.
//
//   WantedRuntime wanted = TRY(wanted_runtime("ONNX Runtime", ">=1.12, <2"));    // "ort"
//   TRY(check_version(wanted, started.runtime.info()));
//
// Of a runtime's version only the numbers before the first other character count: OpenVINO's has
// the build behind them. Errors (input class): RIDGE-WB-0193 for a framework that no runtime here
// stands for; environment class: 0195 for a version that the constraint excludes. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "evaluation/record/request.h"
#include "runtime/types.h"

namespace ridge::evaluation {

/// `name`: from --runtimes, or the framework's, whatever its case, blanks and hyphens.
Result<WantedRuntime> wanted_runtime(std::string_view name, std::string constraint);

Result<void> check_version(const WantedRuntime& wanted, const runtime::RuntimeInfo& found);

}  // namespace ridge::evaluation
