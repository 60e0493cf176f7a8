// SPDX-License-Identifier: Apache-2.0
#include "report/comparison/tree.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "compare/group_name.h"
#include "export/comparison/words.h"

namespace ridge::report {
namespace {

using compare::Comparison;
using compare::Row;

std::string_view parent_path(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? "" : path.substr(0, slash);
}

std::string last_step(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// Label of a group without its module prefix, which the tree shows already.
std::string label_inside(const Row& group) {
  const std::string inside = compare::short_module(group.module);
  const std::string prefix = inside.empty() ? "" : inside + ": ";
  return group.label.starts_with(prefix) ? group.label.substr(prefix.size()) : group.label;
}

}  // namespace

ComparisonTree::ComparisonTree(const Comparison& c) {
  add_modules(c);
  add_groups(c);
  merge_single_children();
  sort_children();
}

/// Relies on the order of the rows: parents before children.
void ComparisonTree::add_modules(const Comparison& c) {
  std::map<std::string_view, std::uint32_t> at;
  for (const Row& row : c.modules) {
    const auto id = static_cast<std::uint32_t>(branches_.size());
    branches_.push_back({.row = &row, .label = last_step(row.label)});
    at[row.label] = id;
    const auto parent = at.find(parent_path(row.label));
    (parent == at.end() ? roots_ : branches_[parent->second].children).push_back(id);
  }
  modules_ = branches_.size();
}

void ComparisonTree::add_groups(const Comparison& c) {
  std::map<std::string_view, std::uint32_t> at;
  for (std::uint32_t m = 0; m < modules_; ++m) at[branches_[m].row->label] = m;
  for (std::uint32_t g = 0; g < c.groups.size(); ++g) {
    const Row& row = c.groups[g];
    const auto id = static_cast<std::uint32_t>(branches_.size());
    branches_.push_back({.row = &row, .group = g, .label = label_inside(row)});
    const auto parent = at.find(row.module);
    (parent == at.end() ? roots_ : branches_[parent->second].children).push_back(id);
  }
}

/// Goes backward, because children have higher positions than their parents.
void ComparisonTree::merge_single_children() {
  for (std::size_t m = modules_; m-- > 0;) {
    Branch& module = branches_[m];
    if (module.children.size() != 1) continue;
    Branch only = branches_[module.children[0]];
    only.label = only.group == Branch::kNone ? module.label + "/" + only.label : only.row->label;
    module = std::move(only);
  }
}

void ComparisonTree::sort_children() {
  const auto sort = [&](std::vector<std::uint32_t>& list) {
    std::vector<std::pair<double, std::uint32_t>> keyed;
    for (const std::uint32_t b : list) keyed.emplace_back(-exports::apart(*branches_[b].row), b);
    std::stable_sort(keyed.begin(), keyed.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = keyed[i].second;
  };
  sort(roots_);
  for (Branch& b : branches_) sort(b.children);
}

std::vector<ComparisonTree::Visit> ComparisonTree::preorder() const {
  std::vector<Visit> out, waiting;
  for (auto root = roots_.rbegin(); root != roots_.rend(); ++root) waiting.push_back({*root, 0});
  while (!waiting.empty()) {
    const Visit v = waiting.back();
    waiting.pop_back();
    out.push_back(v);
    const std::vector<std::uint32_t>& children = branches_[v.branch].children;
    for (auto child = children.rbegin(); child != children.rend(); ++child)
      waiting.push_back({*child, v.depth + 1});
  }
  return out;
}

std::vector<std::vector<std::uint32_t>> groups_of_layers(const Comparison& c) {
  std::vector<std::uint32_t> of_node(c.join.nodes.size(), Branch::kNone);
  for (std::uint32_t g = 0; g < c.groups.size(); ++g)
    for (const std::uint32_t node : c.groups[g].nodes) of_node[node] = g;
  std::vector<std::vector<std::uint32_t>> out;
  for (std::size_t r = 0; r < c.runs.size(); ++r) {
    std::vector<std::uint32_t>& groups = out.emplace_back();
    for (const profile::Layer& layer : c.runs[r].profile.layers)
      groups.push_back(layer.members.empty() ? Branch::kNone
                                             : of_node[c.join.common[r][layer.members[0].node]]);
  }
  return out;
}

}  // namespace ridge::report
