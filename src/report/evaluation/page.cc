#include "report/evaluation/page.h"

#include "base/text.h"
#include "report/evaluation/sections.h"
#include "report/kit/page.h"

namespace ridge::report {
namespace {

constexpr std::string_view kFooterOfEvaluation =
    "<footer>Latencies count from the moment at which a query was scheduled, waiting included. All "
    "times are measured on the host's monotonic clock. Made by ridge.</footer>\n";

}  // namespace

std::string evaluation_page(const EvaluationView& view) {
  return page("ridge eval: " + printable(view.model),
              evaluation_head(view) + evaluation_figures_section(view) +
                  evaluation_latency_section(view) + evaluation_time_section(view) +
                  evaluation_steps_section(view) + evaluation_levels_section(view) +
                  evaluation_generator_section(view) + evaluation_peak_section(view) +
                  evaluation_answers_section(view),
              kFooterOfEvaluation);
}

}  // namespace ridge::report
