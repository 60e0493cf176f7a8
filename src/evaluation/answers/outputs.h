// SPDX-License-Identifier: Apache-2.0
// Outputs of a loaded model for every sample, one sample at a time.
//
//   TRY(each_sample({runtime, session, data}, [&](std::size_t sample, SampleOutputs outputs) {
//     return metric.add(sample, outputs);
//   }));
//
// Outputs: the model's, in its order. An output whose first axis is the batch is split among its
// samples; another one goes to the sample as a whole if the batch is 1, else its values are empty,
// as are values of text. Values become float32: 16-bit floats exactly, whole numbers and float64
// rounded. Errors: the runtime's, and what `visit` returns.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "evaluation/data/data.h"
#include "pipeline/answer.h"
#include "runtime/runtime.h"

namespace ridge::evaluation {

struct LoadedModel {
  runtime::Runtime& runtime;
  runtime::SessionId session;
  const DataSamples& data;
};

using SampleOutputs = std::vector<pipeline::OutputValues>;
/// Outputs of one sample of a set of `batch`.
SampleOutputs sample_outputs(const runtime::Outputs& of_set, std::size_t batch, std::size_t row);

using VisitSample = std::function<Result<void>(std::size_t sample, SampleOutputs outputs)>;

Result<void> each_sample(const LoadedModel& loaded, const VisitSample& visit);

}  // namespace ridge::evaluation
