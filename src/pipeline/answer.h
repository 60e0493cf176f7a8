// SPDX-License-Identifier: Apache-2.0
// Answer of a model to one sample, made from its outputs by the steps after the run.
//
//   const auto steps = TRY(parse_output_steps("softmax top(5) labels(classes.txt)"));
//   Answer a = TRY(answer_of(std::move(outputs), steps));
//   std::get<Ranking>(a.value).classes[0].index, a.names[0]
//
// Errors (input class) name the step: RIDGE-PIPE-0033 for an output that the model lacks or that
// has another shape, RIDGE-PIPE-0034 for a step where it cannot stand; the steps' errors. Pure
// function. Cost: linear in the outputs, and the cost of suppression.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "pipeline/output_step.h"
#include "pipeline/ranking.h"

namespace ridge::pipeline {

/// An output of a sample: without the axis of the batch.
struct OutputValues {
  std::string name;
  std::vector<std::int64_t> dims;
  std::vector<float> values;
};

struct Scores {
  std::vector<float> values;  ///< values of the first output that has any
};
struct Ranking {
  std::vector<Ranked> classes;
  std::size_t of = 0;  ///< number of classes
};
using Detections = std::vector<Detection>;
struct Mask {
  Size size;
  std::vector<std::int32_t> classes;  ///< rows from the top
};
struct Reading {
  std::vector<std::int64_t> classes;
  std::string_view separator;  ///< between the names
};

struct Answer {
  std::variant<Scores, Ranking, Detections, Mask, FloatImage, Reading> value;
  /// Names of the classes of a ranking, detections or a reading, in order; empty without Labels.
  std::vector<std::string> names;
  /// Classes that the detections or the mask are of; 0: the model does not say.
  std::size_t classes = 0;

  /// The names as one text; the classes' numbers without names.
  std::string text() const;
};

/// Without steps the answer is Scores.
Result<Answer> answer_of(std::vector<OutputValues> outputs, std::span<const OutputStep> steps);

}  // namespace ridge::pipeline
