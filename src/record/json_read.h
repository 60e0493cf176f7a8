// SPDX-License-Identifier: Apache-2.0
// Reads described values from JSON.
//
//   Evaluation e = TRY(read_json<Evaluation>(text));
//   MeasureSpec spec = TRY(read_json<MeasureSpec>(text, {.of = Reading::Of::kPeople}));
//
// The error names the path of the first fault: "points[3].latency.percentiles[0].value_ns: integer
// expected, got text". A document (ridge wrote it): keys that are not known are ignored, as a later
// version may have added them; absent ones are faults, except optional ones, those with
// or_default() or since(2). A file of people: absent keys keep their default, except required()
// ones; keys that are not known are refused, with a suggestion. A document with a newer "schema" is
// refused by name. Computed fields and what follows the first of two equal keys are not looked at.
// null is: no value of an optional, NaN, zero where zero_is_null(), the default where when(); in a
// file of people never a number that is known(). Hints to people are the sentences of the fields.
//
// Hostile text is safe (Limits; json_tree.h). Errors: input class, RIDGE-REC-0001 to 0006, and
// those of codecs and check(). Thread rule: pure. Cost: linear.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "base/toml.h"
#include "record/describe.h"
#include "record/json_tree.h"

namespace ridge::record {

struct Reading {
  enum class Of : std::uint8_t { kProgram, kPeople };

  Of of = Of::kProgram;
  Limits limits{};
};

/// Reads into a value that has its defaults.
Result<void> read_json(std::string_view text, const Type& type, void* out, const Reading& reading);

template <typename T>
Result<T> read_json(std::string_view text, const Reading& reading = {}) {
  static_assert(!kType<T>.borrowed, "only written");
  T out{};
  TRY(read_json(text, kType<T>, &out, reading));
  return out;
}

/// Reads what is parsed already. `places`, empty or one per node, are named in errors; a 64-bit
/// integer may then stand in quotes.
Result<void> read_tree(const JsonTree& tree, const Type& type, void* out, Reading::Of of,
                       const std::vector<Place>& places);

/// Error for a field that no file sets.
Error only_command_line(std::string_view name);

}  // namespace ridge::record
