// SPDX-License-Identifier: Apache-2.0
// Described values as flat text, one setting for each value: for locks and `--set array.rows=4`.
//
//   for (const Setting& s : settings(kType<Machine>, &m)) ...     // "array.rows", "16"
//   TRY(set(kType<Machine>, &m, "array.rows", "4"));
//
// Names are dotted: members of records, keys of maps (size.batch=8), and of a variant `kind` and
// its members (arrivals.kind=poisson, arrivals.rate=12; `kind` first). Numbers, truths and words
// stand as they are in JSON, "nan" for an absent one; lists of them are separated by commas; other
// lists and maps of records are JSON text. An absent optional is left out; setting a member of an
// optional record makes it, and "" takes an optional number or word away. A setting does not ask
// check(). Errors: input class, RIDGE-REC-0003, 0006 and 0009. Thread rule: pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "record/describe.h"

namespace ridge::record {

struct Setting {
  std::string name, value;
};

std::vector<Setting> settings(const Type& type, const void* record);
Result<void> set(const Type& type, void* record, std::string_view name, std::string_view value);

/// Names that may be set, in the order of the fields; of a map with NAME for its keys.
std::vector<std::string> setting_names(const Type& type);

}  // namespace ridge::record
