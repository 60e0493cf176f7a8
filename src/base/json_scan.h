// SPDX-License-Identifier: Apache-2.0
// Streaming JSON scanner for files of millions of events, too many to build a tree of, and often
// damaged: unescaped strings, stray commas, truncation.
//
//   JsonScan scan(text);
//   if (!scan.open('{')) …
//   while (const auto key = scan.key()) {
//     if (*key == "traceEvents") break;
//     scan.value();                                     // skips any other value
//   }
//   JsonEvents events(scan);                            // at the '[' of an array of objects
//   while (events.next())
//     for (const JsonField& field : events.fields()) …
//   if (events.damage().cut_off) …
//
// Tolerated: surplus commas, raw control characters, and quotes inside a string that are not
// followed by ',', ':', ']' or '}'. After any other error the scanner skips to the next line that
// begins an object. Damage counts what was lost. Ownership: all views point into `text`. Not
// thread-safe. Cost: linear in the text for any input, no allocation per event, no recursion on
// nested values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge {

struct JsonValue {
  enum class Kind : std::uint8_t { kNone, kString, kNumber, kWord, kObject, kArray };
  Kind kind = Kind::kNone;
  bool escaped = false;   ///< true for a string with backslashes
  std::string_view text;  ///< strings without their quotes, other values verbatim

  bool is_string() const { return kind == Kind::kString; }
  /// Returns the text with its escapes resolved; invalid escapes are kept verbatim.
  std::string unescaped() const;
};

/// Returns a decimal number times `unit` (a power of ten) as an integer, rounded half away from
/// zero: ("12.3456", 1000) -> 12346. Exact if it has no exponent and at most 18 integer digits;
/// otherwise it goes through a double. nullopt if `text` is not a number (surrounding blanks or
/// quotes included) or out of range.
std::optional<std::int64_t> scaled_decimal(std::string_view text, std::int64_t unit);

class JsonScan {
 public:
  explicit JsonScan(std::string_view text) : text_(text) {}

  /// Skips blanks and returns the next character without consuming it; 0 at the end of the text.
  char peek();
  /// Consumes `bracket` ('[' or '{') if it is next.
  bool open(char bracket);
  /// Returns the next key of an object and consumes its colon; nullopt at the '}', which is
  /// consumed, at the end of the text, and where there is no key.
  std::optional<std::string_view> key();
  /// Consumes one complete value; kNone if there is none or the text ends inside it.
  JsonValue value();

  void skip_commas();
  bool take(char c);
  std::string_view text() const { return text_; }
  std::size_t at() const { return at_; }
  bool at_end() { return peek() == 0; }
  /// Advances to the next line that begins with '{' (after blanks and commas); false if there is
  /// none.
  bool next_line_of_object();

 private:
  void skip_blanks();
  bool string(JsonValue& out);
  bool closes_string(std::size_t quote) const;
  bool composite();

  std::string_view text_;
  std::size_t at_ = 0;
};

struct JsonField {
  std::string_view key;
  JsonValue value;
  bool argument = false;  ///< true for a member of the object "args" inside the event
};

/// Counts of the input that could not be read.
struct Damage {
  std::int64_t dropped = 0;  ///< events that were skipped
  std::int64_t stray_commas = 0;
  bool cut_off = false;                 ///< true if the end of the array is missing
  std::optional<std::size_t> first_at;  ///< byte offset of the first error

  bool any() const { return dropped > 0 || cut_off; }
};

/// Iterator over the objects of an array; members of their object "args" are merged into fields().
class JsonEvents {
 public:
  /// `scan` must be at the '['.
  explicit JsonEvents(JsonScan& scan);

  /// Reads the next object; false at the end of the array. Elements that are not objects are
  /// skipped and counted as dropped.
  bool next();
  const std::vector<JsonField>& fields() const { return fields_; }
  /// Returns the value of a key of the event itself, not of "args"; kind kNone if there is none.
  JsonValue find(std::string_view key) const;
  const Damage& damage() const { return damage_; }

 private:
  bool read_object(bool arguments);
  bool recover();

  JsonScan& scan_;
  std::vector<JsonField> fields_;
  Damage damage_;
  bool started_ = false, ended_ = false;
};

}  // namespace ridge
