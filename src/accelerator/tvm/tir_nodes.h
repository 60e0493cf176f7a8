// The nodes of TVM's JSON before anybody knows what they mean. Private to tir_reader.cc.
//
// Ownership: views into the text. Thread rule: immutable once read. Cost: linear in the text.
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

/// Errors (input class): no such document, or one that ends too early.
Result<TirNodes> read_tir_nodes(std::string_view text);

/// The members of a node's data, an object.
class TirFields {
 public:
  explicit TirFields(const JsonValue& data);
  /// kNone where there is none.
  JsonValue find(std::string_view key) const;

 private:
  std::vector<std::pair<std::string_view, JsonValue>> fields_;
};

/// The elements of a node's data, an array of indices; nullopt: it is none.
std::optional<std::vector<std::uint32_t>> index_list(const JsonValue& data);
/// A whole number as it stands there.
std::optional<std::int64_t> number_in(const JsonValue& value);

}  // namespace ridge::accelerator
