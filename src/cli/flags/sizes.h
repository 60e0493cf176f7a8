// SPDX-License-Identifier: Apache-2.0
// --bind and --shape as written on the command line.
//
//   --bind batch=8,sequence=128            sizes by name
//   --bind batch=1,2,4,8                   several values: a sweep
//   --bind sequence=64..1024:*2            a range, with step *2 or +64
//   --bind height@width=224..448:+32       names in step: height 224 with width 224, then 256, ...
//   --bind sequence@past=1@128,512@0       in step, each with a value of its own
//   --bind sequence@past=1@128..2048:*2    one value for all steps beside a range
//   --shape input=1x3x224x224              a whole input; nothing after "=": a scalar
//
// A name may contain any character but "@", and a comma only between brackets, as in Max(1, s0); it
// ends at the last "=" of an item. Errors: usage
// class, with the correct form as hint.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/resolved.h"
#include "base/result.h"
#include "cli/flags/flags.h"

namespace ridge::cli {

/// Adds --bind and --shape. `bind_help`: help text of --bind, which states the models it applies to
/// and whether several values are allowed.
void add_size_flags(Flags& flags, std::vector<std::string>& binds, std::vector<std::string>& shapes,
                    std::string bind_help);

/// Items of --bind: between commas outside of brackets, including empty ones.
std::vector<std::string_view> bind_items(std::string_view bind);

struct SizeFlags {
  /// Values of each name, in the order written; each at least 0.
  std::map<std::string, std::vector<std::int64_t>> sizes;
  /// Groups of names that take their values in step; all names of a group have as many.
  std::vector<std::vector<std::string>> together;
  std::map<std::string, std::vector<std::int64_t>> shapes;

  bool sweep() const;
};

Result<SizeFlags> parse_sizes(const std::vector<std::string>& binds,
                              const std::vector<std::string>& shapes);

/// Expands a range: "64..1024:*2" to 64, 128, 256, 512, 1024; "64..256:+64" to 64, 128, 192, 256.
/// At most 1,024 values. `written`: the whole text of the flag, for errors.
Result<std::vector<std::int64_t>> range_values(std::string_view flag, std::string_view written,
                                               std::string_view range);

/// Bindings for verbs that do not sweep. Usage error if a name has several values.
Result<analysis::Bindings> single_point(const SizeFlags& flags);

/// All combinations of the values, at most 4,096; names in alphabetical order, the first varies
/// slowest. Names in step vary as one, where the first of them stands.
Result<std::vector<analysis::Bindings>> sweep_points(const SizeFlags& flags);

}  // namespace ridge::cli
