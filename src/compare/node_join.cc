#include "compare/node_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

#include "analysis/signature.h"
#include "compare/common_subsequence.h"

namespace ridge::compare {
namespace {

using analysis::KeyMixer;
using profile::Node;
using Nodes = std::vector<Node>;
using Keys = std::vector<std::uint64_t>;
constexpr std::uint32_t kNoPartner = std::numeric_limits<std::uint32_t>::max();

KeyMixer operator_key(const Node& n) { return KeyMixer().add(n.domain).add(n.op_type); }

std::uint64_t count_word(const profile::Count& count) {
  return count ? static_cast<std::uint64_t>(*count) : ~std::uint64_t{0};
}

std::uint64_t name_key(const Node& n) { return operator_key(n).add(n.name).key(); }

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

Keys keys_of(const Nodes& nodes, std::uint64_t (*key)(const Node&)) {
  Keys out;
  for (const Node& n : nodes) out.push_back(key(n));
  return out;
}

/// Pairs of nodes whose operator and name occur once on either side.
Pairs named_pairs(const Nodes& a, const Nodes& b) {
  struct Seen {
    std::uint32_t in_a = 0, times_a = 0, times_b = 0;
  };
  std::unordered_map<std::uint64_t, Seen> seen;
  for (std::uint32_t i = 0; i < a.size(); ++i)
    if (!a[i].name.empty()) {
      Seen& s = seen[name_key(a[i])];
      s.in_a = i;
      ++s.times_a;
    }
  for (const Node& n : b)
    if (const auto it = seen.find(name_key(n)); it != seen.end()) ++it->second.times_b;
  Pairs out;
  for (std::uint32_t j = 0; j < b.size(); ++j) {
    const auto it = b[j].name.empty() ? seen.end() : seen.find(name_key(b[j]));
    if (it != seen.end() && it->second.times_a == 1 && it->second.times_b == 1)
      out.emplace_back(it->second.in_a, j);
  }
  std::sort(out.begin(), out.end());
  return out;
}

class Alignment {
 public:
  Alignment(const Nodes& a, const Nodes& b, const Pairs& given)
      : a_(a), b_(b), to_a_(b.size(), kNoPartner), taken_(a.size(), false) {
    for (const auto& [in_a, in_b] : given) pair(in_a, in_b);
    chain_ = longest_ascending(given);
  }

  /// Pairs nodes without a partner in the gaps between ordered pairs, by common subsequence of
  /// their keys.
  void fill_gaps(std::uint64_t (*key)(const Node&)) {
    const Keys keys_a = keys_of(a_, key), keys_b = keys_of(b_, key);
    Pairs found;
    std::uint32_t i = 0, j = 0;
    for (std::size_t at = 0; at <= chain_.size(); ++at) {
      const bool last = at == chain_.size();
      const auto end_i = last ? static_cast<std::uint32_t>(a_.size()) : chain_[at].first;
      const auto end_j = last ? static_cast<std::uint32_t>(b_.size()) : chain_[at].second;
      fill_gap({keys_a, i, end_i}, {keys_b, j, end_j}, found);
      i = end_i + 1;
      j = end_j + 1;
    }
    for (const auto& [in_a, in_b] : found) pair(in_a, in_b);
    chain_.insert(chain_.end(), found.begin(), found.end());
    std::sort(chain_.begin(), chain_.end());
  }

  const std::vector<std::uint32_t>& to_a() const { return to_a_; }

  std::size_t matched() const {
    return b_.size() - static_cast<std::size_t>(std::count(to_a_.begin(), to_a_.end(), kNoPartner));
  }
  /// Number of pairs whose work agrees.
  std::size_t agreeing() const {
    std::size_t n = 0;
    for (std::size_t j = 0; j < b_.size(); ++j)
      n += to_a_[j] != kNoPartner && weight_key(a_[to_a_[j]]) == weight_key(b_[j]);
    return n;
  }

 private:
  struct Gap {
    const Keys& keys;
    std::uint32_t from, to;
  };

  void pair(std::uint32_t in_a, std::uint32_t in_b) {
    to_a_[in_b] = in_a;
    taken_[in_a] = true;
  }

  void fill_gap(const Gap& in_a, const Gap& in_b, Pairs& found) const {
    Keys left, right;
    std::vector<std::uint32_t> places_a, places_b;
    for (std::uint32_t i = in_a.from; i < in_a.to; ++i)
      if (!taken_[i]) {
        left.push_back(in_a.keys[i]);
        places_a.push_back(i);
      }
    for (std::uint32_t j = in_b.from; j < in_b.to; ++j)
      if (to_a_[j] == kNoPartner) {
        right.push_back(in_b.keys[j]);
        places_b.push_back(j);
      }
    if (left.empty() || right.empty()) return;
    for (const auto& [i, j] : common_subsequence(left, right))
      found.emplace_back(places_a[i], places_b[j]);
  }

  const Nodes& a_;
  const Nodes& b_;
  std::vector<std::uint32_t> to_a_;  // by node of b
  std::vector<bool> taken_;          // by node of a
  Pairs chain_;                      // ascending on both sides
};

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
  const Pairs names = named_pairs(a, b);
  Alignment named(a, b, names), structural(a, b, {});
  for (Alignment* way : {&named, &structural}) {
    way->fill_gaps(whole_key);
    way->fill_gaps(weight_key);
  }
  const bool by_name = !names.empty() && named.agreeing() >= structural.agreeing();
  const Alignment& best = by_name ? named : structural;
  return {best.to_a(),
          {by_name ? JoinedBy::kName : JoinedBy::kStructure, best.matched(), b.size()}};
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

std::string_view name(JoinedBy by) {
  switch (by) {
    case JoinedBy::kIndex:
      return "index";
    case JoinedBy::kName:
      return "name";
    case JoinedBy::kStructure:
      break;
  }
  return "structure";
}

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
