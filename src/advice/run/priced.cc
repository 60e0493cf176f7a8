// SPDX-License-Identifier: Apache-2.0
#include "advice/run/priced.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "advice/missed_fusions.h"
#include "advice/observations.h"
#include "advice/run/bricks.h"
#include "advice/run/price.h"
#include "advice/run/setting.h"
#include "base/text.h"
#include "rewrite/rewritten.h"
#include "session/machine_roofs.h"

namespace ridge::advice {
namespace {

/// Benanza's question that an edit of a kind answers.
std::string question_of(std::string_view kind) { return kind == "overhead" ? "Q4" : "Q5"; }

/// Names of Effect, as findings have them.
std::string effect_name(rewrite::Effect effect) {
  constexpr std::array<std::string_view, 3> kNames = {"rounding", "values", "interface"};
  return std::string(kNames.at(static_cast<std::size_t>(effect)));
}

Result<void> measure_wanted_bricks(const AdviceSubject& subject, const ModelChanges& changes) {
  const AdviceRequest& request = subject.request;
  std::vector<NamedNetwork> models = {{request.model, &changes.network}};
  const auto copy = [&](std::string_view id, const bricks::Network& network) {
    models.push_back({fmt::format("{} with '{}'", request.model, id), &network});
  };
  for (const AdviceEdit& edit : changes.edits)
    if (!edit.binds_sizes()) copy(edit.rule->name, edit.network);
  if (changes.int8) copy(kInt8, changes.int8->network);
  return measure_bricks(
      models,
      {.store = request.store, .spec = request.spec, .seconds = subject.budget.of_bricks_s()},
      subject.loader, subject.environment());
}

Result<AdvicePrice> open_price(const AdviceSubject& subject, const MeasuredModel& measured,
                               const ModelChanges& changes) {
  bricks::BricksPoint point = subject.bricks;
  // Measuring the roofs may have told how far the cache reaches.
  point.cache_bytes = session::kept_cache_bytes(subject.environment());
  return AdvicePrice::open(subject.request.store, point, measured.runtime, changes.network,
                           measured.run);
}

Achievable achievable(const AdvicePrice& price, const MeasuredModel& measured,
                      const ModelChanges& changes) {
  Achievable out = price.achievable();
  if (measured.cover && measured.cover->total_ns < out.sequential_ns) {
    out.sequential_ns = measured.cover->total_ns;
    out.layers = measured.cover->pieces;
  }
  if (changes.scheduled_ns) out.scheduled_ns = std::min(*changes.scheduled_ns, out.sequential_ns);
  return out;
}

void set_gain(const AdvicePrice& price, const bricks::Network& after,
              const rewrite::Origins& origins, Finding& finding) {
  Result<PricedEdit> priced = price.of(after, origins);
  finding.no_price = priced.ok() ? "" : priced.error().summary();
  if (!priced.ok()) return;
  finding.gain_ns = priced->gain_ns;
  finding.changed = std::move(priced->changed);
}

Finding edit_finding(const AdviceEdit& edit, const std::string& model, const AdvicePrice& price) {
  const rewrite::Rule& rule = *edit.rule;
  rewrite::Change change = rewrite::change_of(rule, edit.sites);
  Finding out{
      .id = rule.name,
      .question = question_of(rule.kind),
      .kind = rule.kind,
      .nodes = nodes_of(edit.sites),
      .evidence = fmt::format("{} (in {}); without it {}", rule.what,
                              counted(std::ssize(edit.sites), "place"), edit.change),
      .gain_ns = {},
      .no_price = "bricks are of models with bound sizes",
      .lossless = false,
      .effect = effect_name(change.effect),
      .effect_where = std::move(change.where),
      .how = rule.how,
      .command = fmt::format("ridge advise {} --apply {} --output better.onnx", model, rule.name),
      .confidence = {},
      .check = {}};
  if (edit.more_kernels > 0)
    out.evidence += fmt::format("; the copy runs {} more", counted(edit.more_kernels, "kernel"));
  if (!edit.binds_sizes()) set_gain(price, edit.network, edit.origins, out);
  return out;
}

/// Why nothing speaks for a gain from a change of the model; "" if something does.
std::string why_not(const Candidate& candidate) {
  const std::optional<stats::Estimate>& gain = candidate.finding.gain_ns;
  if (gain && gain->high() <= 0)
    return fmt::format("bricks predict that the copy takes {} longer", duration(-gain->value));
  if (candidate.edit == nullptr || (gain && gain->low() > 0)) return {};
  const std::int64_t more = candidate.edit->more_kernels;
  const std::string& change = candidate.edit->change;
  if (more > 0)
    return fmt::format("with it {}, {} more, and no gain is predicted", change,
                       counted(more, "kernel"));
  if (more == 0 && candidate.finding.kind == "unfused_pattern")
    return fmt::format("with it {}, as many kernels, and no gain is predicted", change);
  return {};
}

/// Adds a change of the model to the findings, or a note why it is none.
void offer(const AdviceSubject& subject, Candidate candidate, PricedFindings& out) {
  const Finding& f = candidate.finding;
  if (!subject.is_named(f.id)) {
    const bool gains = f.gain_ns && f.gain_ns->low() > 0;
    if (candidate.edit != nullptr && candidate.edit->rule->only_if_predicted && !gains) return;
    if (const std::string why = why_not(candidate); !why.empty()) {
      out.notes.push_back(fmt::format("'{}' is not offered: {}", f.id, why));
      return;
    }
  }
  out.candidates.push_back(std::move(candidate));
}

double disturbed_share(const profile::Latency& latency) {
  std::int64_t samples = latency.rejected;
  for (const profile::Process& p : latency.processes) samples += std::ssize(p.samples_ns);
  return samples > 0 ? static_cast<double>(latency.rejected) / static_cast<double>(samples) : 0;
}

/// Findings that are no changes of the model.
std::vector<Candidate> other_findings(const AdviceSubject& subject, const MeasuredModel& measured,
                                      const ModelChanges& changes) {
  const profile::Profile& run = measured.run;
  const std::string& model = subject.request.model;
  const SettingFacts facts{.model = model,
                           .latency_ns = run.latency.ns.value,
                           .processors = subject.processors(),
                           .on_all_ns = measured.on_all_ns,
                           .scheduled_ns = changes.scheduled_ns,
                           .disturbed_share = disturbed_share(run.latency)};
  std::vector<Candidate> out;
  for (AdviceSetting& s : settings_for(subject.bench.spec, facts))
    out.push_back({std::move(s.finding), nullptr, std::move(s.spec)});
  for (AdviceSetting& s : findings_of(measured.ways, run, model))
    out.push_back({std::move(s.finding), nullptr, std::move(s.spec)});
  if (measured.cover)
    if (std::optional<Finding> f = finding_of(*measured.cover, run, model))
      out.push_back({std::move(*f)});
  const Observed observed{.model = model, .cache_bytes = measured.roofs.cache_bytes()};
  for (Finding& f : observations(run, observed)) out.push_back({std::move(f)});
  if (std::optional<Finding> f = missed_fusions(subject.resolved.model(), run, model))
    out.push_back({std::move(*f)});
  return out;
}

/// Before anything was compared, nothing is called lossless.
void name_effects(std::vector<Candidate>& candidates) {
  for (Candidate& c : candidates) {
    if (!c.can_be_applied()) continue;
    c.finding.lossless = false;
    if (c.is_int8())
      c.finding.effect = "accuracy";
    else if (c.finding.effect.empty())
      c.finding.effect = "rounding";
  }
}

Result<std::optional<Joint>> joint_of(const AdviceSubject& subject, const AdvicePrice& price,
                                      const std::vector<Candidate>& candidates) {
  const std::vector<const rewrite::Rule*> rules = rules_together(candidates);
  if (rules.size() < 2 || subject.environment().stopped()) return std::optional<Joint>();
  Joint joint;
  for (const rewrite::Rule* rule : rules) joint.ids.push_back(rule->name);
  const Result<bricks::Network> all =
      subject.loader.load(TRY(rewrite::rewritten(subject.resolved, rules)));
  if (all.ok())
    if (const Result<PricedEdit> priced = price.of(*all); priced.ok())
      joint.gain_ns = priced->gain_ns;
  return std::optional(std::move(joint));
}

}  // namespace

std::vector<const rewrite::Rule*> rules_together(const std::vector<Candidate>& candidates) {
  std::vector<const rewrite::Rule*> out;
  for (const Candidate& c : candidates)
    if (c.edit != nullptr && c.finding.effect != "values" && !c.edit->binds_sizes())
      out.push_back(c.edit->rule);
  return out;
}

Result<PricedFindings> price_changes(const AdviceSubject& subject, const MeasuredModel& measured,
                                     const ModelChanges& changes) {
  if (subject.request.measure_bricks && !subject.environment().stopped())
    TRY(measure_wanted_bricks(subject, changes));
  const AdvicePrice price = TRY(open_price(subject, measured, changes));
  PricedFindings out;
  out.achievable = achievable(price, measured, changes);
  for (const AdviceEdit& edit : changes.edits)
    offer(subject, {edit_finding(edit, subject.request.model, price), &edit}, out);
  if (changes.int8_finding) {
    Candidate int8{*changes.int8_finding};
    if (changes.int8) set_gain(price, changes.int8->network, {}, int8.finding);
    offer(subject, std::move(int8), out);
  }
  for (Candidate& c : other_findings(subject, measured, changes))
    out.candidates.push_back(std::move(c));
  name_effects(out.candidates);
  out.joint = TRY(joint_of(subject, price, out.candidates));
  return out;
}

}  // namespace ridge::advice
