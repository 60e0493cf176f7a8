// SPDX-License-Identifier: Apache-2.0
// Escaping of untrusted text, one function per output format. Model names are hostile: they may
// contain escape sequences, markup or formulas. The JSON writer escapes JSON; the HTML and CSV
// writers use the functions below.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ridge {

/// Replaces control characters (newline included), characters that reorder the line (U+202E and
/// similar) and invalid UTF-8 by \xNN per byte, so that a terminal displays them and does not
/// interpret them.
std::string printable(std::string_view text);

/// Replaces each maximal invalid part by one U+FFFD (Unicode 15, section 3.9). For JSON.
std::string valid_utf8(std::string_view text);

/// Cuts `text` to `width` characters (code points), the last an ellipsis if anything was cut. Input
/// must be valid UTF-8.
std::string shorten(std::string_view text, std::size_t width);

/// Cuts the middle instead of the end, for names, which more often differ at the end:
/// ("encoder/layer.1/attention/output", 20) -> "encoder/l\u2026ion/output".
std::string shorten_middle(std::string_view text, std::size_t width);

/// Escapes & < > " ' for HTML text and double-quoted attributes; drops control characters other
/// than tab and newline; invalid UTF-8 becomes U+FFFD.
std::string html_escape(std::string_view text);

/// Formats one CSV field: quoted where needed; an apostrophe before a leading = + - @ or tab, which
/// spreadsheets evaluate. Keeps tabs, LF and CR LF; other characters that printable() escapes
/// become \xNN.
std::string csv_field(std::string_view text);

/// Formats with three significant digits and an SI prefix from k up, a space before the prefix:
/// 4089184256 -> "4.09 G"; 0 -> "0", 0.25 -> "0.25".
std::string si(double value);
/// Formats with four significant digits in ns, µs, ms or s: 1234567 -> "1.235 ms".
std::string duration(std::int64_t nanoseconds);
/// Variant for doubles: "?" for NaN; values beyond ±9e18 ns are clamped to that.
std::string duration(double nanoseconds);

/// Number and noun in agreement: "1 node", "2 nodes", "2 processes".
std::string counted(std::int64_t n, std::string_view singular);

}  // namespace ridge
