// SPDX-License-Identifier: Apache-2.0
#include "manifest/code_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/number.h"
#include "base/text.h"

namespace ridge::manifest {
namespace {

bool is_identifier(char c) {
  return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool opens(char c) { return c == '(' || c == '[' || c == '{'; }
bool closes(char c) { return c == ')' || c == ']' || c == '}'; }

/// Reader of code, one logical line after another.
class CodeLines {
 public:
  enum class Braces : std::uint8_t { kPlain, kHoles };

  CodeLines(std::string_view code, Place place, Braces braces)
      : code_(code), line_(place.line), column_(place.column), braces_(braces) {}

  Result<std::vector<CodeLine>> all() {
    std::vector<CodeLine> out;
    while (at_ < code_.size()) {
      CodeLine line;
      line.indent = indent();
      line.place = {line_, line.indent + std::max(column_, 1U)};
      TRY(take(line));
      if (!line.text.empty()) out.push_back(std::move(line));
    }
    return out;
  }

 private:
  std::uint32_t indent() {
    std::uint32_t columns = 0;
    for (; at_ < code_.size() && (code_[at_] == ' ' || code_[at_] == '\t'); ++at_) ++columns;
    return columns;
  }

  /// True for characters of which two need a blank between them. A hole stands for a word.
  bool is_part(char c) const {
    return is_identifier(c) || (braces_ == Braces::kHoles && (c == '{' || c == '}'));
  }

  void append(std::string& text, char c) {
    // Example: "x = f(a,\n  b,)" becomes "x=f(a,b)"; "not x" keeps its blank, since "notx" is
    // another word. A comma before a closing bracket means nothing.
    const bool apart = blank_ && !text.empty() && is_part(text.back()) && is_part(c);
    if (closes(c) && text.ends_with(',')) text.pop_back();
    if (apart) text += ' ';
    blank_ = false;
    text += c;
  }

  Result<void> take_string(CodeLine& line) {
    const char quote = code_[at_++];
    append(line.text, '"');
    for (; at_ < code_.size() && code_[at_] != quote && code_[at_] != '\n'; ++at_) {
      if (code_[at_] == '\\' && at_ + 1 < code_.size()) line.text += code_[at_++];
      line.text += code_[at_];
    }
    if (at_ >= code_.size() || code_[at_] == '\n')
      return input_error("RIDGE-MAN-0041", "a string of the code does not end")
          .in(line.place.text());
    ++at_;
    line.text += '"';
    return {};
  }

  Result<void> take(CodeLine& line) {
    int depth = 0;
    blank_ = false;
    for (; at_ < code_.size(); ++at_) {
      const char c = code_[at_];
      if (c == '\n') ++line_;
      // As in Python, a line ends at a '\n' only outside of brackets.
      if (c == '\n' && depth <= 0) {
        ++at_;
        return {};
      }
      if (is_blank(c)) {
        blank_ = true;
      } else if (c == '#') {
        while (at_ + 1 < code_.size() && code_[at_ + 1] != '\n') ++at_;
      } else if (c == '"' || c == '\'') {
        TRY(take_string(line));
        --at_;
      } else {
        depth += opens(c) ? 1 : closes(c) ? -1 : 0;
        append(line.text, c);
      }
    }
    if (depth > 0)
      return input_error("RIDGE-MAN-0042", "a bracket of the code is never closed")
          .in(line.place.text());
    return {};
  }

  std::string_view code_;
  std::size_t at_ = 0;
  std::uint32_t line_, column_;
  Braces braces_;
  bool blank_ = false;  ///< blanks precede the next character
};

/// Consumes a decimal literal: `-`, digits, a point, an exponent.
std::optional<double> take_literal(std::string_view& text) {
  std::size_t end = text.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    while (end < text.size() && is_digit(text[end])) ++end;
  };
  digits();
  if (end < text.size() && text[end] == '.') ++end;
  digits();
  if (end < text.size() && text[end] == 'e') {
    std::size_t exponent = end + 1;
    if (exponent < text.size() && (text[exponent] == '-' || text[exponent] == '+')) ++exponent;
    if (exponent < text.size() && is_digit(text[exponent])) {
      end = exponent;
      digits();
    }
  }
  const auto value = finite_number(text.substr(0, end));
  if (value) text.remove_prefix(end);
  return value;
}

/// Consumes a literal or a quotient of two; doubles are divided, as in Python.
std::optional<double> take_number(std::string_view& text) {
  const auto value = take_literal(text);
  if (!value || !text.starts_with('/')) return value;
  std::string_view rest = text.substr(1);
  const auto divisor = take_literal(rest);
  if (!divisor || *divisor == 0 || !std::isfinite(*value / *divisor)) return std::nullopt;
  text = rest;
  return *value / *divisor;
}

std::string shown_number(double value) {
  return std::abs(value) < 1e15 && value == std::floor(value) ? fmt::format("{:.0f}", value)
                                                              : fmt::format("{}", value);
}

/// Consumes the text of one hole: `name`, `name*` or `name:`.
std::optional<std::string> take_hole(std::string_view hole, std::string_view& text) {
  if (hole.ends_with(':')) {
    std::size_t end = 0;
    while (end < text.size() && is_identifier(text[end])) ++end;
    if (end == 0 || is_digit(text[0])) return std::nullopt;
    std::string word(text.substr(0, end));
    text.remove_prefix(end);
    return word;
  }
  std::string out;
  do {
    if (!out.empty()) text.remove_prefix(1);
    const auto value = take_number(text);
    if (!value) return std::nullopt;
    out += (out.empty() ? "" : ", ") + shown_number(*value);
  } while (hole.ends_with('*') && text.starts_with(','));
  return out;
}

}  // namespace

Result<std::vector<CodeLine>> code_lines(std::string_view code, Place place) {
  if (code.size() > kMaxCodeBytes)
    return input_error("RIDGE-MAN-0040", fmt::format("the code has {} bytes, the limit is {}",
                                                     code.size(), kMaxCodeBytes))
        .in(place.text());
  return CodeLines(code, place, CodeLines::Braces::kPlain).all();
}

std::string canonical(std::string_view line) {
  const auto lines = CodeLines(line, {}, CodeLines::Braces::kHoles).all();
  return lines.ok() && lines->size() == 1 ? (*lines)[0].text : std::string(line);
}

std::string_view CodeMatch::operator[](std::string_view hole) const {
  for (const Hole& h : all_)
    if (h.name == hole) return h.value;
  return {};
}

bool matches(std::string_view pattern, std::string_view line, CodeMatch& found) {
  const std::string form = canonical(pattern);
  std::string_view rest = form;
  found.clear();
  while (!rest.empty()) {
    if (rest[0] != '{') {
      if (!line.starts_with(rest[0])) return false;
      rest.remove_prefix(1);
      line.remove_prefix(1);
      continue;
    }
    const std::size_t end = rest.find('}');
    const std::string_view hole = rest.substr(1, end - 1);
    auto value = take_hole(hole, line);
    if (!value) return false;
    const bool marked = hole.ends_with('*') || hole.ends_with(':');
    found.add(std::string(hole.substr(0, hole.size() - (marked ? 1 : 0))), std::move(*value));
    rest.remove_prefix(end + 1);
  }
  return line.empty();
}

}  // namespace ridge::manifest
