// SPDX-License-Identifier: Apache-2.0
#include "analysis/form.h"

#include <algorithm>

namespace ridge::analysis {

std::optional<std::int64_t> Form::scalar(std::size_t i) const {
  const auto all = integers(i);
  if (!all || all->size() != 1) return std::nullopt;
  return all->front();
}

std::optional<Form::Sizes> Form::integers(std::size_t i) const {
  const ops::Value* v = has_input(i) ? r_.any_value(node_.inputs[i]) : nullptr;
  if (v == nullptr) return std::nullopt;
  Sizes out;
  for (const ops::Dim& d : v->ints) {
    if (!d.known()) return std::nullopt;
    out.push_back(d.value());
  }
  return out;
}

std::int64_t Form::integer(std::string_view name, std::int64_t fallback) const {
  const onnx::Attribute* a = graph::attribute(node_, name);
  return a == nullptr ? fallback : a->i;
}

std::optional<std::vector<double>> Form::reals(std::size_t i) const {
  const ops::Value* v = has_input(i) ? r_.any_value(node_.inputs[i]) : nullptr;
  if (v == nullptr || v->reals.empty()) return std::nullopt;
  return std::vector<double>(v->reals.begin(), v->reals.end());
}

double Form::real(std::string_view name, double fallback) const {
  const onnx::Attribute* a = graph::attribute(node_, name);
  return a == nullptr ? fallback : static_cast<double>(a->f);
}

std::string_view Form::text(std::string_view name, std::string_view fallback) const {
  const onnx::Attribute* a = graph::attribute(node_, name);
  return a == nullptr ? fallback : std::string_view(a->s);
}

std::int64_t Form::listed(std::string_view name, std::size_t i, std::int64_t fallback) const {
  const onnx::Attribute* a = graph::attribute(node_, name);
  return a == nullptr || i >= a->ints.size() ? fallback : a->ints[i];
}

std::int64_t Form::length(std::string_view name) const {
  const onnx::Attribute* a = graph::attribute(node_, name);
  return a == nullptr ? 0 : static_cast<std::int64_t>(std::max(a->ints.size(), a->floats.size()));
}

std::optional<Form::Sizes> Form::sizes(std::span<const graph::ValueId> values,
                                       std::size_t i) const {
  if (i >= values.size() || values[i] == graph::kNone) return std::nullopt;
  const ops::Shape& shape = r_.type(values[i]).shape;
  if (!shape.ranked()) return std::nullopt;
  Sizes out;
  for (const ops::Dim& d : shape.span()) {
    if (!d.known()) return std::nullopt;
    out.push_back(d.value());
  }
  return out;
}

}  // namespace ridge::analysis
