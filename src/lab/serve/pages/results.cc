// SPDX-License-Identifier: Apache-2.0
// Pages of one run, one evaluation, compared runs and grids: those of the reports, in the frame of
// the server.
#include "evaluation/record/document.h"
#include "lab/grid/page.h"
#include "lab/serve/describe.h"
#include "lab/serve/pages/frame.h"
#include "lab/serve/queries.h"
#include "lab/serve/service.h"
#include "report/comparison/page.h"
#include "report/evaluation/page.h"
#include "report/evaluation/report.h"
#include "report/profile/page.h"
#include "session/machine_roofs.h"

namespace ridge::lab::serve {

Result<Answer> run_page(Service& service, const Call& call) {
  const profile::Profile run =
      TRY(service.stores.with([&](const store::Store& store) { return store.read(call.id); }));
  return page_answer("runs", report::profile_content(run, session::roofs_of_run(run)));
}

Result<Answer> evaluation_page(Service& service, const Call& call) {
  const profile::EvaluationRecord kept = TRY(
      service.stores.with([&](const store::Store& store) { return store.evaluation(call.id); }));
  const evaluation::Evaluation evaluation = TRY(evaluation::read_evaluation(kept.document));
  return page_answer("evaluations", report::evaluation_content(report::report_view(evaluation)));
}

Result<Answer> grid_page(Service& service, const Call& call) {
  const Grid grid = TRY(grid_of(service.stores, TRY(query_of<GridQuery>(call.request))));
  return page_answer("models by machines",
                     {"ridge: models by machines", grid_sections(grid), kServedFooter});
}

Result<Answer> compare_page(Service& service, const Call& call) {
  const compare::Comparison comparison =
      TRY(comparison_of(service.stores, TRY(query_of<CompareQuery>(call.request))));
  return page_answer("runs", report::comparison_content(comparison));
}

}  // namespace ridge::lab::serve
