// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/request_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/suggest.h"
#include "base/text.h"
#include "base/toml.h"
#include "record/json_tree.h"
#include "record/toml.h"
#include "session/request_code.h"

namespace ridge::cli {
namespace {

constexpr std::string_view kRequestSchema = "ridge.request/1", kRequestFlag = "request",
                           kVerbKey = "verb", kSchemaKey = "schema";

/// One key of a file with its values as they would stand on the command line.
struct RequestSetting {
  std::string key, place;
  std::vector<std::string> values;
  std::optional<bool> truth;  ///< value of a switch
};

Error bad_value(const RequestSetting& s) {
  return input_error("RIDGE-CLI-0006", fmt::format("{}: a text, a number, true, false or a list of "
                                                   "texts and numbers expected",
                                                   printable(s.key)))
      .in(s.place);
}

using record::JsonNode;
using record::JsonTree;

/// False for what is no scalar.
bool add_read_value(const JsonTree& tree, std::uint32_t node, std::vector<std::string>& out) {
  const JsonNode::Kind kind = tree[node].kind;
  if (kind == JsonNode::Kind::kText) return out.push_back(tree.text(node)), true;
  if (kind != JsonNode::Kind::kInteger && kind != JsonNode::Kind::kReal) return false;
  return out.emplace_back(tree.raw(node)), true;
}

/// `places`: of each node in a TOML file, or empty.
Result<std::vector<RequestSetting>> settings_in(const JsonTree& tree,
                                                const std::vector<Place>& places) {
  if (tree[0].kind != JsonNode::Kind::kObject)
    return input_error("RIDGE-CLI-0006", "a request is an object");
  std::vector<RequestSetting> out;
  for (std::uint32_t at = 1; at != tree[0].end; at = tree[at + 1].end) {
    RequestSetting s{.key = tree.text(at),
                     .place = places.empty() ? "" : places[at].text(),
                     .values = {},
                     .truth = {}};
    const std::uint32_t value = at + 1;
    bool good = true;
    if (tree[value].kind == JsonNode::Kind::kTruth)
      s.truth = tree.raw(value) == "true";
    else if (tree[value].kind == JsonNode::Kind::kList)
      for (std::uint32_t item = value + 1; good && item != tree[value].end; item = tree[item].end)
        good = add_read_value(tree, item, s.values);
    else
      good = add_read_value(tree, value, s.values);
    if (!good) return bad_value(s);
    out.push_back(std::move(s));
  }
  return out;
}

Result<std::vector<RequestSetting>> settings_of(std::string_view text, bool is_json) {
  if (is_json) return settings_in(TRY(JsonTree::parse(text, {.bytes = kMaxTomlBytes})), {});
  const record::TomlAsJson file = TRY(record::toml_as_json(text));
  return settings_in(TRY(JsonTree::parse(file.json, {})), file.places);
}

/// Name of a row in a file: "runtime-option", "model".
std::string key_of(const Flag& row) {
  const std::vector<std::string> names = row.long_names();
  if (!names.empty()) return names.front();
  const std::vector<std::string> short_names = row.short_names();
  if (!short_names.empty()) return short_names.front();
  std::string out = row.names;
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

bool is_argument(const Flag& row) { return !row.names.starts_with('-'); }
bool is_switch(const Flag& row) {
  return std::holds_alternative<bool*>(row.target) ||
         std::holds_alternative<std::function<void()>>(row.target);
}

/// Whether a file may state it.
Result<void> check_allowed(const RequestSetting& s, const Flag& row) {
  if (row.written != Writes::kNothing)
    return input_error("RIDGE-CLI-0007",
                       fmt::format("no file decides '{}': it says where files are written", s.key))
        .in(s.place)
        .hint("leave it out, and state it on the command line");
  Result<void> code = session::refuse_code(s.key, s.values);
  if (!code.ok()) return std::move(code).error().in(s.place);
  return {};
}

const Flag* row_of(const Flags& flags, std::string key) {
  std::ranges::replace(key, '_', '-');
  for (const Flag& row : flags.rows())
    if (key_of(row) == key && key != kRequestFlag) return &row;
  return nullptr;
}

Error unknown_key(const RequestSetting& s, std::string_view verb, const Flags& flags) {
  std::vector<std::string> names;
  for (const Flag& row : flags.rows())
    if (key_of(row) != kRequestFlag) names.push_back(key_of(row));
  const std::vector<std::string> near = near_names(s.key, names);
  return input_error("RIDGE-CLI-0008", fmt::format("ridge {} has no flag or argument '{}'", verb,
                                                   shorten(printable(s.key), 40)))
      .in(s.place)
      .hint(near.empty() ? fmt::format("keys are the names that ridge {} --help lists", verb)
                         : fmt::format("did you mean '{}'?", near[0]));
}

/// Schema and verb, which a file may state.
Result<void> check_frame(const RequestSetting& s, std::string_view verb) {
  const std::string wanted(s.key == kVerbKey ? verb : kRequestSchema);
  if (s.values.size() == 1 && s.values[0] == wanted) return {};
  return input_error(
             "RIDGE-CLI-0006",
             fmt::format("{} is '{}', '{}' expected", s.key,
                         s.values.empty() ? "" : shorten(printable(s.values[0]), 40), wanted))
      .in(s.place);
}

Result<void> add_arguments(const RequestSetting& s, const Flag& row,
                           std::vector<std::string>& flags, std::vector<std::string>& last) {
  if (is_argument(row)) {
    if (s.truth) return bad_value(s);
    last.insert(last.end(), s.values.begin(), s.values.end());
    return {};
  }
  const std::string name = (row.long_names().empty() ? "-" : "--") + key_of(row);
  if (s.truth.has_value() != is_switch(row)) return bad_value(s);
  if (s.truth) {
    if (*s.truth) flags.push_back(name);
    return {};
  }
  if (row.times) {
    flags.push_back(name);
    flags.insert(flags.end(), s.values.begin(), s.values.end());
    return {};
  }
  for (const std::string& value : s.values) flags.push_back(fmt::format("{}={}", name, value));
  return {};
}

}  // namespace

void add_request_flag(Flags& flags, std::string& path) {
  flags.heading("");
  flags
      .add("--request", path,
           "a TOML or JSON file with these arguments and flags by their names; the command line "
           "comes first")
      .shown_as("FILE");
}

std::string request_path(std::span<const std::string> arguments) {
  const std::string flag = fmt::format("--{}", kRequestFlag);
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    if (arguments[i] == flag && i + 1 < arguments.size()) return arguments[i + 1];
    if (arguments[i].starts_with(flag + "=")) return arguments[i].substr(flag.size() + 1);
  }
  return {};
}

Result<std::vector<std::string>> with_request(std::string_view text, bool is_json,
                                              std::string_view verb, const Flags& on_line,
                                              std::span<const std::string> arguments) {
  const std::vector<RequestSetting> settings = TRY(settings_of(text, is_json));
  std::vector<std::string> seen, out, last;
  const bool has_arguments = std::ranges::any_of(
      on_line.rows(), [](const Flag& row) { return is_argument(row) && row.given > 0; });
  for (const RequestSetting& s : settings) {
    if (std::ranges::count(seen, s.key) > 0)
      return input_error("RIDGE-CLI-0006", fmt::format("'{}' occurs twice", printable(s.key)))
          .in(s.place);
    seen.push_back(s.key);
    if (s.key == kVerbKey || s.key == kSchemaKey) {
      TRY(check_frame(s, verb));
      continue;
    }
    const Flag* row = row_of(on_line, s.key);
    if (row == nullptr) return unknown_key(s, verb, on_line);
    TRY(check_allowed(s, *row));
    const bool stated = is_argument(*row) ? has_arguments : row->given > 0;
    if (!stated) TRY(add_arguments(s, *row, out, last));
  }
  out.insert(out.end(), arguments.begin(), arguments.end());
  if (!last.empty()) out.emplace_back("--");
  out.insert(out.end(), last.begin(), last.end());
  return out;
}

}  // namespace ridge::cli
