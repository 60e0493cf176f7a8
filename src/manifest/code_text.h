// SPDX-License-Identifier: Apache-2.0
// Python text as comparable lines, and patterns for them. Nothing is evaluated: lines are compared.
//
//   const auto lines = TRY(code_lines(code, place));
//   CodeMatch m;
//   if (matches("img = cv2.resize(img, ({width}, {height}))", lines[0].text, m)) m["width"];
//
// A line is a logical one: brackets join physical lines. Its text is canonical: comments, blanks
// that separate nothing and commas before a closing bracket removed, single quotes made double.
// Thread rule: pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/toml.h"

namespace ridge::manifest {

inline constexpr std::size_t kMaxCodeBytes = std::size_t{64} << 10;

struct CodeLine {
  std::string text;          ///< canonical
  std::uint32_t indent = 0;  ///< columns
  Place place;
};

/// Lines with content of code that begins at `place`. Errors: over 64 KiB; an open bracket or
/// string at the end.
Result<std::vector<CodeLine>> code_lines(std::string_view code, Place place);

/// Canonical form of a line of a pattern.
std::string canonical(std::string_view line);

/// Values of the holes of a pattern, in their order.
class CodeMatch {
 public:
  /// Value of a hole; empty if there is no such hole.
  std::string_view operator[](std::string_view hole) const;
  void add(std::string hole, std::string value) {
    all_.push_back({std::move(hole), std::move(value)});
  }
  void clear() { all_.clear(); }

  struct Hole {
    std::string name, value;
  };
  const std::vector<Hole>& holes() const { return all_; }

 private:
  std::vector<Hole> all_;
};

/// Compares a canonical line with a pattern. A hole `{name}` stands for a number or a quotient of
/// numbers, `{name*}` for a list of them, `{name:}` for an identifier; numbers are returned as
/// evaluated decimals ("58.395 / 255" as 0.229), lists separated by ", ".
bool matches(std::string_view pattern, std::string_view line, CodeMatch& found);

}  // namespace ridge::manifest
