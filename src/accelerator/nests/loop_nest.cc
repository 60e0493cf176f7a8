// SPDX-License-Identifier: Apache-2.0
#include "accelerator/nests/loop_nest.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/checked.h"

namespace ridge::accelerator {
namespace {

using Kind = Expr::Kind;

std::optional<std::int64_t> folded(Kind kind, std::int64_t a, std::int64_t b) {
  if (kind == Kind::kAdd) return checked_add(a, b);
  if (kind == Kind::kSubtract) return checked_sub(a, b);
  if (kind == Kind::kMultiply) return checked_mul(a, b);
  return std::nullopt;
}

}  // namespace

VarId Nest::add_variable(std::string label) {
  variables_.push_back(std::move(label));
  return static_cast<VarId>(variables_.size() - 1);
}

BufferId Nest::add_buffer(Buffer buffer) {
  buffers_.push_back(std::move(buffer));
  return static_cast<BufferId>(buffers_.size() - 1);
}

StmtId Nest::add(Stmt stmt) {
  stmts_.push_back(std::move(stmt));
  return static_cast<StmtId>(stmts_.size() - 1);
}

ExprId Nest::combine(Kind kind, ExprId a, ExprId b) {
  const Expr &x = exprs_[a], &y = exprs_[b];
  if (x.kind == Kind::kInteger && y.kind == Kind::kInteger)
    if (const auto sum = folded(kind, x.value, y.value)) return integer(*sum);
  if (y.kind == Kind::kInteger && y.value == (kind == Kind::kMultiply ? 1 : 0) &&
      (kind == Kind::kAdd || kind == Kind::kSubtract || kind == Kind::kMultiply))
    return a;
  return make(kind, std::array{a, b});
}

ExprId Nest::make(Kind kind, std::span<const ExprId> operands, std::int64_t value) {
  std::tuple key(kind, value, std::vector<ExprId>(operands.begin(), operands.end()));
  const auto [found, added] =
      known_.try_emplace(std::move(key), static_cast<ExprId>(exprs_.size()));
  if (!added) return found->second;
  const std::vector<ExprId>& ids = std::get<2>(found->first);
  Expr e;
  e.kind = kind;
  e.value = value;
  e.first = static_cast<std::uint32_t>(operands_.size());
  e.count = static_cast<std::uint32_t>(ids.size());
  e.integral = kind != Kind::kReal && kind != Kind::kLoad && kind != Kind::kOther &&
               std::all_of(ids.begin(), ids.end(), [&](ExprId id) { return exprs_[id].integral; });
  operands_.insert(operands_.end(), ids.begin(), ids.end());
  exprs_.push_back(e);
  return found->second;
}

std::int64_t Nest::name_number(std::string_view word) {
  const auto found = names_.find(word);
  if (found != names_.end()) return found->second;
  const auto number = static_cast<std::int64_t>(names_.size());
  names_.emplace(word, number);
  return number;
}

ExprId Nest::without_casts(ExprId id) const {
  while (exprs_[id].kind == Kind::kCast) id = operands(exprs_[id])[0];
  return id;
}

Operation Nest::operation(const Stmt& store) const {
  const Expr& sum = exprs_[without_casts(store.value)];
  if (sum.kind != Kind::kAdd) return Operation::kNone;
  for (const std::size_t at : {0U, 1U}) {
    const Expr& old = exprs_[operands(sum)[at]];
    const Expr& product = exprs_[without_casts(operands(sum)[1 - at])];
    if (old.kind != Kind::kLoad || old.value != store.buffer || product.kind != Kind::kMultiply ||
        !std::ranges::equal(operands(old), store.indices))
      continue;
    const auto factors = operands(product);
    return factors[0] == factors[1] ? Operation::kSquare : Operation::kMac;
  }
  return Operation::kNone;
}

}  // namespace ridge::accelerator
