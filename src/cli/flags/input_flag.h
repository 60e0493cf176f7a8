// SPDX-License-Identifier: Apache-2.0
// --input NAME=FILE|VALUE: values of a model's inputs, from a file or written out.
//
//   --input ids=ids.npy --input steps=5 --input mask=[[1,1,0]]
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/flags/flags.h"

namespace ridge::cli {

/// Adds --input.
void add_input_flag(Flags& flags, std::vector<std::string>& inputs);

/// Input name to the path of a file or to elements (runtime/inputs/literal.h). Errors: usage class
/// for a text without a name or value, and for an input that is given twice; errors of
/// parse_literal.
Result<std::map<std::string, std::string>> input_sources(const std::vector<std::string>& inputs);

}  // namespace ridge::cli
