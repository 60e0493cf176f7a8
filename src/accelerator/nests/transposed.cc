// SPDX-License-Identifier: Apache-2.0
// Transposed convolutions as loop nests: the product first, then its columns are added to the
// output elements that they overlap.
#include <array>

#include "accelerator/nests/windows.h"

namespace ridge::accelerator {
namespace {

/// Adds the product columns[image, filter, input position..., in filter...].
void add_columns(NestBuilder& b, const Convolution& c, BufferId columns) {
  const Sizes data = b.shape(c.data), weight = b.shape(c.weight);
  const std::size_t rank = data.size(), wide = b.shape(columns).size();
  const std::int64_t group = data[1] / c.groups;
  b.add_product("product", columns, {"c", group, true}, [&](Indices at) {
    std::vector<ExprId> from(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(rank));
    from[1] = in_group(b, c, at[1], weight[1], at[wide], group);
    std::vector<ExprId> of_filter = {from[1], b.remainder(at[1], weight[1])};
    of_filter.insert(of_filter.end(), at.begin() + static_cast<std::ptrdiff_t>(rank),
                     at.begin() + static_cast<std::ptrdiff_t>(wide));
    return NestBuilder::Factors{b.load(c.data, from), b.load(c.weight, of_filter)};
  });
}

/// Reads pads from an input; false if its value is unknown.
bool read_pads(const NestBuilder& b, Convolution& c) {
  if (!b.form().has_input(2)) return true;
  const auto pads = b.form().integers(2);
  if (!pads || pads->size() != 2 * c.spatial()) return false;
  for (std::size_t i = 0; i < c.spatial(); ++i) {
    c.windows[i].before = (*pads)[i];
    c.windows[i].after = (*pads)[c.spatial() + i];
  }
  return true;
}

enum class Pads { kAttribute, kInput };

template <Pads pads>
bool transposed_convolution_nest(NestBuilder& b, PaddingForm /*padding*/) {
  auto c = convolution_of(b, {.transposed = true});
  if (!c || (pads == Pads::kInput && !read_pads(b, *c))) return false;
  const Sizes weight = b.shape(c->weight), out = b.shape(c->out);
  if (weight[1] < 1 || weight[1] * c->groups != out[1]) return false;
  Sizes columns = b.shape(c->data);
  columns[1] = out[1];
  columns.insert(columns.end(), weight.begin() + 2, weight.end());
  const BufferId products = b.temporary("columns", columns, c->out);
  add_columns(b, *c, products);
  b.add_map("clear", c->out, [&](Indices) { return b.zero(); });
  const std::size_t rank = out.size();
  b.add_block("add_up", axes_of(columns), [&](Indices at) {
    std::vector<ExprId> to(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(rank)), inside;
    for (std::size_t i = 0; i < c->spatial(); ++i) {
      const FilterAxis& w = c->windows[i];
      to[2 + i] = b.difference(position(b, w, at[2 + i], at[rank + i]), b.number(w.before));
      inside.push_back(b.within(to[2 + i], 0, w.size));
    }
    return b.only_where(b.all(inside), b.add_into(c->out, to, b.load(products, at)));
  });
  add_bias(b, c->out, pads == Pads::kInput ? 3 : 2, 1);
  return true;
}

constexpr std::array kTransposedRows = {
    NestRow{"", "ConvTranspose", transposed_convolution_nest<Pads::kAttribute>},
    NestRow{kMicrosoft, "ConvTransposeWithDynamicPads", transposed_convolution_nest<Pads::kInput>},
};

}  // namespace

const std::span<const NestRow> kTransposedNests = kTransposedRows;

}  // namespace ridge::accelerator
