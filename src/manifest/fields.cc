// SPDX-License-Identifier: Apache-2.0
#include "manifest/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/suggest.h"
#include "base/text.h"

namespace ridge::manifest {
namespace {

constexpr std::size_t kLongestShownText = 60;

std::string shown_text(std::string_view text) {
  return shorten(valid_utf8(printable(text)), kLongestShownText);
}

bool is_null(const Toml& value) { return value.kind == Toml::Kind::kText && value.text.empty(); }

}  // namespace

std::string number_text(double value) {
  if (value == 0) return "0";  // not "-0"
  return std::abs(value) < 1e15 && value == std::floor(value) ? fmt::format("{:.0f}", value)
                                                              : fmt::format("{}", value);
}

Error wrong_kind(const Toml& value, std::string_view key, std::string_view expected) {
  return input_error("RIDGE-MAN-0022", fmt::format("'{}' is {}, expected {}", shown_text(key),
                                                   name(value.kind), expected))
      .in(value.place.text());
}

Error not_allowed(const Toml& value, std::string_view key, std::string_view given,
                  const std::vector<std::string>& allowed) {
  const std::vector<std::string> near = near_names(given, allowed, 1);
  return input_error("RIDGE-MAN-0023",
                     fmt::format("'{}' cannot be '{}'", shown_text(key), shown_text(given)))
      .hint(near.empty() ? fmt::format("known are {}", fmt::join(allowed, ", "))
                         : fmt::format("did you mean '{}'?", near[0]))
      .in(value.place.text());
}

Result<std::string> scalar_text(const Toml& value, std::string_view key) {
  if (value.kind == Toml::Kind::kText) return value.text;
  if (value.kind == Toml::Kind::kNumber && !value.text.empty()) return value.text;
  if (value.kind == Toml::Kind::kNumber) return wrong_kind(value, key, "text; put it in quotes");
  return wrong_kind(value, key, "text");
}

Result<std::string> scalars_text(const Toml& value, std::string_view key) {
  switch (value.kind) {
    case Toml::Kind::kText:
      return value.text;
    case Toml::Kind::kNumber:
      if (!std::isfinite(value.number)) return wrong_kind(value, key, "a finite number");
      return number_text(value.number);
    case Toml::Kind::kTruth:
      return std::string(value.truth ? "true" : "false");
    case Toml::Kind::kArray: {
      std::string out;
      for (const Toml& item : value.items) {
        if (item.kind == Toml::Kind::kArray)
          return wrong_kind(item, key, "a number or text in the list");
        out += (out.empty() ? "" : ", ") + TRY(scalars_text(item, key));
      }
      return out;
    }
    default:
      return wrong_kind(value, key, "a number, text or a list of them");
  }
}

const Toml* Fields::take(std::string_view key) {
  known_.emplace_back(key);
  for (const TomlMember& m : table_.members)
    if (m.key == key) return is_null(m.value) ? nullptr : &m.value;
  return nullptr;
}

Result<std::string> Fields::text(std::string_view key) {
  const Toml* value = take(key);
  if (value == nullptr) return std::string();
  return scalar_text(*value, key);
}

Result<std::string> Fields::required(std::string_view key) {
  std::string out = TRY(text(key));
  if (!out.empty()) return out;
  return input_error("RIDGE-MAN-0021", fmt::format("the key '{}' is missing", key))
      .in(table_.place.text());
}

Result<bool> Fields::truth(std::string_view key) {
  const Toml* value = take(key);
  if (value == nullptr) return false;
  if (value->kind != Toml::Kind::kTruth) return wrong_kind(*value, key, "true or false");
  return value->truth;
}

Result<std::vector<std::string>> Fields::texts(std::string_view key) {
  std::vector<std::string> out;
  const Toml* value = take(key);
  if (value == nullptr) return out;
  if (value->kind != Toml::Kind::kArray) {
    out.push_back(TRY(scalar_text(*value, key)));
    return out;
  }
  for (const Toml& item : value->items)
    if (!is_null(item)) out.push_back(TRY(scalar_text(item, key)));
  return out;
}

Result<std::optional<std::int64_t>> Fields::count(std::string_view key) {
  std::optional<std::int64_t> out;
  const Toml* value = take(key);
  if (value == nullptr) return out;
  const double n = value->number;
  if (value->kind != Toml::Kind::kNumber || n < 1 || n > 1e15 || n != std::floor(n))
    return wrong_kind(*value, key, "a whole number from 1 on");
  out = static_cast<std::int64_t>(n);
  return out;
}

Result<const Toml*> Fields::table(std::string_view key) {
  const Toml* value = take(key);
  if (value != nullptr && value->kind != Toml::Kind::kTable)
    return wrong_kind(*value, key, "a table");
  return value;
}

Result<std::vector<const Toml*>> Fields::tables(std::string_view key) {
  std::vector<const Toml*> out;
  const Toml* value = take(key);
  if (value == nullptr) return out;
  if (value->kind != Toml::Kind::kArray) return wrong_kind(*value, key, "an array of tables");
  for (const Toml& item : value->items) {
    if (item.kind != Toml::Kind::kTable) return wrong_kind(item, key, "a table");
    out.push_back(&item);
  }
  return out;
}

Result<void> Fields::finish() const {
  for (const TomlMember& m : table_.members) {
    if (std::find(known_.begin(), known_.end(), m.key) != known_.end()) continue;
    const std::vector<std::string> near = near_names(m.key, known_, 1);
    return input_error("RIDGE-MAN-0020", fmt::format("unknown key '{}'", shown_text(m.key)))
        .hint(near.empty() ? fmt::format("known are {}",
                                         fmt::join(std::set(known_.begin(), known_.end()), ", "))
                           : fmt::format("did you mean '{}'?", near[0]))
        .in(m.place.text());
  }
  return {};
}

}  // namespace ridge::manifest
