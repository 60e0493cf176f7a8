// SPDX-License-Identifier: Apache-2.0
// Operator rows and the context for their rules. A family of operators is one short file in src/ops
// with a table of rows; registry.cc lists the tables and is the only list.
//
//   Result<void> infer_same(Context& c) { return c.set_output(0, c.input(0)), Result<void>(); }
//   constexpr Operator kRows[] = {{"", "Relu", 6, infer_same, per_output<Cost{.flops = 1}>}};
//
// Rules are pure functions of the Context. Shape rules validate what they use: an impossible shape
// (mismatched channels, stride 0) is an input error via Context::fail; anything undetermined stays
// unknown and is never guessed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "graph/model.h"
#include "ops/type.h"

namespace ridge::ops {

/// Work by definition ("What the numbers mean" in the design); a count that cannot be determined is
/// an unknown Dim.
struct Work {
  Dim macs{0}, flops{0}, special{0}, int_ops{0};
  Dim macs_max{};  ///< upper bound if the data determines `macs`
};

/// Bytes that a node reads and writes; see default_traffic.
struct Traffic {
  Dim read{0}, written{0};
};

/// Part of an input that one execution reads: of `of` equal parts (experts, rows of a table) at
/// most `read`.
struct Part {
  Dim of{1}, read{1};
  Dim per_token{};  ///< parts that one token uses, if the parts are experts; else unknown
};

/// Reason for rejecting a node: the number in its code RIDGE-OPS-NNNN.
enum class Fault : std::uint16_t {
  kMissingInput = 101,   ///< fewer inputs than the operator needs
  kAttributeType = 102,  ///< wrong attribute type
  kAttribute = 103,      ///< attribute value that the operator does not allow, or missing attribute
  kRank = 104,           ///< input rank that the operator does not accept
  kMismatch = 105,       ///< two sizes that must agree but differ
  kBroadcast = 106,      ///< shapes that do not broadcast
  kAxis = 107,           ///< axis outside the rank, or repeated
  kWindow = 108,         ///< impossible kernel, stride, dilation or padding
  kReshape = 109,        ///< target shape with another number of elements
  kDivision = 110,       ///< size that is not divisible, or parts that do not add up
  kValue = 111,          ///< constant input outside the allowed range
};

/// Interface of a rule to one node: its inputs and attributes, and the results.
class Context {
 public:
  virtual ~Context() = default;

  const graph::Node& node() const { return node_; }
  std::int32_t opset() const { return node_.opset; }

  // Inputs. For an index past the end or an omitted input, has_input() is false and input() is an
  // unknown Type.
  std::size_t input_count() const { return node_.inputs.size(); }
  bool has_input(std::size_t i) const {
    return i < node_.inputs.size() && node_.inputs[i] != graph::kNone;
  }
  virtual const Type& input(std::size_t i) const = 0;
  /// Folded constant of a tensor input, or nullptr. Elements may be symbolic.
  const Value* value(std::size_t i) const {
    const Value* v = folded(i);
    return v != nullptr && v->members == nullptr ? v : nullptr;
  }
  /// Members of a sequence or an optional, or nullptr if they are unknown.
  const Members* members(std::size_t i) const {
    const Value* v = folded(i);
    return v != nullptr ? v->members : nullptr;
  }
  /// Folded constant of an input of either kind.
  virtual const Value* folded(std::size_t i) const = 0;
  /// Integers of a constant input; nullopt unless all are known numbers.
  std::optional<std::vector<std::int64_t>> integers(std::size_t i) const;

  // Attributes. Access with the wrong type is an error.
  Result<std::int64_t> int_attribute(std::string_view name, std::int64_t fallback) const;
  Result<double> float_attribute(std::string_view name, double fallback) const;
  Result<std::string_view> string_attribute(std::string_view name, std::string_view fallback) const;
  /// Empty if absent.
  Result<std::span<const std::int64_t>> ints_attribute(std::string_view name) const;
  bool has_attribute(std::string_view name) const {
    return graph::attribute(node_, name) != nullptr;
  }
  /// Small constant of a tensor attribute (Constant, ConstantOfShape).
  virtual Result<const Value*> tensor_attribute(std::string_view name) = 0;

  // Outputs. Setting an unused output has no effect.
  std::size_t output_count() const { return node_.outputs.size(); }
  bool wants_output(std::size_t i) const {
    return i < node_.outputs.size() && node_.outputs[i] != graph::kNone;
  }
  virtual const Type& output(std::size_t i) const = 0;
  virtual void set_output(std::size_t i, const Type& type) = 0;
  virtual void set_value(std::size_t i, const Value& value) = 0;
  /// Allocates members for a new sequence; nullopt if there are more than kMaxMembers, or if the
  /// total of the model exceeds kMaxModelMembers.
  std::optional<std::span<Member>> new_members(std::size_t count);
  /// Sets the members of a sequence or optional after set_output; `members` must be in the arena.
  void set_members(std::size_t i, Members members);

