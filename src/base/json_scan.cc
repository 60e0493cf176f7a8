// SPDX-License-Identifier: Apache-2.0
#include "base/json_scan.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/checked.h"
#include "base/number.h"

namespace ridge {
namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xc0 | (code >> 6));
  } else if (code < 0x10000) {
    put(0xe0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3f));
  } else {
    put(0xf0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3f));
    put(0x80 | ((code >> 6) & 0x3f));
  }
  put(0x80 | (code & 0x3f));
}

/// Parses four hexadecimal digits; nullopt if there are fewer.
std::optional<std::uint32_t> hex4(std::string_view text) {
  std::uint32_t code = 0;
  if (text.size() < 4) return std::nullopt;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + 4, code, 16);
  if (failed != std::errc{} || end != text.data() + 4) return std::nullopt;
  return code;
}

/// Appends the character of the escape "uXXXX" at `at`, including surrogate pairs, and moves `at`
/// past it; false if the digits are invalid.
bool append_unicode(std::string_view text, std::size_t& at, std::string& out) {
  auto code = hex4(text.substr(std::min(at + 1, text.size())));
  if (!code) return false;
  at += 5;
  if (*code >= 0xd800 && *code < 0xdc00 && text.substr(at, 2) == "\\u") {
    const auto low = hex4(text.substr(at + 2));
    if (low && *low >= 0xdc00 && *low < 0xe000) {
      code = 0x10000 + ((*code - 0xd800) << 10) + (*low - 0xdc00);
      at += 6;
    }
  }
  append_utf8(out, *code >= 0xd800 && *code < 0xe000 ? 0xfffd : *code);
  return true;
}

char plain_escape(char c) {
  constexpr std::string_view kFrom = "\"\\/bfnrt", kTo = "\"\\/\b\f\n\r\t";
  const std::size_t found = kFrom.find(c);
  return found == std::string_view::npos ? '\0' : kTo[found];
}

std::optional<std::int64_t> from_double(std::string_view text, std::int64_t unit) {
  double number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  number *= static_cast<double>(unit);
  if (!(std::abs(number) < 9.2e18)) return std::nullopt;
  return std::llround(number);
}

}  // namespace

std::string JsonValue::unescaped() const {
  if (!escaped) return std::string(text);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '\\' || at + 1 == text.size()) {
      out += text[at++];
      continue;
    }
    const char c = text[at + 1];
    std::size_t behind = at + 1;
    if (c == 'u' && append_unicode(text, behind, out)) {
      at = behind;
    } else if (const char plain = plain_escape(c); plain != '\0') {
      out += plain;
      at += 2;
    } else {
      out += text[at++];
    }
  }
  return out;
}

std::optional<std::int64_t> scaled_decimal(std::string_view text, std::int64_t unit) {
  const bool negative = text.starts_with('-');
  std::string_view rest = text.substr(negative ? 1 : 0);
  std::size_t whole_end = 0;
  while (whole_end < rest.size() && is_digit(rest[whole_end])) ++whole_end;
  std::string_view fraction = rest.substr(whole_end);
  if (fraction.starts_with('.')) fraction.remove_prefix(1);
  const bool plain = std::all_of(fraction.begin(), fraction.end(), is_digit);
  if (whole_end == 0 || whole_end > 18 || !plain) return from_double(text, unit);
  std::int64_t whole = 0;
  for (const char c : rest.substr(0, whole_end)) whole = whole * 10 + (c - '0');
  std::int64_t part = 0, step = unit;
  for (const char c : fraction) {
    if (step == 1) {  // the first digit below the unit decides the rounding
      part += c >= '5' ? 1 : 0;
      break;
    }
    step /= 10;
    part += (c - '0') * step;
  }
  const auto units = checked_mul(whole, unit);
  const auto sum = units ? checked_add(*units, part) : units;
  if (!sum) return std::nullopt;
  return negative ? -*sum : *sum;
}

void JsonScan::skip_blanks() {
  while (at_ < text_.size() && blank(text_[at_])) ++at_;
}

