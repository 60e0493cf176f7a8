// SPDX-License-Identifier: Apache-2.0
#include "compare/module_diff.h"

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/checked.h"
#include "graph/name_map.h"

namespace ridge::compare {
namespace {

using analysis::Resolved;
using graph::kNone;
using graph::Module;
using graph::ModuleId;

/// Modules of both models as one tree. A module of B is identified with the module of A of the same
/// path.
class Tree {
 public:
  Tree(std::span<const Module> a, std::span<const Module> b)
      : a_(a), b_(b), place_a_(a.size(), kNone), place_b_(b.size(), kNone) {}

  /// Adds the module of a node and its ancestors.
  void add(const NodeDiff& n, const Resolved& a, const Resolved& b) {
    std::uint32_t below = kNone;
    for (ModuleId m = module_of(n, a, b); m != kNone;) {
      std::uint32_t& place = place_of(n.a != kNone, m);
      const bool fresh = place == kNone;
      if (fresh) {
        place = static_cast<std::uint32_t>(rows_.size());
        rows_.push_back({.module = &modules(n)[m]});
      }
      if (below != kNone) adopt(place, below);
      if (!fresh) return;
      below = place;
      m = modules(n)[m].parent;
    }
  }

  /// Assigns every module its position in the result: parents before children.
  std::vector<ModuleDiff> in_order() {
    std::vector<ModuleDiff> out;
    out.reserve(rows_.size());
    std::uint32_t at = rows_.empty() ? kNone : place_a_[0];
    while (at != kNone) {
      rows_[at].position = static_cast<std::uint32_t>(out.size());
      const Module& module = *rows_[at].module;
      out.push_back({.path = module.path, .depth = module.depth});
      std::uint32_t next = rows_[at].first_child;
      for (; next == kNone && at != kNone; at = rows_[at].parent) next = rows_[at].next_sibling;
      at = next;
    }
    return out;
  }

  std::uint32_t position(const NodeDiff& n, const Resolved& a, const Resolved& b) {
    return rows_[place_of(n.a != kNone, module_of(n, a, b))].position;
  }

 private:
  struct Row {
    const Module* module = nullptr;
    std::uint32_t parent = kNone, first_child = kNone, last_child = kNone, next_sibling = kNone;
    std::uint32_t position = 0;
  };

  std::span<const Module> modules(const NodeDiff& n) const { return n.a == kNone ? b_ : a_; }

  static ModuleId module_of(const NodeDiff& n, const Resolved& a, const Resolved& b) {
    return n.a == kNone ? b.model().node(n.b).module : a.model().node(n.a).module;
  }

  std::uint32_t& place_of(bool in_a, ModuleId m) {
    if (in_a) return place_a_[m];
    if (in_a_.empty()) find_in_a();
    return in_a_[m] == kNone ? place_b_[m] : place_a_[in_a_[m]];
  }

  void find_in_a() {
    const auto hash = [](const Module& module) { return hash_name(module.path, 0); };
    graph::NameMap by_path;
    for (ModuleId m = 0; m < a_.size(); ++m) by_path.insert(hash(a_[m]), m);
    in_a_.reserve(b_.size());
    for (const Module& module : b_)
      in_a_.push_back(
          by_path.find(hash(module), [&](ModuleId m) { return a_[m].path == module.path; }));
  }

  void adopt(std::uint32_t parent, std::uint32_t child) {
    rows_[child].parent = parent;
    std::uint32_t& last = rows_[parent].last_child;
    (last == kNone ? rows_[parent].first_child : rows_[last].next_sibling) = child;
    last = child;
  }

