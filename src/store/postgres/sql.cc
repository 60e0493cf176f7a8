// SPDX-License-Identifier: Apache-2.0
#include "store/postgres/sql.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "base/text.h"

namespace ridge::store::postgres {
namespace {

struct Phrase {
  std::string_view sqlite, postgres;
};

/// A phrase stands before those that it contains.
constexpr Phrase kPhrases[] = {
    {"INTEGER PRIMARY KEY AUTOINCREMENT", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"},
    {"INTEGER PRIMARY KEY", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"},
    {"INTEGER", "BIGINT"},
    {" REAL", " DOUBLE PRECISION"},
    {" WITHOUT ROWID", ""},
    {"instr(", "strpos("},
    {"strftime('%Y-%m-%dT%H:%M:%SZ', ", "to_char(to_timestamp("},
    {", 'unixepoch')", ") AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"},
};

/// A planner's hint of SQLite, followed by the name of an index.
constexpr std::string_view kIndexedBy = " INDEXED BY ";

/// An index over texts of any length, which PostgreSQL does not have: an entry of more than a third
/// of a page is refused.
constexpr std::string_view kWideIndex = "CREATE INDEX wide_";

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

constexpr std::string_view kEncoded =
    "\x01"
    "bytes:";

bool fits(std::string_view text) {
  return text.find('\0') == std::string_view::npos && !text.starts_with(kEncoded) &&
         valid_utf8(text) == text;
}

/// The byte that two hexadecimal digits are.
std::optional<char> byte_of(std::string_view digits) {
  unsigned char value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, value, 16);
  if (digits.size() != 2 || error != std::errc() || stopped != end) return std::nullopt;
  return static_cast<char>(value);
}

}  // namespace

std::string for_postgres(std::string_view sql) {
  std::string out;
  while (!sql.empty()) {
    const auto* phrase =
        std::ranges::find_if(kPhrases, [&](const Phrase& p) { return sql.starts_with(p.sqlite); });
    if (phrase != std::end(kPhrases)) {
      out += phrase->postgres;
      sql.remove_prefix(phrase->sqlite.size());
    } else if (sql.starts_with(kIndexedBy)) {
      sql.remove_prefix(kIndexedBy.size());
      sql = {std::ranges::find_if_not(sql, is_of_name), sql.end()};
    } else if (sql.starts_with(kWideIndex)) {
      sql.remove_prefix(std::min(sql.find(';'), sql.size()));
    } else {
      out += sql.front();
      sql.remove_prefix(1);
    }
  }
  return out;
}

std::string with_numbers(std::string_view sql) {
  std::string out;
  int number = 0;
  for (const char c : sql) out += c == '?' ? fmt::format("${}", ++number) : std::string(1, c);
  return out;
}

std::string stored_text(std::string_view text) {
  if (fits(text)) return std::string(text);
  std::string out(kEncoded);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out +=
        byte == 0 || byte == '%' || byte > 0x7e ? fmt::format("%{:02X}", byte) : std::string(1, c);
  }
  return out;
}

std::string text_of_stored(std::string_view stored) {
  if (!stored.starts_with(kEncoded)) return std::string(stored);
  stored.remove_prefix(kEncoded.size());
  std::string out;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    const auto byte = stored[i] == '%' ? byte_of(stored.substr(i + 1, 2)) : std::nullopt;
    out += byte.value_or(stored[i]);
    if (byte) i += 2;
  }
  return out;
}

}  // namespace ridge::store::postgres
