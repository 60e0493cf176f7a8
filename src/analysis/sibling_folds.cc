#include "analysis/sibling_folds.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>

namespace ridge::analysis {
namespace {

using graph::ModuleId;

bool digit(char c) { return c >= '0' && c <= '9'; }

/// One multiply-and-rotate stream; decides what is shown as equal, nothing more.
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
  Mix& add(ops::Dim d) {
    add(d.known() ? static_cast<std::uint64_t>(d.value()) : 0);
    return add(d.expression());
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0x27d4eb2f165667c5ULL;
};

void add_type(Mix& mix, const ops::Type& type) {
  mix.add(static_cast<std::uint64_t>(type.dtype)).add(static_cast<std::uint64_t>(type.shape.rank));
  for (const ops::Dim& d : type.shape.span()) mix.add(d);
}

/// Digits do not count.
void add_name(Mix& mix, std::string_view name) {
  for (const char c : name) mix.add(digit(c) ? std::uint64_t{'0'} : static_cast<unsigned char>(c));
}

/// "layer.11" is "layer." and 11; a name whose number does not stand alone has none.
struct Numbered {
  std::string_view stem;
  std::optional<std::int64_t> number = {};
};

Numbered numbered(std::string_view name) {
  std::size_t begin = name.size();
  while (begin > 0 && digit(name[begin - 1])) --begin;
  const bool alone =
      begin == 0 || name[begin - 1] == '.' || name[begin - 1] == '_' || name[begin - 1] == '-';
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(name.data() + begin, name.data() + name.size(), number);
  if (begin == name.size() || !alone || error != std::errc()) return {name};
  return {name.substr(0, begin), number};
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
  // A module stands behind its parent.
  for (auto m = static_cast<ModuleId>(signature_.size()); m-- > 0;) {
    signature_[m] = sign(resolved, m);
    single_[m] = index_.children(m).empty() && index_.nodes(m).size() == 1;
  }
}

std::uint64_t SiblingFolds::sign(const Resolved& r, ModuleId m) const {
  Mix mix;
  for (const graph::NodeId n : index_.nodes(m)) {
    const graph::Node& node = model_.node(n);
    const NodeCounts& c = r.counts(n);
    mix.add(node.domain).add(node.op_type);
    for (const graph::ValueId v : node.outputs)
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
  struct Open {
    std::size_t fold;  // in `folds`
    std::int64_t first, last;
    bool dense = true;  // numbers one after the other
  };
  std::vector<Fold> folds;
  std::vector<Open> open;
  std::map<std::pair<std::string_view, std::uint64_t>, std::size_t> known;  // to `open`
  for (const ModuleId m : siblings) {
    const std::string_view leaf = module_leaf(model_.modules()[m].path);
    const Numbered name = numbered(leaf);
    const auto found = name.number ? known.find({name.stem, signature_[m]}) : known.end();
    const bool foldable = found != known.end() && (!single_[m] || !name.stem.ends_with('.') ||
                                                   open[found->second].fold + 1 == folds.size());
    if (foldable) {
      Open& o = open[found->second];
      Fold& fold = folds[o.fold];
      o.dense = o.dense && *name.number == o.last + 1;
      o.last = *name.number;
      fold.modules.push_back(m);
      continue;
    }
    if (name.number) {
      known[{name.stem, signature_[m]}] = open.size();
      open.push_back({folds.size(), *name.number, *name.number});
    }
    folds.push_back({{m}, std::string(leaf)});
  }
  constexpr std::size_t kListed = 4;
  for (const Open& o : open) {
    Fold& fold = folds[o.fold];
    if (fold.modules.size() == 1) continue;
    if (o.dense && fold.modules.size() > 2) {
      fold.label += fmt::format(" .. {}", o.last);
      continue;
    }
    for (std::size_t i = 1; i < std::min(kListed, fold.modules.size()); ++i)
      fold.label += fmt::format(
          ", {}", *numbered(module_leaf(model_.modules()[fold.modules[i]].path)).number);
    if (fold.modules.size() > kListed) fold.label += fmt::format(", … {}", o.last);
  }
  return folds;
}

}  // namespace ridge::analysis
