// SPDX-License-Identifier: Apache-2.0
// The module tree over the groups of a comparison: nested modules, with each group in the module
// that contains all of its nodes. A module with a single child is merged with that child.
//
//   const ComparisonTree tree(comparison);
//   for (const ComparisonTree::Visit& v : tree.preorder()) … tree[v.branch].row->cells …
//
// Ownership: refers to the comparison. Thread rule: plain data. Cost: n log n.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "compare/rows.h"

namespace ridge::report {

struct Branch {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  const compare::Row* row = nullptr;
  std::uint32_t group = kNone;               ///< position in Comparison::groups; kNone: a module
  std::string label;                         ///< name relative to its parent
  std::vector<std::uint32_t> children = {};  ///< largest time difference first
};

class ComparisonTree {
 public:
  explicit ComparisonTree(const compare::Comparison& comparison);

  const Branch& operator[](std::uint32_t branch) const { return branches_[branch]; }
  /// Branches without a parent.
  const std::vector<std::uint32_t>& roots() const { return roots_; }

  struct Visit {
    std::uint32_t branch = 0;
    std::size_t depth = 0;
  };
  /// All branches, each before its children.
  std::vector<Visit> preorder() const;
  /// Sum of `of_group` over the groups of each branch, each group counted once.
  template <typename OfGroup>
  std::vector<double> sums(OfGroup of_group) const {
    std::vector<double> out(branches_.size(), 0);
    const std::vector<Visit> order = preorder();
    for (std::size_t i = order.size(); i-- > 0;) {
      const Branch& b = branches_[order[i].branch];
      double& sum = out[order[i].branch];
      if (b.group != Branch::kNone) sum = of_group(*b.row);
      for (const std::uint32_t child : b.children) sum += out[child];
    }
    return out;
  }

 private:
  void add_modules(const compare::Comparison& c);
  void add_groups(const compare::Comparison& c);
  void merge_single_children();
  void sort_children();

  std::vector<Branch> branches_;
  std::vector<std::uint32_t> roots_;
  std::size_t modules_ = 0;  ///< number of modules, the first branches
};

/// Group of every layer, by run and by position in its layers; Branch::kNone for layers that are
/// inserted or not attributed.
std::vector<std::vector<std::uint32_t>> groups_of_layers(const compare::Comparison& c);

}  // namespace ridge::report
