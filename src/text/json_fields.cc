// SPDX-License-Identifier: Apache-2.0
#include "text/json_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.h"

namespace ridge::text {

Error malformed(const std::string& place, std::string message) {
  return input_error("RIDGE-TEXT-0001", std::move(message))
      .hint("it is to be a tokenizer.json of Hugging Face's tokenizers")
      .in(place);
}

Error beyond_bounds(const std::string& place, std::string message) {
  return input_error("RIDGE-TEXT-0003", std::move(message)).in(place);
}

Error unsupported(const std::string& place, const std::string& what, std::string_view known) {
  return input_error("RIDGE-TEXT-0002", printable(what) + " is not supported")
      .hint(fmt::format("supported: {}", known))
      .in(place);
}

Result<JsonFields> JsonFields::of(const json& object, std::string place) {
  if (!object.is_object())
    return malformed(place, fmt::format("{} in place of an object", object.type_name()));
  return JsonFields(object, std::move(place));
}

std::string JsonFields::place_of(std::string_view key) const {
  return place_.empty() ? std::string(key) : fmt::format("{}.{}", place_, key);
}

const json* JsonFields::find(std::string_view key) {
  asked_.emplace_back(key);
  const auto at = object_->find(key);
  return at == object_->end() || at->is_null() ? nullptr : &*at;
}

Result<std::string> JsonFields::text(std::string_view key, std::string_view otherwise) {
  const json* value = find(key);
  if (value == nullptr) return std::string(otherwise);
  return text_at(*value, place_of(key));
}

Result<bool> JsonFields::truth(std::string_view key, bool otherwise) {
  const json* value = find(key);
  if (value == nullptr) return otherwise;
  if (!value->is_boolean())
    return malformed(place_of(key),
                     fmt::format("{} in place of true or false", value->type_name()));
  return value->get<bool>();
}

Result<std::int64_t> JsonFields::whole(std::string_view key, std::int64_t least, std::int64_t most,
                                       std::int64_t otherwise) {
  const json* value = find(key);
  if (value == nullptr) return otherwise;
  const auto in_range = [&](auto number) {
    return std::cmp_greater_equal(number, least) && std::cmp_less_equal(number, most);
  };
  if (value->is_number_unsigned() && in_range(value->get<std::uint64_t>()))
    return static_cast<std::int64_t>(value->get<std::uint64_t>());
  if (value->is_number_integer() && in_range(value->get<std::int64_t>()))
    return value->get<std::int64_t>();
  return malformed(place_of(key), fmt::format("no whole number from {} to {}", least, most));
}

Result<std::vector<const json*>> JsonFields::items(std::string_view key) {
  std::vector<const json*> out;
  const json* value = find(key);
  if (value == nullptr) return out;
  if (!value->is_array())
    return malformed(place_of(key), fmt::format("{} in place of a list", value->type_name()));
  for (const json& item : *value) out.push_back(&item);
  return out;
}

Result<void> JsonFields::finish() const {
  for (const auto& [key, value] : object_->items())
    if (std::ranges::find(asked_, key) == asked_.end())
      return unsupported(place_, fmt::format("the key '{}'", shorten(key, 60)),
                         fmt::format("{}", fmt::join(asked_, ", ")));
  return {};
}

Result<std::string> text_at(const json& value, const std::string& place) {
  if (!value.is_string())
    return malformed(place, fmt::format("{} in place of a text", value.type_name()));
  return value.get<std::string>();
}

Result<std::int32_t> token_at(const json& value, const std::string& place) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kMost)
    return malformed(place, fmt::format("no number of a token, which is from 0 to {}", kMost));
  return static_cast<std::int32_t>(value.get<std::uint64_t>());
}

}  // namespace ridge::text
