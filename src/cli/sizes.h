// --bind and --shape as written on the command line.
//
//   --bind batch=8,sequence=128 names; several values make a sweep: batch=1,2,4,8 or
//   sequence=64..1024:*2 (or :+64)
//   --shape input=1x3x224x224          a whole input; "=" alone is a scalar
//
// A name may hold anything but a comma; the last "=" of an item divides. Errors: usage class, with
// what to write instead.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/resolved.h"
#include "base/result.h"

namespace ridge::cli {

struct SizeFlags {
  std::map<std::string, std::vector<std::int64_t>>
      sizes;  ///< every name with its values, in the order written; each at least 1
  std::map<std::string, std::vector<std::int64_t>> shapes;

  bool sweep() const;
};

Result<SizeFlags> parse_sizes(const std::vector<std::string>& binds,
                              const std::vector<std::string>& shapes);

/// "64..1024:*2" or "64..256:+64" written out, at least 1 and at most 1,024 values. `written`: all
/// of the flag's text, for errors.
Result<std::vector<std::int64_t>> range_values(std::string_view flag, std::string_view written,
                                               std::string_view range);

/// For verbs that take one point. Errors (usage class): a name with several values.
Result<analysis::Bindings> single_point(const SizeFlags& flags);

/// Every combination of the values, the first name slowest; at most 4,096 points.
Result<std::vector<analysis::Bindings>> sweep_points(const SizeFlags& flags);

}  // namespace ridge::cli
