#include "base/json_at.h"

#include <algorithm>

#include "base/number.h"
#include "base/text.h"

namespace ridge {
namespace {

using nlohmann::json;

constexpr int kDeepestJson = 64;

bool deeper_than(int limit, std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') ++i;
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > limit) return true;
  }
  return false;
}

/// The first integer that fits into no 64 bits, as written; "" if there is none. The JSON library
/// would read it as a rounded number with a fraction.
std::string_view too_large_integer(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') {
      while (++at < text.size() && text[at] != '"') at += text[at] == '\\' ? 1 : 0;
      continue;
    }
    if (text[at] != '-' && kDigits.find(text[at]) == std::string_view::npos) continue;
    const std::size_t end = std::min(text.find_first_not_of("+-.eE0123456789", at), text.size());
    const std::string_view number = text.substr(at, end - at);
    at = end - 1;
    const std::string_view digits = number.substr(number[0] == '-' ? 1 : 0);
    if (digits.find_first_not_of(kDigits) == std::string_view::npos && !digits.empty() &&
        !whole_number<std::int64_t>(number) && !whole_number<std::uint64_t>(number))
      return number;
  }
  return "";
}

}  // namespace

json json_object(std::string_view text, std::string& why) {
  why.clear();
  if (deeper_than(kDeepestJson, text)) {
    why = "brackets are nested more than " + std::to_string(kDeepestJson) + " levels deep";
    return {};
  }
  if (const std::string_view number = too_large_integer(text); !number.empty()) {
    why = "the integer " + shorten(number, 40) + " does not fit into 64 bits";
    return {};
  }
  json document = json::parse(text, nullptr, false);
  if (!document.is_discarded() && document.is_object()) return document;
  why = "this is not a JSON object";
  return {};
}

std::optional<JsonAt> JsonAt::find(const char* key) const {
  if (!value_.is_object()) return fail("object"), std::nullopt;
  const auto it = value_.find(key);
  return it == value_.end() ? std::nullopt : std::optional(JsonAt(*it, *this, key, 0));
}

JsonAt JsonAt::operator[](const char* key) const {
  static const json kNothing;
  if (const auto found = find(key)) return *found;
  const JsonAt absent(kNothing, *this, key, 0);
  absent.fail("value");
  return absent;
}

std::string JsonAt::text() const {
  if (const auto* text = value_.get_ptr<const std::string*>()) return *text;
  return fail("text"), "";
}

bool JsonAt::truth() const {
  if (const auto* truth = value_.get_ptr<const bool*>()) return *truth;
  return fail("true or false"), false;
}

double JsonAt::number() const {
  if (value_.is_number()) return value_.get<double>();
  return fail("number"), 0.0;
}

std::int64_t JsonAt::integer() const {
  if (value_.is_number_unsigned() && value_.get<std::uint64_t>() > INT64_MAX)
    return fail("64-bit integer"), 0;
  if (value_.is_number_integer()) return value_.get<std::int64_t>();
  return fail("integer"), 0;
}

std::string JsonAt::dump() const {
  return value_.dump(-1, ' ', false, json::error_handler_t::replace);
}

void JsonAt::fail(std::string_view wanted) const {
  if (!failure_) failure_ = std::string(wanted) + " at " + path();
}

std::string JsonAt::path() const {
  if (parent_ == nullptr) return "";
  return parent_->path() + "/" + (key_ != nullptr ? std::string(key_) : std::to_string(index_));
}

}  // namespace ridge
