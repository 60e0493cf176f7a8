// The shape and the multiply-accumulates of a convolution, for every operator that is one.
#pragma once

#include <cstddef>

#include "ops/layout.h"
#include "ops/rule.h"

namespace ridge::ops {

/// Where an operator has its convolution's inputs. The weight is [Cout, Cin/group, kernel...] in
/// either layout of the data.
struct ConvInputs {
  std::size_t data, weight, bias;
  Layout layout = Layout::kChannelsFirst;
};

/// Sets output 0: [N, Cout, positions...] of type `output`, in the layout of the data.
Result<void> infer_conv(Context& c, ConvInputs at, DataType output);
/// outputs × Cin/group × prod(kernel).
Dim conv_macs(Context& c, ConvInputs at);

}  // namespace ridge::ops
