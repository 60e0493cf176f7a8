#include "rewrite/fixed_sizes.h"

#include <utility>

namespace ridge::rewrite {

ops::Dim FixedSizes::dim(graph::ValueId v, std::size_t axis) {
  const bool has_free_sizes = !resolved_.bindings().empty();
  if (has_free_sizes && !tried_) {
    tried_ = true;
    Result<analysis::Resolved> free = analysis::resolve(
        resolved_.shared_model(),
        {.sizes = {}, .shapes = {}, .free = analysis::FreeSizes::kSymbolic, .takes_arrays = false});
    if (free.ok()) free_ = std::move(*free);
  }
  if (has_free_sizes && !free_) return {};
  const ops::Shape& shape = (free_ ? *free_ : resolved_).type(v).shape;
  return std::cmp_less(axis, shape.rank) ? shape[axis] : ops::Dim();
}

std::optional<std::int64_t> FixedSizes::size(graph::ValueId v, std::size_t axis) {
  const ops::Dim d = dim(v, axis);
  return d.known() ? std::optional(d.value()) : std::nullopt;
}

bool FixedSizes::same(graph::ValueId a, std::size_t axis_a, graph::ValueId b, std::size_t axis_b) {
  return dim(a, axis_a).same(dim(b, axis_b));
}

}  // namespace ridge::rewrite
