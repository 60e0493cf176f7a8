// SPDX-License-Identifier: Apache-2.0
// Output of ridge roofline as ridge.roofline/1: points of whole models and their roofs.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "profile/summary.h"
#include "record/document_sink.h"
#include "roofline/roofs.h"

namespace ridge::exports {

/// Writes one document and a newline. Rates of a point without a time are null. `roofs`: by number
/// of threads, including the threads of every point; `notes`: remarks on the inputs of the models.
void write_roofline_document(std::span<const profile::ModelPoint> points,
                             const std::map<std::int32_t, roofline::Roofs>& roofs,
                             std::span<const std::string> notes, const record::DocumentSink& out);

}  // namespace ridge::exports
