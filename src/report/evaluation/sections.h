// SPDX-License-Identifier: Apache-2.0
// Sections of the page of an evaluation, each a piece of HTML; "" without data. See
// report/evaluation/page.h.
#pragma once

#include <string>
#include <vector>

#include "report/evaluation/view.h"

namespace ridge::report {

/// Model, scenario in one sentence, and the verdict of each runtime with its reasons.
std::string evaluation_head(const Evaluation& evaluation);
/// Table of all figures, a column for each runtime, with how each is obtained.
std::string evaluation_figures_section(const Evaluation& evaluation);
/// Percentiles with their intervals against the bound, and the distribution.
std::string evaluation_latency_section(const Evaluation& evaluation);
/// Latency, waiting and throughput over the time of the load.
std::string evaluation_time_section(const Evaluation& evaluation);
/// Lateness of the load generator.
std::string evaluation_generator_section(const Evaluation& evaluation);
/// Probes of the search for the largest rate.
std::string evaluation_peak_section(const Evaluation& evaluation);
/// Accuracy, and samples that runtimes answer differently.
std::string evaluation_answers_section(const Evaluation& evaluation);
/// Time of the application's steps beside the model's time.
std::string evaluation_steps_section(const Evaluation& evaluation,
                                     const std::vector<ShownStep>& steps);
/// Table of what each level of the trace consists of.
std::string evaluation_levels_section(const std::vector<trace::StackLevel>& levels);

}  // namespace ridge::report
