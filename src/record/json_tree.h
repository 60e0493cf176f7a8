// SPDX-License-Identifier: Apache-2.0
// JSON text as a flat list of nodes, in the order of the text: no recursion, no allocation for each
// value.
//
//   const JsonTree tree = TRY(JsonTree::parse(text, {}));
//   // {"a":[1,2]} -> object, text "a", list, integer, integer
//   for (std::uint32_t at = 1; at < tree[0].end; at = tree[at + 1].end)
//     use(tree.text(at), at + 1);                          // a key and its value
//
// Strict: RFC 8259, valid UTF-8, nothing behind the value; a byte order mark before it is skipped,
// as section 8.1 permits. Hostile text is safe: limits on bytes, depth and nodes. Numbers keep
// their digits. Errors: input class, RIDGE-REC-0001, with line and column. Ownership: borrows the
// text. Thread rule: immutable once parsed. Cost: linear, 16 bytes a node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridge::record {

struct Limits {
  std::size_t bytes = std::size_t{256} << 20;
  std::size_t depth = 64;
  std::size_t nodes = std::size_t{1} << 24;
  std::size_t text = std::size_t{64} << 20;  ///< bytes of one text
};

struct JsonNode {
  enum class Kind : std::uint8_t { kNull, kTruth, kInteger, kReal, kText, kList, kObject };

  Kind kind = Kind::kNull;
  bool escaped = false;    ///< a text with backslashes
  std::uint32_t at = 0;    ///< first byte; of a text without its quote
  std::uint32_t size = 0;  ///< bytes
  std::uint32_t end = 0;   ///< the node behind it and all that it holds
};

/// "integer", "text", ...
std::string_view name(JsonNode::Kind kind);

class JsonTree {
 public:
  static Result<JsonTree> parse(std::string_view text, const Limits& limits);

  const JsonNode& operator[](std::size_t node) const { return nodes_[node]; }
  std::size_t size() const { return nodes_.size(); }
  /// The bytes of a value as they stand in the text; of a text without quotes, escapes unresolved.
  std::string_view raw(std::uint32_t node) const {
    return text_.substr(nodes_[node].at, nodes_[node].size);
  }
  std::string text(std::uint32_t node) const;
  /// Whether a text, which is a key or a word, is `plain`.
  bool is(std::uint32_t node, std::string_view plain) const {
    return nodes_[node].escaped ? text(node) == plain : raw(node) == plain;
  }
  /// The value of a key; nullopt where it is absent, or the node is no object.
  std::optional<std::uint32_t> member(std::uint32_t object, std::string_view key) const;

 private:
  friend class JsonParser;
  std::string_view text_;
  std::vector<JsonNode> nodes_;
};

}  // namespace ridge::record
