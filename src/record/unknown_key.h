// SPDX-License-Identifier: Apache-2.0
// Errors for keys that a type does not have, with what was probably meant: a similar name, the name
// with its unit, or the same name in an inner record.
//
//   unknown_key(kType<Machine>, "rows")         // hint: did you mean 'array.rows'?
//   unknown_key(kType<Machine>, "clock_ghz")    // hint: did you mean 'clock_mhz'? the unit is ...
//
// Input class, RIDGE-REC-0003. Thread rule: pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "record/type.h"

namespace ridge::record {

/// `key`: of an object that is read as `type`.
Error unknown_key(const Type& type, std::string_view key);
/// For a name that is none of `known`; suggests similar ones.
Error unknown_name(std::string_view name, const std::vector<std::string>& known);

}  // namespace ridge::record