  std::span<const Module> a_, b_;
  std::vector<std::uint32_t> place_a_, place_b_;  // by ModuleId: index of its row
  // by ModuleId of B: the module of A with its path; empty until needed
  std::vector<ModuleId> in_a_;
  std::vector<Row> rows_;
};

void sum(Figures& into, const Figures& more) {
  const auto or_zero = [](ops::Dim d) { return d.known() ? d.value() : 0; };
  for (std::size_t i = 0; i < kFigures; ++i) {
    const bool known = into[i].known() && more[i].known();
    const auto both = checked_add(or_zero(into[i]), or_zero(more[i]));
    into[i] = known && both ? ops::Dim(*both) : ops::Dim();
  }
}

void sum(ModuleWork& into, const ModuleWork& more) {
  into.nodes_a += more.nodes_a;
  into.nodes_b += more.nodes_b;
  sum(into.work_a, more.work_a);
  sum(into.work_b, more.work_b);
}

ModuleWork work_between(const Diff& d, std::uint32_t first, std::uint32_t last, const Resolved& a,
                        const Resolved& b) {
  ModuleWork work;
  for (std::uint32_t i = first; i < last; ++i) {
    const NodeDiff& n = d.nodes[d.by_module[i]];
    sum(work, {n.a == kNone ? 0 : 1, n.b == kNone ? 0 : 1, work_of(a, n.a), work_of(b, n.b)});
  }
  return work;
}

/// Sorts the nodes by the position of their module (counting sort); [first, last) is then the range
/// of each module's own nodes.
void sort_nodes(Diff& d, std::span<const std::uint32_t> module_of) {
  for (const std::uint32_t m : module_of) ++d.modules[m].last;
  std::uint32_t at = 0;
  for (ModuleDiff& m : d.modules) {
    m.first = at;
    at += std::exchange(m.last, m.first);
  }
  d.by_module.resize(module_of.size());
  for (std::uint32_t n = 0; n < module_of.size(); ++n)
    d.by_module[d.modules[module_of[n]].last++] = n;
}

/// Extends the ranges from each module's own nodes to all its descendants, and sets `differs`.
// Example: modules "", l0, l0/a, l1 and nodes 0 in l0/a, 1 in l1, 2 in l0. sort_nodes() gives
// by_module = 2 0 1 and the ranges [0,0), [0,1), [1,2), [2,3); this function extends "" to [0,3)
// and l0 to [0,2).
void close_modules(Diff& d, const Resolved& a, const Resolved& b) {
  struct Open {
    std::uint32_t module = 0;
    ModuleWork work;
  };
  std::vector<Open> open;  // a module and its ancestors
  const auto close = [&](std::uint32_t end) {
    const Open done = open.back();
    open.pop_back();
    d.modules[done.module].last = end;
    d.modules[done.module].differs =
        done.work.work_a != done.work.work_b || done.work.nodes_a != done.work.nodes_b;
    if (!open.empty()) sum(open.back().work, done.work);
  };
  for (std::uint32_t m = 0; m < d.modules.size(); ++m) {
    const ModuleDiff& module = d.modules[m];
    while (!open.empty() && d.modules[open.back().module].depth >= module.depth)
      close(module.first);
    open.push_back({m, work_between(d, module.first, module.last, a, b)});
  }
  while (!open.empty()) close(static_cast<std::uint32_t>(d.by_module.size()));
}

}  // namespace

ModuleWork module_work(const Diff& diff, const ModuleDiff& module, const Resolved& a,
                       const Resolved& b) {
  return work_between(diff, module.first, module.last, a, b);
}

void add_modules(Diff& diff, const Resolved& a, const Resolved& b) {
  std::vector<std::uint32_t> module_of;  // by index in diff.nodes
  {
    Tree tree(a.model().modules(), b.model().modules());
    for (const NodeDiff& n : diff.nodes) tree.add(n, a, b);
    diff.modules = tree.in_order();
    module_of.reserve(diff.nodes.size());
    for (const NodeDiff& n : diff.nodes) module_of.push_back(tree.position(n, a, b));
  }
  sort_nodes(diff, module_of);
  close_modules(diff, a, b);
}

}  // namespace ridge::compare
