// SPDX-License-Identifier: Apache-2.0
#include "measure/known_sizes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "analysis/sizes/binding.h"
#include "analysis/sizes/size_names.h"
#include "base/suggest.h"
#include "runtime/inputs/inputs.h"

namespace ridge::measure {
namespace {

using analysis::Bindings;
using graph::Value;
using Dims = std::vector<std::int64_t>;

/// True for an input whose shape is set by arrays and flags: a tensor without a value in the file.
bool is_open(const Value& input) {
  if (input.tensor != nullptr || input.sparse != nullptr) return false;
  return input.declared == nullptr || input.declared->kind == onnx::TypeKind::kNone ||
         input.declared->kind == onnx::TypeKind::kTensor;
}

std::size_t declared_rank(const Value& input) {
  return input.declared == nullptr || !input.declared->has_shape ? 0 : input.declared->shape.size();
}

std::optional<std::size_t> rank_if_declared(const Value& input) {
  if (input.declared == nullptr || !input.declared->has_shape) return std::nullopt;
  return declared_rank(input);
}

/// Declared shape as in the file: "[1, 3, height, width]".
std::string declared_text(const Value& input) {
  std::vector<std::string> dims;
  for (std::size_t i = 0; i < declared_rank(input); ++i) {
    const std::string free = analysis::free_size(input, i);
    dims.push_back(free.empty() ? fmt::format("{}", input.declared->shape[i].value) : free);
  }
  return fmt::format("[{}]", fmt::join(dims, ", "));
}

/// Collects the bindings from arrays and checks each against everything else that is given.
class Binder {
 public:
  Binder(const graph::Model& model, Bindings given) : model_(model), out_(std::move(given)) {
    out_.takes_arrays = true;
    for (const auto& [name, binding] : out_.sizes)
      from_[name] = {binding.value, fmt::format("--bind {}={}", name, binding.value)};
  }

  Result<Bindings> run(const std::map<std::string, std::string>& files) {
    for (const auto& [name, file] : files) {
      const Value* input = find(name);
      if (input == nullptr) return unknown_input(name, names());
      if (is_open(*input)) TRY(take(*input, file));
      TRY_IN(fmt::format("input '{}'", name), take_elements(*input, file));
    }
    return std::move(out_);
  }

 private:
  struct Origin {
    std::int64_t value = 0;
    std::string flag;
  };

  const Value* find(const std::string& name) const {
    for (const graph::ValueId id : model_.main().inputs)
      if (model_.value(id).name == name) return &model_.value(id);
    return nullptr;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const graph::ValueId id : model_.main().inputs) out.emplace_back(model_.value(id).name);
    return out;
  }

  Result<void> take(const Value& input, const std::string& file) {
    const std::optional<Dims> found = TRY_IN(fmt::format("input '{}'", input.name),
                                             runtime::array_shape(file, rank_if_declared(input)));
    if (!found) return {};  // elements that fit several shapes
    const Dims& dims = *found;
    const std::string flag = fmt::format("--input {}={}", input.name, file);
    const std::string holds = fmt::format("{} has shape [{}]", file, fmt::join(dims, ", "));
    TRY(check_declared(input, dims, holds));
    const auto [shape, fresh] = out_.shapes.try_emplace(std::string(input.name), dims);
    if (!fresh && shape->second != dims)
      return contradiction(fmt::format("--shape {}={}", input.name, fmt::join(shape->second, "x")),
                           flag, holds);
    for (std::size_t i = 0; i < declared_rank(input); ++i) {
      const std::string name = analysis::free_size(input, i);
      if (name.empty()) continue;
      const auto [other, first] = from_.try_emplace(name, Origin{dims[i], flag});
      if (!first && other->second.value != dims[i])
        return contradiction(other->second.flag, flag,
                             fmt::format("{}, so {} is {}", holds, name, dims[i]));
    }
    return {};
  }

  /// Keeps the elements of a tensor that is small enough to steer shapes or trip counts.
  Result<void> take_elements(const Value& input, const std::string& file) {
    const onnx::TypeInfo* declared = input.declared;
    if (declared == nullptr || declared->kind != onnx::TypeKind::kTensor ||
        !onnx::storage_bytes(declared->elem_type, 1))
      return {};
    std::optional<runtime::InputElements> read = TRY(runtime::input_elements(
        file, declared->elem_type, rank_if_declared(input), ops::kMaxFolded));
    if (read)
      out_.values[std::string(input.name)] = {declared->elem_type, std::move(read->dims),
                                              std::move(read->bytes), file};
    return {};
  }

  static Result<void> check_declared(const Value& input, const Dims& dims,
                                     const std::string& holds) {
    if (input.declared == nullptr || !input.declared->has_shape) return {};
    const auto declared = input.declared->shape;
    bool fits = declared.size() == dims.size();
    for (std::size_t i = 0; fits && i < dims.size(); ++i)
      fits = declared[i].value <= 0 || declared[i].value == dims[i];  // 0: an empty default
    if (fits) return {};
    return input_error("RIDGE-MEAS-0005", fmt::format("{}, but the model's input '{}' is {}", holds,
                                                      input.name, declared_text(input)))
        .hint("reshape the array; sizes fixed in the model file cannot be changed");
  }

  static Error contradiction(const std::string& one, const std::string& other,
                             const std::string& evidence) {
    return usage_error("RIDGE-MEAS-0006", fmt::format("{} contradicts {}", other, one))
        .evidence(evidence)
        .hint("leave one of them out");
  }

  const graph::Model& model_;
  Bindings out_;
  std::map<std::string, Origin> from_;  // by free size
};

}  // namespace

Result<Bindings> with_arrays(const graph::Model& model, Bindings given,
                             const std::map<std::string, std::string>& files) {
  return Binder(model, std::move(given)).run(files);
}

Bindings with_run(const graph::Model& model, Bindings given, const profile::Profile& run) {
  const analysis::SizeNames names(model);
  for (const graph::ValueId id : model.main().inputs) {
    const Value& input = model.value(id);
    if (!is_open(input) || given.shapes.contains(std::string(input.name))) continue;
    for (std::size_t i = 0; i < declared_rank(input); ++i) {
      for (const std::string& name : analysis::names_of_axis(names, input, i)) {
        const auto bound = run.subject.bindings.find(name);
        if (bound != run.subject.bindings.end() && given.sizes.find(name) == given.sizes.end())
          given.sizes[name] = {bound->second.value, false};
      }
    }
  }
  return given;
}

Error unknown_input(const std::string& name, const std::vector<std::string>& inputs) {
  const std::vector<std::string> near = near_names(name, inputs);
  return usage_error("RIDGE-MEAS-0001",
                     fmt::format("--input names '{}', which is not an input of the model", name))
      .hint(near.empty() ? fmt::format("its inputs are {}", fmt::join(inputs, ", "))
                         : fmt::format("did you mean '{}'?", near[0]));
}

}  // namespace ridge::measure
