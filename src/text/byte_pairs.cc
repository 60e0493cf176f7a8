// SPDX-License-Identifier: Apache-2.0
#include "text/byte_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <tuple>

#include "base/text.h"
#include "text/byte_level.h"
#include "text/json_fields.h"
#include "text/unicode.h"

namespace ridge::text {
namespace {

constexpr std::ptrdiff_t kNone = -1;

}  // namespace

/// A piece while its pairs are merged: a list of tokens, and the pairs that can be, best first.
class BytePairs::Merging {
 public:
  Merging(const BytePairs& of, const std::vector<TokenId>& tokens) : of_(of) {
    const std::ptrdiff_t count = std::ssize(tokens);
    for (std::ptrdiff_t i = 0; i < count; ++i)
      nodes_.push_back({tokens[static_cast<std::size_t>(i)], i - 1, i + 1 < count ? i + 1 : kNone});
    for (std::ptrdiff_t i = 0; i + 1 < count; ++i) propose(i);
  }

  void run(std::vector<TokenId>& out) {
    while (!proposals_.empty()) {
      const Proposal best = proposals_.top();
      proposals_.pop();
      merge(best);
    }
    for (const Node& node : nodes_)
      if (!node.gone) out.push_back(node.token);
  }

 private:
  struct Node {
    TokenId token;
    std::ptrdiff_t before, after;
    bool gone = false;
  };
  /// A merge of the node at `at` and the one after it, out of date if their tokens are others now.
  struct Proposal {
    std::int32_t rank;
    std::ptrdiff_t at;
    TokenId merged;

    bool operator>(const Proposal& other) const {
      return std::tie(rank, at) > std::tie(other.rank, other.at);
    }
  };

  Node& node(std::ptrdiff_t at) { return nodes_[static_cast<std::size_t>(at)]; }

  const Merge* pair_at(std::ptrdiff_t at) {
    const Node& left = node(at);
    if (left.gone || left.after == kNone) return nullptr;
    return of_.merge_of(left.token, node(left.after).token);
  }
  void propose(std::ptrdiff_t at) {
    if (const Merge* pair = pair_at(at)) proposals_.push({pair->rank, at, pair->merged});
  }
  void merge(const Proposal& proposal) {
    const Merge* pair = pair_at(proposal.at);
    if (pair == nullptr || pair->merged != proposal.merged) return;
    Node& left = node(proposal.at);
    Node& right = node(left.after);
    left.token = pair->merged;
    left.after = right.after;
    right.gone = true;
    if (left.after != kNone) node(left.after).before = proposal.at;
    if (left.before != kNone) propose(left.before);
    propose(proposal.at);
  }

  const BytePairs& of_;
  std::vector<Node> nodes_;
  std::priority_queue<Proposal, std::vector<Proposal>, std::greater<>> proposals_;
};

Result<BytePairs> BytePairs::make(Parts parts) {
  BytePairs out;
  out.vocabulary_ = std::move(parts.vocabulary);
  out.unknown_ = parts.unknown;
  out.fuse_unknown_ = parts.fuse_unknown;
  out.whole_pieces_ = parts.whole_pieces;
  for (std::size_t byte = 0; byte < out.bytes_.size(); ++byte) {
    std::string shown;
    append_utf8(byte_character(static_cast<unsigned char>(byte)), shown);
    out.bytes_[byte] = out.vocabulary_.find(shown);
  }
  for (std::size_t i = 0; i < parts.merges.size(); ++i) {
    const auto& [left, right] = parts.merges[i];
    const auto first = out.vocabulary_.find(left), second = out.vocabulary_.find(right),
               merged = out.vocabulary_.find(left + right);
    if (!first || !second || !merged)
      return malformed("",
                       fmt::format("merge {} is of '{}' and '{}', which are no tokens, or whose "
                                   "merge is none",
                                   i, printable(left), printable(right)));
    out.merges_.push_back({*first, *second, static_cast<std::int32_t>(i), *merged});
  }
  const auto of_pair = [](const Merge& m) { return std::tie(m.left, m.right); };
  std::ranges::stable_sort(out.merges_,
                           [&](const Merge& a, const Merge& b) { return of_pair(a) < of_pair(b); });
  return out;
}

const BytePairs::Merge* BytePairs::merge_of(TokenId left, TokenId right) const {
  // Of a pair that stands there several times the last counts, as in a table that is filled.
  const auto after = std::upper_bound(
      merges_.begin(), merges_.end(), std::pair(left, right),
      [](const auto& pair, const Merge& m) { return pair < std::pair(m.left, m.right); });
  if (after == merges_.begin()) return nullptr;
  const Merge& last = *std::prev(after);
  return last.left == left && last.right == right ? &last : nullptr;
}

std::vector<TokenId> BytePairs::tokens_of_bytes(std::string_view piece) const {
  std::vector<TokenId> out;
  bool last_unknown = false;
  for (const char c : piece) {
    const std::optional<TokenId> token = bytes_[static_cast<unsigned char>(c)];
    const bool fused = !token && last_unknown && fuse_unknown_;
    if (token)
      out.push_back(*token);
    else if (unknown_ && !fused)
      out.push_back(*unknown_);
    last_unknown = !token;
  }
  return out;
}

void BytePairs::append(std::string_view piece, std::vector<TokenId>& out) const {
  if (whole_pieces_) {
    std::string shown;
    for (const char c : piece) append_utf8(byte_character(static_cast<unsigned char>(c)), shown);
    if (const auto token = vocabulary_.find(shown)) {
      out.push_back(*token);
      return;
    }
  }
  Merging(*this, tokens_of_bytes(piece)).run(out);
}

}  // namespace ridge::text
