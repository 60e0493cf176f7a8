// SPDX-License-Identifier: Apache-2.0
#include "bricks/run/suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_set>

#include "base/clock.h"
#include "base/text.h"
#include "bricks/loader.h"
#include "bricks/piece_size.h"
#include "bricks/run/file.h"
#include "bricks/run/plan.h"
#include "bricks/suite_process.h"
#include "machine/memory.h"
#include "session/model_source.h"
#include "session/run_recorder.h"

namespace ridge::bricks {
namespace {

/// Memory that a loaded brick needs, in units of its tensors and constants: weights as given and as
/// packed, and what its donors read and write.
constexpr double kMemoryFactor = 3;
/// Part of the available memory that a process may use.
constexpr double kMemoryShare = 0.6;
/// Limit on the part of that for the arena of a process.
constexpr double kArenaShare = 0.25;
/// Part of a process's time for loading its bricks, if time is short.
constexpr double kLoadShare = 0.6;

Nanos nanos(double seconds) { return Nanos{static_cast<std::int64_t>(seconds * 1e9)}; }

}  // namespace

BricksSuite::BricksSuite(Plan plan, BricksPoint point, store::Store store, SuiteGoal goal,
                         const session::Environment& environment)
    : plan_(std::move(plan)),
      point_(std::move(point)),
      store_(std::move(store)),
      goal_(goal),
      environment_(&environment),
      models_(plan_.bricks.size()),
      networks_(plan_.bricks.size()) {}

Result<BricksSuite> BricksSuite::open(const SuiteRequest& request,
                                      const session::Environment& environment) {
  Plan plan = TRY(read_plan(request.folder));
  session::MeasureSpec spec = request.spec;
  spec.threads = {static_cast<int>(plan.threads)};
  BricksPoint point = TRY(bricks_point(spec, environment));
  Loader loader(point.loading);
  const runtime::RuntimeInfo info = TRY(loader.info());
  TRY(check_same(plan,
                 {.runtime = info.name,
                  .runtime_version = info.version,
                  .host = point.host_name,
                  .threads = point.threads},
                 request.folder));
  store::Store store = TRY(store::Store::open(request.store, store::Access::kCreate));
  BricksSuite suite(std::move(plan), std::move(point), std::move(store), request.goal, environment);
  suite.folder_ = request.folder;
  suite.key_ = suite.point_.key(info);
  TRY(suite.load_times());
  return suite;
}

Result<void> BricksSuite::load_times() {
  processes_ = TRY(store_.suites(key_));
  times_ = SuiteTimes(processes_, point_.host, point_.cache_bytes);
  return {};
}

std::optional<double> BricksSuite::expected_s() const {
  if (last_bricks_ == 0) return std::nullopt;
  return last_s_ * static_cast<double>(to_measure().size()) / static_cast<double>(last_bricks_);
}

double BricksSuite::round_s() const {
  double least = std::numeric_limits<double>::quiet_NaN();
  for (const profile::SuiteProcess& p : processes_) {
    std::uint32_t rounds = 0;
    for (const profile::ChainRun& run : p.chains) rounds = std::max(rounds, run.round + 1);
    std::unordered_set<std::string_view> measured;
    for (const profile::SuiteBrick& b : p.bricks)
      if (!b.runs.empty()) measured.insert(b.key);
    const bool all = std::ranges::all_of(
        plan_.bricks, [&](const Brick& brick) { return measured.contains(brick.key); });
    if (all && rounds > 0) least = std::fmin(least, p.run_s / rounds);
  }
  return least;
}

Result<const analysis::Resolved*> BricksSuite::model_of(std::size_t brick) {
  if (!models_[brick]) {
    TRY(check_brick(plan_.bricks[brick], folder_));
    const std::string path = folder_ + "/" + plan_.bricks[brick].file;
    const session::OpenedModel opened = TRY(session::open_model(path));
    Result<analysis::Resolved> resolved = analysis::resolve(opened.model, {});
    if (!resolved.ok()) return std::move(resolved).error().in_file(path);
    models_[brick] = std::move(*resolved);
  }
  return &*models_[brick];
}

/// Divides bricks so that the bricks of a batch fit into memory together. One that does not fit
/// alone is a batch of its own: whether it can be loaded is for the runtime to say.
std::vector<std::vector<Wanted>> BricksSuite::batches(std::vector<Wanted> bricks) const {
  const double room = kMemoryShare * static_cast<double>(machine::memory_available().value_or(
                                         std::numeric_limits<std::int64_t>::max()));
  // The arena of a process has twice the most that one of its bricks reaches.
  const auto max_reach = static_cast<std::int64_t>(kArenaShare * room / 2);
  double arena = 0;
  for (Wanted& w : bricks) {
    w.live_bytes = std::min(w.live_bytes, max_reach);
    arena = std::max(arena, 2 * static_cast<double>(w.live_bytes));
  }
  std::vector<std::vector<Wanted>> out;
  double used = 0;
  for (Wanted& w : bricks) {
    const double bytes = kMemoryFactor * static_cast<double>(plan_.bricks[w.brick].bytes);
    if (out.empty() || used + bytes > room - arena) {
      out.emplace_back();
      used = 0;
    }
    out.back().push_back(std::move(w));
    used += bytes;
  }
  return out;
}

Result<void> BricksSuite::measure(double seconds) {
  const Nanos begun = steady_clock().now();
  const std::vector<Wanted> wanted = to_measure();
  const std::vector<std::vector<Wanted>> all = batches(wanted);
  for (const std::vector<Wanted>& batch : all) {
    if (environment_->stopped()) break;
    TRY(measure_batch(batch, seconds / static_cast<double>(all.size())));
  }
  last_s_ = static_cast<double>((steady_clock().now() - begun).count) * 1e-9;
  last_bricks_ = wanted.size();
  cost_.wall_s += last_s_;
  return {};
}

Result<void> BricksSuite::measure_all(double budget_s) {
  while (!to_measure().empty() && !environment_->stopped()) {
    const double left = budget_s - cost_.wall_s;
    if (budget_s > 0 && (left <= 0 || expected_s().value_or(0) > left)) return {};
    const std::size_t before = processes_.size();
    TRY(measure(budget_s > 0 ? left : 0));
    if (processes_.size() == before) return {};
  }
  return {};
}

Result<void> BricksSuite::measure_batch(const std::vector<Wanted>& batch, double seconds) {
  std::vector<SuiteMember> members;
  for (const Wanted& w : batch) {
    const Brick& brick = plan_.bricks[w.brick];
    const analysis::Resolved* model = TRY(model_of(w.brick));
    members.push_back({brick.key, size_of(brick), model, brick.whole, w.reuse_bytes, w.live_bytes,
                       w.far_bytes, &networks_[w.brick]});
  }
  SuitePlan plan{.options = point_.suite, .seed = processes_.size() + 1};
  if (seconds > 0) {
    // A brick needs goal.processes processes; in the first one it shows what fits.
    const std::size_t processes = std::max(1U, goal_.processes);
    const std::size_t done = std::min(cost_.processes, processes - 1);
    const double share = seconds / static_cast<double>(processes - done);
    plan.load_until = steady_clock().now() + nanos(kLoadShare * share);
    plan.run_until = steady_clock().now() + nanos(share);
  }
  plan.progress = [&](const std::string& what, std::int64_t done, std::int64_t total) {
    if (environment_->progress != nullptr)
      environment_->progress->show(fmt::format("process {}: {}", cost_.processes + 1, what), done,
                                   total);
  };
  Result<profile::SuiteProcess> measured = measure_suite(members, plan);
  environment_->hide_progress();
  if (!measured.ok()) {
    if (environment_->stopped()) return {};
    return std::move(measured).error();
  }
  const bool any = std::ranges::any_of(
      measured->bricks, [](const profile::SuiteBrick& b) { return !b.runs.empty(); });
  if (!any && environment_->stopped()) return {};
  for (const LeftOver& left : plan_.left_over)
    if (!left.key.empty()) measured->lost.push_back({left.key, left.why});
  measured->point = key_;
  measured->recorded_s = session::seconds_now();
  TRY(store_.append(*measured));
  ++cost_.processes;
  cost_.load_s += measured->load_s;
  cost_.run_s += measured->run_s;
  processes_.push_back(std::move(*measured));
  times_ = SuiteTimes(processes_, point_.host, point_.cache_bytes);
  return {};
}

}  // namespace ridge::bricks
