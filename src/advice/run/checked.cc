// SPDX-License-Identifier: Apache-2.0
#include "advice/run/checked.h"

#include <algorithm>
#include <set>
#include <utility>

#include "advice/record/scoreboard.h"
#include "advice/record/verdict.h"
#include "advice/run/check.h"
#include "base/version.h"
#include "rewrite/rewritten.h"

namespace ridge::advice {
namespace {

using analysis::Resolved;
using Rules = std::vector<const rewrite::Rule*>;

/// Latency up to which the hundred runs of a comparison take no time worth saving.
constexpr double kFastNs = 1e7;

/// Takes over what a comparison of outputs says of a finding that was applied.
void judge_outputs(Finding& f) {
  const Check& check = *f.check;
  f.lossless = false;
  if (!check.outputs || f.effect == "accuracy") return;
  const OutputDifference& o = *check.outputs;
  const std::string& differs = check.broken ? o.differs_usually : o.differs_unusually;
  if (!differs.empty() && f.effect == "rounding") {
    f.effect = "values";
    f.effect_where = differs;
  }
  f.lossless = f.effect == "rounding" && o.not_compared.empty();
}

Check not_judged(std::string reason) {
  Check out;
  out.reason = std::move(reason);
  return out;
}

bool is_asked(const AdviceSubject& subject, const Candidate& c) {
  return c.can_be_applied() ? subject.asks_for(c.finding.id) : subject.is_named(c.finding.id);
}

/// Applies findings and measures them.
class FindingChecks {
 public:
  FindingChecks(const AdviceSubject& subject, const MeasuredModel& measured,
                const ModelChanges& changes)
      : subject_(subject), measured_(measured), changes_(changes) {}

  /// `left`: checks to go, this one included.
  Result<Check> of(const Candidate& c, std::size_t left) const {
    if (!c.can_be_applied())
      return not_judged("nothing can be applied: the finding shows where time goes");
    const std::optional<double> seconds = subject_.budget.of_check_s(left);
    if (!seconds) return compared_only(c);
    if (c.edit != nullptr)
      return of_edits({c.edit->rule}, c.finding.gain_ns, c.edit->binds_sizes(), *seconds);
    if (c.spec) return of_setting(c, *seconds);
    if (!changes_.int8) return not_judged(c.finding.no_price);
    const measure::Request request = TRY(request_within(*seconds));
    return check_finding({&subject_.resolved, request}, {&changes_.int8->resolved, request},
                         c.finding.gain_ns, Expected::kOther);
  }

  Result<Check> of_joint(const Rules& rules,
                         const std::optional<stats::Estimate>& predicted) const {
    const std::optional<double> seconds = subject_.budget.of_check_s(1);
    if (!seconds) return not_judged("the budget was spent");
    return of_edits(rules, predicted, false, *seconds);
  }

 private:
  /// `seconds`: measuring time of a process.
  Result<measure::Request> request_within(double seconds) const {
    measure::Request out = TRY(subject_.bench.request(subject_.point));
    out.plan.budget = Nanos{static_cast<std::int64_t>(seconds * 1e9)};
    return out;
  }

  Result<Check> of_edits(const Rules& rules, const std::optional<stats::Estimate>& predicted,
                         bool binds_sizes, double seconds) const {
    const Resolved better = TRY(rewrite::rewritten(subject_.resolved, rules));
    const measure::Request request = TRY(request_within(seconds));
    measure::Request before = request;
    if (binds_sizes) before.sizes = bricks::Loader::Sizes::kAsDeclared;
    return check_finding({&subject_.resolved, before}, {&better, request}, predicted,
                         binds_sizes ? Expected::kSameIfBound : Expected::kSame);
  }

  Result<Check> of_setting(const Candidate& c, double seconds) const {
    const session::Workbench& own = subject_.bench;
    const session::Workbench other{own.model, *c.spec, own.environment, own.opened, seconds};
    session::Point point = subject_.point;
    point.threads = c.spec->threads.at(0);
    point.runtime = c.spec->runtimes.at(0);
    auto before = TRY(request_within(seconds));
    auto after = TRY(other.request(point));
    return check_finding({&subject_.resolved, std::move(before)},
                         {&subject_.resolved, std::move(after)}, c.finding.gain_ns,
                         Expected::kSame);
  }

  /// Outputs of a fast model are compared even when the budget was spent.
  Result<Check> compared_only(const Candidate& c) const {
    Check out = not_judged("the budget was spent");
    const double latency_ns = measured_.run.latency.ns.value;
    if (c.edit == nullptr || c.edit->binds_sizes() || latency_ns > kFastNs) return out;
    const Resolved better = TRY(rewrite::rewritten(subject_.resolved, Rules{c.edit->rule}));
    const measure::Request request = TRY(subject_.bench.request(subject_.point));
    Result<OutputDifference> outputs =
        compare_widely({&subject_.resolved, request}, {&better, request}, Expected::kSame);
    if (!outputs.ok()) return out;
    out.broken = !outputs->differs_usually.empty();
    out.outputs = std::move(*outputs);
    return out;
  }

