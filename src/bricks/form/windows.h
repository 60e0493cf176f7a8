// SPDX-License-Identifier: Apache-2.0
// Windows of convolutions and pooling in one form: pads written out, whichever of pads, auto_pad
// and output_shape the file states, and nothing that has no effect.
//
//   Conv {auto_pad='SAME_UPPER' strides=[2,2]} of 8x8 with 3x3    pads 0,0,1,1
//
// SAME (ONNX's schemas): total = max((ceil(in / stride) - 1) * stride + (k - 1) * dilation + 1 -
// in, 0), the larger half at the end for SAME_UPPER, at the beginning for SAME_LOWER.
// ConvTranspose with output_shape: total = stride * (in - 1) + output_padding + (k - 1) * dilation
// + 1 - out. With a size that is not known, all attributes stay. Thread rule: pure.
#pragma once

#include "bricks/form/node_view.h"

namespace ridge::bricks {

void convolution_rule(NodeView& view);
void pool_rule(NodeView& view);
void transposed_convolution_rule(NodeView& view);

}  // namespace ridge::bricks
