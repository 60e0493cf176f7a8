// SPDX-License-Identifier: Apache-2.0
// The least time of a model under the roofs of a machine, whatever kernels it is cut into.
//
//   const ModelWork work = model_work(resolved);
//   const ModelBound bound = bound_of(work, roofs, all_processors);
//
//   bound = max( sum over types of 2*MACs / compute roof of the type,
//                time of the memory levels for inputs, weights and outputs, each once )
//
// No tensor between two nodes counts, so that no fusion is faster. The bound of the kernels that a
// run has (bound.h) counts what crosses their boundaries, and an edit may have fewer boundaries:
//
//   x / (1 + exp(-x)) in four kernels moves 4 tensors in and 4 out, in one kernel 1 in and 1 out;
//   the model's own work is 1 in and 1 out in both forms
//
// MACs count by the direct algorithm of the definition (analysis/bounds/min_work.h), for each
// product that an output depends on, once for equal products. Not counted: products of constants,
// and what an edit may leave out: outputs that the model itself reads again, constants that can be
// folded into others (all but the largest of a product and the rows that a Gather reads), and the
// content of bodies of control flow and functions. An input with a default value is a constant
// here. So the result holds for every edit of this program that leaves the outputs as they are. It
// assumes that the products of the definition are computed: a rewriting into fewer (Winograd, a
// fast Fourier transform, two matrices multiplied in advance, a mask that leaves products out) may
// be below.
//
// A product in float16 may be computed in float32, so the faster roof counts; one of quantized
// tensors may be computed in any type. Thread rule: pure. Cost: O(nodes + edges).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "advice/record/advice.h"
#include "analysis/bounds/touched.h"
#include "analysis/resolved.h"
#include "roofline/roofs.h"

namespace ridge::advice {

struct ModelWork {
  /// By element type; "" for products of quantized tensors.
  std::map<std::string, std::int64_t> macs;
  analysis::Touch inputs, weights, outputs;
  std::vector<graph::NodeId> unknown;  ///< products whose MACs are unknown; they count as 0
};

ModelWork model_work(const analysis::Resolved& resolved);

/// `run`, `all`: roofs for the threads of the run and for all processors.
ModelBound bound_of(const ModelWork& work, const roofline::Roofs& run, const roofline::Roofs& all);

/// Raises the bound of kernels to the bound of the model, where that is known and greater:
/// caches keep the tensors of one kernel that they cannot keep of all.
void raise(KernelBound& kernels, const ModelBound& model);

/// True for a node that multiplies quantized tensors: of at most 8 bits, or that DequantizeLinear
/// made of such.
bool multiplies_quantized(const analysis::Resolved& resolved, graph::NodeId node);

}  // namespace ridge::advice
