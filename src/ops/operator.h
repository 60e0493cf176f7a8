// What an operator is to the analysis: a row with its rules. A family of operators is one short
// file in src/ops, a table of rows; registry.cc lists the tables, the only list.
//
//   Result<void> infer_same(Context& c) { return c.set_output(0, c.input(0)), Result<void>(); }
//   constexpr Operator kRows[] = {{"", "Relu", 6, infer_same, per_output<Cost{.flops = 1}>}};
//
// Rules are pure functions of the Context. Shape rules validate what they use: a shape that cannot
// be (channels that do not match, stride 0) is an input error via Context::fail; what cannot be
// known yet is left unknown, never guessed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "graph/model.h"
#include "ops/type.h"

namespace ridge::ops {

/// Work of the definition ("What the numbers mean" in the design); a figure that cannot be known is
/// an unknown Dim.
struct Work {
  Dim macs{0}, flops{0}, special{0}, int_ops{0};
  Dim macs_max{};  ///< an upper bound where the data decides how many `macs` there are
};

/// Bytes a node reads and writes; see default_traffic.
struct Traffic {
  Dim read{0}, written{0};
};

/// Why a node was rejected: the number in its code RIDGE-OPS-NNNN.
enum class Fault : std::uint16_t {
  kMissingInput = 101,   ///< fewer inputs than the operator needs
  kAttributeType = 102,  ///< an attribute of the wrong kind
  kAttribute = 103,      ///< an attribute's value that the operator does not allow, or none given
  kRank = 104,           ///< an input of a rank that the operator does not take
  kMismatch = 105,       ///< two sizes that must agree
  kBroadcast = 106,      ///< shapes that do not broadcast
  kAxis = 107,           ///< an axis outside the rank, or named twice
  kWindow = 108,         ///< a kernel, stride, dilation or padding that cannot be
  kReshape = 109,        ///< a target shape that does not hold the elements
  kDivision = 110,       ///< a size that does not divide, or parts that do not add up
  kValue = 111,          ///< a constant input outside what the operator allows
};

/// What a rule sees of one node, and where it leaves its results.
class Context {
 public:
  virtual ~Context() = default;

  const graph::Node& node() const { return node_; }
  std::int32_t opset() const { return node_.opset; }

  // Inputs. Index past the end or an input not given: has_input is false, input() is a Type of
  // nothing known.
  std::size_t input_count() const { return node_.inputs.size(); }
  bool has_input(std::size_t i) const {
    return i < node_.inputs.size() && node_.inputs[i] != graph::kNone;
  }
  virtual const Type& input(std::size_t i) const = 0;
  /// The folded constant of an input that is a tensor, or nullptr. Elements may be symbolic.
  const Value* value(std::size_t i) const {
    const Value* v = folded(i);
    return v != nullptr && v->members == nullptr ? v : nullptr;
  }
  /// What is in a sequence or an optional, or nullptr where that is not known.
  const Members* members(std::size_t i) const {
    const Value* v = folded(i);
    return v != nullptr ? v->members : nullptr;
  }
  /// Either of the two.
  virtual const Value* folded(std::size_t i) const = 0;
  /// The constant's integers where all are known numbers.
  std::optional<std::vector<std::int64_t>> integers(std::size_t i) const;

  // Attributes. A wrong attribute type is an error that fail()s on use.
  Result<std::int64_t> int_attribute(std::string_view name, std::int64_t fallback) const;
  Result<double> float_attribute(std::string_view name, double fallback) const;
  Result<std::string_view> string_attribute(std::string_view name, std::string_view fallback) const;
  /// Empty where absent.
  Result<std::span<const std::int64_t>> ints_attribute(std::string_view name) const;
  bool has_attribute(std::string_view name) const {
    return graph::attribute(node_, name) != nullptr;
  }
  /// A tensor attribute's small constant (Constant, ConstantOfShape).
  virtual Result<const Value*> tensor_attribute(std::string_view name) = 0;

