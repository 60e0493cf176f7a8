// SPDX-License-Identifier: Apache-2.0
#include "compare/node_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/signature.h"
#include "compare/align.h"

namespace ridge::compare {
namespace {

using analysis::KeyMixer;
using profile::Node;
using Nodes = std::vector<Node>;
using NodeKeys = std::vector<std::uint64_t>;

/// Operators that stand for one and the same product or lookup, in other types or by a runtime's
/// own name.
struct Stand {
  std::string_view op, of;
};
constexpr std::array kStands = {
    Stand{"Attention", "Attention"},
    Stand{"Conv", "Conv"},
    Stand{"ConvInteger", "Conv"},
    Stand{"DynamicQuantizeLSTM", "LSTM"},
    Stand{"DynamicQuantizeMatMul", "MatMul"},
    Stand{"FusedConv", "Conv"},
    Stand{"FusedGemm", "Gemm"},
    Stand{"FusedMatMul", "MatMul"},
    Stand{"Gather", "Gather"},
    Stand{"GatherBlockQuantized", "Gather"},
    Stand{"Gemm", "Gemm"},
    Stand{"LSTM", "LSTM"},
    Stand{"MatMul", "MatMul"},
    Stand{"MatMulBnb4", "MatMul"},
    Stand{"MatMulFpQ4", "MatMul"},
    Stand{"MatMulInteger", "MatMul"},
    Stand{"MatMulIntegerToFloat", "MatMul"},
    Stand{"MatMulNBits", "MatMul"},
    Stand{"QAttention", "Attention"},
    Stand{"QGemm", "Gemm"},
    Stand{"QLinearConv", "Conv"},
    Stand{"QLinearMatMul", "MatMul"},
    Stand{"QMoE", "MoE"},
};
/// Endings that tools which quantize add to the name of a node.
constexpr std::array<std::string_view, 5> kEndings = {"_Q4", "_Q8", "_Bnb4", "_quant",
                                                      "_quantized"};

std::string_view stands_for(const Node& n) {
  const auto at = std::ranges::find(kStands, n.op_type, &Stand::op);
  return at == kStands.end() ? std::string_view() : at->of;
}

KeyMixer operator_key(const Node& n) {
  const std::string_view of = stands_for(n);
  return of.empty() ? KeyMixer().add(n.domain).add(n.op_type) : KeyMixer().add("").add(of);
}

std::string_view plain_name(const Node& n) {
  std::string_view name = n.name;
  if (stands_for(n).empty()) return name;
  for (const std::string_view ending : kEndings)
    if (name.size() > ending.size() && name.ends_with(ending)) {
      name.remove_suffix(ending.size());
      break;
    }
  return name;
}

std::uint64_t count_word(const profile::Count& count) {
  return count ? static_cast<std::uint64_t>(*count) : ~std::uint64_t{0};
}

std::uint64_t name_key(const Node& n) { return operator_key(n).add(plain_name(n)).key(); }

std::uint64_t weight_key(const Node& n) {
  return operator_key(n)
      .add(static_cast<std::uint64_t>(n.params))
      .add(count_word(n.work.macs))
      .key();
}

std::uint64_t whole_key(const Node& n) {
  return KeyMixer()
      .add(weight_key(n))
      .add(n.output_shape)
      .add(count_word(n.work.flops))
      .add(count_word(n.work.special))
      .key();
}

/// Key of a product in any type: its weights are packed, and have scales beside them.
std::uint64_t product_key(const Node& n) {
  if (stands_for(n).empty() || n.work.macs.value_or(0) == 0) return weight_key(n);
  return operator_key(n).add(count_word(n.work.macs)).add(n.output_shape).key();
}

/// Keys of one profile's nodes.
struct ProfileSide {
  explicit ProfileSide(const Nodes& nodes) {
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      order.push_back(i);
      if (!nodes[i].name.empty()) named.push_back(i);
      names.push_back(name_key(nodes[i]));
      wholes.push_back(whole_key(nodes[i]));
      weights.push_back(weight_key(nodes[i]));
      products.push_back(product_key(nodes[i]));
      operators.push_back(nodes[i].op_type);
    }
  }
  std::vector<std::uint32_t> order, named;
  NodeKeys names, wholes, weights, products;
  std::vector<std::string_view> operators;
};

void fill_gaps(Alignment& pairs, const ProfileSide& a, const ProfileSide& b) {
  pairs.fill_gaps({a.order, a.wholes}, {b.order, b.wholes});
  pairs.fill_gaps({a.order, a.weights}, {b.order, b.weights});
  pairs.fill_gaps({a.order, a.products}, {b.order, b.products});
}

/// Number of pairs, and how many of them agree in work.
struct Pairing {
  std::size_t matched = 0, agreeing = 0;
};

Pairing pairing(const Alignment& pairs, const ProfileSide& a, const ProfileSide& b) {
  Pairing out;
  for (std::size_t j = 0; j < b.order.size(); ++j) {
    const std::uint32_t i = pairs.to_a()[j];
    if (i == kNoPartner) continue;
    ++out.matched;
    const bool other_type = a.operators[i] != b.operators[j];
    out.agreeing += a.weights[i] == b.weights[j] || (other_type && a.products[i] == b.products[j]);
  }
  return out;
}

bool same_table(const Nodes& a, const Nodes& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Node& x, const Node& y) {
    return x.op_type == y.op_type && x.domain == y.domain && x.name == y.name;
  });
}

