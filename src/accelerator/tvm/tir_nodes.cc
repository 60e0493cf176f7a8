// SPDX-License-Identifier: Apache-2.0
#include "accelerator/tvm/tir_nodes.h"

#include <fmt/format.h>

#include <limits>

#include "base/number.h"

namespace ridge::accelerator {
namespace {

Error no_document(std::size_t at) {
  return input_error("RIDGE-ACC-0321", "not a file of loop nests saved by TVM")
      .evidence(fmt::format("at byte {}", at))
      .hint("write the file with tvm.ir.save_json(module)");
}

Result<std::vector<TirNode>> read_list(JsonScan& scan) {
  std::vector<TirNode> nodes;
  if (!scan.open('[')) return no_document(scan.at());
  while (!scan.take(']')) {
    const JsonValue value = scan.value();
    if (value.kind != JsonValue::Kind::kObject) return no_document(scan.at());
    const TirFields fields(value);
    nodes.push_back({fields.find("type").text, fields.find("data")});
    scan.take(',');
  }
  return nodes;
}

}  // namespace

Result<TirNodes> read_tir_nodes(std::string_view text) {
  TirNodes out;
  JsonScan scan(text);
  if (!scan.open('{')) return no_document(0);
  std::optional<std::int64_t> root;
  while (!scan.take('}')) {
    const auto key = scan.key();
    if (!key) return no_document(scan.at());
    if (*key == "nodes") {
      out.nodes = TRY(read_list(scan));
    } else {
      const JsonValue value = scan.value();
      if (value.kind == JsonValue::Kind::kNone) return no_document(scan.at());
      if (*key == "root_index") root = number_in(value);
      if (*key == "metadata") out.tvm_version = TirFields(value).find("tvm_version").text;
    }
    scan.take(',');
  }
  const auto size = static_cast<std::int64_t>(out.nodes.size());
  if (!root || *root < 0 || *root >= size || size > std::numeric_limits<std::uint32_t>::max())
    return no_document(scan.at());
  out.root = static_cast<std::size_t>(*root);
  return out;
}

TirFields::TirFields(const JsonValue& data) {
  JsonScan scan(data.text);
  if (data.kind != JsonValue::Kind::kObject || !scan.open('{')) return;
  while (const auto key = scan.key()) {
    fields_.emplace_back(*key, scan.value());
    scan.take(',');
  }
}

JsonValue TirFields::find(std::string_view key) const {
  for (const auto& [name, value] : fields_)
    if (name == key) return value;
  return {};
}

std::optional<std::int64_t> number_in(const JsonValue& value) {
  if (value.kind != JsonValue::Kind::kNumber) return std::nullopt;
  return whole_number(value.text);
}

std::optional<std::vector<std::uint32_t>> index_list(const JsonValue& data) {
  JsonScan scan(data.text);
  if (data.kind != JsonValue::Kind::kArray || !scan.open('[')) return std::nullopt;
  std::vector<std::uint32_t> out;
  while (!scan.take(']')) {
    const auto index = number_in(scan.value());
    if (!index || *index < 0 || *index > std::numeric_limits<std::uint32_t>::max())
      return std::nullopt;
    out.push_back(static_cast<std::uint32_t>(*index));
    scan.take(',');
  }
  return out;
}

}  // namespace ridge::accelerator