char JsonScan::peek() {
  skip_blanks();
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool JsonScan::take(char c) {
  if (peek() != c || at_ >= text_.size()) return false;
  ++at_;
  return true;
}

bool JsonScan::open(char bracket) { return take(bracket); }

void JsonScan::skip_commas() {
  while (take(',')) {
  }
}

std::optional<std::string_view> JsonScan::key() {
  skip_commas();
  if (take('}')) return std::nullopt;
  JsonValue name;
  if (peek() != '"' || !string(name) || !take(':')) return std::nullopt;
  return name.text;
}

bool JsonScan::closes_string(std::size_t quote) const {
  std::size_t next = quote + 1;
  while (next < text_.size() && blank(text_[next])) ++next;
  return next == text_.size() || text_[next] == ',' || text_[next] == ':' || text_[next] == '}' ||
         text_[next] == ']';
}

bool JsonScan::string(JsonValue& out) {
  const std::size_t begin = ++at_;
  for (; at_ < text_.size(); ++at_) {
    if (text_[at_] == '\\') {
      out.escaped = true;
      ++at_;
    } else if (text_[at_] == '"' && closes_string(at_)) {
      out.kind = JsonValue::Kind::kString;
      out.text = text_.substr(begin, at_ - begin);
      ++at_;
      return true;
    }
  }
  at_ = text_.size();
  return false;
}

/// Moves past the bracket that closes the one at the current position; false if there is none.
bool JsonScan::composite() {
  std::size_t depth = 0;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '"') {
      JsonValue skipped;
      if (!string(skipped)) return false;
      continue;
    }
    ++at_;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return true;
  }
  return false;
}

JsonValue JsonScan::value() {
  JsonValue out;
  const char first = peek();
  const std::size_t begin = at_;
  if (first == '"') {
    string(out);
  } else if (first == '{' || first == '[') {
    if (!composite()) return out;
    out.kind = first == '{' ? JsonValue::Kind::kObject : JsonValue::Kind::kArray;
    out.text = text_.substr(begin, at_ - begin);
  } else {
    while (at_ < text_.size() && !blank(text_[at_]) && text_[at_] != ',' && text_[at_] != '}' &&
           text_[at_] != ']' && text_[at_] != ':' && text_[at_] != '"')
      ++at_;
    out.text = text_.substr(begin, at_ - begin);
    if (out.text.empty()) return out;
    out.kind = is_digit(first) || first == '-' ? JsonValue::Kind::kNumber : JsonValue::Kind::kWord;
  }
  return out;
}

bool JsonScan::next_line_of_object() {
  while (at_ < text_.size()) {
    const std::size_t line = text_.find('\n', at_);
    if (line == std::string_view::npos) break;
    at_ = line + 1;
    skip_commas();
    if (peek() == '{') return true;
  }
  at_ = text_.size();
  return false;
}

JsonEvents::JsonEvents(JsonScan& scan) : scan_(scan) { ended_ = !scan_.open('['); }

JsonValue JsonEvents::find(std::string_view key) const {
  for (const JsonField& field : fields_)
    if (!field.argument && field.key == key) return field.value;
  return {};
}

bool JsonEvents::next() {
  for (; !ended_; started_ = true) {
    std::int64_t commas = 0;
    while (scan_.take(',')) ++commas;
    const std::int64_t due = started_ && scan_.peek() != ']' ? 1 : 0;
    damage_.stray_commas += std::max<std::int64_t>(0, commas - due);
    const std::size_t begin = scan_.at();
    if (scan_.take(']')) break;
    if (scan_.at_end()) {
      damage_.cut_off = true;
      if (!damage_.first_at) damage_.first_at = begin;
      break;
    }
    if (scan_.peek() == '{') {
      fields_.clear();
      scan_.open('{');
      if (read_object(false)) return started_ = true;
    } else if (scan_.value().kind != JsonValue::Kind::kNone) {
      ++damage_.dropped;
      if (!damage_.first_at) damage_.first_at = begin;
      continue;
    }
    if (!damage_.first_at) damage_.first_at = begin;
    if (!recover()) break;
  }
  ended_ = true;
  return false;
}

/// Reads the members of an object whose '{' has been consumed, up to and including its '}'.
bool JsonEvents::read_object(bool arguments) {
  for (;;) {
    scan_.skip_commas();
    if (scan_.take('}')) return true;
    const auto key = scan_.key();
    if (!key) return false;
    if (!arguments && *key == "args" && scan_.peek() == '{') {
      scan_.open('{');
      if (!read_object(true)) return false;
      continue;
    }
    const JsonValue value = scan_.value();
    if (value.kind == JsonValue::Kind::kNone) return false;
    fields_.push_back({*key, value, arguments});
    const char behind = scan_.peek();
    if (behind != ',' && behind != '}') return false;
  }
}

bool JsonEvents::recover() {
  if (scan_.at_end()) {
    damage_.cut_off = true;
    return false;
  }
  ++damage_.dropped;
  if (scan_.next_line_of_object()) return true;
  damage_.cut_off = true;
  return false;
}

}  // namespace ridge
