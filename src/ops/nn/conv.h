// SPDX-License-Identifier: Apache-2.0
// Shape and multiply-accumulates of a convolution, shared by all convolution operators.
#pragma once

#include <cstddef>

#include "ops/layout.h"
#include "ops/rule.h"

namespace ridge::ops {

/// Positions of a convolution's inputs. The weight is [Cout, Cin/group, kernel...] for both layouts
/// of the data.
struct ConvInputs {
  std::size_t data, weight, bias;
  Layout layout = Layout::kChannelsFirst;
};

/// Sets output 0 to [N, Cout, positions...] of type `output`, in the layout of the data.
Result<void> infer_conv(Context& c, ConvInputs at, DataType output);
/// MACs: outputs × Cin/group × prod(kernel).
Dim conv_macs(Context& c, ConvInputs at);

}  // namespace ridge::ops
