// SPDX-License-Identifier: Apache-2.0
#include "attribution/canonical_names.h"

#include <fmt/format.h>

#include "attribution/names.h"

namespace ridge::attribution {
namespace {

class Namer {
 public:
  Namer(const graph::Model& model, const Expansion& calls, Arena& arena)
      : model_(model), calls_(calls), arena_(arena) {
    names_.of.resize(model.values().size());
  }

  CopyNames run() {
    const graph::Graph& main = model_.main();
    for (const ValueId v : main.inputs) name_input(v);
    for (const ValueId v : main.outputs) name_output(v);
    for (ValueId v = 0; v < names_.of.size(); ++v)
      if (names_.of[v].empty() && calls_.origin(v) == v) names_.of[v] = arena_.copy(generated(v));
    for (ValueId v = 0; v < names_.of.size(); ++v) {
      const ValueId origin = calls_.origin(v);
      if (origin != v) names_.of[v] = origin == kNone ? std::string_view() : names_.of[origin];
    }
    for (auto& [value, name] : pending_) names_.aliases.push_back({names_.of[value], name});
    return std::move(names_);
  }

 private:
  void name_input(ValueId v) {
    const std::string_view original = model_.value(v).name;
    names_.of[v] = free_name(original, "in", names_.inputs.size());
    names_.inputs.push_back({names_.of[v], original, v});
  }

  void name_output(ValueId v) {
    const std::string_view original = model_.value(v).name;
    const ValueId origin = calls_.origin(v);
    if (origin == kNone) return;
    const bool named = !names_.of[origin].empty();
    if (named && v == origin) {
      // An input or an output that is listed twice keeps its one name.
      for (const Port& port : names_.outputs)
        if (port.name == names_.of[origin]) return;
      names_.outputs.push_back({names_.of[origin], original, v});
      return;
    }
    const std::string_view name = free_name(original, "out", names_.outputs.size());
    if (named)
      pending_.emplace_back(origin, name);
    else
      names_.of[origin] = name;
    names_.outputs.push_back({name, original, v});
  }

  std::string_view free_name(std::string_view wanted, std::string_view kind, std::size_t position) {
    if (!reserved(wanted) && used_.insert(wanted).second) return wanted;
    return arena_.copy(fmt::format("ridge.{}{}", kind, position));
  }

  std::string generated(ValueId v) const {
    const graph::Value& value = model_.value(v);
    switch (value.kind) {
      case graph::ValueKind::kNodeOutput:
        return tensor_name(value.producer, value.output_index);
      case graph::ValueKind::kConstant:
        return constant_name(v);
      case graph::ValueKind::kInput:
        break;
    }
    return body_input_name(v);
  }

  const graph::Model& model_;
  const Expansion& calls_;
  Arena& arena_;
  CopyNames names_;
  std::vector<std::pair<ValueId, std::string_view>> pending_;
  std::unordered_set<std::string_view> used_;
};

}  // namespace

CopyNames name_copy(const graph::Model& model, const Expansion& calls, Arena& arena) {
  return Namer(model, calls, arena).run();
}

}  // namespace ridge::attribution
