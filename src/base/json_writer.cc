#include "base/json_writer.h"

#include <array>
#include <cassert>
#include <charconv>
#include <cmath>

#include "base/text.h"

namespace ridge {
namespace {

/// Bytes that stand for themselves between quotes: printable ASCII but " and backslash.
constexpr std::array<bool, 256> make_plain() {
  std::array<bool, 256> plain{};
  for (std::size_t c = 0x20; c < 0x7f; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}
constexpr std::array<bool, 256> kPlain = make_plain();

bool plain(char c) { return kPlain[static_cast<unsigned char>(c)]; }

bool ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

void append_control(std::string& out, char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\r':
      out += "\\r";
      return;
    default:
      break;
  }
  const auto code = static_cast<unsigned char>(c);
  out += "\\u00";
  out += kHex[code >> 4];
  out += kHex[code & 15];
}

}  // namespace

void JsonWriter::quote(std::string_view text) {
  buffer_ += '"';
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && plain(text[end])) ++end;
    buffer_ += text.substr(at, end - at);
    at = end;
    if (at == text.size()) break;
    if (ascii(text[at])) {
      append_control(buffer_, text[at++]);
      continue;
    }
    while (end < text.size() && !ascii(text[end])) ++end;
    buffer_ += valid_utf8(text.substr(at, end - at));
    at = end;
  }
  buffer_ += '"';
}

void JsonWriter::separate() {
  if (comma_) buffer_ += ',';
  if (line_) buffer_ += '\n';
  line_ = false;
}

void JsonWriter::done() {
  comma_ = true;
  if (depth_ == 0 || buffer_.size() >= kFlushAt) flush();
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  buffer_ += bracket;
  ++depth_;
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  assert(depth_ > 0);
  --depth_;
  if (line_) buffer_ += '\n';
  line_ = false;
  buffer_ += bracket;
  done();
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view trusted) {
  separate();
  buffer_ += '"';
  buffer_ += trusted;
  buffer_ += "\":";
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::name(std::string_view text) {
  separate();
  quote(text);
  buffer_ += ':';
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  separate();
  quote(text);
  done();
  return *this;
}

JsonWriter& JsonWriter::value(std::int64_t number) {
  separate();
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  buffer_.append(digits.data(), end);
  done();
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  separate();
  std::array<char, 40> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  buffer_.append(digits.data(), end);
  done();
  return *this;
}

JsonWriter& JsonWriter::value(bool truth) {
  separate();
  buffer_ += truth ? "true" : "false";
  done();
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  separate();
  buffer_ += json;
  done();
  return *this;
}

JsonWriter& JsonWriter::null() {
  separate();
  buffer_ += "null";
  done();
  return *this;
}

JsonWriter& JsonWriter::line() {
  line_ = true;
  return *this;
}

void JsonWriter::flush() {
  if (!buffer_.empty()) sink_.write(buffer_);
  buffer_.clear();
}

}  // namespace ridge
