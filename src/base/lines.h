// SPDX-License-Identifier: Apache-2.0
// Text files and their lines: the one reader of both.
//
//   const std::string text = TRY(read_text_file(path, limit));
//   for (Lines lines(text); lines.next();) use(lines.number(), lines.line());
//
// Editors and spreadsheets write a mark (EF BB BF) before UTF-8 and end lines with CR LF: neither
// the mark nor the CR belongs to a line. Text in UTF-16 or UTF-32 is refused, told by its mark or,
// without one, by the zero bytes of its first two characters. Errors: as read_file(), and
// input class, RIDGE-IO-0012 (another encoding). Ownership: Lines borrows the text. Thread rule:
// plain functions and values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ridge {

/// The text behind a UTF-8 mark, or all of it.
std::string_view without_mark(std::string_view text);

/// Refuses bytes that are text in another encoding than UTF-8, by the name of theirs.
Result<void> check_encoding(std::string_view bytes);

/// The bytes of the file at `path` as text without a mark.
Result<std::string> text_of_file(std::string bytes, const std::string& path);
/// The file's text without a mark; more than `limit` bytes is an input error.
Result<std::string> read_text_file(const std::string& path, std::int64_t limit);

class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(without_mark(text)) {}

  /// Goes to the next line; false if there is none. A line end at the end of the text begins no
  /// line.
  bool next();
  /// The line without its end.
  std::string_view line() const { return line_; }
  /// Number of the line, from 1.
  std::size_t number() const { return number_; }
  /// "line 12"
  std::string place() const;

 private:
  std::string_view rest_, line_;
  std::size_t number_ = 0;
};

}  // namespace ridge
