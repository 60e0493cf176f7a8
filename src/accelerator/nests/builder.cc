// SPDX-License-Identifier: Apache-2.0
#include "accelerator/nests/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ridge::accelerator {

using Kind = Expr::Kind;

NestBuilder::NestBuilder(const analysis::Resolved& resolved, graph::NodeId id)
    : resolved_(resolved), id_(id), form_(resolved, id, 0) {
  out_.nest.name = form_.node().name;
}

std::optional<BufferId> NestBuilder::tensor(std::span<const graph::ValueId> values, std::size_t i,
                                            bool result) {
  if (i >= values.size() || values[i] == graph::kNone) return std::nullopt;
  const graph::ValueId v = values[i];
  if (const auto known = tensors_.find(v); known != tensors_.end()) return known->second;
  const ops::Type& type = resolved_.type(v);
  const onnx::DataTypeInfo* info = onnx::info(type.dtype);
  if (info == nullptr || !type.shape.known()) return std::nullopt;
  Buffer buffer;
  const std::string_view name = resolved_.model().value(v).name;
  buffer.name =
      name.empty() ? fmt::format("{}put {}", result ? "out" : "in", i) : std::string(name);
  for (const ops::Dim& d : type.shape.span()) buffer.shape.push_back(d.value());
  buffer.dtype = info->name;
  buffer.element_bits = info->bits;
  const BufferId id = out_.nest.add_buffer(std::move(buffer));
  tensors_.emplace(v, id);
  out_.parameters.push_back({id, !result && resolved_.constant(v), result});
  return id;
}

BufferId NestBuilder::temporary(std::string name, Sizes shape, onnx::DataType type) {
  const onnx::DataTypeInfo* info = onnx::info(type);
  own_.push_back(out_.nest.add_buffer(
      {std::move(name), std::move(shape), std::string(info->name), info->bits}));
  return own_.back();
}

BufferId NestBuilder::temporary(std::string name, Sizes shape, BufferId like) {
  Buffer buffer = out_.nest.buffer(like);
  buffer.name = std::move(name);
  buffer.shape = std::move(shape);
  own_.push_back(out_.nest.add_buffer(std::move(buffer)));
  return own_.back();
}

ExprId NestBuilder::load_repeated(BufferId buffer, Indices at) {
  const Sizes& sizes = shape(buffer);
  std::vector<ExprId> index(sizes.size(), number(0));
  for (std::size_t i = 0; i < std::min(sizes.size(), at.size()); ++i)
    if (sizes[sizes.size() - 1 - i] != 1) index[sizes.size() - 1 - i] = at[at.size() - 1 - i];
  return load(buffer, index);
}

std::vector<ExprId> NestBuilder::index_of(BufferId buffer, ExprId number) {
  const Sizes sizes = shape(buffer);
  std::vector<ExprId> index(sizes.size());
  for (std::size_t i = sizes.size(); i-- > 0;) {
    const std::int64_t size = std::max<std::int64_t>(1, sizes[i]);
    index[i] = i == 0 ? number : remainder(number, size);
    number = quotient(number, size);
  }
  return index;
}

StmtId NestBuilder::products(std::string name, BufferId sums, std::span<const Axis> depth,
                             const std::function<Factors(Indices)>& factors) {
  std::vector<Axis> axes = axes_of(shape(sums), "o");
  const std::size_t rank = axes.size();
  axes.insert(axes.end(), depth.begin(), depth.end());
  const auto at = [&](Indices i) {
    return std::vector(i.begin(), i.begin() + std::ptrdiff_t(rank));
  };
  return products(std::move(name), axes, sums, at, factors);
}

StmtId NestBuilder::products(std::string name, std::span<const Axis> axes, BufferId sums,
                             const std::function<std::vector<ExprId>(Indices)>& at,
                             const std::function<Factors(Indices)>& factors) {
  const auto body = [&](Indices i) {
    auto [a, b] = factors(i);
    // The cast makes an element times itself count as a MAC, not as Operation::kSquare.
    if (a == b) b = nest().make(Kind::kCast, std::array{b}, nest().name_number("itself"));
    return add_into(sums, at(i), product(a, b));
  };
  return block(std::move(name), axes, body, {.allocations = {}, .initial = [&](Indices i) {
                                               return store(sums, at(i), zero());
                                             }});
}

