// The tables of operators, one per family, in the order of their files. Read by registry.cc only.
#pragma once

#include <span>

#include "ops/operator.h"

namespace ridge::ops {

extern const std::span<const Operator> kActivation, kAttention, kCast, kConcat, kContrib, kControl,
    kConv, kConvTranspose, kEinsum, kElementwise, kExpand, kGather, kGemm, kImage, kMath,
    kNormalization, kPad, kPool, kQuantize, kRandom, kRecurrent, kReduce, kReshape, kResize,
    kScatter, kSelect, kSequence, kShape, kSlice, kSoftmax, kSplit, kTranspose;

}  // namespace ridge::ops
