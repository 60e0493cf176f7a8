// SPDX-License-Identifier: Apache-2.0
#include "bricks/suite_process.h"

#include <optional>

#include "base/clock.h"
#include "bricks/brick_times.h"
#include "bricks/suite_runner.h"

namespace ridge::bricks {
namespace {

using profile::SuiteProcess;

double seconds_since(Nanos start) {
  return static_cast<double>((steady_clock().now() - start).count) * 1e-9;
}

bool passed(Nanos deadline) { return deadline.count > 0 && steady_clock().now() >= deadline; }

class Measuring {
 public:
  Measuring(const std::vector<SuiteMember>& members, const SuitePlan& plan)
      : members_(members), plan_(plan), why_(members.size()) {}

  Result<SuiteProcess> run() {
    // Where a round fails, the next attempt finds out which brick it was, and the one after that
    // leaves it out.
    for (std::size_t attempt = 0; attempt <= 2 * members_.size() + 1; ++attempt) {
      const std::optional<SuiteRunner> runner = TRY(this->attempt());
      if (runner) return recorded(*runner);
    }
    return bug("every brick ended its process, and one more", "measure_suite");
  }

 private:
  bool interrupted() const {
    return plan_.options.interrupted != nullptr && plan_.options.interrupted->load();
  }
  void show(const std::string& what, std::size_t done, std::size_t total) const {
    if (plan_.progress)
      plan_.progress(what, static_cast<std::int64_t>(done), static_cast<std::int64_t>(total));
  }

  /// Loads and runs the bricks that are not lost. nullopt: one of them ended the process.
  Result<std::optional<SuiteRunner>> attempt() {
    const Nanos begun = steady_clock().now();
    SuiteRunner runner = TRY(SuiteRunner::start(plan_.options, plan_.seed));
    loaded_.clear();
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (!why_[i].empty()) continue;
      if (passed(plan_.load_until) && !loaded_.empty()) {
        why_[i] = kBudgetSpent;
        continue;
      }
      show("loading brick", i, members_.size());
      const SuiteMember& member = members_[i];
      const Result<std::size_t> at =
          runner.load(*member.model,
                      {.whole = member.whole,
                       .reuse_bytes = member.reuse_bytes,
                       .live_bytes = member.live_bytes,
                       .far_bytes = member.far_bytes},
                      member.network != nullptr ? *member.network : nullptr);
      if (at.ok()) {
        if (member.network != nullptr) *member.network = runner.network(*at);
        loaded_.push_back(i);
        continue;
      }
      if (interrupted()) return at.error();
      why_[i] = at.error().summary();
      if (runner.alive()) continue;
      load_s_ += seconds_since(begun);
      return std::optional<SuiteRunner>();
    }
    load_s_ += seconds_since(begun);
    if (singly_) runner.singly();
    return rounds(std::move(runner));
  }

  Result<std::optional<SuiteRunner>> rounds(SuiteRunner runner) {
    const Nanos begun = steady_clock().now();
    bool usable = true;
    while (runner.rounds() < plan_.max_rounds) {
      const std::uint32_t done = runner.rounds();
      const bool enough =
          done >= plan_.min_rounds && steady_clock().now() - begun >= plan_.min_time;
      if (enough || (done >= kMinRuns && passed(plan_.run_until)) || interrupted()) break;
      show("round", done, plan_.min_rounds);
      if (const Result<void> round = runner.round(); !round.ok()) {
        if (interrupted()) break;
        usable = done >= kMinRuns;
        if (runner.running() < loaded_.size())
          why_[loaded_[runner.running()]] = round.error().summary();
        else if (singly_)
          return round.error();
        singly_ = true;
        break;
      }
    }
    run_s_ += seconds_since(begun);
    if (runner.alive()) runner.finish();
    if (!usable) return std::optional<SuiteRunner>();
    return std::optional(std::move(runner));
  }

  SuiteProcess recorded(const SuiteRunner& runner) const {
    SuiteProcess out{.load_s = load_s_, .run_s = run_s_};
    std::vector<std::size_t> position(members_.size(), loaded_.size());
    for (std::size_t i = 0; i < loaded_.size(); ++i) position[loaded_[i]] = i;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const SuiteMember& m = members_[i];
      bool measured = false;
      for (const std::int64_t reuse : m.reuse_bytes) {
        profile::SuiteBrick brick{.key = m.key,
                                  .kind = m.size.kind,
                                  .macs = m.size.macs,
                                  .bytes = m.size.bytes,
                                  .reuse_bytes = reuse};
        if (position[i] < loaded_.size()) {
          brick.load_ns = static_cast<std::int64_t>(runner.load_ns(position[i]));
          brick.runs = runner.runs(position[i], reuse);
        }
        if (brick.runs.size() < kMinRuns) brick.runs.clear();
        measured |= !brick.runs.empty();
        out.bricks.push_back(std::move(brick));
      }
      if (!measured && !why_[i].empty()) out.lost.push_back({m.key, why_[i]});
    }
    out.chains = runner.chain_runs();
    return out;
  }

  const std::vector<SuiteMember>& members_;
  const SuitePlan& plan_;
  std::vector<std::string> why_;     // by member: it is lost
  std::vector<std::size_t> loaded_;  // members, by position in the runner
  double load_s_ = 0, run_s_ = 0;
  bool singly_ = false;  // a round failed
};

}  // namespace

Result<SuiteProcess> measure_suite(const std::vector<SuiteMember>& members, const SuitePlan& plan) {
  return Measuring(members, plan).run();
}

}  // namespace ridge::bricks
