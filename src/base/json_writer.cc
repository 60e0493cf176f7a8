// SPDX-License-Identifier: Apache-2.0
#include "base/json_writer.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstring>

#include "base/disguise.h"
#include "base/text.h"

namespace ridge {
namespace {

/// Bytes that need no escape in a string: printable ASCII except quote and backslash.
constexpr std::array<bool, 256> make_plain() {
  std::array<bool, 256> plain{};
  for (std::size_t c = 0x20; c < 0x7f; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}
constexpr std::array<bool, 256> kPlain = make_plain();

bool plain(char c) { return kPlain[static_cast<unsigned char>(c)]; }

bool ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

/// Returns the escape sequence of a quote, a backslash or a control character.
std::string_view escaped(char c, std::array<char, 6>& out) {
  constexpr std::string_view kHex = "0123456789abcdef";
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    default:
      break;
  }
  const auto code = static_cast<unsigned char>(c);
  out = {'\\', 'u', '0', '0', kHex[code >> 4], kHex[code & 15]};
  return {out.data(), out.size()};
}

char* put(char* at, std::string_view text) {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

template <std::size_t n>
void put_bytes(char* at, const char* from) {
  std::memcpy(at, from, n);
}

/// As put(), without a call: for keys, most of which have up to 16 bytes.
char* put_short(char* at, std::string_view text) {
  const std::size_t n = text.size();
  const char* from = text.data();
  if (n >= 8) {
    for (std::size_t i = 0; i + 8 < n; i += 8) put_bytes<8>(at + i, from + i);
    put_bytes<8>(at + n - 8, from + n - 8);
  } else if (n >= 4) {
    put_bytes<4>(at, from);
    put_bytes<4>(at + n - 4, from + n - 4);
  } else {
    for (std::size_t i = 0; i < n; ++i) at[i] = from[i];
  }
  return at + n;
}

constexpr std::uint64_t eight(std::uint64_t byte) { return byte * 0x0101'0101'0101'0101ULL; }

/// Not 0 if a byte is `byte`.
std::uint64_t holds(std::uint64_t word, std::uint64_t byte) {
  const std::uint64_t zero = word ^ eight(byte);
  return (zero - eight(1)) & ~zero & eight(0x80);
}

/// Length of the longest prefix, in whole words of 8 bytes, whose bytes are all plain.
std::size_t plain_words(std::string_view text) {
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof word);
    const std::uint64_t control = (word - eight(0x20)) & ~word;
    if ((((control | word) & eight(0x80)) | holds(word, '"') | holds(word, '\\') |
         holds(word, 0x7f)) != 0)
      break;
  }
  return at;
}

}  // namespace

JsonWriter::JsonWriter(Sink& sink)
    : sink_(sink),
      buffer_(new char[kCapacity]),
      at_(buffer_.get()),
      full_(buffer_.get() + kCapacity - kShort) {}

inline char* JsonWriter::room() {
  if (at_ > full_) flush();
  return at_;
}

inline char* JsonWriter::separated() {
  char* at = room();
  if (comma_) *at++ = ',';
  if (line_) *at++ = '\n';
  line_ = false;
  return at;
}

/// Appends text of any length.
void JsonWriter::append(std::string_view text) {
  const auto left = static_cast<std::size_t>(buffer_.get() + kCapacity - at_);
  if (text.size() > left) {
    flush();
    if (text.size() > kCapacity) return sink_.write(text);
  }
  at_ = put(at_, text);
}

void JsonWriter::quote(std::string_view text) {
  if (text.size() < kShort - 8) {
    // Most texts are short and plain: there is room for them and a separator.
    std::size_t n = plain_words(text);
    while (n < text.size() && plain(text[n])) ++n;
    if (n == text.size()) {
      char* at = room();
      *at++ = '"';
      at = put_short(at, text);
      *at++ = '"';
      at_ = at;
      return;
    }
  }
  append("\"");
  std::array<char, 6> escape;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && plain(text[end])) ++end;
    append(text.substr(at, end - at));
    at = end;
    if (at == text.size()) break;
    if (ascii(text[at])) {
      append(escaped(text[at++], escape));
      continue;
    }
    while (end < text.size() && !ascii(text[end])) ++end;
    append(without_disguises(valid_utf8(text.substr(at, end - at))));
    at = end;
  }
  append("\"");
}

inline void JsonWriter::done() {
  comma_ = true;
  if (depth_ == 0) flush();
}

JsonWriter& JsonWriter::open(char bracket) {
  char* at = separated();
  *at++ = bracket;
  at_ = at;
  ++depth_;
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  assert(depth_ > 0);
  --depth_;
  comma_ = false;
  char* at = separated();
  *at++ = bracket;
  at_ = at;
  done();
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view trusted) {
  assert(trusted.size() < kShort - 8);
  char* at = separated();
  *at++ = '"';
  at = put_short(at, trusted);
  *at++ = '"';
  *at++ = ':';
  at_ = at;
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::name(std::string_view text) {
  at_ = separated();
  quote(text);
  append(":");
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  at_ = separated();
  quote(text);
  done();
  return *this;
}

template <typename Number>
JsonWriter& JsonWriter::digits(Number number) {
  char* at = separated();
  at_ = std::to_chars(at, buffer_.get() + kCapacity, number).ptr;
  done();
  return *this;
}

JsonWriter& JsonWriter::value(std::int64_t number) { return digits(number); }

JsonWriter& JsonWriter::value(double number) {
  return std::isfinite(number) ? digits(number) : null();
}

JsonWriter& JsonWriter::literal(std::string_view text) {
  at_ = put(separated(), text);
  done();
  return *this;
}

JsonWriter& JsonWriter::value(bool truth) { return literal(truth ? "true" : "false"); }

JsonWriter& JsonWriter::null() { return literal("null"); }

JsonWriter& JsonWriter::raw(std::string_view json) {
  at_ = separated();
  // Outside strings JSON is ASCII.
  append(std::ranges::all_of(json, ascii) ? json : without_disguises(valid_utf8(json)));
  done();
  return *this;
}

JsonWriter& JsonWriter::line() {
  line_ = true;
  return *this;
}

void JsonWriter::flush() {
  if (at_ != buffer_.get())
    sink_.write({buffer_.get(), static_cast<std::size_t>(at_ - buffer_.get())});
  at_ = buffer_.get();
}

}  // namespace ridge
