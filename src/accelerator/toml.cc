#include "accelerator/toml.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

// Header-only, and without what is not used: nobody else pays for compiling it.
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 8
#include <toml++/toml.h>

namespace ridge::accelerator {
namespace {

/// A dotted key nests a table per dot and stands on one line, so this bounds the depth of what the
/// library builds and, recursively, takes down.
constexpr std::size_t kLongestLine = 500;
constexpr int kDeepest = 4;

Place place_of(const toml::source_region& region) {
  return {region.begin.line, region.begin.column};
}

Result<void> check_size(std::string_view text) {
  if (text.size() > kMostTomlBytes)
    return input_error("RIDGE-ACC-0201",
                       fmt::format("{} bytes, at most {} are read", text.size(), kMostTomlBytes));
  std::uint32_t line = 1;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end - begin > kLongestLine)
      return input_error("RIDGE-ACC-0202", fmt::format("{} bytes in one line, at most {} are read",
                                                       end - begin, kLongestLine))
          .in(Place{line, 1}.text());
    begin = end + 1;
  }
  return {};
}

Error syntax_error(const toml::parse_error& error) {
  const std::string place = place_of(error.source()).text();
  const std::string_view words = error.description();
  if (words.find("cannot redefine") != std::string_view::npos)
    return input_error("RIDGE-ACC-0204", "a key or table that stands twice")
        .evidence(printable(words))
        .hint("keep one of them")
        .in(place);
  return input_error("RIDGE-ACC-0203", "this is no TOML")
      .evidence(printable(words))
      .hint(
          "text stands in double quotes, a key before '='; `ridge accel --template` is an example")
      .in(place);
}

Result<Toml> converted(const toml::node& node, int depth);

Result<void> take_members(const toml::table& table, int depth, Toml& out) {
  for (const auto& [key, value] : table)
    out.members.push_back(
        {std::string(key.str()), place_of(key.source()), TRY(converted(value, depth + 1))});
  // The library's order is that of the alphabet.
  std::stable_sort(out.members.begin(), out.members.end(),
                   [](const TomlMember& a, const TomlMember& b) { return a.place < b.place; });
  return {};
}

Result<Toml> converted(const toml::node& node, int depth) {
  Toml out;
  out.place = place_of(node.source());
  if (depth > kDeepest)
    return input_error("RIDGE-ACC-0205",
                       fmt::format("tables and arrays nest more than {} deep", kDeepest))
        .in(out.place.text());
  if (const toml::table* table = node.as_table()) {
    TRY(take_members(*table, depth, out));
  } else if (const toml::array* array = node.as_array()) {
    out.kind = Toml::Kind::kArray;
    for (const toml::node& item : *array) out.items.push_back(TRY(converted(item, depth + 1)));
  } else if (const auto* text = node.as_string()) {
    out.kind = Toml::Kind::kText;
    out.text = text->get();
  } else if (const auto* whole = node.as_integer()) {
    out.kind = Toml::Kind::kNumber;
    out.number = static_cast<double>(whole->get());
  } else if (const auto* real = node.as_floating_point()) {
    out.kind = Toml::Kind::kNumber;
    out.number = real->get();
  } else {
    out.kind = node.is_boolean() ? Toml::Kind::kTruth : Toml::Kind::kTime;
  }
  return out;
}

}  // namespace

std::string Place::text() const {
  return line == 0 ? std::string() : fmt::format("line {}, column {}", line, column);
}

std::string_view name(Toml::Kind kind) {
  switch (kind) {
    case Toml::Kind::kTable:
      return "a table";
    case Toml::Kind::kArray:
      return "an array";
    case Toml::Kind::kNumber:
      return "a number";
    case Toml::Kind::kText:
      return "text";
    case Toml::Kind::kTruth:
      return "true or false";
    case Toml::Kind::kTime:
      return "a date or time";
  }
  return "";
}

Result<Toml> read_toml(std::string_view text) {
  TRY(check_size(text));
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) return syntax_error(parsed.error());
  return converted(parsed.table(), 0);
}

}  // namespace ridge::accelerator
