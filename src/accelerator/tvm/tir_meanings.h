// What the nodes of TVM's JSON before the present one have become, and how a node refers to them.
// Private to tir_reader.cc and tir_expressions.cc.
//
// A few bytes of text can name a long list, a name or a type again and again: what nodes take out
// of others is bounded in all, so that memory stays linear in the text.
// Thread rule: one thread. Cost: O(1) per node and per thing taken. Errors: RIDGE-ACC-0323 with the
// node's index.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "accelerator/tvm/tir_nodes.h"
#include "accelerator/tvm/tir_reader.h"

namespace ridge::accelerator {

/// What a node has become.
struct TirMeaning {
  enum class What : std::uint8_t {
    kOpaque,  ///< of no interest here, or of an unknown type
    kNone,
    kInteger,     ///< `id`: of integers
    kText,        ///< `id`: of texts
    kList,        ///< `id`: of lists
    kBufferType,  ///< `id`: of buffer types
    kBuffer,
    kExpression,
    kVariable,  ///< `id`: VarId
    kRange,     ///< `id`: ExprId of where it begins
    kIterator,  ///< `id`: of iterators
    kBlock,     ///< `id`: of blocks
    kStatement,
    kFunction,  ///< `id`: of functions
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
  /// Goes on to a node; those before it are known.
  void go_to(std::size_t at) { at_ = at; }
  void set(TirMeaning meaning) { known_[at_] = meaning; }

  /// An error of the present node.
  Error wrong(std::string_view what) const;
  /// Counts what the present node takes out of another one.
  Result<void> take(std::size_t count);

  /// What the node before this one that `value` is the index of has become.
  Result<TirMeaning> meaning(const JsonValue& value, What expected) const;
  Result<TirMeaning> meaning(std::uint64_t index, What expected) const;
  /// The same of whatever it is; nullptr: there is none before this one.
  const TirMeaning* any(const JsonValue& value) const;
  /// Not there, or what stands for nothing.
  bool none(const JsonValue& value) const;

  Result<std::int64_t> integer(const JsonValue& value) const;
  Result<std::string_view> text(const JsonValue& value);
  std::string_view text(TirMeaning meaning) const { return texts_[meaning.id]; }
  Result<std::span<const Index>> list(const JsonValue& value);
  Result<ExprId> expression(std::uint64_t index);
  Result<ExprId> expression(const JsonValue& value);
  Result<std::vector<ExprId>> expressions(const JsonValue& value);
  Result<std::int64_t> constant(ExprId id) const;
  /// The ids of a list of nodes that have become `expected`.
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

/// What a node of TVM's expressions computes; anything of no interest where it is none.
Result<TirMeaning> read_tir_expression(TirMeanings& m, const TirNode& node, const TirFields& f);

}  // namespace ridge::accelerator