struct Joined {
  std::vector<std::uint32_t> to_a;
  JoinRate rate;
};

Joined join_pair(const Nodes& a, const Nodes& b) {
  if (same_table(a, b)) {
    Joined out{{}, {JoinedBy::kIndex, b.size(), b.size()}};
    for (std::uint32_t i = 0; i < b.size(); ++i) out.to_a.push_back(i);
    return out;
  }
  // Names alone may mislead: exporters number nodes, so after an insertion Conv_12 is another node
  // than before. Both ways are tried, with names first and by structure alone, and the way with
  // more pairs that agree in work wins; names win a tie.
  const ProfileSide of_a(a), of_b(b);
  Alignment named(of_a.order, of_b.order), structural(of_a.order, of_b.order);
  const bool any_name = named.pair_unique({of_a.named, of_a.names}, {of_b.named, of_b.names}) > 0;
  for (Alignment* way : {&named, &structural}) fill_gaps(*way, of_a, of_b);
  const Pairing by_names = pairing(named, of_a, of_b),
                by_structure = pairing(structural, of_a, of_b);
  if (any_name && by_names.agreeing >= by_structure.agreeing)
    return {named.to_a(), {JoinedBy::kName, by_names.matched, b.size()}};
  return {structural.to_a(), {JoinedBy::kStructure, by_structure.matched, b.size()}};
}

bool has_macs(const Node& n) { return n.work.macs.value_or(1) != 0; }

/// True if no relevant node has a partner: the runs are not of versions of one model.
bool unrelated(const Nodes& b, const Joined& joined) {
  const bool any_macs = std::any_of(b.begin(), b.end(), has_macs);
  for (std::size_t j = 0; j < b.size(); ++j)
    if (joined.to_a[j] != kNoPartner && (!any_macs || has_macs(b[j]))) return false;
  return true;
}

}  // namespace

Result<NodeJoin> join_nodes(std::span<const Run> runs) {
  NodeJoin out;
  for (std::uint32_t r = 0; r < runs.size(); ++r) {
    const Nodes& nodes = runs[r].profile.nodes;
    if (nodes.empty())
      return input_error("RIDGE-CMP-0004",
                         fmt::format("run '{}' has no nodes to compare", runs[r].label))
          .hint("import it again with --model to associate it with its model");
    const Joined joined = join_pair(runs[0].profile.nodes, nodes);
    if (unrelated(nodes, joined))
      return input_error("RIDGE-CMP-0005",
                         fmt::format("'{}' and '{}' have no node with work in common",
                                     runs[0].label, runs[r].label))
          .evidence(fmt::format("models {} and {}", runs[0].profile.subject.path,
                                runs[r].profile.subject.path))
          .hint("compare runs of one model, or of versions of it");
    out.rates.push_back(joined.rate);
    std::vector<std::uint32_t>& common = out.common.emplace_back();
    for (std::uint32_t j = 0; j < nodes.size(); ++j) {
      const bool partner = r > 0 && joined.to_a[j] != kNoPartner;
      common.push_back(partner ? joined.to_a[j] : static_cast<std::uint32_t>(out.nodes.size()));
      if (!partner) out.nodes.push_back({r, j});
    }
  }
  return out;
}

}  // namespace ridge::compare
