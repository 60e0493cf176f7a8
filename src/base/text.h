// Text that came from outside, made safe for one sink each. Model names are hostile: they may hold
// escape sequences, markup or formulas. JSON is escaped by the JSON library, HTML and CSV in their
// own writers by these functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ridge {

/// Control characters, characters that reorder the line (U+202E and its kind) and invalid UTF-8 as
/// \xNN per byte, so that a terminal shows and never obeys them. Newline included.
std::string printable(std::string_view text);

/// Valid UTF-8: every maximal invalid part becomes one U+FFFD (Unicode 15, section 3.9). For JSON.
std::string valid_utf8(std::string_view text);

/// `text` cut to `width` characters (code points), the last an ellipsis where something was cut.
/// Input must be valid UTF-8.
std::string shorten(std::string_view text, std::size_t width);

/// The same cut in the middle, for names: what tells one from another is more often at the end.
/// ("encoder/layer.1/attention/output", 20) -> "encoder/l\u2026ion/output".
std::string shorten_middle(std::string_view text, std::size_t width);

/// For HTML text and double-quoted attributes: & < > " ' escaped, control characters but tab and
/// newline dropped.
std::string html_escape(std::string_view text);

/// One CSV field: quoted where needed; a leading = + - @ or tab, which spreadsheets evaluate,
/// behind an apostrophe. Tabs, LF and CR LF stay, what else printable() escapes becomes \xNN.
std::string csv_field(std::string_view text);

/// 4089184256 -> "4.09 G"; three significant digits, SI prefixes from k up, a space before the
/// prefix; 0 -> "0", 0.25 -> "0.25".
std::string si(double value);
/// 1234567 -> "1.235 ms"; four significant digits; ns, µs, ms or s.
std::string duration(std::int64_t nanoseconds);
/// "?" where it is not known (NaN); what no integer holds is as long as the longest that does.
std::string duration(double nanoseconds);

/// "1 node", "2 nodes", "2 processes".
std::string counted(std::int64_t n, std::string_view singular);

}  // namespace ridge
