// SPDX-License-Identifier: Apache-2.0
#include "generation/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "evaluation/repeat/lock.h"
#include "generation/describe.h"
#include "generation/document.h"
#include "runtime/runtime.h"
#include "session/point_document.h"
#include "session/run_recorder.h"

namespace ridge::generation {
namespace {

using profile::EvaluationKind;
using profile::EvaluationRecord;

/// Percentile of a figure; NaN where it is not known.
stats::Estimate estimate_of(const std::vector<scenario::TokenPercentile>& of, double share) {
  const auto found = std::ranges::find(of, share, &scenario::TokenPercentile::share);
  if (found == of.end() || !found->known) return {.value = EvaluationRecord::kNone};
  return {.value = static_cast<double>(found->value_ns), .interval = found->interval};
}

EvaluationRecord record_of(const TokenGeneration& g, const GeneratedPoint& p,
                           const GenerationKey& key) {
  const scenario::GenerationFigures& f = p.figures;
  EvaluationRecord out{.kind = EvaluationKind::kGeneration,
                       .recorded_s = session::seconds_now(),
                       .model = g.model,
                       .model_sha256 = key.model,
                       .scenario = fmt::format("prompt {}, tokens {}", prompt_lengths(g.request),
                                               token_lengths(g.request)),
                       .runtime = p.runtime.name,
                       .runtime_version = p.runtime.version,
                       .ridge_version = g.ridge,
                       .threads = static_cast<std::uint32_t>(p.threads),
                       .host = g.host,
                       .queries = f.requests,
                       .failed_queries = f.failed,
                       .validity = std::string(word(p.validity.state))};
  out.median_ns = estimate_of(f.latency, 0.5);
  out.p99_ns = estimate_of(f.latency, 0.99).value;
  out.tokens_per_s = {.value = f.tokens_per_s.per_s, .interval = f.tokens_per_s.interval};
  out.first_token_ns = estimate_of(f.first_token, 0.5);
  out.per_token_ns = estimate_of(f.per_token, 0.5);
  return out;
}

Error unreadable_stored(Result<TokenGeneration> read) {
  if (!read.ok()) return std::move(read).error();
  return input_error("RIDGE-WB-0396", "a generation of the store is of several points");
}

}  // namespace

Result<std::optional<store::EvaluationId>> GenerationRecorder::find(
    const GenerationKey& key) const {
  if (keeping_.store == nullptr || keeping_.points == session::Stored::kRepeat)
    return std::optional<store::EvaluationId>();
  return keeping_.store->evaluation_of_point(store_key(key));
}

Result<std::optional<GeneratedPoint>> GenerationRecorder::stored(
    const GenerationKey& key, const session::Point& point) const {
  const auto id = TRY(find(key));
  if (!id) return std::optional<GeneratedPoint>();
  const store::Store& store = *keeping_.store;
  Result<TokenGeneration> read =
      read_generation(TRY(store.evaluation(*id, EvaluationKind::kGeneration)).document);
  if (!read.ok() || read->points.size() != 1)
    return unreadable_stored(std::move(read))
        .hint(fmt::format("ridge runs delete {} generation:{}", store.path(), *id))
        .in_file(store.path());
  GeneratedPoint& out = read->points.front();
  out.runtime_name = point.runtime;
  environment_.notices.status(fmt::format("{}: generation {} in {}", printable(out.runtime.name),
                                          *id, printable(store.path())));
  return std::optional(std::move(out));
}

void GenerationRecorder::keep(TokenGeneration& of, GeneratedPoint& point,
                              const GenerationKey& key) const {
  if (keeping_.store == nullptr) return;
  EvaluationRecord record = record_of(of, point, key);
  const bool whole =
      !environment_.stopped() && !point.generated.canceled && point.generated.failure.empty();
  if (whole) record.point = store_key(key);
  record.key = request_key(key);
  record.document = session::document_of_point(of, point, write_generation);
  const Result<store::Appended> kept = keeping_.store->append(record);
  if (!kept.ok())
    of.store_error = kept.error();
  else
    environment_.notices.status(
        fmt::format("stored as generation {} in {}", kept->id, printable(keeping_.store->path())));
}

Result<ChosenPoints> choose_points(const TokenGenerationRequest& request,
                                   const session::Workbench& bench,
                                   const GenerationKeeping& keeping) {
  ChosenPoints all{.points = session::points_of(request.spec), .keys = {}};
  all.keys = TRY(generation_keys(request, bench, all.points));
  std::vector<std::string> keys;
  for (const GenerationKey& key : all.keys) keys.push_back(request_key(key));
  ChosenPoints out;
  for (const std::size_t i : TRY(session::select_points(keys, keeping.wanted))) {
    out.points.push_back(std::move(all.points[i]));
    out.keys.push_back(std::move(all.keys[i]));
  }
  return out;
}

Result<void> open_runtime(const session::Workbench& bench, const session::Point& point,
                          GenerationKey& key) {
  const measure::Request measuring = TRY(bench.request(point));
  const runtime::Runtime runtime = TRY(runtime::Runtime::spawn(measuring.runtime));
  manifest::Lock::Runtime known = TRY(evaluation::locked_runtime(point.runtime, runtime.info()));
  key.version = std::move(known.version);
  key.library = std::move(known.sha256);
  return {};
}

}  // namespace ridge::generation