  // Creation of objects that live as long as the Resolved.
  DimPool& dims() { return *dims_; }
  Arena& arena() { return *arena_; }
  /// Creates a shape; recently used dimensions are shared.
  Shape shape(std::span<const Dim> dims) const;
  Shape shape(std::span<const std::int64_t> dims) const;
  Shape shape(std::initializer_list<Dim> dims) const {
    return shape(std::span(dims.begin(), dims.size()));
  }
  Dim elements(const Shape& s);  ///< unknown if the rank or a dimension is
  Dim bytes(const Type& t) { return type_bytes(t, *dims_); }

  /// Notes that the model works only where `a`, an expression of free sizes, equals `b`: the file
  /// fixes a size inside. No effect if both are numbers or the same, or if one is unknown.
  void expect_equal(Dim a, Dim b) const {
    if (!a.unknown() && !b.unknown() && !a.same(b) && (a.symbolic() || b.symbolic()))
      expected_.emplace_back(a, b);
  }

  /// Creates an input error about this node: `message` states value and limit, `hint` the next
  /// step. The resolver adds file, graph and node.
  Error fail(Fault fault, std::string message, std::string hint = {}) const;

 protected:
  graph::Node node_;
  DimPool* dims_ = nullptr;
  Arena* arena_ = nullptr;
  mutable std::vector<std::pair<Dim, Dim>> expected_;  // of the current node

 private:
  template <typename Dims>
  Shape kept(const Dims& dims) const;

  std::size_t members_left_ = kMaxModelMembers;
  mutable std::array<Shape, 64> recent_;  // by hash of the dimensions
};

/// Way in which a node's bytes are counted (Operator::kind), and whether it can have work.
enum class Kind : std::uint8_t {
  kCompute,  ///< reads its inputs, writes its outputs
  /// 0 bytes, no work: Reshape, Squeeze, Identity, Dropout at inference, Shape, Constant, ...
  kView,
  kControl,  ///< If, Loop, Scan: no work of its own, only in its bodies
};

struct Operator {
  std::string_view domain;  ///< "" is ai.onnx
  std::string_view name;
  /// Lowest opset version for which this row is valid. Rows with the same name are alternatives:
  /// the one with the highest `since` that does not exceed the model's version is used.
  std::int32_t since = 1;
  /// Sets output types, and output values that follow from shapes (Shape, Size). For kControl it
  /// rejects the node: the resolver itself processes nodes with bodies.
  Result<void> (*infer)(Context&) = nullptr;
  /// Runs after `infer`. Null: no work by definition.
  Work (*work)(Context&) = nullptr;
  /// Sets output values if the inputs' values are known; called only for small outputs.
  void (*fold)(Context&) = nullptr;
  /// Null: default_traffic, or nothing for kView. A view with a rule is a view only sometimes
  /// (Dropout).
  Traffic (*traffic)(Context&) = nullptr;
  Kind kind = Kind::kCompute;
  /// Number of weights or zero points that input `i` packs into its elements (MatMulNBits: several
  /// per byte); 0 if each element is one. Null: no input is packed.
  Dim (*packed)(Context&, std::size_t i) = nullptr;
  /// Part of input `i` that is read, if only a part is: experts that no token chooses and rows of a
  /// table that no position names are not read. Null: all inputs are read entirely. Only for
  /// operators without a traffic rule.
  std::optional<Part> (*part)(Context&, std::size_t i) = nullptr;
  /// Text for `ridge explain` and the operator pages: "N*Cout*Hout*Wout*Cin/g*Kh*Kw MACs".
  std::string_view formula;
};

/// Reads each distinct input once and writes each used output once, as stored.
Traffic default_traffic(Context& c);
/// Bytes of input `i` that are read at most, by the part rule of `op`; nullopt if it has no part
/// rule. An input that is given twice is read entirely.
std::optional<Dim> part_bytes(Context& c, const Operator& op, std::size_t i);
/// Traffic of a node by the rules of its operator.
Traffic traffic_of(Context& c, const Operator& op);

/// Returns the row for an operator at an opset version, or nullptr if unknown (also for version 0,
/// a domain that the model does not import). One hash lookup.
const Operator* find(std::string_view domain, std::string_view name, std::int32_t opset);
/// All rows, sorted by domain, name, since.
std::span<const Operator* const> all();

}  // namespace ridge::ops
