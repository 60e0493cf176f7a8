// SPDX-License-Identifier: Apache-2.0
// Versions and constraints on them, by semver.org 2.0.0.
//
//   Version v = TRY(parse_version("1.2.0-rc.1"));
//   Constraint c = TRY(parse_constraint(">=1.2,<2"));   // also ^1.2  ~1.2  1.x  latest  1 || 3
//   c.allows(v);                                        // false: a pre-release nobody asked for
//   Reference r = TRY(parse_reference("digits@>=1,<2"));
//
// A version may omit its last numbers ("1.0" is 1.0.0 for all comparisons and keeps its spelling).
// Comparators that stand together, separated by a comma or blank, must all hold; "||" separates
// alternatives. A number that is missing, x or * stands for any: "1.2" is >=1.2.0 <1.3.0, "^0.2" is
// >=0.2.0 <0.3.0, ">1.2" is >=1.3.0, as in npm (github.com/npm/node-semver, README). A pre-release
// satisfies only comparators of which one names a pre-release of the same three numbers. "latest"
// allows every release. Errors: input class. Thread rule: plain values.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridge::manifest {

struct Version {
  std::array<std::uint64_t, 3> numbers{};
  std::vector<std::string> prerelease;  ///< dot-separated identifiers; empty for a release
  std::string text;                     ///< as written, build metadata included

  /// Precedence (semver.org section 11): build metadata and spelling do not count.
  std::strong_ordering operator<=>(const Version& other) const;
  bool operator==(const Version& other) const { return (*this <=> other) == 0; }
};

/// At most 100 bytes; no leading zeros.
Result<Version> parse_version(std::string_view text);

class Constraint {
 public:
  bool allows(const Version& version) const;
  const std::string& text() const { return text_; }

 private:
  friend Result<Constraint> parse_constraint(std::string_view text);
  friend class ConstraintParser;
  enum class Relation : std::uint8_t { kAtLeast, kAbove, kAtMost, kBelow };
  struct Bound {
    Relation relation = Relation::kAtLeast;
    Version version;
  };
  using All = std::vector<Bound>;

  std::string text_;
  std::vector<All> any_;
};

Result<Constraint> parse_constraint(std::string_view text);

/// A name and what it may resolve to; "latest" if only the name is given.
struct Reference {
  std::string name;
  Constraint constraint;
};

/// Names have 1 to 100 of the characters A-Z a-z 0-9 . _ -, and do not begin with a dot or minus.
Result<void> check_name(std::string_view name);
Result<Reference> parse_reference(std::string_view text);

}  // namespace ridge::manifest
