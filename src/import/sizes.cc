// SPDX-License-Identifier: Apache-2.0
#include "import/sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "base/text.h"
#include "import/operators.h"

namespace ridge::imports {
namespace {

using analysis::Resolved;
using graph::kNone;
using graph::NodeId;
using graph::ValueId;

std::string slot(const graph::Value& input, std::size_t axis) {
  return fmt::format("{}[{}]", input.name, axis);
}

class SizeReader {
 public:
  SizeReader(const Recorded& recorded, const Resolved& symbolic, const NameIndex& names)
      : recorded_(recorded), resolved_(symbolic), names_(names) {}

  RecordedSizes run() {
    for (const auto& [name, dims] : recorded_.tensors)
      if (const ValueId v = names_.tensor(name); v != kNone)
        see(v, dims, Certainty::kSure, "'" + name + "' is");
    for (const RecordedLayer& layer : recorded_.layers) see(layer);
    see_operators();
    for (const auto& [name, counts] : votes_) {
      const auto most =
          std::ranges::max_element(counts, {}, [](const auto& vote) { return vote.second; });
      out_.sizes[name] = most->first;
    }
    return std::move(out_);
  }

 private:
  enum class Certainty : std::uint8_t { kSure, kLikely };

  void see(const RecordedLayer& layer) {
    if (layer.inserted || (layer.inputs.empty() && layer.outputs.empty())) return;
    const Found found = names_.find(layer.name, recorded_.naming);
    if (!found) return;
    const graph::Node node = resolved_.model().node(found.node);
    const bool same = found.evidence == profile::Evidence::kRuntimeList &&
                      layer.type == node.op_type && node.parent == kNone;
    const Certainty certainty = same ? Certainty::kSure : Certainty::kLikely;
    if (layer.outputs.size() == node.outputs.size())
      for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        see(node.outputs[i], layer.outputs[i], certainty, "'" + layer.name + "' writes");
        if (same && layer.outputs_later.size() == node.outputs.size())
          see_later(node.outputs[i], layer.outputs[i], layer.outputs_later[i]);
      }
    // Pre-packed weights are not listed, so only the first input has a certain position.
    const std::size_t listed = layer.inputs.size() == node.inputs.size() ? layer.inputs.size() : 1;
    for (std::size_t i = 0; same && i < std::min(listed, layer.inputs.size()); ++i)
      if (i < node.inputs.size())
        see(node.inputs[i], layer.inputs[i], certainty, "'" + layer.name + "' reads");
  }

  /// Uses recorded shapes of PyTorch operators, matched to nodes by order.
  void see_operators() {
    const auto has_shapes = [](const RecordedLayer& layer) {
      return layer.operation && !layer.operation->inputs.empty();
    };
    if (std::ranges::none_of(recorded_.layers, has_shapes)) return;
    const std::vector<bool> unnamed(recorded_.layers.size());
    const std::vector<bool> unplaced(resolved_.model().nodes().size());
    for (const OrderedMember& m :
         match_in_order(recorded_.layers, unnamed, resolved_, unplaced).members) {
      if (m.evidence == profile::Evidence::kRegion || m.evidence == profile::Evidence::kGuess)
        continue;
      const std::vector<Dims>& read = recorded_.layers[m.layer].operation->inputs;
      const graph::Node node = resolved_.model().node(m.node);
      for (std::size_t i = 0; i < std::min(read.size(), node.inputs.size()); ++i)
        see(node.inputs[i], read[i], Certainty::kLikely, "");
    }
  }

  /// Name of the free size that a dimension consists of; "" if it is known or an expression.
  std::string free_size(ops::Dim d) const {
    if (!d.symbolic()) return "";
    const std::vector<std::string> names = resolved_.dims().symbols(d);
    return names.size() == 1 && resolved_.dims().symbol(names[0]).same(d) ? names[0] : "";
  }

  /// True if another order of the recorded sizes has all that the model knows: a runtime moves
  /// transposes past other operators, whose tensors then have another layout.
  static bool permuted(const ops::Shape& shape, Dims dims) {
    for (const ops::Dim d : shape.span()) {
      if (!d.known()) continue;
      const auto same = std::ranges::find(dims, d.value());
      if (same == dims.end()) return false;
      dims.erase(same);
    }
    return true;
  }

