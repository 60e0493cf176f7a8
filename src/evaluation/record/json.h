// Parts of the document of an evaluation, each under its key: schema ridge.evaluation/1.
#pragma once

#include <optional>

#include "base/json_writer.h"
#include "evaluation/record/evaluation.h"
#include "scenario/rate_json.h"

namespace ridge::evaluation {

void write_data(JsonWriter& json, const std::optional<EvaluatedData>& data);
void write_figures(JsonWriter& json, const EvaluatedPoint& point);
/// How queries ran: phases, sizes of batches, models of a mix.
void write_running(JsonWriter& json, const EvaluatedPoint& point);
void write_peak(JsonWriter& json, const std::optional<scenario::Peak>& peak);
/// Files with outputs.
void write_outputs(JsonWriter& json, const std::vector<accuracy::OutputFile>& files);
void write_accuracy(JsonWriter& json, const std::optional<Accuracy>& accuracy);

}  // namespace ridge::evaluation
