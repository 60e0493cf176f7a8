// SPDX-License-Identifier: Apache-2.0
// Builds the loop nest of one node. Private to registry.cc and its parts.
//
//   NestBuilder b(resolved, node);
//   const auto x = b.input(0), y = b.output(0);
//   b.block("copy", {{"i", 8}}, {}, [&](Indices i) { return b.store(y, i, b.load(x, i)); });
//   return std::move(b).finish();
//
// Thread rule: one thread. Cost: O(1) per call.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "accelerator/form.h"
#include "accelerator/nests/layer_nest.h"

namespace ridge::accelerator {

using Indices = std::span<const ExprId>;

/// Loop of a block, with its iterator.
struct Axis {
  std::string name;
  std::int64_t extent = 1;
  bool reduction = false;
};

/// Returns one axis per size, named by a letter and the number of the axis.
std::vector<Axis> axes_of(std::span<const std::int64_t> sizes, std::string_view letter = "i");

struct BlockOptions {
  std::vector<BufferId> allocations = {};
  std::function<StmtId(Indices)> initial = {};  ///< executed where the reductions begin
};

class NestBuilder {
 public:
  NestBuilder(const analysis::Resolved& resolved, graph::NodeId id);

  Nest& nest() { return out_.nest; }
  const Form& form() const { return form_; }

  std::optional<BufferId> input(std::size_t i) { return tensor(form_.node().inputs, i, false); }
  std::optional<BufferId> output(std::size_t i) { return tensor(form_.node().outputs, i, true); }
  /// Returns a copy, since adding buffers invalidates references.
  Sizes shape(BufferId buffer) const { return out_.nest.buffer(buffer).shape; }
  /// Adds a buffer of the nest's own, with the given element type or the type of `like`.
  BufferId temporary(std::string name, Sizes shape, onnx::DataType type);
  BufferId temporary(std::string name, Sizes shape, BufferId like);

  ExprId number(std::int64_t value) { return out_.nest.integer(value); }
  ExprId zero() { return out_.nest.make(Expr::Kind::kReal, Indices(), 0); }
  ExprId load(BufferId buffer, Indices at) { return out_.nest.load(buffer, at); }
  /// Loads the element that broadcasting maps to `at`: the tensor is repeated along leading axes
  /// that it lacks and along its axes of size 1.
  ExprId load_repeated(BufferId buffer, Indices at);
  /// Indices of the element with row-major number `number`.
  std::vector<ExprId> index_of(BufferId buffer, ExprId number);
  ExprId load_flat(BufferId buffer, ExprId number) {
    return load(buffer, index_of(buffer, number));
  }
  ExprId sum(ExprId a, ExprId b) { return combine(Expr::Kind::kAdd, a, b); }
  ExprId difference(ExprId a, ExprId b) { return combine(Expr::Kind::kSubtract, a, b); }
  ExprId product(ExprId a, ExprId b) { return combine(Expr::Kind::kMultiply, a, b); }
  ExprId quotient(ExprId a, std::int64_t by) {
    return combine(Expr::Kind::kFloorDivide, a, number(by));
  }
  ExprId remainder(ExprId a, std::int64_t by) {
    return combine(Expr::Kind::kFloorModulo, a, number(by));
  }
  ExprId other(std::string_view function, Indices operands);
  /// Condition low <= value < low + size.
  ExprId within(ExprId value, std::int64_t low, std::int64_t size);
  ExprId all(std::span<const ExprId> conditions);
  ExprId if_else(ExprId condition, ExprId yes, ExprId no);
  StmtId store(BufferId buffer, Indices at, ExprId value);
  StmtId only_where(ExprId condition, StmtId then);
  /// Statement b[at] = b[at] + value.
  StmtId add_into(BufferId buffer, Indices at, ExprId value);

  /// Loops around a block; `body` makes the block's statement from its iterators.
  StmtId block(std::string name, std::span<const Axis> axes,
               const std::function<StmtId(Indices)>& body, const BlockOptions& options = {});
  /// Appends such a block to the nest.
  void add_block(std::string name, std::span<const Axis> axes,
                 const std::function<StmtId(Indices)>& body, const BlockOptions& options = {}) {
    body_.push_back(block(std::move(name), axes, body, options));
  }
  /// Appends a block to[at] = value(at) for all elements.
  void add_map(std::string name, BufferId to, const std::function<ExprId(Indices)>& value) {
    add_block(std::move(name), axes_of(shape(to)),
              [&](Indices at) { return store(to, at, value(at)); });
  }
  /// Operands of one multiply-accumulate.
  struct Factors {
    ExprId a, b;
  };
  /// Block with sums[at] = 0, then sums[at] = sums[at] + a * b over the axes in `depth`.
  StmtId products(std::string name, BufferId sums, std::span<const Axis> depth,
                  const std::function<Factors(Indices)>& factors);
  void add_products(std::string name, BufferId sums, std::span<const Axis> depth,
                    const std::function<Factors(Indices)>& factors) {
    body_.push_back(products(std::move(name), sums, depth, factors));
  }
  void add_product(std::string name, BufferId sums, const Axis& depth,
                   const std::function<Factors(Indices)>& factors) {
    add_products(std::move(name), sums, std::span(&depth, 1), factors);
  }
  /// Variant for arbitrary axes, reductions included: `at` maps the iterators to the element of
  /// `sums`.
  StmtId products(std::string name, std::span<const Axis> axes, BufferId sums,
                  const std::function<std::vector<ExprId>(Indices)>& at,
                  const std::function<Factors(Indices)>& factors);
  void add_products(std::string name, std::span<const Axis> axes, BufferId sums,
                    const std::function<std::vector<ExprId>(Indices)>& at,
                    const std::function<Factors(Indices)>& factors) {
    body_.push_back(products(std::move(name), axes, sums, at, factors));
  }
  /// Appends a loop of `steps` around the statements that `body` makes for a step.
  void add_steps(std::int64_t steps, const std::function<std::vector<StmtId>(ExprId)>& body);

  LayerNest finish() &&;

 private:
  ExprId combine(Expr::Kind kind, ExprId a, ExprId b) { return out_.nest.combine(kind, a, b); }
  std::optional<BufferId> tensor(std::span<const graph::ValueId> values, std::size_t i,
                                 bool result);

  const analysis::Resolved& resolved_;
  graph::NodeId id_;
  Form form_;
  LayerNest out_;
  std::vector<StmtId> body_;
  std::vector<BufferId> own_;
  std::map<graph::ValueId, BufferId> tensors_;
};

}  // namespace ridge::accelerator
