// SPDX-License-Identifier: Apache-2.0
#include "measure/input_specs.h"

#include <fmt/format.h>

#include <algorithm>

#include "measure/input_meaning.h"
#include "measure/known_sizes.h"

namespace ridge::measure {
namespace {

using analysis::Resolved;

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
  if (auto known = known_input(resolved, port.value)) {
    spec.fill = known->fill;
    spec.known = fmt::format("{} {}", port.original_name, known->text);
  }
  return spec;
}

}  // namespace

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
                       .memory = std::move(inputs.memory),
                       .notes = std::move(inputs.notes)};
  for (std::size_t i = 0; i < inputs.tensors.size(); ++i)
    out.sets[i / one.size()].push_back(std::move(inputs.tensors[i]));
  return out;
}

}  // namespace ridge::measure
