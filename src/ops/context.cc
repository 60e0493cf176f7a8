// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

#include "ops/rule.h"
#include "ops/traffic.h"

namespace ridge::ops {
namespace {

/// Names of the attribute types, by onnx::AttributeType.
constexpr std::array<std::string_view, 15> kAttributeTypes = {"without a type",
                                                              "a float",
                                                              "an integer",
                                                              "a string",
                                                              "a tensor",
                                                              "a graph",
                                                              "a list of floats",
                                                              "a list of integers",
                                                              "a list of strings",
                                                              "a list of tensors",
                                                              "a list of graphs",
                                                              "a sparse tensor",
                                                              "a list of sparse tensors",
                                                              "a type",
                                                              "a list of types"};

std::string_view name_of(onnx::AttributeType type) {
  const auto i = static_cast<std::size_t>(type);
  return i < kAttributeTypes.size() ? kAttributeTypes[i] : "of an unknown type";
}

Error wrong_type(const Context& c, std::string_view name, std::string_view wanted,
                 const onnx::Attribute& a) {
  return c.fail(Fault::kAttributeType, fmt::format("attribute '{}' is {}, but {} requires {}", name,
                                                   name_of(a.type), c.node().op_type, wanted));
}

}  // namespace

std::optional<std::vector<std::int64_t>> Context::integers(std::size_t i) const {
  const Value* v = value(i);
  if (v == nullptr || !is_integral(v->dtype)) return std::nullopt;
  std::vector<std::int64_t> out;
  out.reserve(v->ints.size());
  for (const Dim& d : v->ints) {
    if (!d.known()) return std::nullopt;
    out.push_back(d.value());
  }
  return out;
}

Result<std::int64_t> Context::int_attribute(std::string_view name, std::int64_t fallback) const {
  const onnx::Attribute* a = graph::attribute(node_, name);
  if (a == nullptr) return fallback;
  if (a->type != onnx::AttributeType::kInt) return wrong_type(*this, name, "an integer", *a);
  return a->i;
}

Result<double> Context::float_attribute(std::string_view name, double fallback) const {
  const onnx::Attribute* a = graph::attribute(node_, name);
  if (a == nullptr) return fallback;
  if (a->type != onnx::AttributeType::kFloat) return wrong_type(*this, name, "a float", *a);
  return static_cast<double>(a->f);
}

Result<std::string_view> Context::string_attribute(std::string_view name,
                                                   std::string_view fallback) const {
  const onnx::Attribute* a = graph::attribute(node_, name);
  if (a == nullptr) return fallback;
  if (a->type != onnx::AttributeType::kString) return wrong_type(*this, name, "a string", *a);
  return a->s;
}

Result<std::span<const std::int64_t>> Context::ints_attribute(std::string_view name) const {
  const onnx::Attribute* a = graph::attribute(node_, name);
  if (a == nullptr) return std::span<const std::int64_t>();
  if (a->type != onnx::AttributeType::kInts)
    return wrong_type(*this, name, "a list of integers", *a);
  return a->ints;
}

template <typename Dims>
Shape Context::kept(const Dims& dims) const {
  const auto same = [&](const Shape& s) {
    return s.span().size() == dims.size() &&
           std::ranges::equal(s.span(), dims, {}, {}, [](const auto& d) { return Dim(d); });
  };
  std::uint64_t hash = dims.size();
  for (const auto& d : dims)
    hash = (hash ^ (Dim(d).known() ? static_cast<std::uint64_t>(Dim(d).value()) : 1)) *
           0x9e3779b97f4a7c15ULL;
  Shape& recent = recent_[hash >> 58];
  if (recent.ranked() && same(recent)) return recent;
  const std::span<Dim> copy = arena_->array<Dim>(dims.size());
  std::ranges::transform(dims, copy.begin(), [](const auto& d) { return Dim(d); });
  return recent = {copy.data(), static_cast<std::int32_t>(copy.size())};
}

Shape Context::shape(std::span<const Dim> dims) const { return kept(dims); }
Shape Context::shape(std::span<const std::int64_t> dims) const { return kept(dims); }

Dim Context::elements(const Shape& s) { return s.ranked() ? dims_->product(s.span()) : Dim(); }

std::optional<std::span<Member>> Context::new_members(std::size_t count) {
  if (count > kMaxMembers || count > members_left_) return std::nullopt;
  members_left_ -= count;
  return arena_->array<Member>(count);
}

void Context::set_members(std::size_t i, Members members) {
  if (!wants_output(i)) return;
  set_value(i, {.dtype = output(i).dtype,
                .shape = output(i).shape,
                .ints = {},
                .reals = {},
                .members = arena_->make(members)});
}

Error Context::fail(Fault fault, std::string message, std::string hint) const {
  Error error = input_error(fmt::format("RIDGE-OPS-{:04}", static_cast<int>(fault)),
                            fmt::format("{}: {}", node_.op_type, message));
  return hint.empty() ? std::move(error) : std::move(error).hint(std::move(hint));
}

Dim distinct_bytes(Context& c, std::size_t first) {
  constexpr std::size_t kFew = 16;
  const auto inputs = c.node().inputs;
  Dim sum(0);
  const auto add = [&](std::size_t i) {
    if (c.has_input(i)) sum = c.dims().add(sum, c.bytes(c.input(i)));
  };
  if (inputs.size() <= first + kFew) {
    for (std::size_t i = first; i < inputs.size(); ++i) {
      std::size_t k = first;
      while (inputs[k] != inputs[i]) ++k;
      if (k == i) add(i);
    }
    return sum;
  }
  std::unordered_set<graph::ValueId> seen;
  for (std::size_t i = first; i < inputs.size(); ++i)
    if (seen.insert(inputs[i]).second) add(i);
  return sum;
}

std::optional<Dim> part_bytes(Context& c, const Operator& op, std::size_t i) {
  if (op.part == nullptr || !c.has_input(i)) return std::nullopt;
  const auto inputs = c.node().inputs;
  if (std::ranges::count(inputs, inputs[i]) > 1) return std::nullopt;
  const std::optional<Part> part = op.part(c, i);
  if (!part) return std::nullopt;
  if (part->of.same(part->read)) return c.bytes(c.input(i));
  DimPool& p = c.dims();
  const Dim elements = p.floor_div(c.elements(c.input(i).shape), part->of);
  const Type one{c.input(i).dtype, Container::kTensor, c.shape({elements})};
  return p.mul(c.bytes(one), part->read);
}

Traffic traffic_of(Context& c, const Operator& op) {
  if (op.traffic != nullptr) return op.traffic(c);
  if (op.kind == Kind::kView) return {};
  Traffic out = default_traffic(c);
  for (std::size_t i = 0; op.part != nullptr && i < c.input_count(); ++i)
    if (const auto bytes = part_bytes(c, op, i))
      out.read = c.dims().add(c.dims().sub(out.read, c.bytes(c.input(i))), *bytes);
  return out;
}

Traffic default_traffic(Context& c) {
  Traffic out{.read = distinct_bytes(c, 0)};
  for (std::size_t i = 0; i < c.output_count(); ++i)
    if (c.wants_output(i)) out.written = c.dims().add(out.written, c.bytes(c.output(i)));
  return out;
}

}  // namespace ridge::ops
