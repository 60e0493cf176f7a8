// SPDX-License-Identifier: Apache-2.0
// Products with packed weights, several to an element, as loop nests.
#include <fmt/format.h>

#include <array>

#include "accelerator/nests/operators.h"
#include "base/checked.h"

namespace ridge::accelerator {
namespace {

/// Packed weight, with the inputs needed to unpack it: scales and zero points per block.
struct Weight {
  BufferId packed;
  std::int64_t rows, columns;  ///< size of the unpacked weight
  std::vector<BufferId> of_blocks = {};
};

/// Weight at (row, column), unpacked from its bits and the parameters of its block.
ExprId weight_at(NestBuilder& b, const Weight& w, ExprId row, ExprId column) {
  std::vector<ExprId> parts = {load_packed(b, w.packed, row, w.rows, column, w.columns)};
  for (const BufferId blocks : w.of_blocks)
    parts.push_back(load_packed(b, blocks, row, w.rows, column, w.columns));
  return b.other("unpacked", parts);
}

/// K rounded up to whole blocks: the number of packed columns per row.
std::int64_t whole_blocks(const NestBuilder& b, std::int64_t columns) {
  const std::int64_t block = std::max<std::int64_t>(1, b.form().integer("block_size", 1));
  return times({ceil_div(columns, block), block});
}

/// sums[rows..., n] = sum over k of x[rows..., k] times the weight at (n, k).
bool add_packed_product(NestBuilder& b, std::string name, BufferId x, const Weight& w,
                        BufferId sums, std::optional<BufferId> order = std::nullopt) {
  const std::size_t rank = b.shape(x).size();
  if (rank == 0 || b.shape(sums).size() != rank || b.shape(sums).back() != w.rows) return false;
  b.add_product(std::move(name), sums, {"k", b.shape(x).back(), true}, [&](Indices at) {
    std::vector<ExprId> from(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(rank));
    from.back() = at[rank];
    ExprId weight = weight_at(b, w, at[rank - 1], at[rank]);
    if (order) weight = b.other("of", std::array{weight, b.load(*order, at.subspan(rank, 1))});
    return NestBuilder::Factors{b.load(x, from), weight};
  });
  return true;
}

/// Input numbers of an operator with one weight.
struct PackedInputs {
  std::array<std::size_t, 3> of_blocks = {2, kNoInput, kNoInput};
  std::size_t order = kNoInput, bias = kNoInput;
};

template <const PackedInputs& at>
bool packed_product_nest(NestBuilder& b, PaddingForm /*padding*/) {
  const auto x = b.input(0), packed = b.input(1), out = b.output(0);
  if (!x || !packed || !out || b.shape(*x).empty() || b.shape(*out).empty()) return false;
  Weight w{*packed, b.shape(*out).back(), whole_blocks(b, b.shape(*x).back())};
  w.of_blocks = given(b, {at.of_blocks[0], at.of_blocks[1], at.of_blocks[2]});
  if (!add_packed_product(b, "product", *x, w, *out, b.input(at.order))) return false;
  add_bias(b, *out, at.bias, b.shape(*out).size() - 1);
  return true;
}

/// Input 0 plus input 1, normalized with input 2; each step only if its input is given.
BufferId prepared(NestBuilder& b, BufferId x) {
  const auto skip = b.input(1), scale = b.input(2);
  if (!skip && !scale) return x;
  BufferId sum = x;
  if (skip) {
    // The last output returns this sum.
    const std::size_t last = b.form().node().op_type == "MatMulNBitsMlp" ? 1 : 3;
    const auto shown = b.output(last);
    sum = shown ? *shown : b.temporary("sum", b.shape(x), x);
    b.add_map("skip", sum,
              [&](Indices at) { return b.sum(b.load(x, at), b.load_repeated(*skip, at)); });
  }
  if (!scale) return sum;
  Sizes rows = b.shape(x);
  rows.back() = 1;
  const BufferId squares = b.temporary("squares", rows, x);
  const BufferId normal = b.temporary("normal", b.shape(x), x);
  b.add_map("begin", squares, [&](Indices) { return b.zero(); });
  b.add_block("squares", axes_of(b.shape(x)), [&](Indices at) {
    std::vector<ExprId> row(at.begin(), at.end());
    row.back() = b.number(0);
    const ExprId element = b.load(sum, at);
    return b.add_into(squares, row, b.product(element, element));
  });
  b.add_map("normalise", normal, [&](Indices at) {
    return b.other("normalised", std::array{b.load(sum, at), b.load_repeated(squares, at),
                                            b.load_repeated(*scale, at)});
  });
  return normal;
}

/// Product with the weight at input `first`; its scales and its bias are the next two inputs.
bool add_one_of_several(NestBuilder& b, BufferId x, std::size_t first, BufferId sums) {
  const auto packed = b.input(first);
  if (!packed || b.shape(sums).empty()) return false;
  Weight w{*packed, b.shape(sums).back(), whole_blocks(b, b.shape(x).back())};
  w.of_blocks = given(b, {first + 1});
  if (!add_packed_product(b, fmt::format("product {}", first), x, w, sums)) return false;
  add_bias(b, sums, first + 2, b.shape(sums).size() - 1);
  return true;
}

bool packed_mlp_nest(NestBuilder& b, PaddingForm /*padding*/) {
  const auto x = b.input(0), out = b.output(0);
  if (!x || !out || b.shape(*x).empty()) return false;
  const BufferId from = prepared(b, *x), value = b.temporary("value", b.shape(*out), *out);
  if (!add_one_of_several(b, from, 3, *out) || !add_one_of_several(b, from, 6, value)) return false;
  b.add_map("gate", *out, [&](Indices at) {
    return b.other(b.form().text("activation"), std::array{b.load(*out, at), b.load(value, at)});
  });
  return true;
}

bool packed_qkv_nest(NestBuilder& b, PaddingForm /*padding*/) {
  const auto x = b.input(0);
  if (!x || b.shape(*x).empty()) return false;
  const BufferId from = prepared(b, *x);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto out = b.output(i);
    if (!out || !add_one_of_several(b, from, 3 + 3 * i, *out)) return false;
  }
  return true;
}

constexpr PackedInputs kScaled{};
constexpr PackedInputs kWhole{.of_blocks = {kNoInput, kNoInput, kNoInput}};
constexpr PackedInputs kPackedBits{.of_blocks = {2, 3, kNoInput}, .order = 4, .bias = 5};
constexpr PackedInputs kFloat4{.of_blocks = {2, 3, 4}, .bias = 5};
constexpr PackedInputs kPackedFloat8{.of_blocks = {2, 3, kNoInput}, .bias = 4};

constexpr std::array kPackedRows = {
    NestRow{kMicrosoft, "MatMulBlockQuantizedFp4Weight", packed_product_nest<kFloat4>},
    NestRow{kMicrosoft, "MatMulBlockQuantizedFp8Weight", packed_product_nest<kPackedFloat8>},
    NestRow{kMicrosoft, "MatMulBnb4", packed_product_nest<kScaled>},
    NestRow{kMicrosoft, "MatMulFpQ4", packed_product_nest<kWhole>},
    NestRow{kMicrosoft, "MatMulNBits", packed_product_nest<kPackedBits>},
    NestRow{kMicrosoft, "MatMulNBitsMlp", packed_mlp_nest},
    NestRow{kMicrosoft, "MatMulNBitsQkv", packed_qkv_nest},
};

}  // namespace

const std::span<const NestRow> kPackedNests = kPackedRows;

}  // namespace ridge::accelerator
