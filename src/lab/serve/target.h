// SPDX-License-Identifier: Apache-2.0
// Target of a request, and the cookies of its header, as hostile text.
//
//   const Target target = TRY(parse_target("/api/v1/runs/7?limit=10"));
//   // segments: "api", "v1", "runs", "7"; query: {"limit", "10"}
//
// A path is refused, never repaired: `.` and `..` in whatever encoding (%2e, %252e, %c0%ae,
// backslashes), empty segments, encoded slashes, control characters, and what is not UTF-8. No
// segment is ever used as the name of a file; this keeps it so for what stands before the server.
// Errors: input class, RIDGE-SERVE-0010 to 0012. Thread rule: pure. Cost: linear.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridge::lab::serve {

inline constexpr std::size_t kLongestTarget = 4096;
inline constexpr std::size_t kMostSettings = 64;

/// A name of a query with its value; names may repeat.
struct QuerySetting {
  std::string name, value;
};

struct Target {
  std::vector<std::string> segments;  ///< decoded; none for "/"
  std::vector<QuerySetting> query;    ///< decoded, in order

  /// "/api/v1/runs/7"
  std::string path() const;
};

Result<Target> parse_target(std::string_view text);

/// Value of the cookie in the text of a Cookie header; nullopt where it is not there, or there
/// twice, so that no other cookie decides which is taken.
std::optional<std::string> cookie_value(std::string_view header, std::string_view name);

/// The token of "Bearer TOKEN"; nullopt for anything else.
std::optional<std::string> bearer_token(std::string_view authorization);

/// False where the texts differ, in a time that depends on their lengths alone.
bool same_secret(std::string_view a, std::string_view b);

}  // namespace ridge::lab::serve
