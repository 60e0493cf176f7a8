// SPDX-License-Identifier: Apache-2.0
#include "schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "workplace.h"

namespace ridge::tests {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxFindings = 20;
constexpr std::array<std::string_view, 17> kKnown = {
    "$schema",     "$defs",      "$ref",     "title",
    "description", "type",       "const",    "enum",
    "required",    "minItems",   "maxItems", "minimum",
    "items",       "properties", "maximum",  "exclusiveMinimum",
    "anyOf"};

bool is_of_type(const json& value, std::string_view type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "integer") return value.is_number_integer();
  return type == "number" && value.is_number();
}

bool is_of_types(const json& value, const json& types) {
  if (types.is_string()) return is_of_type(value, types.get<std::string>());
  return std::any_of(types.begin(), types.end(),
                     [&](const json& type) { return is_of_type(value, type.get<std::string>()); });
}

class Validator {
 public:
  explicit Validator(const std::map<std::string, json>& files) : files_(files) {}

  void check(const json& schema, const std::string& file, const json& value,
             const std::string& at) {
    if (found_.size() >= kMaxFindings) return;
    if (const auto ref = schema.find("$ref"); ref != schema.end())
      follow(ref->get<std::string>(), file, value, at);
    if (const auto others = schema.find("anyOf"); others != schema.end())
      check_any(*others, file, value, at);
    for (const auto& [keyword, wanted] : schema.items()) {
      if (keyword == "additionalProperties") continue;
      if (std::find(kKnown.begin(), kKnown.end(), keyword) == kKnown.end())
        add(at, fmt::format("the schema's keyword '{}' is not checked", keyword));
    }
    check_itself(schema, value, at);
    if (value.is_object()) check_object(schema, file, value, at);
    if (value.is_array()) check_array(schema, file, value, at);
  }

  std::vector<std::string> take() { return std::move(found_); }

 private:
  void add(const std::string& at, const std::string& what) {
    if (found_.size() < kMaxFindings)
      found_.push_back((at.empty() ? "document" : at) + ": " + what);
  }

  /// The findings of the first alternative, unless the value satisfies one.
  void check_any(const json& alternatives, const std::string& file, const json& value,
                 const std::string& at) {
    std::vector<std::string> first;
    for (const json& alternative : alternatives) {
      Validator one(files_);
      one.check(alternative, file, value, at);
      if (one.found_.empty()) return;
      if (first.empty()) first = one.take();
    }
    found_.insert(found_.end(), first.begin(), first.end());
  }

  /// Checks against a reference: "other.json#/$defs/x", "#/$defs/x" or "other.json".
  void follow(const std::string& ref, const std::string& file, const json& value,
              const std::string& at) {
    const std::size_t hash = std::min(ref.find('#'), ref.size());
    const std::string target = hash == 0 ? file : ref.substr(0, hash);
    const auto found = files_.find(target);
    const json::json_pointer pointer(hash < ref.size() ? ref.substr(hash + 1) : "");
    if (found == files_.end() || !found->second.contains(pointer))
      return add(at, "the schema refers to " + ref + ", which does not exist");
    check(found->second[pointer], target, value, at);
  }

  void check_itself(const json& schema, const json& value, const std::string& at) {
    const auto stated = [&](const char* keyword) -> const json* {
      const auto it = schema.find(keyword);
      return it == schema.end() ? nullptr : &*it;
    };
    if (const json* types = stated("type"); types && !is_of_types(value, *types))
      add(at, fmt::format("{} is not of type {}", value.dump(), types->dump()));
    if (const json* same = stated("const"); same && value != *same)
      add(at, fmt::format("{} is not {}", value.dump(), same->dump()));
    if (const json* one_of = stated("enum");
        one_of && std::find(one_of->begin(), one_of->end(), value) == one_of->end())
      add(at, fmt::format("{} is none of {}", value.dump(), one_of->dump()));
    if (const json* least = stated("minimum"); least && value.is_number() && value < *least)
      add(at, fmt::format("{} is below {}", value.dump(), least->dump()));
    if (const json* most = stated("maximum"); most && value.is_number() && value > *most)
      add(at, fmt::format("{} is above {}", value.dump(), most->dump()));
    if (const json* least = stated("exclusiveMinimum");
        least && value.is_number() && value <= *least)
      add(at, fmt::format("{} is not above {}", value.dump(), least->dump()));
    if (!value.is_array()) return;
    if (const json* least = stated("minItems"); least && value.size() < least->get<std::size_t>())
      add(at, fmt::format("{} items are too few", value.size()));
    if (const json* most = stated("maxItems"); most && value.size() > most->get<std::size_t>())
      add(at, fmt::format("{} items are too many", value.size()));
  }

  void check_object(const json& schema, const std::string& file, const json& value,
                    const std::string& at) {
    for (const json& key : schema.value("required", json::array()))
      if (!value.contains(key)) add(at, fmt::format("'{}' is missing", key.get<std::string>()));
    const json properties = schema.value("properties", json::object());
    const auto others = schema.find("additionalProperties");
    const bool describes = !properties.empty() || others != schema.end();
    if (!describes) return;
    for (const auto& [key, child] : value.items()) {
      const std::string place = at.empty() ? key : at + "." + key;
      if (const auto it = properties.find(key); it != properties.end())
        check(*it, file, child, place);
      else if (others != schema.end())
        check(*others, file, child, place);
      else
        add(place, "the schema does not describe this key");
    }
  }

  void check_array(const json& schema, const std::string& file, const json& value,
                   const std::string& at) {
    const auto items = schema.find("items");
    if (items == schema.end()) return;
    for (std::size_t i = 0; i < value.size(); ++i)
      check(*items, file, value[i], fmt::format("{}[{}]", at, i));
  }

  const std::map<std::string, json>& files_;
  std::vector<std::string> found_;
};

}  // namespace

Schemas::Schemas(const std::filesystem::path& folder) {
  for (const auto& path : files_in(folder, ".json"))
    files_[path.filename().string()] = json::parse(read_text(path));
}

Schemas::Schemas(const std::map<std::string, std::string>& texts) {
  for (const auto& [name, text] : texts) files_[name] = json::parse(text);
}

std::vector<std::string> Schemas::findings(const std::string& schema, const json& document) const {
  const auto file = files_.find(schema);
  if (file == files_.end()) return {"there is no schema " + schema};
  Validator validator(files_);
  validator.check(file->second, schema, document, "");
  return validator.take();
}

}  // namespace ridge::tests
