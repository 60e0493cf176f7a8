// SPDX-License-Identifier: Apache-2.0
// Matrix products as loop nests: plain, fused with later operators, and with quantized factors.
#include <algorithm>
#include <array>
#include <numeric>

#include "accelerator/nests/operators.h"
#include "ops/rule.h"

namespace ridge::accelerator {
namespace {

/// Input numbers of the operands.
struct ProductInputs {
  std::size_t a = 0, b = 1;
  std::size_t zero_a = kNoInput, zero_b = kNoInput;
  std::size_t bias = kNoInput;
  /// Inputs that scale or shift the sums where the result is not the sum: scalars, or one element
  /// per row of `a` or column of `b`.
  std::size_t scale_of_rows = kNoInput;
  std::array<std::size_t, 4> scales = {kNoInput, kNoInput, kNoInput, kNoInput};
};

/// Matrix operand: its batch axes are the last ones of the output's, axes of size 1 are broadcast.
struct Operand {
  BufferId buffer;
  std::vector<std::size_t> axes;  ///< axes of the buffer: batch..., row, column

  bool vector() const { return axes.size() == 1; }  ///< vector along K
  std::size_t batch() const { return vector() ? 0 : axes.size() - 2; }
};

/// `swap`: swaps the last two axes; `first`: moves the first axis before the last one, as
/// transBatch does.
Operand operand(const NestBuilder& b, BufferId buffer, bool swap, bool first) {
  Operand out{buffer, std::vector<std::size_t>(b.shape(buffer).size())};
  std::iota(out.axes.begin(), out.axes.end(), std::size_t{0});
  if (first && out.axes.size() > 2)
    std::rotate(out.axes.begin(), out.axes.begin() + 1, out.axes.end() - 1);
  if (swap && out.axes.size() > 1) std::swap(out.axes.end()[-1], out.axes.end()[-2]);
  return out;
}

/// Element at (row, column) of the matrix that `batch` selects; for a vector, at `k`.
ExprId matrix_element(NestBuilder& b, const Operand& a, Indices batch, ExprId row, ExprId column,
                      ExprId k) {
  if (a.vector()) return b.load(a.buffer, std::array{k});
  std::vector<ExprId> index(a.axes.size());
  for (std::size_t i = 0; i < a.batch(); ++i)
    index[a.axes[i]] =
        b.shape(a.buffer)[a.axes[i]] == 1 ? b.number(0) : batch[batch.size() - a.batch() + i];
  index[a.axes[a.batch()]] = row;
  index[a.axes.back()] = column;
  return b.load(a.buffer, index);
}

struct Product {
  Operand a, b;
  BufferId sums;
};

void add_matrix_product(NestBuilder& b, const Product& p, const ProductInputs& at) {
  const std::size_t rank = b.shape(p.sums).size();
  const std::size_t batch = rank - !p.a.vector() - !p.b.vector();
  const std::size_t columns = rank - !p.b.vector();
  const std::int64_t depth = b.shape(p.a.buffer)[p.a.axes.back()];
  b.add_product("product", p.sums, {"k", depth, true}, [&](Indices i) {
    const ExprId k = i[rank];
    const Indices out = i.first(rank), which = i.first(batch);
    const ExprId x = matrix_element(b, p.a, which, i[batch], k, k);
    const ExprId y = matrix_element(b, p.b, which, k, i[columns], k);
    return NestBuilder::Factors{without_zero(b, x, at.zero_a, out, batch),
                                without_zero(b, y, at.zero_b, out, columns)};
  });
}

bool scaled(const NestBuilder& b, const ProductInputs& at) {
  const auto given = [&](std::size_t i) { return b.form().has_input(i); };
  return given(at.scale_of_rows) || std::any_of(at.scales.begin(), at.scales.end(), given);
}

/// Quantized factors are summed in 32 bits.
onnx::DataType sums_of(const NestBuilder& b, const ProductInputs& at) {
  return ops::is_integral(b.form().dtype(at.a)) ? onnx::DataType::kInt32 : onnx::DataType::kFloat;
}

/// Adds sums of the rank that the factors imply, in the output itself or in a buffer that is then
/// scaled.
bool multiply(NestBuilder& b, const ProductInputs& at, BufferId first, bool swap_b) {
  const auto second = b.input(at.b), out = b.output(0);
  if (!second || !out || b.shape(first).empty() || b.shape(*second).empty()) return false;
  const auto flag = [&](std::string_view name) { return b.form().integer(name, 0) != 0; };
  Product p{operand(b, first, flag("transA"), flag("transBatchA")),
            operand(b, *second, flag("transB") || swap_b, flag("transBatchB")), *out};
  const std::size_t batch = std::max(p.a.batch(), p.b.batch());
  const std::size_t rank = batch + !p.a.vector() + !p.b.vector();
  if (b.shape(*out).size() != rank) return false;
  if (scaled(b, at)) p.sums = b.temporary("sums", b.shape(*out), sums_of(b, at));
  add_matrix_product(b, p, at);
  const auto bias = b.input(at.bias);
  if (bias && b.shape(*bias).size() <= rank) add_repeated(b, "bias", p.sums, *bias);
  if (p.sums == *out) return true;
  std::vector<Parameter> joined = {{at.scale_of_rows, batch}};
  for (const std::size_t scale : at.scales) joined.push_back({scale, rank - !p.b.vector()});
  add_function(b, "scaled", p.sums, *out, joined);
  return true;
}

template <const ProductInputs& at>
bool matrix_product_nest(NestBuilder& b, PaddingForm /*padding*/) {
  const auto first = b.input(at.a);
  // order_B 0 is ORDER_COL: the second factor is stored transposed.
  if (!first || !multiply(b, at, *first, b.form().integer("order_B", 1) == 0)) return false;
  if (b.form().node().op_type == "GemmFastGelu")
    add_function(b, "FastGelu", *b.output(0), *b.output(0));
  add_activation(b, *b.output(0));
  return true;
}

/// The first factor is quantized first, by the range of its elements.
constexpr ProductInputs kDynamic{.zero_b = 3, .scales = {2, 4, kNoInput, kNoInput}};
bool dynamic_product_nest(NestBuilder& b, PaddingForm /*padding*/) {
  const auto x = b.input(0);
  if (!x) return false;
  const BufferId range = b.temporary("range", {2}, *x);
  const BufferId quantized = b.temporary("quantised", b.shape(*x), onnx::DataType::kUint8);
  const std::array low = {b.number(0)}, high = {b.number(1)};
  b.add_block("range", axes_of(b.shape(*x)), [&](Indices at) {
    const ExprId element = b.load(*x, at);
    Stmt both;
    both.kind = Stmt::Kind::kSequence;
    both.children = {
        b.store(range, low, b.other("least", std::array{b.load(range, low), element})),
        b.store(range, high, b.other("most", std::array{b.load(range, high), element}))};
    return b.nest().add(std::move(both));
  });
  b.add_map("quantise", quantized, [&](Indices at) {
    return b.other("quantised",
                   std::array{b.load(*x, at), b.load(range, low), b.load(range, high)});
  });
  return multiply(b, kDynamic, quantized, false);
}

constexpr ProductInputs kPlainProduct{};
constexpr ProductInputs kWithBias{.bias = 2};
constexpr ProductInputs kIntegerProduct{.zero_a = 2, .zero_b = 3};
constexpr ProductInputs kQuantizedProduct{
    .a = 0, .b = 3, .zero_a = 2, .zero_b = 5, .scale_of_rows = 1, .scales = {4, 6, 7, kNoInput}};
constexpr ProductInputs kQuantizedGemm{.a = 0,
                                       .b = 3,
                                       .zero_a = 2,
                                       .zero_b = 5,
                                       .bias = 6,
                                       .scale_of_rows = 1,
                                       .scales = {4, 7, 8, kNoInput}};
constexpr ProductInputs kToFloat{
    .zero_a = 4, .zero_b = 5, .scale_of_rows = 2, .scales = {3, 6, kNoInput, kNoInput}};
constexpr ProductInputs kOrdered{.b = 2, .scale_of_rows = 1, .scales = {3, 4, 5, 6}};
constexpr ProductInputs kFloat8Product{
    .bias = 2, .scale_of_rows = 3, .scales = {4, 5, kNoInput, kNoInput}};

constexpr std::array kProductRows = {
    NestRow{"", "Gemm", matrix_product_nest<kWithBias>},
    NestRow{"", "MatMul", matrix_product_nest<kPlainProduct>},
    NestRow{"", "MatMulInteger", matrix_product_nest<kIntegerProduct>},
    NestRow{"", "QLinearMatMul", matrix_product_nest<kQuantizedProduct>},
    NestRow{kMicrosoft, "DynamicQuantizeMatMul", dynamic_product_nest},
    NestRow{kMicrosoft, "FusedGemm", matrix_product_nest<kWithBias>},
    NestRow{kMicrosoft, "FusedMatMul", matrix_product_nest<kPlainProduct>},
    NestRow{kMicrosoft, "FusedMatMulActivation", matrix_product_nest<kPlainProduct>},
    NestRow{kMicrosoft, "GemmFastGelu", matrix_product_nest<kWithBias>},
    NestRow{kMicrosoft, "GemmFloat8", matrix_product_nest<kFloat8Product>},
    NestRow{kMicrosoft, "MatMulInteger16", matrix_product_nest<kPlainProduct>},
    NestRow{kMicrosoft, "MatMulIntegerToFloat", matrix_product_nest<kToFloat>},
    NestRow{kMicrosoft, "QGemm", matrix_product_nest<kQuantizedGemm>},
    NestRow{kMicrosoft, "QOrderedMatMul", matrix_product_nest<kOrdered>},
    NestRow{kMicrosoft, "SparseToDenseMatMul", matrix_product_nest<kPlainProduct>},
    NestRow{kMicrosoft, "TransposeMatMul", matrix_product_nest<kPlainProduct>},
};

}  // namespace

const std::span<const NestRow> kProductNests = kProductRows;

}  // namespace ridge::accelerator
