// JSON read as it goes by, for files of millions of events that no tree should be made of, and that
// are often damaged: written unescaped, with stray commas, or cut off.
//
//   JsonScan scan(text);
//   if (!scan.open('{')) …
//   while (const auto key = scan.key()) {
//     if (*key == "traceEvents") break;
//     scan.value();                                     // any other value is skipped whole
//   }
//   JsonEvents events(scan);                            // at the '[' of an array of objects
//   while (events.next())
//     for (const JsonField& field : events.fields()) …
//   if (events.damage().cut_off) …
//
// Tolerated: commas too many, raw control characters, a quote inside a string that no ',' ':' ']'
// or '}' follows, and anything else up to the next line that begins an object: what cannot be read
// is counted in Damage. Ownership: everything points into `text`. Thread rule: one thread. Cost:
// linear in the text whatever it holds, nothing allocated per event, no recursion.
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
  bool escaped = false;   ///< a string with backslashes
  std::string_view text;  ///< a string without its quotes, anything else as it stands there

  bool is_string() const { return kind == Kind::kString; }
  /// Escapes resolved, what is no valid one kept as it is.
  std::string unescaped() const;
};

/// A decimal number times `unit`, a power of ten, as an integer, rounded half away from zero, exact
/// where it has no exponent:
/// ("12.3456", 1000) -> 12346. Blanks around it and quotes are not part of a number. nullopt: no
/// number, or out of range.
std::optional<std::int64_t> scaled_decimal(std::string_view text, std::int64_t unit);

class JsonScan {
 public:
  explicit JsonScan(std::string_view text) : text_(text) {}

  /// The next character that is no blank, 0 at the end of the text.
  char peek();
  /// Takes '[' or '{' where it is next.
  bool open(char bracket);
  /// The next key of an object with its colon; nullopt at the '}', which is taken, at the end and
  /// where neither is.
  std::optional<std::string_view> key();
  /// A whole value; kNone where there is none or the text ends before it does.
  JsonValue value();

  void skip_commas();
  bool take(char c);
  std::string_view text() const { return text_; }
  std::size_t at() const { return at_; }
  bool at_end() { return peek() == 0; }
  /// Goes to the next line that begins with '{' (blanks and commas aside); false: there is none.
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
  bool argument = false;  ///< of the object "args" inside the event
};

/// What could not be read.
struct Damage {
  std::int64_t dropped = 0;  ///< events
  std::int64_t stray_commas = 0;
  bool cut_off = false;                 ///< the array does not end
  std::optional<std::size_t> first_at;  ///< byte of the first thing that was wrong

  bool any() const { return dropped > 0 || cut_off; }
};

/// The objects of an array, with the members of their object "args" beside their own.
class JsonEvents {
 public:
  /// `scan` stands at the '['.
  explicit JsonEvents(JsonScan& scan);

  /// Reads the next object; false at the end of the array. Elements that are no objects are passed
  /// over and counted as dropped.
  bool next();
  const std::vector<JsonField>& fields() const { return fields_; }
  /// The value of a key of the event itself; kind kNone where it has none.
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
