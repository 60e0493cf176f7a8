// SPDX-License-Identifier: Apache-2.0
// Tables of operators, one per family, in the order of their files. Used by registry.cc only.
#pragma once

#include <span>

#include "ops/operator.h"

namespace ridge::ops {

extern const std::span<const Operator> kActivation, kAttention, kCast, kConcat, kContrib,
    kContribAttention, kContribConv, kContribData, kContribMatmul, kContribNorm, kContribOrdered,
    kContribQuantize, kContribSparse, kContribState, kControl, kConv, kConvTranspose, kDeformConv,
    kEinsum, kElementwise, kExpand, kGather, kGemm, kGroupedAttention, kImage, kLinearAttention,
    kLoss, kMath, kMlOperators, kMoe, kNormalization, kOptional, kPackedMatmul, kPad, kPool,
    kQuantize, kRandom, kRecurrent, kReduce, kReshape, kResize, kScatter, kSelect, kSequence,
    kShape, kSignal, kSlice, kSoftmax, kSplit, kText, kTraining, kTranspose;

}  // namespace ridge::ops
