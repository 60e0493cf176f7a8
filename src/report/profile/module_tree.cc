// SPDX-License-Identifier: Apache-2.0
#include "report/profile/module_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <string_view>
#include <utility>

#include "analysis/numbered_name.h"
#include "base/text.h"
#include "export/analysis/figure_text.h"
#include "profile/module_order.h"
#include "profile/rows.h"

namespace ridge::report {
namespace {

using analysis::numbered;
using profile::Module;

std::string_view leaf_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::uint64_t mixed(std::uint64_t state, std::uint64_t word) {
  return std::rotl(state ^ (word * 0x9e3779b185ebca87ULL), 31) * 0xc2b2ae3d27d4eb4fULL + 1;
}

std::uint64_t mixed(std::uint64_t state, const profile::Count& count) {
  return mixed(mixed(state, count ? 1 : 0), static_cast<std::uint64_t>(count.value_or(0)));
}

struct ModuleBranch {
  const Module* module = nullptr;
  std::size_t depth = 0;
  std::vector<std::size_t> children;
  std::uint64_t signature = 0;  ///< equal for copies, whatever the digits of their names
};

/// Siblings that are copies, or one module.
struct Fold {
  std::vector<std::size_t> copies;
  std::string label;
};

class Tree {
 public:
  explicit Tree(const std::vector<Module>& modules) {
    std::vector<const Module*> order;
    for (const Module& m : modules)
      if (!m.path.empty()) order.push_back(&m);
    std::ranges::stable_sort(order, profile::ModuleOrder(), &Module::path);
    std::vector<std::size_t> above;  // branches that contain the next one
    for (const Module* m : order) {
      while (!above.empty() && !m->path.starts_with(branches_[above.back()].module->path + "/"))
        above.pop_back();
      (above.empty() ? roots_ : branches_[above.back()].children).push_back(branches_.size());
      branches_.push_back({.module = m, .depth = above.size(), .children = {}});
      above.push_back(branches_.size() - 1);
    }
    // Children follow their parents.
    for (std::size_t b = branches_.size(); b-- > 0;) branches_[b].signature = sign(branches_[b]);
  }

  std::vector<TreeRow> rows() const {
    std::vector<TreeRow> out;
    std::vector<Pending> pending;
    push(folds_of(roots_), 0, pending);
    while (!pending.empty()) {
      const Pending next = std::move(pending.back());
      pending.pop_back();
      const ModuleBranch& first = branches_[next.fold.copies[0]];
      const std::size_t depth = first.depth + next.added;
      const bool folded = next.fold.copies.size() > 1;
      out.push_back({.depth = depth,
                     .line = folded ? fold_line(next.fold) : line(next.fold.label, *first.module),
                     .open = depth == 0 && !folded});
      if (!folded) {
        push(folds_of(first.children), next.added, pending);
        continue;
      }
      std::vector<Fold> copies;
      for (const std::size_t b : next.fold.copies)
        copies.push_back({{b}, std::string(leaf_of(branches_[b].module->path))});
      push(std::move(copies), next.added + 1, pending);
    }
    return out;
  }

 private:
  struct Pending {
    Fold fold;
    std::size_t added = 0;  ///< levels that the folds above add to its depth
  };

  static void push(std::vector<Fold> folds, std::size_t added, std::vector<Pending>& pending) {
    for (auto fold = folds.rbegin(); fold != folds.rend(); ++fold)
      pending.push_back({std::move(*fold), added});
  }

  std::uint64_t sign(const ModuleBranch& branch) const {
    const Module& m = *branch.module;
    std::uint64_t state = mixed(0, m.layers);
    for (const profile::Count& count :
         {m.work.macs, m.work.flops, m.work.special, m.work.int_ops, m.bytes})
      state = mixed(state, count);
    for (const std::size_t child : branch.children) {
      for (const char c : leaf_of(branches_[child].module->path))
        state = mixed(state, static_cast<std::uint64_t>(c >= '0' && c <= '9' ? '0' : c));
      state = mixed(state, branches_[child].signature);
    }
    return state;
  }

  /// Folds in the order of their first copies.
  std::vector<Fold> folds_of(const std::vector<std::size_t>& siblings) const {
    std::map<std::pair<std::string_view, std::uint64_t>, std::size_t> latest;
    std::map<std::pair<std::string_view, std::uint64_t>, std::size_t> count;
    const auto key_of = [&](std::size_t b) {
      return std::pair(numbered(leaf_of(branches_[b].module->path)).stem, branches_[b].signature);
    };
    for (const std::size_t b : siblings) ++count[key_of(b)];
    std::vector<Fold> out;
    for (const std::size_t b : siblings) {
      const std::string_view leaf = leaf_of(branches_[b].module->path);
      const auto known = latest.find(key_of(b));
      const bool copy = numbered(leaf).number && known != latest.end() &&
                        (known->second + 1 == out.size() || count[key_of(b)] > 2);
      if (copy) {
        out[known->second].copies.push_back(b);
        continue;
      }
      latest[key_of(b)] = out.size();
      out.push_back({{b}, std::string(leaf)});
    }
    for (Fold& fold : out) {
      std::vector<std::int64_t> numbers;
      for (const std::size_t b : fold.copies)
        numbers.push_back(numbered(leaf_of(branches_[b].module->path)).number.value_or(0));
      fold.label += analysis::range_text(numbers);
    }
    return out;
  }

  static std::string line(std::string_view label, const Module& m, std::string_view each = "") {
    return fmt::format(
        "<span class=\"path\">{}{}</span><span class=\"n\">{}</span><span>{} {}</span><span "
        "class=\"n\">{} MACs</span>",
        html_escape(label), each, duration(m.time_ns), bar(m.share, 110),
        exports::percent_text(m.share), exports::count_text(m.work.macs));
  }

  /// Sums over the copies, and the range of their times.
  std::string fold_line(const Fold& fold) const {
    Module sum{.bytes = 0};
    double least = branches_[fold.copies[0]].module->time_ns, most = least;
    for (const std::size_t b : fold.copies) {
      const Module& m = *branches_[b].module;
      sum.time_ns += m.time_ns;
      sum.share += m.share;
      profile::add(sum.work, m.work);
      least = std::min(least, m.time_ns);
      most = std::max(most, m.time_ns);
    }
    return line(fold.label, sum,
                fmt::format(" <b>×{}</b> <small>each {} to {}</small>", fold.copies.size(),
                            duration(least), duration(most)));
  }

  std::vector<ModuleBranch> branches_;
  std::vector<std::size_t> roots_;
};

}  // namespace

std::vector<TreeRow> module_tree(const std::vector<Module>& modules) {
  return Tree(modules).rows();
}

}  // namespace ridge::report
