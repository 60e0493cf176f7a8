// SPDX-License-Identifier: Apache-2.0
// Keys and texts as files of TOML hold them, within the limits of toml.h.
//
//   toml_key("threads")          // threads
//   toml_key("seq.len")          // "seq.len", in quotes
//   toml_quoted("a \"b\"")       // "a \"b\"", quotes and backslashes escaped
//
// Invalid UTF-8 becomes U+FFFD. Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace ridge {

/// A key of one line: as it stands where TOML allows that, else in quotes.
std::string toml_key(std::string_view name);

/// Text in quotes. Long text is a multi-line string, in pieces that stay below the longest line
/// that the reader takes.
std::string toml_quoted(std::string_view value);

}  // namespace ridge
