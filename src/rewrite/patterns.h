// SPDX-License-Identifier: Apache-2.0
// The table of operators that are spelled out as several, and what replaces them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "rewrite/expression.h"
#include "rewrite/rule.h"

namespace ridge::rewrite {

struct Pattern {
  std::string_view rule;          ///< Rule::name
  std::int32_t opset;             ///< first version of ai.onnx that has the operators of `better`
  std::string_view written;       ///< expression.h
  std::string_view better;        ///< a form that runtimes run as one kernel
  std::string_view differs = {};  ///< Site::differs
};

/// Larger ones first, of those that end in the same operator.
std::span<const Pattern> patterns();

}  // namespace ridge::rewrite
