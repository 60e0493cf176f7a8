// SPDX-License-Identifier: Apache-2.0
// Results of reading the earlier nodes of TVM's JSON, and access to them by index. Private to
// tir_reader.cc and tir_expressions.cc.
//
// A few bytes of text can refer to a long list, a name or a type many times. The total size of what
// nodes copy from other nodes is bounded, so that memory stays linear in the text.
// Thread rule: one thread. Cost: O(1) per node and per copied element. Errors: RIDGE-ACC-0323 with
// the node's index.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "accelerator/nests/loop_nest.h"
#include "accelerator/tvm/tir_nodes.h"
#include "base/result.h"

namespace ridge::accelerator {

/// Result of reading a node.
struct TirMeaning {
  enum class What : std::uint8_t {
    kOpaque,  ///< not needed here, or of an unknown type
    kNone,
    kInteger,     ///< `id`: index of an integer
    kText,        ///< `id`: index of a text
    kList,        ///< `id`: index of a list
    kBufferType,  ///< `id`: index of a buffer type
    kBuffer,
    kExpression,
    kVariable,  ///< `id`: VarId
    kRange,     ///< `id`: ExprId of its begin
    kIterator,  ///< `id`: index of an iterator
    kBlock,     ///< `id`: index of a block
    kStatement,
    kFunction,  ///< `id`: index of a function
  };
  What what = What::kOpaque;
  std::uint32_t id = 0;
};

class TirMeanings {
 public:
  using What = TirMeaning::What;
  using Index = std::uint32_t;

  TirMeanings(const TirNodes& source, Nest& nest)
      : source_(source), nest_(nest), known_(source.nodes.size()) {}

  Nest& nest() { return nest_; }
  std::size_t at() const { return at_; }
  const TirNode& node() const { return source_.nodes[at_]; }
  /// Moves to node `at`; all nodes before it must be set.
  void go_to(std::size_t at) { at_ = at; }
  void set(TirMeaning meaning) { known_[at_] = meaning; }

  /// Error in the current node.
  Error wrong(std::string_view what) const;
  /// Counts elements that the current node copies from another one; an error above the limit.
  Result<void> take(std::size_t count);

  /// Result of an earlier node, given by its index; an error if it is not `expected`.
  Result<TirMeaning> meaning(const JsonValue& value, What expected) const;
  Result<TirMeaning> meaning(std::uint64_t index, What expected) const;
  /// Result of an earlier node of any kind; nullptr if `value` is not the index of one.
  const TirMeaning* any(const JsonValue& value) const;
  /// True if the value is absent or refers to a None node.
  bool none(const JsonValue& value) const;

  Result<std::int64_t> integer(const JsonValue& value) const;
  Result<std::string_view> text(const JsonValue& value);
  std::string_view text(TirMeaning meaning) const { return texts_[meaning.id]; }
  Result<std::span<const Index>> list(const JsonValue& value);
  Result<ExprId> expression(std::uint64_t index);
  Result<ExprId> expression(const JsonValue& value);
  Result<std::vector<ExprId>> expressions(const JsonValue& value);
  Result<std::int64_t> constant(ExprId id) const;
  /// Ids of a list of nodes, all of which must be `expected`.
  Result<std::vector<Index>> ids(const JsonValue& value, What expected);

  TirMeaning keep(std::int64_t integer);
  TirMeaning keep(std::string text);
  TirMeaning keep(std::vector<Index> list);

 private:
  const TirNodes& source_;
  Nest& nest_;
  std::vector<TirMeaning> known_;
  std::size_t at_ = 0, taken_ = 0;
  std::vector<std::int64_t> integers_;
  std::vector<std::string> texts_;
  std::vector<std::vector<Index>> lists_;
};

/// Reads a node that is an expression; returns kOpaque for any other type of node.
Result<TirMeaning> read_tir_expression(TirMeanings& m, const TirNode& node, const TirFields& f);

}  // namespace ridge::accelerator
