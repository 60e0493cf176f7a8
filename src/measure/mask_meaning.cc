// SPDX-License-Identifier: Apache-2.0
#include "measure/mask_meaning.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "analysis/constants.h"
#include "analysis/form.h"
#include "base/arena.h"
#include "ops/rule.h"

namespace ridge::measure {
namespace {

using analysis::Form;
using graph::NodeId;
using graph::ValueId;

constexpr std::size_t kMaxReaders = 500;
constexpr int kMaxSteps = 16;
/// Operators whose output has elements of their first input, and of any input.
constexpr std::array<std::string_view, 10> kOfFirst = {
    "Identity", "Reshape",   "Squeeze", "Unsqueeze", "Flatten",
    "Gather",   "Transpose", "Expand",  "Slice",     "Tile"};
constexpr std::array<std::string_view, 5> kOfAny = {"Concat", "And", "Or", "Min", "Max"};

/// Results of the two elements of the mask.
struct Sides {
  double first = 0, second = 0;
  bool unchanged = true;
};

struct Reached {
  ValueId value = graph::kNone;
  Sides sides;
};

const onnx::Tensor* tensor_of(const graph::Model& model, ValueId v) {
  const graph::Value& value = model.value(v);
  if (value.kind == graph::ValueKind::kConstant) return value.tensor;
  if (value.producer == graph::kNone) return nullptr;
  const graph::Node made = model.node(value.producer);
  if (!made.domain.empty() || (made.op_type != "Constant" && made.op_type != "ConstantOfShape"))
    return nullptr;
  const onnx::Attribute* held = graph::attribute(made, "value");
  return held == nullptr ? nullptr : held->t;
}

/// The one number that all elements are; nullopt if they differ.
std::optional<double> number_of(const ops::Value& value) {
  std::vector<double> all(value.reals.begin(), value.reals.end());
  for (const ops::Dim& d : value.ints) {
    if (!d.known()) return std::nullopt;
    all.push_back(static_cast<double>(d.value()));
  }
  if (all.empty() || std::ranges::adjacent_find(all, std::not_equal_to<>()) != all.end())
    return std::nullopt;
  return all[0];
}

/// The one number that a constant input of a node holds, also where it is expanded or cast.
std::optional<double> number_of(const analysis::Resolved& r, const graph::Node& node,
                                std::size_t i) {
  ValueId v = i < node.inputs.size() ? node.inputs[i] : graph::kNone;
  for (int steps = 0; v != graph::kNone && steps < kMaxSteps; ++steps) {
    if (const ops::Value* known = r.value(v)) return number_of(*known);
    if (const onnx::Tensor* tensor = tensor_of(r.model(), v)) {
      Arena arena;
      const auto read = analysis::tensor_value(r.model().document(), *tensor, arena);
      return read.ok() && *read != nullptr ? number_of(**read) : std::nullopt;
    }
    const NodeId maker = r.model().value(v).producer;
    if (maker == graph::kNone || r.model().inputs(maker).empty()) return std::nullopt;
    const std::string_view op = r.model().kind(maker).op_type;
    if (op != "Cast" && std::ranges::find(kOfFirst, op) == kOfFirst.end()) return std::nullopt;
    v = r.model().inputs(maker)[0];
  }
  return std::nullopt;
}

/// Result of a comparison with a constant; nullopt for another operator.
std::optional<bool> compared(std::string_view op, double a, double b) {
  if (op == "Equal") return a == b;
  if (op == "Greater") return a > b;
  if (op == "Less") return a < b;
  if (op == "GreaterOrEqual") return a >= b;
  if (op == "LessOrEqual") return a <= b;
  return std::nullopt;
}

std::optional<double> computed(std::string_view op, double a, double b) {
  if (op == "Sub") return a - b;
  if (op == "Add") return a + b;
  if (op == "Mul") return a * b;
  if (op == "Div" && b != 0) return a / b;
  if (const auto truth = compared(op, a, b)) return *truth ? 1 : 0;
  return std::nullopt;
}

/// Slot of an operator that takes masks in which 1 lets a place take part.
struct MaskSlot {
  std::string_view domain, op;
  std::size_t slot;
};
constexpr std::array kMaskSlots = {
    MaskSlot{"", "Attention", 3},
    MaskSlot{ops::kMicrosoft, "Attention", 3},
    MaskSlot{ops::kMicrosoft, "QAttention", 5},
    MaskSlot{ops::kMicrosoft, "MultiHeadAttention", 4},
    MaskSlot{ops::kMicrosoft, "MultiHeadAttention", 5},
    MaskSlot{ops::kMicrosoft, "GroupQueryAttention", 10},
    MaskSlot{ops::kMicrosoft, "DecoderMaskedSelfAttention", 3},
    MaskSlot{ops::kMicrosoft, "DecoderMaskedMultiHeadAttention", 3},
    MaskSlot{ops::kMicrosoft, "EmbedLayerNormalization", 7},
};

class Follower {
 public:
  Follower(const analysis::Resolved& resolved, ValueId mask, Sides sides) : r_(resolved) {
    open_.push_back({mask, sides});
  }

