// SPDX-License-Identifier: Apache-2.0
// Convolution with data-dependent offsets.
#include <fmt/format.h>

#include "ops/nn/conv.h"
#include "ops/nn/image.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

// Inputs: data, weight, offset, bias, mask.
constexpr ConvInputs kDeformInputs{.data = 0, .weight = 1, .bias = 3};

Result<void> infer_deform_conv(Context& c) {
  TRY(require_inputs(c, 3));
  return infer_conv(c, kDeformInputs, c.input(0).dtype);
}

// Every value under the kernel is interpolated between its neighbors, and weighted by the mask if
// there is one.
Work work_deform_conv(Context& c) {
  const Shape &x = c.input(0).shape, &w = c.input(1).shape, &y = c.output(0).shape;
  if (x.rank < 3 || w.rank != x.rank || y.rank != x.rank) return {.macs = Dim(), .flops = Dim()};
  DimPool& p = c.dims();
  const std::size_t axes = x.span().size() - 2;
  const Dim kernel = p.product(w.span().subspan(2)), positions = p.product(y.span().subspan(2));
  const Dim samples = p.mul(p.mul(x[0], x[1]), p.mul(kernel, positions));
  Dim each = sample_flops(c, axes, 2);
  if (c.has_input(4)) each = p.add(each, Dim(1));
  const Dim bias = c.has_input(3) ? c.elements(y) : Dim(0);
  return {.macs = conv_macs(c, kDeformInputs), .flops = p.add(p.mul(samples, each), bias)};
}

constexpr Operator kDeformConvRows[] = {
    {.name = "DeformConv",
     .since = 19,
     .infer = infer_deform_conv,
     .work = work_deform_conv,
     .formula = "MACs as Conv; 2^(axes+1) - 1 FLOPs to interpolate each value under the kernel, 1 "
                "for a mask, 1 per output element for the bias"},
};

}  // namespace

const std::span<const Operator> kDeformConv = kDeformConvRows;

}  // namespace ridge::ops
