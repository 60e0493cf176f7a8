// SPDX-License-Identifier: Apache-2.0
#include "record/json_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/character.h"
#include "base/json_scan.h"
#include "base/lines.h"
#include "base/number.h"

namespace ridge::record {
namespace {

/// Bytes of a text that need no look: printable ASCII except quote and backslash.
constexpr std::array<bool, 256> make_plain() {
  std::array<bool, 256> plain{};
  for (std::size_t c = 0x20; c < 0x80; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}
constexpr std::array<bool, 256> kPlain = make_plain();

int hex(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// The four digits of "\uXXXX", or -1.
int unit(std::string_view text, std::size_t at) {
  if (at + 4 > text.size()) return -1;
  int out = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    const int value = hex(text[i]);
    if (value < 0) return -1;
    out = out * 16 + value;
  }
  return out;
}

bool high(int unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool low(int unit) { return unit >= 0xDC00 && unit < 0xE000; }

Error too_much(std::string what) { return input_error("RIDGE-REC-0001", std::move(what)); }

}  // namespace

/// Parses with a stack of its own: open brackets, by node.
class JsonParser {
 public:
  JsonParser(std::string_view text, const Limits& limits) : text_(text), limits_(limits) {}

  Result<JsonTree> parse() {
    if (text_.size() > std::min<std::size_t>(limits_.bytes, UINT32_MAX - 1))
      return too_much(
          fmt::format("the document has {} bytes, the limit is {}", text_.size(), limits_.bytes));
    at_ = text_.size() - without_mark(text_).size();
    // A value is due; behind it the brackets decide what is next.
    do {
      TRY(value());
      TRY(close());
    } while (!open_.empty());
    blanks();
    if (at_ != text_.size()) return fault("end of the text");
    tree_.text_ = text_;
    return std::move(tree_);
  }

 private:
  std::vector<JsonNode>& nodes() { return tree_.nodes_; }
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void blanks() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }
  bool take(char c) {
    blanks();
    if (next() != c || at_ == text_.size()) return false;
    ++at_;
    return true;
  }

  Error fault(std::string_view wanted) const {
    const std::string_view before = text_.substr(0, at_);
    const auto line = 1 + std::ranges::count(before, '\n');
    const std::size_t start =
        before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    return too_much("invalid JSON")
        .evidence(fmt::format("expected {}", wanted))
        .in(fmt::format("line {}, column {}", line, at_ - start + 1));
  }

  Result<std::uint32_t> add(JsonNode::Kind kind) {
    if (nodes().size() >= limits_.nodes)
      return too_much(fmt::format("the document has more than {} values", limits_.nodes));
    nodes().push_back({.kind = kind, .at = static_cast<std::uint32_t>(at_)});
    return static_cast<std::uint32_t>(nodes().size() - 1);
  }
  void finish(std::uint32_t node) {
    nodes()[node].size = static_cast<std::uint32_t>(at_) - nodes()[node].at;
    nodes()[node].end = static_cast<std::uint32_t>(nodes().size());
  }

  /// Takes a value, or the brackets and keys up to the first value in it.
  Result<void> value() {
    using Kind = JsonNode::Kind;
    for (;;) {
      blanks();
      const char c = next();
      if (c == '"') return text();
      if (c == '-' || is_digit(c)) return number();
      if (c == 't') return literal("true", Kind::kTruth);
      if (c == 'f') return literal("false", Kind::kTruth);
      if (c == 'n') return literal("null", Kind::kNull);
      if (c != '[' && c != '{') return fault("a value");
      if (open_.size() >= limits_.depth)
        return too_much(fmt::format("brackets are nested more than {} levels deep", limits_.depth));
      open_.push_back(TRY(add(c == '[' ? Kind::kList : Kind::kObject)));
      ++at_;
      blanks();
      if (next() == (c == '[' ? ']' : '}')) return {};
      if (c == '{') TRY(key());
    }
  }

  /// Takes the brackets that end here, up to where the next value is due.
  Result<void> close() {
    while (!open_.empty()) {
      const std::uint32_t node = open_.back();
      const bool list = nodes()[node].kind == JsonNode::Kind::kList;
      if (take(list ? ']' : '}')) {
        finish(node);
        open_.pop_back();
        continue;
      }
      if (!take(',')) return fault(list ? "',' or ']'" : "',' or '}'");
      if (!list) TRY(key());
      return {};
    }
    return {};
  }

  Result<void> key() {
    blanks();
    if (next() != '"') return fault("a key");
    TRY(text());
    return take(':') ? Result<void>() : fault("':'");
  }

  Result<void> literal(std::string_view word, JsonNode::Kind kind) {
    if (text_.substr(at_, word.size()) != word) return fault("a value");
    const std::uint32_t node = TRY(add(kind));
    at_ += word.size();
    finish(node);
    return {};
  }

  bool digits() {
    const std::size_t start = at_;
    while (is_digit(next())) ++at_;
    return at_ > start;
  }

  Result<void> number() {
    const std::uint32_t node = TRY(add(JsonNode::Kind::kInteger));
    if (next() == '-') ++at_;
    if (next() == '0')
      ++at_;
    else if (!digits())
      return fault("a digit");
    if (next() == '.') {
      nodes()[node].kind = JsonNode::Kind::kReal;
      ++at_;
      if (!digits()) return fault("a digit");
    }
    if (next() == 'e' || next() == 'E') {
      nodes()[node].kind = JsonNode::Kind::kReal;
      ++at_;
      if (next() == '+' || next() == '-') ++at_;
      if (!digits()) return fault("a digit");
    }
    finish(node);
    return {};
  }

  Result<void> text() {
    ++at_;
    const std::uint32_t node = TRY(add(JsonNode::Kind::kText));
    for (;;) {
      while (at_ < text_.size() && kPlain[static_cast<unsigned char>(text_[at_])]) ++at_;
      if (at_ == text_.size()) return fault("'\"'");
      const char c = text_[at_];
      if (c == '"') break;
      if (c == '\\') {
        nodes()[node].escaped = true;
        TRY(escape());
        continue;
      }
      const Character character = first_character(text_.substr(at_));
      if (!character.valid || character.code < 0x20) return fault("a character of UTF-8");
      at_ += character.length;
    }
    finish(node);
    ++at_;
    if (nodes()[node].size > limits_.text)
      return too_much(
          fmt::format("a text has {} bytes, the limit is {}", nodes()[node].size, limits_.text));
    return {};
  }

  Result<void> escape() {
    ++at_;
    if (next() != 'u') {
      if (at_ == text_.size() ||
          std::string_view("\"\\/bfnrt").find(next()) == std::string_view::npos)
        return fault("an escape sequence");
      ++at_;
      return {};
    }
    const int first = unit(text_, at_ + 1);
    const bool pair = high(first) && text_.substr(at_ + 5, 2) == "\\u";
    if (first < 0 || low(first) || (high(first) && !(pair && low(unit(text_, at_ + 7)))))
      return fault("four hexadecimal digits of a character");
    at_ += pair ? 11 : 5;
    return {};
  }

  std::string_view text_;
  const Limits& limits_;
  std::size_t at_ = 0;
  std::vector<std::uint32_t> open_;
  JsonTree tree_;
};

Result<JsonTree> JsonTree::parse(std::string_view text, const Limits& limits) {
  return JsonParser(text, limits).parse();
}

std::string JsonTree::text(std::uint32_t node) const {
  return JsonValue{JsonValue::Kind::kString, nodes_[node].escaped, raw(node)}.unescaped();
}

std::optional<std::uint32_t> JsonTree::member(std::uint32_t object, std::string_view key) const {
  if (nodes_[object].kind != JsonNode::Kind::kObject) return std::nullopt;
  for (std::uint32_t at = object + 1; at < nodes_[object].end; at = nodes_[at + 1].end)
    if (is(at, key)) return at + 1;
  return std::nullopt;
}

std::string_view name(JsonNode::Kind kind) {
  constexpr std::string_view kNames[] = {"null", "true or false", "integer", "number",
                                         "text", "list",          "object"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace ridge::record
