// SPDX-License-Identifier: Apache-2.0
#include "report/bricks/page.h"

#include <fmt/format.h>

#include <cmath>

#include "base/percent.h"
#include "base/text.h"
#include "export/analysis/figure_text.h"
#include "report/bricks/sections.h"
#include "report/chart/keys.h"
#include "report/kit/markup.h"
#include "report/kit/page.h"

namespace ridge::report {
namespace {

using bricks::Check;

constexpr std::string_view kFooterOfBricks =
    "<footer>Counts follow from the models' shapes and from the layers that the runtime makes of "
    "them; times are measured. Made by ridge.</footer>\n";

std::string bricks_title(const bricks::Plan& plan) {
  if (plan.models.size() == 1) return "Bricks of " + printable(plan.models[0].name);
  return "Bricks of " + counted(std::ssize(plan.models), "model");
}

double macs_of_models(const bricks::Plan& plan) {
  double sum = 0;
  for (const bricks::PlannedModel& m : plan.models) sum += static_cast<double>(m.macs);
  return sum;
}

std::string tiles_of_plan(const BricksView& view) {
  const bricks::Sharing& s = view.sharing;
  const double macs = macs_of_models(*view.plan);
  const auto of = [](double part, double whole, std::string_view what) {
    return whole > 0 ? fmt::format(", {} of {}", exports::percent_text(part / whole), what)
                     : std::string();
  };
  return tile(count_text(std::ssize(view.plan->models)), "models") +
         tile(count_text(s.pieces.pieces), "pieces") +
         tile(count_text(s.bricks.pieces),
              "bricks" + of(static_cast<double>(s.bricks.pieces),
                            static_cast<double>(s.pieces.pieces), "the pieces")) +
         tile(si(macs), "MACs of the models") +
         tile(si(s.bricks.macs),
              "MACs of the bricks, once each" + of(s.bricks.macs, macs, "the models'"));
}

std::string saved_tile(const Check& check, const bricks::CheckSummary& s) {
  if (check.measured_before || !(s.models_s > 0) || !std::isfinite(s.saved)) return "";
  return tile(fmt::format("{:.1f} x", s.saved), "time saved: measuring the models / their bricks");
}

std::string tiles_of_check(const Check& check) {
  if (check.models.empty()) return "";
  const bricks::CheckSummary s = bricks::summary_of(check);
  return tile(exports::percent_text(s.mape), "mean absolute error (MAPE)") +
         tile(exports::percent_text(s.p95), "95th percentile of absolute errors") +
         tile(exports::percent_text(s.worst), "largest absolute error") +
         tile(signed_percent(s.bias), "mean error (bias)") +
         tile(fmt::format("{} of {}", s.intervals_met, check.models.size()), "intervals meet") +
         saved_tile(check, s);
}

std::string bricks_summary(const BricksView& view) {
  const bricks::Plan& plan = *view.plan;
  const std::string runtime =
      plan.runtime.empty() ? std::string()
                           : fmt::format("{} {} · {} · {} · ", printable(plan.runtime),
                                         printable(plan.runtime_version), printable(plan.host),
                                         counted(std::int64_t{plan.threads}, "thread"));
  std::string out =
      fmt::format("<h1>{}</h1>\n<p class=\"sub\">{}ridge {}</p>\n<div class=\"tiles\">\n{}</div>\n",
                  html_escape(bricks_title(plan)), html_escape(runtime),
                  html_escape(printable(plan.ridge)), tiles_of_plan(view));
  if (view.check != nullptr)
    if (const std::string tiles = tiles_of_check(*view.check); !tiles.empty())
      out += "<div class=\"tiles\">\n" + tiles + "</div>\n";
  return out;
}

}  // namespace

std::string bricks_page(const BricksPage& data) {
  const BricksView view(data);
  return page("ridge bricks: " + bricks_title(*data.plan),
              bricks_summary(view) + errors_section(view) + estimates_section(view) +
                  repeats_section(view) + sharing_section(view) + growth_section(view) +
                  top_bricks_section(view) + missing_section(view),
              kFooterOfBricks);
}

}  // namespace ridge::report
