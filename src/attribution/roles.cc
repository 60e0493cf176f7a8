// SPDX-License-Identifier: Apache-2.0
#include "attribution/roles.h"

#include <algorithm>

namespace ridge::attribution {
namespace {

bool contains(const std::vector<NodeId>& sorted, NodeId n) {
  return std::binary_search(sorted.begin(), sorted.end(), n);
}

class Absorber {
 public:
  Absorber(const Original& original, const std::vector<NodeId>& members, std::string_view kernel_op)
      : original_(original),
        members_(members),
        // A matrix product may take a factor as an argument, a convolution only inside its weights.
        takes_factor_(kernel_op.find("Conv") == std::string_view::npos &&
                      kernel_op != "Deconvolution") {}

  std::vector<NodeId> run() {
    for (const NodeId n : members_)
      if (is_product(original_.op(n))) follow(n);
    std::ranges::sort(absorbed_);
    return std::move(absorbed_);
  }

 private:
  // Example: a Conv kernel with members Conv (no bias), BatchNormalization, Add of a constant,
  // Relu. The BatchNormalization is absorbed and provides a bias; the Add is absorbed into that
  // bias; Relu ends the chain and executes.
  void follow(NodeId product) {
    bool bias =
        original_.node(product).inputs.size() > 2 && original_.node(product).inputs[2] != kNone;
    NodeId at = product;
    for (;;) {
      const ValueId value = original_.origin(original_.node(at).outputs[0]);
      const std::span<const NodeId> readers = original_.readers(value);
      if (readers.size() != 1 || !contains(members_, readers[0])) return;
      at = readers[0];
      if (!absorbs(at, value, bias)) return;
    }
  }

  /// Returns true if the chain continues after `n`; records `n` if its arithmetic is absorbed.
  bool absorbs(NodeId n, ValueId from, bool& bias) {
    const std::string_view op = original_.op(n);
    if (op == "BatchNormalization") {
      absorbed_.push_back(n);
      bias = true;
      return true;
    }
    const bool sum = op == "Add" || op == "Sub";
    if (!sum && op != "Mul" && op != "Div") return false;
    for (const ValueId v : original_.node(n).inputs)
      if (const ValueId o = original_.origin(v); o != from && (o == kNone || !original_.folds(o)))
        return false;
    if (sum ? bias : !takes_factor_) absorbed_.push_back(n);
    bias = bias || sum;
    return true;
  }

  const Original& original_;
  const std::vector<NodeId>& members_;
  bool takes_factor_;
  std::vector<NodeId> absorbed_;
};

}  // namespace

std::vector<NodeId> absorbed_nodes(const Original& original, const std::vector<NodeId>& members,
                                   std::string_view kernel_op) {
  if (!is_product(kernel_op) || members.size() < 2) return {};
  return Absorber(original, members, kernel_op).run();
}

}  // namespace ridge::attribution
