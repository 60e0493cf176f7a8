// SPDX-License-Identifier: Apache-2.0
// Texts for the figures of advice, shared by its table and its report.
//
// Texts are not escaped; the output formats do so. Pure.
#pragma once

#include <string>
#include <string_view>

#include "advice/record/advice.h"

namespace ridge::exports {

/// "1.202 ms (95 %: 1.1 ms to 1.3 ms)"; without an interval only the median, "unknown" without it.
std::string estimate_text(const stats::Estimate& estimate);
/// Text of a predicted gain, which says so where it cannot be predicted (advice/record/verdict.h).
std::string predicted_gain_text(const stats::Estimate& predicted, double latency_ns);
/// "gained", "no difference", ...
std::string state_words(const advice::Check& check);
/// "within what is allowed", "missed", ...: how the prediction fared; "" without one.
std::string_view prediction_words(const advice::Check& check);

/// Text on the roof that determines the bound: "compute: 349 M multiply-accumulates", "memory:L3:
/// 4.9 MB of inputs, weights and outputs"; without a bound the reason.
std::string model_bound_text(const advice::ModelBound& bound);

}  // namespace ridge::exports
