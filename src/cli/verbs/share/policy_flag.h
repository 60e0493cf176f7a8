// SPDX-License-Identifier: Apache-2.0
// Policies as written on the command line: "lru", "ttl:10m", "histogram:prewarm". Errors: usage
// class, RIDGE-CLI-0300, with the names of all policies as hint.
#pragma once

#include <string_view>

#include "base/result.h"
#include "sharing/record/policy_spec.h"

namespace ridge::cli {

/// A word, and what stands behind its colon.
struct NamedWord {
  std::string_view name, rest;
  bool colon = false;
};
NamedWord named_word(std::string_view text);

/// `flag` is what stands before it: "--policy".
Result<sharing::PolicySpec> parse_policy(std::string_view flag, std::string_view text);

}  // namespace ridge::cli