  const AdviceSubject& subject_;
  const MeasuredModel& measured_;
  const ModelChanges& changes_;
};

/// Stores a check for the scoreboard.
Result<void> keep(const AdviceSubject& subject, const MeasuredModel& measured, const Finding& f) {
  if (subject.recorder == nullptr || subject.environment().stopped()) return {};
  const Check& check = *f.check;
  const OutputDifference unknown{profile::CheckedFinding::kNone, profile::CheckedFinding::kNone};
  const OutputDifference outputs = check.outputs.value_or(unknown);
  TRY(subject.recorder->store().append(
      {.recorded_s = session::seconds_now(),
       .model = subject.request.model,
       .graph_hash = graph::structure_hash(subject.resolved.model()),
       .point = measured.run_key,
       .runtime = measured.runtime.name,
       .runtime_version = measured.runtime.version,
       .ridge_version = std::string(version()),
       .threads = static_cast<std::uint32_t>(subject.point.threads),
       .host = subject.bricks.host_name,
       .finding = f.id,
       .question = f.question,
       .kind = f.kind,
       .nodes = f.nodes,
       .predicted_ns = f.gain_ns.value_or(kUnknown),
       .gain_ns = check.gain_ns,
       .before_ns = check.before_ns,
       .after_ns = check.after_ns,
       .state = check.state,
       .prediction = check.prediction,
       .reason = check.reason,
       .max_abs = outputs.max_abs,
       .max_rel = outputs.max_rel,
       .lossless = f.lossless}));
  return {};
}

/// The check of all edits together as one of the kind "together".
Finding together(const Joint& joint, const std::vector<Candidate>& candidates) {
  std::set<graph::NodeId> nodes;
  for (const Candidate& c : candidates)
    if (std::ranges::find(joint.ids, c.finding.id) != joint.ids.end())
      nodes.insert(c.finding.nodes.begin(), c.finding.nodes.end());
  return {.id = "together",
          .question = {},
          .kind = "together",
          .nodes = {nodes.begin(), nodes.end()},
          .evidence = {},
          .gain_ns = joint.gain_ns,
          .no_price = {},
          .lossless = false,
          .how = {},
          .command = {},
          .confidence = {},
          .check = joint.check};
}

/// Checks the candidates that were asked for, and all together, unless it is stopped.
Result<void> check_wanted(const AdviceSubject& subject, const MeasuredModel& measured,
                          const FindingChecks& checks, PricedFindings& priced) {
  std::vector<Candidate*> wanted;
  for (Candidate& c : priced.candidates)
    if (is_asked(subject, c)) wanted.push_back(&c);
  const bool all = subject.is_named("all") && priced.joint;
  std::size_t left = wanted.size() + (all ? 1 : 0);
  for (Candidate* c : wanted) {
    if (subject.environment().stopped()) return {};
    c->finding.check = TRY(checks.of(*c, left--));
    judge_outputs(c->finding);
    TRY(keep(subject, measured, c->finding));
  }
  if (!all || subject.environment().stopped()) return {};
  const Rules rules = rules_together(priced.candidates);
  if (rules.size() < 2) {  // a check found that one of them changes values
    priced.joint.reset();
    return {};
  }
  Joint& joint = *priced.joint;
  joint.ids.clear();
  for (const rewrite::Rule* rule : rules) joint.ids.push_back(rule->name);
  joint.check = TRY(checks.of_joint(rules, joint.gain_ns));
  return keep(subject, measured, together(joint, priced.candidates));
}

}  // namespace

Result<CheckedFindings> check_findings(const AdviceSubject& subject, const MeasuredModel& measured,
                                       const ModelChanges& changes, PricedFindings priced) {
  TRY(check_wanted(subject, measured, FindingChecks(subject, measured, changes), priced));
  Scoreboard board;
  if (subject.recorder != nullptr)
    board = scoreboard(TRY(subject.recorder->store().checked_findings()));
  CheckedFindings out{.findings = {}, .joint = std::move(priced.joint)};
  for (Candidate& c : priced.candidates) {
    Finding& f = out.findings.emplace_back(std::move(c.finding));
    if (!f.gain_ns) continue;
    f.confidence = confidence(board, f.kind, subject.bricks.host_name, measured.runtime.name);
    f.predictable = is_predictable(*f.gain_ns, measured.run.latency.ns.value);
  }
  return out;
}

}  // namespace ridge::advice
