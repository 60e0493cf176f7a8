#include "measure/input_specs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "measure/known_sizes.h"

namespace ridge::measure {
namespace {

using analysis::Resolved;
using graph::Node;
using graph::ValueId;

constexpr std::array<std::string_view, 7> kSameValues = {
    "Cast", "Identity", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "Transpose"};
constexpr std::array<std::string_view, 3> kIndexers = {"Gather", "GatherElements",
                                                       "ScatterElements"};

template <std::size_t N>
bool one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Size of the axis that input 1 of an indexing node selects from.
std::optional<std::int64_t> indexed_size(const Resolved& resolved, const Node& n) {
  const ops::Shape& data = resolved.type(n.inputs[0]).shape;
  const onnx::Attribute* axis_attribute = graph::attribute(n, "axis");
  std::int64_t axis = axis_attribute ? axis_attribute->i : 0;
  if (axis < 0) axis += data.rank;
  if (axis < 0 || axis >= data.rank) return std::nullopt;
  const ops::Dim size = data[static_cast<std::size_t>(axis)];
  return size.known() ? std::optional(size.value()) : std::nullopt;
}

std::optional<std::int64_t> bound_by(const Resolved& resolved, const Node& n, ValueId value) {
  if (one_of(n.op_type, kIndexers) && n.inputs.size() > 1 && n.inputs[1] == value)
    return indexed_size(resolved, n);
  if (n.op_type == "OneHot" && n.inputs.size() > 1 && n.inputs[0] == value &&
      n.inputs[1] != graph::kNone)
    if (const ops::Value* depth = resolved.value(n.inputs[1]);
        depth && depth->ints.size() == 1 && depth->ints[0].known())
      return depth->ints[0].value();
  return std::nullopt;
}

std::vector<std::string> input_names(const attribution::Canonical& copy) {
  std::vector<std::string> names;
  for (const attribution::Port& port : copy.inputs) names.emplace_back(port.original_name);
  return names;
}

/// Containers around the tensors of a type, outermost first; nullopt for a map.
std::optional<std::vector<onnx::TypeKind>> around(ops::Container container) {
  using Kinds = std::vector<onnx::TypeKind>;
  switch (container) {
    case ops::Container::kTensor:
      return Kinds{};
    case ops::Container::kSequence:
      return Kinds{onnx::TypeKind::kSequence};
    case ops::Container::kOptional:
      return Kinds{onnx::TypeKind::kOptional};
    case ops::Container::kOptionalSequence:
      return Kinds{onnx::TypeKind::kOptional, onnx::TypeKind::kSequence};
    case ops::Container::kMap:
      break;
  }
  return std::nullopt;
}

Result<runtime::InputSpec> spec_of(const Resolved& resolved, const attribution::Port& port) {
  const ops::Type& type = resolved.type(port.value);
  const auto containers = around(type.container);
  if (!containers)
    return input_error("RIDGE-MEAS-0004",
                       fmt::format("input '{}' is a map, which input files cannot represent",
                                   port.original_name))
        .hint("cut the model behind the operator that reads the map");
  if (!containers->empty())
    return runtime::InputSpec{
        .name = std::string(port.name), .type = type.dtype, .dims = {}, .around = *containers};
  if (!type.shape.known())
    return input_error("RIDGE-MEAS-0002",
                       fmt::format("input '{}' has no known shape", port.original_name))
        .hint(fmt::format("give it with --shape {}=AxBxC", port.original_name));
  runtime::InputSpec spec{.name = std::string(port.name), .type = type.dtype};
  for (const ops::Dim& d : type.shape.span()) spec.dims.push_back(d.value());
  const onnx::DataTypeInfo* info = onnx::info(type.dtype);
  if (info && info->integer) spec.bound = index_bound(resolved, port.value);
  return spec;
}

}  // namespace

std::optional<std::int64_t> index_bound(const Resolved& resolved, ValueId value) {
  std::optional<std::int64_t> least;
  std::vector<ValueId> open = {value};
  std::vector<bool> seen(resolved.model().values().size(), false);
  while (!open.empty()) {
    const ValueId v = open.back();
    open.pop_back();
    if (seen[v]) continue;
    seen[v] = true;
    for (const graph::NodeId id : resolved.model().consumers(v)) {
      const Node& n = resolved.model().node(id);
      if (const auto bound = bound_by(resolved, n, v))
        least = std::min(least.value_or(*bound), *bound);
      const bool passes_on =
          one_of(n.op_type, kSameValues) && n.inputs[0] == v && n.outputs[0] != graph::kNone;
      if (passes_on) open.push_back(n.outputs[0]);
    }
  }
  return least;
}

Result<std::vector<runtime::InputSpec>> input_specs(const Resolved& resolved,
                                                    const attribution::Canonical& copy,
                                                    const std::map<std::string, std::string>& files,
                                                    std::uint64_t seed) {
  for (const auto& [name, path] : files) {
    const bool known = std::any_of(copy.inputs.begin(), copy.inputs.end(),
                                   [&](const auto& port) { return port.original_name == name; });
    if (!known) return unknown_input(name, input_names(copy));
  }
  std::vector<runtime::InputSpec> specs;
  for (const attribution::Port& port : copy.inputs) {
    const auto file = files.find(std::string(port.original_name));
    // An input with a default value in the model keeps it unless the user passes another.
    if (file == files.end() && resolved.model().value(port.value).tensor != nullptr) continue;
    runtime::InputSpec spec = TRY(spec_of(resolved, port));
    spec.seed = seed + specs.size();
    if (file != files.end()) spec.file = file->second;
    specs.push_back(std::move(spec));
  }
  return specs;
}

Result<runtime::Samples> samples_of(const Resolved& resolved, const attribution::Canonical& copy,
                                    const std::map<std::string, std::string>& files,
                                    std::uint64_t seed, std::uint32_t count) {
  const std::vector<runtime::InputSpec> one = TRY(input_specs(resolved, copy, files, seed));
  std::vector<runtime::InputSpec> all;
  for (std::uint32_t i = 0; i < count; ++i) all.insert(all.end(), one.begin(), one.end());
  runtime::Inputs inputs = TRY(runtime::Inputs::make(all));
  runtime::Samples out{.sets = std::vector<std::vector<runtime::InputTensor>>(count),
                       .memory = std::move(inputs.memory)};
  for (std::size_t i = 0; i < inputs.tensors.size(); ++i)
    out.sets[i / one.size()].push_back(std::move(inputs.tensors[i]));
  return out;
}

}  // namespace ridge::measure