  // Outputs. Setting an output that nobody wants is fine.
  std::size_t output_count() const { return node_.outputs.size(); }
  bool wants_output(std::size_t i) const {
    return i < node_.outputs.size() && node_.outputs[i] != graph::kNone;
  }
  virtual const Type& output(std::size_t i) const = 0;
  virtual void set_output(std::size_t i, const Type& type) = 0;
  virtual void set_value(std::size_t i, const Value& value) = 0;
  /// Room for the members of a sequence that a rule is about to make; empty where there are more
  /// than kMaxMembers, or the model as a whole makes too many to follow them all.
  std::optional<std::span<Member>> new_members(std::size_t count);
  /// For a sequence or optional that set_output has made; `members` lie in the arena.
  void set_members(std::size_t i, Members members);

  // Making things that live as long as the Resolved.
  DimPool& dims() { return *dims_; }
  Arena& arena() { return *arena_; }
  /// Dimensions that a shape nearby has are not kept twice.
  Shape shape(std::span<const Dim> dims) const;
  Shape shape(std::span<const std::int64_t> dims) const;
  Shape shape(std::initializer_list<Dim> dims) const {
    return shape(std::span(dims.begin(), dims.size()));
  }
  Dim elements(const Shape& s);  ///< unknown where the rank or a dimension is
  Dim bytes(const Type& t) { return type_bytes(t, *dims_); }

  /// An input error about this node: `message` says value and bound, `hint` the next step. The
  /// resolver adds file, graph and node.
  Error fail(Fault fault, std::string message, std::string hint = {}) const;

 protected:
  graph::Node node_;
  DimPool* dims_ = nullptr;
  Arena* arena_ = nullptr;

 private:
  template <typename Dims>
  Shape kept(const Dims& dims) const;

  std::size_t members_left_ = kMaxModelMembers;
  mutable std::array<Shape, 64> recent_;  // by hash of the dimensions
};

/// How a node's bytes are counted (Operator::kind) and whether it can have work at all.
enum class Kind : std::uint8_t {
  kCompute,  ///< reads its inputs, writes its outputs
  kView,  ///< Reshape, Squeeze, Identity, Dropout at inference, Shape, Constant, ...: 0 bytes, no
          ///< work
  kControl,  ///< If, Loop, Scan: no work of its own, its bodies carry it
};

struct Operator {
  std::string_view domain;  ///< "" is ai.onnx
  std::string_view name;
  /// Lowest opset version that this row is right for; rows of one name are alternatives, the
  /// highest that is not above the model's wins.
  std::int32_t since = 1;
  /// Sets output types; also output values where they follow from shapes (Shape, Size). Of a
  /// kControl it refuses the node: the resolver walks bodies itself where there are any.
  Result<void> (*infer)(Context&) = nullptr;
  /// After infer. Null: no work by definition.
  Work (*work)(Context&) = nullptr;
  /// Sets output values when the inputs' are known; called only for small outputs.
  void (*fold)(Context&) = nullptr;
  /// Null: default_traffic; for a kView nothing. A view with a rule is one only at times (Dropout).
  Traffic (*traffic)(Context&) = nullptr;
  Kind kind = Kind::kCompute;
  /// Weights or zero points that input `i` packs into its elements (MatMulNBits: several per byte);
  /// 0 where each element is one. Null: none of its inputs packs any.
  Dim (*packed)(Context&, std::size_t i) = nullptr;
  /// For `ridge explain` and the operator pages: "N*Cout*Hout*Wout*Cin/g*Kh*Kw MACs".
  std::string_view formula;
};

/// Each distinct input once and each wanted output once, as stored.
Traffic default_traffic(Context& c);

/// The row for an operator at an opset version, or nullptr: unknown (also where the version is 0,
/// a domain that the model does not import). One hash look-up.
const Operator* find(std::string_view domain, std::string_view name, std::int32_t opset);
/// All rows, sorted by domain, name, since.
std::span<const Operator* const> all();

}  // namespace ridge::ops
