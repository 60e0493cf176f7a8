#include "manifest/step_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/number.h"
#include "base/text.h"

namespace ridge::manifest {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Elements of a list of at least two numbers, joined by `separator`; nullopt if it is none.
std::optional<std::string> numbers_joined(std::string_view list, std::string_view from,
                                          std::string_view separator) {
  std::string out;
  std::size_t count = 0;
  while (true) {
    const std::size_t end = std::min(list.find(from), list.size());
    const std::string_view element = list.substr(0, end);
    if (!finite_number(element)) return std::nullopt;
    if (count++ > 0) out += separator;
    out += element;
    if (end == list.size()) break;
    list.remove_prefix(end + from.size());
  }
  return count > 1 ? std::optional(out) : std::nullopt;
}

bool needs_quotes(std::string_view value) {
  return value.empty() || numbers_joined(value, ",", ", ") ||
         std::any_of(value.begin(), value.end(), [](char c) {
           return static_cast<unsigned char>(c) <= ' ' || c == '"' || c == '\\';
         });
}

std::string quoted(std::string_view value) {
  std::string out = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

/// Consumes a quoted value after its opening quote; nullopt without a closing one.
std::optional<std::string> take_quoted(std::string_view& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      text.remove_prefix(i + 1);
      return out;
    }
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    out += text[i];
  }
  return std::nullopt;
}

std::string take_word(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && is_word(text[end])) ++end;
  std::string out(text.substr(0, end));
  text.remove_prefix(end);
  return out;
}

std::optional<std::string> take_value(std::string_view& text) {
  if (text.starts_with('"')) {
    text.remove_prefix(1);
    return take_quoted(text);
  }
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view value = text.substr(0, end);
  text.remove_prefix(end);
  if (value.empty() || value.find('"') != std::string_view::npos) return std::nullopt;
  return numbers_joined(value, ",", ", ").value_or(std::string(value));
}

}  // namespace

std::string step_text(const StepSpec& step) {
  std::string out = step.name;
  for (const StepParameter& p : step.parameters) {
    const auto list = numbers_joined(p.value, ", ", ",");
    out += fmt::format(" {}={}", p.name,
                       list                    ? *list
                       : needs_quotes(p.value) ? quoted(p.value)
                                               : p.value);
  }
  return out;
}

Result<StepSpec> parse_step(std::string_view text) {
  const std::string shown = shorten(valid_utf8(printable(text)), 60);
  const auto invalid = [&] {
    return input_error("RIDGE-MAN-0028", fmt::format("invalid step '{}'", shown))
        .hint("for example: resize short=256 method=pillow_bilinear");
  };
  StepSpec out;
  out.name = take_word(text);
  if (out.name.empty()) return invalid();
  while (!text.empty()) {
    if (!text.starts_with(' ')) return invalid();
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty()) break;
    std::string name = take_word(text);
    if (name.empty() || !text.starts_with('=')) return invalid();
    text.remove_prefix(1);
    auto value = take_value(text);
    if (!value) return invalid();
    out.parameters.push_back({std::move(name), std::move(*value)});
  }
  return out;
}

}  // namespace ridge::manifest
