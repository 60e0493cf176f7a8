// SPDX-License-Identifier: Apache-2.0
#include "attribution/value_anchors.h"

#include <tuple>

namespace ridge::attribution {
namespace {

/// True for operators whose output is their first input, perhaps in another order.
bool moves(std::string_view op) {
  return op == "Reshape" || op == "Flatten" || op == "Squeeze" || op == "Unsqueeze" ||
         op == "Transpose" || op == "Identity";
}

}  // namespace

ValueAnchors::ValueAnchors(const Original& original, const ValueNumbers& numbers,
                           const OptimizedGraph& graph, std::span<const ValueTrial> trials,
                           const Anchors& named)
    : original_(original), numbers_(numbers) {
  for (const ValueTrial& trial : trials) {
    const ValueId name = named.value[trial.tensor];
    const std::optional<EqualTensor> found = decide(
        trial, name, named_node(original, graph.kernel(graph.model->value(trial.tensor).producer)));
    // Elements in another order do not tell which kernel reordered them, unless the layout is that
    // of the kernels around.
    const bool moved = found && found->how == Agreement::kPermuted && name == kNone &&
                       !named.blocked[trial.tensor];
    const ValueId value = !found || moved ? kNone : found->value;
    decisions_.push_back({trial.tensor, value, trial.refuted});
    ++counts_.tried;
    if (!trial.decisive)
      ++counts_.trivial;
    else if (moved)
      ++counts_.moved;
    else if (value != kNone)
      ++counts_.equal;
    else
      ++(trial.equal.empty() ? counts_.none : counts_.several);
    if (name != kNone && value != name && (value != kNone || trial.refuted)) ++counts_.corrected;
  }
}

/// Returns the number of the value that holds the same elements before any Reshape or Transpose.
std::uint64_t ValueAnchors::data_of(ValueId v) const {
  for (NodeId n = original_.producer(v); n != kNone; n = original_.producer(v)) {
    if (!original_.neutral(n) && !moves(original_.op(n))) break;
    const ValueId before = original_.origin(original_.neutral(n) ? original_.handed_on(n)
                                                                 : original_.node(n).inputs[0]);
    if (before == kNone) break;
    v = before;
  }
  return numbers_.of(v);
}

/// Returns the tensor of the model that a tensor equals; nullopt if there is none, or if several
/// hold different data.
// Example: y = Relu(x), z = Reshape(y), and x happens to be positive. A tensor with the elements of
// all three is undecided, since x and y are different data. If x has a negative element, y and z
// remain, which are the same data. The tensor is then the one that its name stands for, else the
// output of the node that its kernel is named after, else y, the earlier: the kernel computes at
// least that, and the Reshape stays where names see it.
std::optional<EqualTensor> ValueAnchors::decide(const ValueTrial& trial, ValueId named,
                                                NodeId kernel) const {
  std::optional<EqualTensor> best;
  if (!trial.decisive) return best;
  const auto rank = [&](const EqualTensor& e) {
    const NodeId n = original_.producer(e.value);
    const std::int64_t early = n == kNone ? 1 : -static_cast<std::int64_t>(original_.rank(n));
    return std::tuple(e.value == named, n != kNone && n == kernel, e.how, early);
  };
  std::optional<std::uint64_t> data;
  for (const EqualTensor& equal : trial.equal) {
    const EqualTensor e{original_.origin(equal.value), equal.how};
    if (e.value == kNone) continue;
    const std::uint64_t of = data_of(e.value);
    if (data && *data != of) return std::nullopt;
    data = of;
    if (!best || rank(e) > rank(*best)) best = e;
  }
  return best;
}

void ValueAnchors::correct(Anchors& anchors) const {
  for (const Decision& d : decisions_) {
    if (anchors.value[d.tensor] == kNone || (d.value == kNone && !d.refuted)) continue;
    anchors.value[d.tensor] = d.value;
    if (d.value != kNone) anchors.evidence[d.tensor] = profile::Evidence::kValue;
  }
}

void ValueAnchors::extend(Anchors& anchors) const {
  for (const Decision& d : decisions_) {
    if (anchors.value[d.tensor] != kNone || d.value == kNone) continue;
    anchors.value[d.tensor] = d.value;
    anchors.evidence[d.tensor] = profile::Evidence::kValue;
  }
}

}  // namespace ridge::attribution