  std::optional<KeptSide> run() {
    // Example (BERT): the mask of 0 and 1 goes through 1 - m: (1, 0), times -10000: (-10000, 0),
    // and is added to the scores. The second side is greater, so places with 1 take part.
    for (std::size_t at = 0; at < open_.size() && at < kMaxReaders; ++at) {
      const Reached reached = open_[at];
      if (!seen_.insert(reached.value).second) continue;
      for (const NodeId node : r_.model().consumers(reached.value)) {
        if (const auto met = meet(Form(r_, node), reached)) return met;
        if (open_.size() >= kMaxReaders) break;
      }
    }
    return std::nullopt;
  }

 private:
  std::optional<KeptSide> meet(const Form& f, const Reached& from) {
    const auto inputs = f.node().inputs;
    const auto slot =
        static_cast<std::size_t>(std::ranges::find(inputs, from.value) - inputs.begin());
    if (slot >= inputs.size() || f.node().outputs.empty()) return std::nullopt;
    const std::string_view op = f.node().op_type;
    for (const MaskSlot& row : kMaskSlots)
      if (row.op == op && row.domain == f.node().domain && row.slot == slot)
        return greater(from.sides);
    if (!f.node().domain.empty()) return std::nullopt;
    if (op == "Where") return meet_where(f, from, slot);
    if (op == "Not" || op == "Cast") return pass(f, changed(op, from.sides, r_, f.node()));
    if (slot == 0 && std::ranges::find(kOfFirst, op) != kOfFirst.end()) return pass(f, from.sides);
    if (std::ranges::find(kOfAny, op) != kOfAny.end()) return pass(f, from.sides);
    return inputs.size() == 2 ? meet_pair(f, from, slot) : std::nullopt;
  }

  /// Not, and Cast, which makes a bool of every number.
  static Sides changed(std::string_view op, Sides sides, const analysis::Resolved& r,
                       const graph::Node& node) {
    if (op == "Not") return {sides.first == 0 ? 1.0 : 0.0, sides.second == 0 ? 1.0 : 0.0, false};
    if (r.type(node.outputs[0]).dtype == onnx::DataType::kBool) {
      sides.first = sides.first != 0 ? 1 : 0;
      sides.second = sides.second != 0 ? 1 : 0;
    }
    return sides;
  }

  std::optional<KeptSide> meet_where(const Form& f, const Reached& from, std::size_t slot) {
    if (slot != 0) return pass(f, from.sides);
    const auto yes = number_of(r_, f.node(), 1), no = number_of(r_, f.node(), 2);
    const bool first = from.sides.first != 0, second = from.sides.second != 0;
    if (first == second) return std::nullopt;
    if (yes && no) return pass(f, {first ? *yes : *no, second ? *yes : *no, false});
    if (!yes && !no) return std::nullopt;
    return KeptSide{.second = yes ? !second : second};
  }

  std::optional<KeptSide> meet_pair(const Form& f, const Reached& from, std::size_t slot) {
    const std::string_view op = f.node().op_type;
    if (const auto other = number_of(r_, f.node(), 1 - slot)) {
      const auto value = [&](double mask) {
        return slot == 0 ? computed(op, mask, *other) : computed(op, *other, mask);
      };
      const auto first = value(from.sides.first), second = value(from.sides.second);
      return first && second ? pass(f, {*first, *second, false}) : std::nullopt;
    }
    if (op == "Sub" && slot == 1) return pass(f, {-from.sides.first, -from.sides.second, false});
    if (op == "Add") return greater(from.sides);
    if (op != "Mul" || (from.sides.first != 0) == (from.sides.second != 0)) return std::nullopt;
    return KeptSide{.second = from.sides.second != 0};
  }

  static std::optional<KeptSide> greater(const Sides& sides) {
    if (sides.first == sides.second) return std::nullopt;
    return KeptSide{.second = sides.second > sides.first, .unchanged = sides.unchanged};
  }

  std::optional<KeptSide> pass(const Form& f, Sides sides) {
    open_.push_back({f.node().outputs[0], sides});
    return std::nullopt;
  }

  const analysis::Resolved& r_;
  std::vector<Reached> open_;
  std::unordered_set<ValueId> seen_;
};

}  // namespace

std::optional<KeptSide> kept_side(const analysis::Resolved& resolved, ValueId mask, double first,
                                  double second) {
  return Follower(resolved, mask, {first, second, true}).run();
}

}  // namespace ridge::measure