ExprId NestBuilder::other(std::string_view function, Indices operands) {
  return nest().make(Kind::kOther, operands, nest().name_number(function));
}

ExprId NestBuilder::within(ExprId value, std::int64_t low, std::int64_t size) {
  return nest().make(Kind::kAnd,
                     std::array{nest().combine(Kind::kLessOrEqual, number(low), value),
                                nest().combine(Kind::kLess, value, number(low + size))});
}

ExprId NestBuilder::all(std::span<const ExprId> conditions) {
  if (conditions.empty()) return number(1);
  ExprId out = conditions[0];
  for (const ExprId c : conditions.subspan(1)) out = nest().make(Kind::kAnd, std::array{out, c});
  return out;
}

ExprId NestBuilder::if_else(ExprId condition, ExprId yes, ExprId no) {
  return nest().make(Kind::kIfElse, std::array{condition, yes, no});
}

StmtId NestBuilder::store(BufferId buffer, Indices at, ExprId value) {
  Stmt s;
  s.kind = Stmt::Kind::kStore;
  s.buffer = buffer;
  s.indices.assign(at.begin(), at.end());
  s.value = value;
  return nest().add(std::move(s));
}

StmtId NestBuilder::only_where(ExprId condition, StmtId then) {
  Stmt s;
  s.kind = Stmt::Kind::kIf;
  s.condition = condition;
  s.children = {then};
  return nest().add(std::move(s));
}

void NestBuilder::add_steps(std::int64_t steps,
                            const std::function<std::vector<StmtId>(ExprId)>& body) {
  Stmt loop;
  loop.kind = Stmt::Kind::kLoop;
  loop.variable = nest().add_variable("step");
  loop.extent = steps;
  loop.children = body(nest().variable(loop.variable));
  body_.push_back(nest().add(std::move(loop)));
}

StmtId NestBuilder::add_into(BufferId buffer, Indices at, ExprId value) {
  return store(buffer, at, sum(load(buffer, at), value));
}

StmtId NestBuilder::block(std::string name, std::span<const Axis> axes,
                          const std::function<StmtId(Indices)>& body, const BlockOptions& options) {
  Stmt s;
  s.kind = Stmt::Kind::kBlock;
  s.name = std::move(name);
  s.node = id_;
  s.allocations = options.allocations;
  std::vector<VarId> loops;
  std::vector<ExprId> iterators, at_begin;
  for (const Axis& axis : axes) {
    loops.push_back(nest().add_variable(axis.name));
    const VarId iterator = nest().add_variable("v" + axis.name);
    s.iterators.push_back({iterator, nest().variable(loops.back()), axis.reduction});
    iterators.push_back(nest().variable(iterator));
    if (axis.reduction)
      at_begin.push_back(nest().combine(Kind::kEqual, iterators.back(), number(0)));
  }
  s.children = {body(iterators)};
  if (options.initial) {
    s.initial = options.initial(iterators);
    s.initial_when = all(at_begin);
  }
  StmtId inner = nest().add(std::move(s));
  for (std::size_t i = axes.size(); i-- > 0;) {
    Stmt loop;
    loop.kind = Stmt::Kind::kLoop;
    loop.variable = loops[i];
    loop.extent = axes[i].extent;
    loop.children = {inner};
    inner = nest().add(std::move(loop));
  }
  return inner;
}

LayerNest NestBuilder::finish() && {
  Stmt root;
  root.kind = Stmt::Kind::kBlock;
  root.name = "root";
  root.node = id_;
  root.allocations = own_;
  root.children = std::move(body_);
  out_.nest.root = nest().add(std::move(root));
  return std::move(out_);
}

std::vector<Axis> axes_of(std::span<const std::int64_t> sizes, std::string_view letter) {
  std::vector<Axis> out;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    out.push_back({fmt::format("{}{}", letter, i), sizes[i], false});
  return out;
}

}  // namespace ridge::accelerator
