// SPDX-License-Identifier: Apache-2.0
#include "ops/defaults_table.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "base/number.h"

namespace ridge::ops {
namespace {

using onnx::AttributeType;

/// Removes and returns the text up to `separator`, or all of it.
std::string_view take(std::string_view& rest, char separator) {
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view out = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return out;
}

std::optional<OperatorVersion> read_line(std::string_view line) {
  OperatorVersion out;
  out.domain = onnx::normal_domain(take(line, ' '));
  out.op_type = take(line, ' ');
  const auto since = whole_number<std::int32_t>(take(line, ' '));
  if (!since) return std::nullopt;
  out.since = *since;
  out.defaults = line;
  return out;
}

bool is_float(float value, std::string_view written) {
  const auto number = finite_number(written);
  return number && std::bit_cast<std::uint32_t>(static_cast<float>(*number)) ==
                       std::bit_cast<std::uint32_t>(value);
}
bool is_int(std::int64_t value, std::string_view written) { return whole_number(written) == value; }
bool is_text(std::string_view value, std::string_view written) { return value == written; }

template <typename T, typename U>
bool is_list(std::span<const T> values, std::string_view written,
             bool (*is_equal)(U, std::string_view)) {
  for (const T& value : values)
    if (written.empty() || !is_equal(value, take(written, ','))) return false;
  return written.empty();
}

}  // namespace

std::optional<std::string_view> OperatorVersion::default_of(std::string_view attribute) const {
  for (std::string_view rest = defaults; !rest.empty();) {
    std::string_view value = take(rest, ' ');
    if (take(value, '=') == attribute) return value;
  }
  return std::nullopt;
}

DefaultsTable::DefaultsTable(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = take(text, '\n');
    if (line.starts_with('#')) continue;
    const auto version = read_line(line);
    if (!version) continue;
    versions_.push_back(*version);
    if (newest_.empty() || newest_.back().first != version->domain)
      newest_.emplace_back(version->domain, 0);
    newest_.back().second = std::max(newest_.back().second, version->since);
  }
}

std::int32_t DefaultsTable::newest(std::string_view domain) const {
  for (const auto& [name, opset] : newest_)
    if (name == domain) return opset;
  return 0;
}

const OperatorVersion* DefaultsTable::find(std::string_view domain, std::string_view op_type,
                                           std::int32_t opset) const {
  domain = onnx::normal_domain(domain);
  if (opset > newest(domain)) return nullptr;
  const auto is_before = [](const auto& key, const OperatorVersion& v) {
    return key < std::tie(v.domain, v.op_type, v.since);
  };
  const auto after = std::upper_bound(versions_.begin(), versions_.end(),
                                      std::tie(domain, op_type, opset), is_before);
  if (after == versions_.begin()) return nullptr;
  const OperatorVersion& found = *std::prev(after);
  return found.domain == domain && found.op_type == op_type ? &found : nullptr;
}

const DefaultsTable& defaults_table() {
  static const DefaultsTable table(kOperatorDefaults);
  return table;
}

bool has_value(const onnx::Attribute& attribute, std::string_view written) {
  const std::string_view type = take(written, ':');
  switch (attribute.type) {
    case AttributeType::kFloat:
      return type == "f" && is_float(attribute.f, written);
    case AttributeType::kInt:
      return type == "i" && is_int(attribute.i, written);
    case AttributeType::kString:
      return type == "s" && is_text(attribute.s, written);
    case AttributeType::kFloats:
      return type == "F" && is_list(attribute.floats, written, is_float);
    case AttributeType::kInts:
      return type == "I" && is_list(attribute.ints, written, is_int);
    case AttributeType::kStrings:
      return type == "S" && is_list(attribute.strings, written, is_text);
    default:
      return false;
  }
}

}  // namespace ridge::ops
