// SPDX-License-Identifier: Apache-2.0
#include "analysis/sibling_folds.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "analysis/numbered_name.h"
#include "base/number.h"

namespace ridge::analysis {
namespace {

using graph::ModuleId;

/// Multiply-and-rotate hash; decides only what is displayed as equal.
class Mix {
 public:
  Mix& add(std::uint64_t word) {
    state_ = std::rotl(state_ ^ (word * 0x9e3779b185ebca87ULL), 31) * 0xc2b2ae3d27d4eb4fULL + 1;
    return *this;
  }
  Mix& add(std::string_view text) {
    for (const char c : text) add(static_cast<unsigned char>(c));
    return add(text.size());
  }
  Mix& add(ops::Dim d) { return add(std::bit_cast<std::uint64_t>(d)); }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0x27d4eb2f165667c5ULL;
};

void add_type(Mix& mix, const ops::Type& type) {
  mix.add(static_cast<std::uint64_t>(type.dtype)).add(static_cast<std::uint64_t>(type.shape.rank));
  for (const ops::Dim& d : type.shape.span()) mix.add(d);
}

/// Adds a name with all digits treated alike.
void add_name(Mix& mix, std::string_view name) {
  std::uint64_t hash = name.size();
  for (const char c : name)
    hash = hash * 0x100000001b3ULL + static_cast<unsigned char>(is_digit(c) ? '0' : c);
  mix.add(hash);
}

/// Signatures by KindId. Operators that differ only in version get the same one.
std::vector<std::uint64_t> sign_kinds(std::span<const graph::NodeKind> kinds) {
  std::vector<std::uint64_t> out;
  for (const graph::NodeKind& kind : kinds)
    out.push_back(Mix().add(kind.domain).add(kind.op_type).value());
  return out;
}

}  // namespace

std::string_view module_leaf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

SiblingFolds::SiblingFolds(const Resolved& resolved, const ModuleIndex& index)
    : model_(resolved.model()),
      index_(index),
      signature_(model_.modules().size()),
      single_(model_.modules().size()) {
  const std::vector<std::uint64_t> kinds = sign_kinds(model_.kinds());
  // Parents have smaller ids than their children.
  for (auto m = static_cast<ModuleId>(signature_.size()); m-- > 0;) {
    signature_[m] = sign(resolved, kinds, m);
    single_[m] = index_.children(m).empty() && index_.nodes(m).size() == 1;
  }
}

std::uint64_t SiblingFolds::sign(const Resolved& r, std::span<const std::uint64_t> kinds,
                                 ModuleId m) const {
  Mix mix;
  for (const graph::NodeId n : index_.nodes(m)) {
    const NodeCounts& c = r.counts(n);
    mix.add(kinds[model_.kind_of(n)]);
    for (const graph::ValueId v : model_.outputs(n))
      if (v != graph::kNone) add_type(mix, r.type(v));
    for (const ops::Dim d :
         {c.macs, c.flops, c.special, c.int_ops, c.bytes_read, c.bytes_written, ops::Dim(c.params)})
      mix.add(d);
    mix.add(static_cast<std::uint64_t>(c.status));
  }
  for (const ModuleId child : index_.children(m)) {
    add_name(mix, module_leaf(model_.modules()[child].path));
    mix.add(signature_[child]);
  }
  return mix.value();
}

std::vector<Fold> SiblingFolds::of(std::span<const ModuleId> siblings) const {
  constexpr std::size_t kMaxApart = 2;  // up to this many separated copies stay separate
  std::map<std::pair<std::string_view, std::uint64_t>, std::size_t> copies, latest;
  const auto leaf_of = [&](ModuleId m) { return module_leaf(model_.modules()[m].path); };
  const auto key_of = [&](ModuleId m) {
    return std::pair(numbered(leaf_of(m)).stem, signature_[m]);
  };
  for (const ModuleId m : siblings) ++copies[key_of(m)];
  std::vector<Fold> folds;
  for (const ModuleId m : siblings) {
    const NumberedName name = numbered(leaf_of(m));
    const auto found = latest.find(key_of(m));
    const bool known = name.number && found != latest.end();
    const bool apart = known && found->second + 1 != folds.size();
    const bool in_sequence = single_[m] && name.stem.ends_with('.');
    if (known && !(apart && (in_sequence || copies[key_of(m)] <= kMaxApart))) {
      folds[found->second].modules.push_back(m);
      continue;
    }
    if (name.number) latest[key_of(m)] = folds.size();
    folds.push_back({{m}, std::string(leaf_of(m))});
  }
  for (Fold& fold : folds) {
    std::vector<std::int64_t> numbers;
    for (const ModuleId m : fold.modules)
      numbers.push_back(numbered(leaf_of(m)).number.value_or(0));
    if (numbers.size() > 1) fold.label += range_text(numbers);
  }
  return folds;
}

}  // namespace ridge::analysis
