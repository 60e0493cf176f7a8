// SPDX-License-Identifier: Apache-2.0
#include "analysis/sizes/size_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ridge::analysis {

bool names_nothing(std::string_view dimension) {
  constexpr std::array<std::string_view, 5> kNone = {"", "?", "-1", "None", "*"};
  return std::find(kNone.begin(), kNone.end(), dimension) != kNone.end();
}

std::string size_name(const graph::Value& input, std::size_t axis) {
  const onnx::Dimension& d = input.declared->shape[axis];
  if (d.value >= 0) return "";
  return names_nothing(d.param) ? fmt::format("{}[{}]", input.name, axis) : std::string(d.param);
}

SizeNames::SizeNames(const graph::Model& model) {
  std::vector<std::string> dimensions;
  for (const graph::ValueId id : model.main().inputs) {
    const graph::Value& v = model.value(id);
    if (v.tensor != nullptr || v.sparse != nullptr || v.declared == nullptr) continue;
    for (std::size_t i = 0; v.declared->has_shape && i < v.declared->shape.size(); ++i)
      if (std::string name = size_name(v, i); !name.empty()) dimensions.push_back(std::move(name));
  }
  dimensions_.insert(dimensions.begin(), dimensions.end());
  all_ = dimensions_;
  for (const std::string& d : dimensions)
    if (const auto e = expression(d)) all_.insert(e->names().begin(), e->names().end());
}

std::optional<SizeExpression> SizeNames::expression(std::string_view dimension) const {
  return parse_size(dimension, [&](std::string_view name) { return dimensions_.contains(name); });
}

std::string SizeNames::spelled(std::string_view text) const {
  const auto wanted = dimensions_.contains(text) ? std::nullopt : expression(text);
  for (const std::string& d : dimensions_)
    if (wanted && expression(d) == wanted) return d;
  return std::string(text);
}

std::vector<std::string> SizeNames::of(std::string_view dimension) const {
  if (const auto e = expression(dimension)) return e->names();
  return {std::string(dimension)};
}

std::vector<std::string> names_of_axis(const SizeNames& names, const graph::Value& input,
                                       std::size_t axis) {
  const std::string name = size_name(input, axis);
  return name.empty() ? std::vector<std::string>() : names.of(name);
}

}  // namespace ridge::analysis
