// SPDX-License-Identifier: Apache-2.0
#include "evaluation/run/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "evaluation/load/peak.h"
#include "evaluation/record/document.h"
#include "runtime/runtime.h"
#include "session/point_document.h"
#include "session/run_recorder.h"

namespace ridge::evaluation {
namespace {

using manifest::Lock;
using profile::EvaluationRecord;

/// Latency of a query at a share of them; NaN where the figures lack it.
stats::Estimate latency_ns(const scenario::Figures& figures, double share) {
  const auto found =
      std::ranges::find(figures.latency.percentiles, share, &scenario::Percentile::share);
  if (found == figures.latency.percentiles.end()) return {.value = EvaluationRecord::kNone};
  return {.value = static_cast<double>(found->value_ns), .interval = found->interval};
}

EvaluationRecord record_of(const Evaluation& e, const EvaluatedPoint& p) {
  EvaluationRecord out{.recorded_s = session::seconds_now(),
                       .model = e.model,
                       .model_sha256 = p.lock.model.sha256,
                       .data = p.lock.data.name,
                       .scenario = std::string(e.load ? word(e.scenario.kind) : "accuracy"),
                       .runtime = p.runtime.name,
                       .runtime_version = p.runtime.version,
                       .ridge_version = e.ridge,
                       .threads = static_cast<std::uint32_t>(p.threads),
                       .host = e.host,
                       .validity = std::string(word(p.validity.state))};
  if (e.load) {
    out.queries = p.figures.queries;
    out.failed_queries = p.figures.failed;
    out.queries_per_s = {.value = p.figures.completed.per_s,
                         .interval = p.figures.completed.interval};
    out.median_ns = latency_ns(p.figures, 0.5);
    out.p99_ns = latency_ns(p.figures, 0.99).value;
  }
  if (p.accuracy && p.accuracy->top1)
    out.top1 = {.value = p.accuracy->top1->value, .interval = p.accuracy->top1->interval};
  return out;
}

/// The lock of the wanted points alone: of all runtimes if none is named.
Lock locked_part(Lock locked, std::span<const std::string> wanted, const Lock& now) {
  if (!wanted.empty())
    std::erase_if(locked.runtimes, [&](const Lock::Runtime& r) {
      return std::ranges::find(now.runtimes, r.name, &Lock::Runtime::name) == now.runtimes.end();
    });
  return locked;
}

Error unreadable_stored(Result<Evaluation> read) {
  if (!read.ok()) return std::move(read).error();
  return input_error("RIDGE-WB-0167", "an evaluation of the store is of several points");
}

}  // namespace

Result<std::string> key_in_store(const PlannedPoint& point, Lock lock,
                                 const session::Environment& environment) {
  const Result<runtime::Runtime> runtime = runtime::Runtime::spawn(point.measuring.runtime);
  if (!runtime.ok()) return std::string();
  lock.runtimes = {TRY(locked_runtime(point.point.runtime, runtime->info()))};
  return point_key(lock, environment.host.identity());
}

Result<EvaluationRecorder> EvaluationRecorder::make(const EvaluationRequest& request,
                                                    std::span<const PlannedPoint> points, Lock lock,
                                                    const EvaluationKeeping& keeping,
                                                    const session::Environment& environment) {
  EvaluationRecorder out(request, std::move(lock), keeping, environment);
  if (keeping.store == nullptr && keeping.locked == nullptr) return out;
  TRY(out.open_runtimes(points));
  if (keeping.locked != nullptr)
    TRY(check_lock(locked_part(*keeping.locked, keeping.wanted, out.lock_), out.lock_,
                   keeping.different, environment));
  if (keeping.store != nullptr) TRY(out.count_stored(points));
  return out;
}

Result<void> EvaluationRecorder::open_runtimes(std::span<const PlannedPoint> points) {
  for (const PlannedPoint& planned : points) {
    const runtime::Runtime runtime = TRY(runtime::Runtime::spawn(planned.measuring.runtime));
    lock_.runtimes.push_back(TRY(locked_runtime(planned.point.runtime, runtime.info())));
  }
  return {};
}

Result<void> EvaluationRecorder::count_stored(std::span<const PlannedPoint> points) const {
  std::int64_t held = 0;
  Evaluation ignored;
  for (const PlannedPoint& planned : points) held += TRY(stored(planned.point, ignored)) ? 1 : 0;
  std::string line = counted(std::ssize(points), "point");
  if (held > 0)
    line += fmt::format(", {} of them already in {}", held, printable(keeping_.store->path()));
  environment_->notices.status(line);
  return {};
}

Lock EvaluationRecorder::lock_of_point(const std::string& runtime) const {
  Lock out = lock_;
  std::erase_if(out.runtimes, [&](const Lock::Runtime& r) { return r.name != runtime; });
  return out;
}

Result<std::optional<EvaluatedPoint>> EvaluationRecorder::stored(const session::Point& point,
                                                                 Evaluation& of) const {
  if (keeping_.store == nullptr || keeping_.points == Stored::kRepeat)
    return std::optional<EvaluatedPoint>();
  const std::string key = point_key(lock_of_point(point.runtime), machine_);
  const auto id = TRY(keeping_.store->evaluation_of_point(key));
  if (!id) return std::optional<EvaluatedPoint>();
  Result<Evaluation> read = read_evaluation(TRY(keeping_.store->evaluation(*id)).document);
  if (!read.ok() || read->points.size() != 1)
    return unreadable_stored(std::move(read))
        .hint(fmt::format("ridge runs delete {} evaluation:{}", keeping_.store->path(), *id))
        .in_file(keeping_.store->path());
  EvaluatedPoint& out = read->points.front();
  out.runtime_name = point.runtime;
  const bool server = out.scenario.kind == scenario::Kind::kServer;
  out.scenario =
      server ? at_rate(request_->scenario, mean_rate(out.scenario.arrivals)) : request_->scenario;
  if (!of.data) of.data = std::move(read->data);
  return std::optional(std::move(out));
}

Result<void> EvaluationRecorder::keep(Evaluation& of, EvaluatedPoint& point,
                                      const std::string& data_sha256) {
  if (lock_.data.sha256.empty()) lock_.data.sha256 = data_sha256;
  const auto known = std::ranges::find(lock_.runtimes, point.runtime_name, &Lock::Runtime::name);
  if (known == lock_.runtimes.end())
    lock_.runtimes.push_back(TRY(locked_runtime(point.runtime_name, point.runtime)));
  point.lock = lock_of_point(point.runtime_name);
  if (keeping_.store == nullptr) return {};
  Result<void> kept = store(of, point);
  if (!kept.ok()) of.store_error = std::move(kept).error();
  return {};
}

Result<void> EvaluationRecorder::store(Evaluation& of, EvaluatedPoint& point) {
  EvaluationRecord record = record_of(of, point);
  const bool whole = !environment_->stopped() && !point.load.canceled && point.load.failure.empty();
  if (whole) record.point = point_key(point.lock, machine_);
  record.key = request_key(point.lock, point.runtime_name);
  record.document = session::document_of_point(of, point, write_evaluation);
  const store::Appended kept = TRY(keeping_.store->append(record));
  environment_->notices.status(
      fmt::format("stored as evaluation {} in {}", kept.id, printable(keeping_.store->path())));
  return {};
}

}  // namespace ridge::evaluation
