// SPDX-License-Identifier: Apache-2.0
// Uninterpreted nodes of TVM's JSON. Private to tir_reader.cc.
//
// Ownership: views into the text.
// Thread rule: immutable once read. Cost: linear in the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_scan.h"
#include "base/result.h"

namespace ridge::accelerator {

struct TirNode {
  std::string_view type;
  JsonValue data;
};

struct TirNodes {
  std::vector<TirNode> nodes;
  std::size_t root = 0;
  std::string_view tvm_version;
};

/// Errors (input class): a text that is not such a document or is truncated.
Result<TirNodes> read_tir_nodes(std::string_view text);

/// Members of a node's data, which is an object.
class TirFields {
 public:
  explicit TirFields(const JsonValue& data);
  /// Returns a value of kind kNone if there is no such member.
  JsonValue find(std::string_view key) const;

 private:
  std::vector<std::pair<std::string_view, JsonValue>> fields_;
};

/// Elements of a node's data, an array of indices; nullopt if it is not one.
std::optional<std::vector<std::uint32_t>> index_list(const JsonValue& data);
/// Value of a whole number; nullopt if `value` is not one.
std::optional<std::int64_t> number_in(const JsonValue& value);

}  // namespace ridge::accelerator
