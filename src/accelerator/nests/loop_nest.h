// SPDX-License-Identifier: Apache-2.0
// A loop nest: loops, blocks with iterators, buffers, and stores whose values are expressions of
// loads. The same form serves for our own nests (registry.h) and for a compiler's (tir_reader.h);
// walk.h walks it.
//
//   Nest nest;
//   const BufferId x = nest.add_buffer({.name = "x", .shape = {8}});
//   const VarId i = nest.add_variable("i");
//   const ExprId next = nest.combine(Expr::Kind::kAdd, nest.variable(i), nest.integer(1));
//   nest.root = nest.add({.kind = Stmt::Kind::kLoop, .variable = i, .extent = 8, .children = ...});
//
// Equal expressions have equal ids, so `a == b` on ids means that both compute the same from the
// same variables. Everything is referred to by index; a Nest owns all of it.
// Thread rule: immutable once built. Cost: amortized O(1) per expression. Nothing is validated
// here: a walker reports variables out of scope and indices out of bounds, and limits the depth of
// statements within themselves.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "graph/model.h"

namespace ridge::accelerator {

using VarId = std::uint32_t;
using ExprId = std::uint32_t;
using StmtId = std::uint32_t;
using BufferId = std::uint32_t;
inline constexpr std::uint32_t kNothing = 0xffffffff;

struct Expr {
  enum class Kind : std::uint8_t {
    kInteger,  ///< `value`
    kReal,     ///< `value`: id of the literal, not its magnitude
    kVariable,
    kLoad,  ///< loads buffer `value` at the operands
    kAdd,
    kSubtract,
    kMultiply,
    kFloorDivide,
    kFloorModulo,
    kMinimum,
    kMaximum,
    kLess,
    kLessOrEqual,
    kEqual,
    kNotEqual,
    kAnd,
    kOr,
    kNot,
    kIfElse,  ///< condition, then, else: only the one that is taken is computed
    kCast,    ///< `value`: target type
    kOther,   ///< any other function of its operands, named by `value`
  };

  Kind kind = Kind::kInteger;
  /// True if the loop variables alone determine the value; false if loads, reals or other functions
  /// take part.
  bool integral = true;
  std::int64_t value = 0;
  std::uint32_t first = 0, count = 0;  ///< operands
};

struct Buffer {
  std::string name = {};
  std::vector<std::int64_t> shape = {};
  std::string dtype = "float32";
  std::int64_t element_bits = 32;
};

/// Iterator of a block, bound to an expression of loop variables.
struct BlockIterator {
  VarId variable = kNothing;
  ExprId value = kNothing;
  bool reduction = false;
};

struct Stmt {
  enum class Kind : std::uint8_t { kSequence, kLoop, kBlock, kStore, kIf, kNone };

  Kind kind = Kind::kNone;
  // kLoop: `variable` runs over [begin, begin + extent).
  VarId variable = kNothing;
  std::int64_t begin = 0, extent = 0;
  // kBlock
  std::string name = {};
  graph::NodeId node = graph::kNone;  ///< model node that the block implements
  std::vector<BlockIterator> iterators = {};
  std::vector<BufferId> allocations = {};
  /// Runs before the body, where every reduction iterator is at its begin
  StmtId initial = kNothing;
  ExprId initial_when = kNothing;  ///< kNothing: always
  // kBlock: runs only if true; kIf
  ExprId condition = kNothing;
  // kStore: buffer[indices] = value
  BufferId buffer = kNothing;
  std::vector<ExprId> indices = {};
  ExprId value = kNothing;
  /// Statements of a sequence; body of a loop or block; then-branch and, if present, else-branch of
  /// kIf.
  std::vector<StmtId> children = {};
};

/// Operation that a store performs in addition to storing.
enum class Operation : std::uint8_t {
  kNone,
  kMac,     ///< b[i] = b[i] + x * y
  kSquare,  ///< b[i] = b[i] + x * x
};

class Nest {
 public:
  std::string name;
  StmtId root = kNothing;

  VarId add_variable(std::string label);
  BufferId add_buffer(Buffer buffer);
  StmtId add(Stmt stmt);

  ExprId integer(std::int64_t value) {
    return make(Expr::Kind::kInteger, std::span<const ExprId>(), value);
  }
  ExprId variable(VarId id) { return make(Expr::Kind::kVariable, std::span<const ExprId>(), id); }
  ExprId load(BufferId buffer, std::span<const ExprId> indices) {
    return make(Expr::Kind::kLoad, indices, buffer);
  }
  /// Binary expression; folds sums, differences and products of two integers, x + 0, x - 0 and
  /// x * 1.
  ExprId combine(Expr::Kind kind, ExprId a, ExprId b);
  ExprId make(Expr::Kind kind, std::span<const ExprId> operands, std::int64_t value = 0);
  /// Number for a name: the `value` of kCast and kOther.
  std::int64_t name_number(std::string_view word);

  const Expr& expr(ExprId id) const { return exprs_[id]; }
  std::span<const ExprId> operands(const Expr& e) const {
    return std::span(operands_).subspan(e.first, e.count);
  }
  const Stmt& stmt(StmtId id) const { return stmts_[id]; }
  const Buffer& buffer(BufferId id) const { return buffers_[id]; }
  std::span<const Buffer> buffers() const { return buffers_; }
  const std::string& variable_name(VarId id) const { return variables_[id]; }
  std::size_t variables() const { return variables_.size(); }

  Operation operation(const Stmt& store) const;

 private:
  ExprId without_casts(ExprId id) const;

  std::vector<Expr> exprs_;
  std::vector<ExprId> operands_;
  std::map<std::tuple<Expr::Kind, std::int64_t, std::vector<ExprId>>, ExprId> known_;
  std::map<std::string, std::int64_t, std::less<>> names_;
  std::vector<std::string> variables_;
  std::vector<Buffer> buffers_;
  std::vector<Stmt> stmts_;
};

}  // namespace ridge::accelerator
