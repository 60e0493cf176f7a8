// The loop nests of operators. Private to layer_nest.cc.
//
// Each adds the blocks of its operator to the builder; false: a size is not known, or the form is
// not one that the operator can have.
#pragma once

#include "accelerator/nest_builder.h"

namespace ridge::accelerator {

bool convolution_nest(NestBuilder& b, PaddingForm padding);
bool transposed_convolution_nest(NestBuilder& b, PaddingForm padding);
bool matmul_nest(NestBuilder& b, PaddingForm padding);
bool gemm_nest(NestBuilder& b, PaddingForm padding);
bool recurrent_nest(NestBuilder& b, PaddingForm padding);

}  // namespace ridge::accelerator
