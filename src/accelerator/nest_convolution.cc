// Convolutions and transposed convolutions as loop nests.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "accelerator/nest_operators.h"

namespace ridge::accelerator {
namespace {

using Kind = Expr::Kind;

/// One spatial axis: where the filter lies.
struct FilterAxis {
  std::int64_t size, filter, out, stride, dilation;
  std::int64_t before = 0, after = 0;  ///< padding

  bool padded() const { return before != 0 || after != 0; }
};

struct Convolution {
  BufferId data, weight, out;
  std::int64_t groups;
  std::vector<FilterAxis> windows;

  std::size_t spatial() const { return windows.size(); }
};

/// `wide`: the tensor that the filter is laid over, `narrow` the one with an element per position.
std::vector<FilterAxis> windows_of(const NestBuilder& b, const Sizes& wide, const Sizes& weight,
                                   const Sizes& narrow) {
  const std::size_t spatial = wide.size() - 2;
  const std::string_view automatic = b.form().text("auto_pad");
  std::vector<FilterAxis> all;
  for (std::size_t i = 0; i < spatial; ++i) {
    FilterAxis w{wide[2 + i], weight[2 + i], narrow[2 + i], b.form().listed("strides", i, 1),
                 b.form().listed("dilations", i, 1)};
    if (automatic.starts_with("SAME")) {
      const std::int64_t span = (w.filter - 1) * w.dilation + 1;
      const std::int64_t sum = std::max<std::int64_t>(0, (w.out - 1) * w.stride + span - w.size);
      w.before = automatic == "SAME_LOWER" ? sum - sum / 2 : sum / 2;
      w.after = sum - w.before;
    } else if (automatic != "VALID") {
      w.before = b.form().listed("pads", i, 0);
      w.after = b.form().listed("pads", spatial + i, 0);
    }
    all.push_back(w);
  }
  return all;
}

std::optional<Convolution> convolution(NestBuilder& b, bool transposed) {
  const auto data = b.input(0), weight = b.input(1), out = b.output(0);
  const std::int64_t groups = b.form().integer("group", 1);
  if (!data || !weight || !out || groups < 1) return std::nullopt;
  const Sizes &x = b.shape(*data), &w = b.shape(*weight), &y = b.shape(*out);
  if (x.size() < 3 || w.size() != x.size() || y.size() != x.size()) return std::nullopt;
  if (x[1] % groups != 0 || y[1] % groups != 0) return std::nullopt;
  return Convolution{*data, *weight, *out, groups,
                     transposed ? windows_of(b, y, w, x) : windows_of(b, x, w, y)};
}

/// The input in a buffer with its padding around it; the input itself where there is none.
BufferId padded(NestBuilder& b, const Convolution& c) {
  if (std::none_of(c.windows.begin(), c.windows.end(),
                   [](const FilterAxis& w) { return w.padded(); }))
    return c.data;
  Sizes shape = b.shape(c.data);
  for (std::size_t i = 0; i < c.spatial(); ++i)
    shape[2 + i] += c.windows[i].before + c.windows[i].after;
  const BufferId out = b.temporary("padded", shape, c.data);
  b.add_block("pad", axes_of(shape), [&](Indices at) {
    std::vector<ExprId> from(at.begin(), at.end()), inside;
    for (std::size_t i = 0; i < c.spatial(); ++i) {
      const FilterAxis& w = c.windows[i];
      if (!w.padded()) continue;
      inside.push_back(b.within(at[2 + i], w.before, w.size));
      from[2 + i] = b.nest().combine(Kind::kSubtract, at[2 + i], b.number(w.before));
    }
    return b.store(out, at, b.if_else(b.all(inside), b.load(c.data, from), b.zero()));
  });
  return out;
}

/// Where an iteration of the filter lies on one axis of the wide tensor, its padding included.
ExprId position(NestBuilder& b, const FilterAxis& w, ExprId at, ExprId in_filter) {
  return b.sum(b.product(at, b.number(w.stride)), b.product(in_filter, b.number(w.dilation)));
}

/// Channel `within` the group that channel `of` of `per_group` belongs to.
ExprId in_group(NestBuilder& b, const Convolution& c, ExprId of, std::int64_t per_group,
                ExprId within, std::int64_t group_size) {
  if (c.groups == 1) return within;
  const ExprId group = b.nest().make(Kind::kFloorDivide, std::array{of, b.number(per_group)});
  return b.sum(b.product(group, b.number(group_size)), within);
}

/// What the filter multiplies at [image, filter, position..., channel of the group, in filter...].
ExprId element(NestBuilder& b, const Convolution& c, BufferId from, Indices at) {
  const std::size_t spatial = c.spatial();
  std::vector<ExprId> index = {at[0], in_group(b, c, at[1], b.shape(c.out)[1] / c.groups,
                                               at[2 + spatial], b.shape(from)[1] / c.groups)};
  std::vector<ExprId> inside;
  for (std::size_t i = 0; i < spatial; ++i) {
    const FilterAxis& w = c.windows[i];
    ExprId here = position(b, w, at[2 + i], at[3 + spatial + i]);
    if (from == c.data && w.padded()) {
      here = b.nest().combine(Kind::kSubtract, here, b.number(w.before));
      inside.push_back(b.within(here, 0, w.size));
    }
    index.push_back(here);
  }
  const ExprId load = b.load(from, index);
  return inside.empty() ? load : b.if_else(b.all(inside), load, b.zero());
}

void add_bias(NestBuilder& b, BufferId out) {
  const auto bias = b.input(2);
  if (!bias || b.shape(*bias).size() != 1) return;
  b.add_block("bias", axes_of(b.shape(out)),
              [&](Indices at) { return b.add_into(out, at, b.load(*bias, at.subspan(1, 1))); });
}

}  // namespace

bool convolution_nest(NestBuilder& b, PaddingForm padding) {
  const auto c = convolution(b, false);
  if (!c) return false;
  const BufferId from = padding == PaddingForm::kBlock ? padded(b, *c) : c->data;
  const Sizes weight = b.shape(c->weight);
  std::vector<Axis> axes = axes_of(b.shape(c->out), "o");
  axes.push_back({"c", weight[1], true});
  for (std::size_t i = 2; i < weight.size(); ++i)
    axes.push_back({fmt::format("k{}", i - 2), weight[i], true});
  const std::size_t rank = weight.size();
  const auto body = [&](Indices at) {
    std::vector<ExprId> of_filter = {at[1]};
    of_filter.insert(of_filter.end(), at.begin() + static_cast<std::ptrdiff_t>(rank), at.end());
    return b.add_into(c->out, at.first(rank),
                      b.product(element(b, *c, from, at), b.load(c->weight, of_filter)));
  };
  b.add_block("convolution", axes, body, {.allocations = {}, .initial = [&](Indices at) {
                                            return b.store(c->out, at.first(rank), b.zero());
                                          }});
  add_bias(b, c->out);
  return true;
}

/// The product first, whose columns [image, filter, input position..., in filter...] are added up
/// where they fall into the output.
bool transposed_convolution_nest(NestBuilder& b, PaddingForm /*padding*/) {
  const auto c = convolution(b, true);
  if (!c) return false;
  const Sizes data = b.shape(c->data), weight = b.shape(c->weight), out = b.shape(c->out);
  const std::size_t rank = data.size();
  if (weight[1] * c->groups != out[1]) return false;
  Sizes columns = data;
  columns[1] = out[1];
  columns.insert(columns.end(), weight.begin() + 2, weight.end());
  const BufferId products = b.temporary("columns", columns, c->out);
  std::vector<Axis> axes = axes_of(columns, "o");
  const std::size_t wide = axes.size();
  axes.push_back({"c", data[1] / c->groups, true});
  const auto product = [&](Indices at) {
    const ExprId channel = in_group(b, *c, at[1], weight[1], at[wide], data[1] / c->groups);
    std::vector<ExprId> from(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(rank));
    from[1] = channel;
    std::vector<ExprId> of_filter = {
        channel, b.nest().make(Kind::kFloorModulo, std::array{at[1], b.number(weight[1])})};
    for (std::size_t i = rank; i < wide; ++i) of_filter.push_back(at[i]);
    return b.add_into(products, at.first(wide),
                      b.product(b.load(c->data, from), b.load(c->weight, of_filter)));
  };
  b.add_block("product", axes, product, {.allocations = {}, .initial = [&](Indices at) {
                                           return b.store(products, at.first(wide), b.zero());
                                         }});
  b.add_block("clear", axes_of(out), [&](Indices at) { return b.store(c->out, at, b.zero()); });
  b.add_block("add_up", axes_of(columns), [&](Indices at) {
    std::vector<ExprId> to(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(rank)), inside;
    for (std::size_t i = 0; i < c->spatial(); ++i) {
      const FilterAxis& w = c->windows[i];
      to[2 + i] = b.nest().combine(Kind::kSubtract, position(b, w, at[2 + i], at[rank + i]),
                                   b.number(w.before));
      inside.push_back(b.within(to[2 + i], 0, w.size));
    }
    return b.only_where(b.all(inside), b.add_into(c->out, to, b.load(products, at)));
  });
  add_bias(b, c->out);
  return true;
}

}  // namespace ridge::accelerator
