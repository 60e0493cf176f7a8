// SPDX-License-Identifier: Apache-2.0
#include "cli/schemas.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "advice/record/describe.h"
#include "advice/record/scoreboard_describe.h"
#include "base/sink.h"
#include "base/suggest.h"
#include "bricks/estimate_describe.h"
#include "bricks/plan_describe.h"
#include "cli/verbs/bench_list.h"
#include "cli/verbs/describe_runs.h"
#include "cli/verbs/zoo_list.h"
#include "compare/evaluation_describe.h"
#include "evaluation/record/describe.h"
#include "export/accelerator/document.h"
#include "export/analysis/describe.h"
#include "export/comparison/describe.h"
#include "export/comparison/diff_describe.h"
#include "export/explanation_document.h"
#include "export/profile/describe_roofline.h"
#include "export/trace/describe.h"
#include "generation/describe.h"
#include "lab/baseline/describe.h"
#include "lab/bundle/describe.h"
#include "lab/grid/describe.h"
#include "lab/serve/describe.h"
#include "lab/serve/openapi.h"
#include "lab/serve/trial/describe.h"
#include "lab/submit/submission.h"
#include "machine/describe.h"
#include "profile/describe.h"
#include "profile/describe_sweep.h"
#include "record/schema.h"
#include "session/point_list.h"
#include "sharing/record/describe_replay.h"
#include "sharing/record/share_list.h"
#include "store/describe_experiment.h"

namespace ridge::cli {
namespace {

using record::kType;

constexpr std::string_view kPageHead =
    R"(# JSON documents

<!-- Made by scripts/schemas.sh; change the descriptions in src (describe.h). -->

What `--format json` prints. Every document names its schema and version in the key `schema`. Within
a version keys only get added, so a reader ignores what it does not know. A figure that cannot be
known is null, never 0. Units are in the key: `_ns` nanoseconds, `_bytes` and `bytes` bytes.
`ridge help schemas NAME` prints the JSON Schema of a document, which also stands in
[`data/schema/`](../../data/schema). Tests validate real documents against them.
`ridge help schemas openapi` prints the OpenAPI document of [`ridge serve`](../serve.md), which is
made of the same.
`--format columns` writes the same for programs that read tables ([columns files](columns.md)).
)";

/// In any order: documents() sorts.
constexpr std::initializer_list<const record::Type*> kDocuments = {
    &kType<BenchList>,
    &kType<StoreContent>,
    &kType<ZooList>,
    &kType<session::PointList>,
    &kType<advice::Advice>,
    &kType<advice::Scoreboard>,
    &kType<bricks::Check>,
    &kType<lab::Baseline>,
    &kType<lab::BaselineCheck>,
    &kType<lab::BundleIndex>,
    &kType<lab::Grid>,
    &kType<lab::Submission>,
    &kType<sharing::ShareList>,
    &kType<bricks::EstimateDocument>,
    &kType<bricks::Plan>,
    &kType<compare::EvaluationComparison>,
    &kType<evaluation::Evaluation>,
    &kType<exports::AnalysesView>,
    &kType<exports::AnalysisView>,
    &kType<exports::ComparisonView>,
    &kType<exports::DiffView>,
    &kType<exports::ExplanationView>,
    &kType<exports::QueryDocument>,
    &kType<exports::RooflineDocument>,
    &kType<exports::StudyDocument>,
    &kType<generation::TokenGeneration>,
    &kType<lab::serve::ErrorDocument>,
    &kType<lab::serve::EvaluationPage>,
    &kType<lab::serve::HostPage>,
    &kType<lab::serve::Job>,
    &kType<lab::serve::JobPage>,
    &kType<store::ExperimentList>,
    &kType<store::ExperimentReport>,
    &kType<store::AgentList>,
    &kType<lab::serve::ModelPage>,
    &kType<lab::serve::RunPage>,
    &kType<lab::serve::Trial>,
    &kType<lab::serve::TrialRequest>,
    &kType<machine::Document>,
    &kType<profile::Profile>,
    &kType<profile::Sweep>,
    &kType<sharing::Replay>};

}  // namespace

std::vector<const record::Type*> documents() {
  std::vector<const record::Type*> out = kDocuments;
  std::ranges::sort(out, {}, &record::Type::schema);
  return out;
}

std::string schemas_page() {
  std::string out(kPageHead);
  for (const record::Type* t : documents()) out += '\n' + record::schema_page(*t);
  return out;
}

Result<std::string> schema_of(std::string_view name) {
  if (name == "openapi") return lab::serve::openapi_document();
  std::vector<std::string> names = {"openapi"};
  for (const record::Type* t : documents()) {
    names.emplace_back(t->schema);
    if (t->schema != name) continue;
    StringSink sink;
    record::write_schema(*t, sink);
    return sink.text();
  }
  const std::vector<std::string> near = near_names(name, names);
  return usage_error("RIDGE-CLI-0005", fmt::format("unknown document '{}'", name))
      .hint(near.empty() ? fmt::format("documents: {}", fmt::join(names, ", "))
                         : fmt::format("did you mean '{}'?", near[0]));
}

}  // namespace ridge::cli
