#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "ops/rule.h"
#include "ops/traffic.h"

namespace ridge::ops {
namespace {

Error wrong_type(const Context& c, std::string_view name, std::string_view wanted,
                 const onnx::Attribute& a) {
  return c.fail(Fault::kAttributeType,
                fmt::format("attribute '{}' is of type {}, {} needs {}", name,
                            static_cast<int>(a.type), c.node().op_type, wanted));
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
  if (a->type != onnx::AttributeType::kInts) return wrong_type(*this, name, "integers", *a);
  return a->ints;
}

Shape Context::shape(std::span<const Dim> dims) {
  return {arena_->copy(dims).data(), static_cast<std::int32_t>(dims.size())};
}

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
  const bool many = inputs.size() > first + kFew;
  std::unordered_set<graph::ValueId> seen;
  Dim sum(0);
  for (std::size_t i = first; i < inputs.size(); ++i) {
    const auto before = inputs.subspan(first, i - first);
    const bool again = many ? !seen.insert(inputs[i]).second
                            : std::find(before.begin(), before.end(), inputs[i]) != before.end();
    if (c.has_input(i) && !again) sum = c.dims().add(sum, c.bytes(c.input(i)));
  }
  return sum;
}

Traffic default_traffic(Context& c) {
  Traffic out{.read = distinct_bytes(c, 0)};
  for (std::size_t i = 0; i < c.output_count(); ++i)
    if (c.wants_output(i)) out.written = c.dims().add(out.written, c.bytes(c.output(i)));
  return out;
}

}  // namespace ridge::ops
