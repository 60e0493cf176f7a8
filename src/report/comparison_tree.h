// The module tree over the groups of a comparison: modules inside modules, groups where all of
// their nodes are. A module that holds one thing is that thing.
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

#include "compare/comparison.h"

namespace ridge::report {

struct Branch {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  const compare::Row* row = nullptr;
  std::uint32_t group = kNone;               ///< position in Comparison::groups; kNone: a module
  std::string label;                         ///< inside of what holds it
  std::vector<std::uint32_t> children = {};  ///< most time apart first
};

class ComparisonTree {
 public:
  explicit ComparisonTree(const compare::Comparison& comparison);

  const Branch& operator[](std::uint32_t branch) const { return branches_[branch]; }
  /// What lies in no module of another's.
  const std::vector<std::uint32_t>& roots() const { return roots_; }

  struct Visit {
    std::uint32_t branch = 0;
    std::size_t depth = 0;
  };
  /// Each before its children.
  std::vector<Visit> preorder() const;
  /// By branch, the sum over its groups, each counted once.
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
  std::size_t modules_ = 0;  ///< the first so many branches
};

/// By run, by position in its layers: the group that the layer belongs to, Branch::kNone for what
/// is inserted or unattributed.
std::vector<std::vector<std::uint32_t>> groups_of_layers(const compare::Comparison& c);

}  // namespace ridge::report
