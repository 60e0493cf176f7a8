// SPDX-License-Identifier: Apache-2.0
#include "report/evaluation/page.h"

#include "base/text.h"
#include "report/evaluation/sections.h"
#include "report/kit/page.h"

namespace ridge::report {
namespace {

constexpr std::string_view kFooterOfEvaluation =
    "<footer>Latencies count from the due time of a query, waiting included. All "
    "times are measured on the host's monotonic clock. Made by ridge.</footer>\n";

}  // namespace

PageContent evaluation_content(const EvaluationView& view) {
  const Evaluation& e = view.evaluation;
  return {"ridge eval: " + printable(e.model),
          evaluation_head(e) + evaluation_figures_section(e) + evaluation_latency_section(e) +
              evaluation_time_section(e) + evaluation_steps_section(e, view.steps) +
              evaluation_levels_section(view.levels) + evaluation_generator_section(e) +
              evaluation_peak_section(e) + evaluation_answers_section(e),
          kFooterOfEvaluation};
}

std::string evaluation_page(const EvaluationView& view) { return page(evaluation_content(view)); }

}  // namespace ridge::report