  void see(ValueId v, const Dims& dims, Certainty certainty, const std::string& where) {
    if (v == kNone || std::ranges::any_of(dims, [](std::int64_t d) { return d < 0; })) return;
    const ops::Shape& shape = resolved_.type(v).shape;
    if (!shape.ranked() || shape.span().size() != dims.size()) return;
    bool fits = true;
    for (std::size_t i = 0; i < dims.size(); ++i) fits &= !shape[i].known() || shape[i].is(dims[i]);
    if (!fits && permuted(shape, dims)) return;
    if (!fits) {
      if (certainty == Certainty::kSure && out_.contradiction.empty())
        out_.contradiction = fmt::format("{} {}, the model says {}", where, fmt::join(dims, "x"),
                                         ops::dims_text(shape, resolved_.dims()));
      return;
    }
    for (std::size_t i = 0; i < dims.size(); ++i)
      if (const std::string name = free_size(shape[i]); !name.empty()) ++votes_[name][dims[i]];
  }

  void see_later(ValueId v, const Dims& first, const Dims& later) {
    if (v == kNone || first.size() != later.size()) return;
    const ops::Shape& shape = resolved_.type(v).shape;
    if (!shape.ranked() || shape.span().size() != first.size()) return;
    for (std::size_t i = 0; i < first.size(); ++i)
      if (const std::string name = free_size(shape[i]); !name.empty() && first[i] != later[i])
        out_.vary.insert(name);
  }

  const Recorded& recorded_;
  const Resolved& resolved_;
  const NameIndex& names_;
  std::map<std::string, std::map<std::int64_t, std::size_t>> votes_;
  RecordedSizes out_;
};

/// Binds the free sizes of a model's inputs, one input at a time.
class Setter {
 public:
  Setter(const RecordedSizes& recorded, analysis::Bindings given)
      : recorded_(recorded), out_(std::move(given)) {}

  void input(const graph::Value& input) {
    if (input.declared == nullptr || !input.declared->has_shape) return;
    const auto given = out_.shapes.find(std::string(input.name));
    const auto declared = input.declared->shape;
    Dims whole;
    bool unnamed = false;
    for (std::size_t i = 0; i < declared.size(); ++i) {
      const bool has_name = !recorded_.sizes.contains(slot(input, i));
      const std::string name = has_name ? std::string(declared[i].param) : slot(input, i);
      const std::optional<std::int64_t> value = recorded(name);
      if (given != out_.shapes.end()) {
        if (i < given->second.size()) compare("--shape", name, given->second[i], value);
      } else if (declared[i].value >= 0) {
        whole.push_back(declared[i].value);
      } else if (const auto bound = out_.sizes.find(name); bound != out_.sizes.end()) {
        compare("--bind", name, bound->second.value, value);
        whole.push_back(bound->second.value);
      } else if (value) {
        if (has_name) take(name, *value);
        unnamed |= !has_name;
        whole.push_back(*value);
      }
    }
    if (!unnamed || whole.size() != declared.size()) return;
    taken_.emplace(std::string(input.name), fmt::format("{}", fmt::join(whole, "x")));
    out_.shapes.emplace(std::string(input.name), std::move(whole));
  }

  analysis::Bindings finish(std::vector<std::string>& notes) {
    std::string text;
    for (const auto& [name, value] : taken_)
      text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
    if (!text.empty()) notes.push_back("sizes taken from the recording: " + text);
    notes.insert(notes.end(), contradicted_.begin(), contradicted_.end());
    return std::move(out_);
  }

 private:
  std::optional<std::int64_t> recorded(const std::string& name) const {
    const auto at = recorded_.sizes.find(name);
    if (at == recorded_.sizes.end() || recorded_.vary.contains(name)) return std::nullopt;
    return at->second;
  }

  void take(const std::string& name, std::int64_t value) {
    out_.sizes[name] = {value, false};
    taken_.emplace(name, std::to_string(value));
  }

  void compare(std::string_view flag, const std::string& name, std::int64_t given,
               std::optional<std::int64_t> value) {
    if (!value || *value == given) return;
    const std::string note =
        fmt::format("{} has {}={}, the recording ran {}: work is that of {}, times are those of {}",
                    flag, name, given, *value, given, *value);
    if (std::ranges::find(contradicted_, note) == contradicted_.end())
      contradicted_.push_back(note);
  }

  const RecordedSizes& recorded_;
  analysis::Bindings out_;
  std::map<std::string, std::string> taken_;
  std::vector<std::string> contradicted_;
};

}  // namespace

RecordedSizes recorded_sizes(const Recorded& recorded, const Resolved& symbolic,
                             const NameIndex& names) {
  return SizeReader(recorded, symbolic, names).run();
}

analysis::Bindings with_recorded(const RecordedSizes& recorded, const graph::Model& model,
                                 analysis::Bindings given, std::vector<std::string>& notes) {
  Setter setter(recorded, std::move(given));
  for (const ValueId v : model.main().inputs)
    if (model.value(v).tensor == nullptr && model.value(v).sparse == nullptr)
      setter.input(model.value(v));
  return setter.finish(notes);
}

}  // namespace ridge::imports
